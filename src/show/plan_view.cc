#include "show/plan_view.h"

#include <map>

#include <fmt/format.h>

#include "show/human_text.h"

namespace fairlead::show {
namespace {

using engine::DecisionReport;
using engine::DecisionType;
using engine::QueueReport;

// "a, b and 7 more".
std::string Some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == kShown) return fmt::format("{} and {} more", text, names.size() - kShown);
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return text;
}

// "reclaim" for Reclaim: what was done, in a sentence.
std::string ActionWord(const std::string& action) {
  if (action == "Reclaim") return "reclaimed";
  if (action == "Preempt") return "preempted";
  if (action == "DaemonSet") return "makes room";
  if (action == "RunTimeLimit") return "stopped";
  if (action == "Consolidate") return "moved";
  return action;
}

std::size_t DepthOf(const QueueReport& queue, const std::map<std::string, std::size_t>& depths) {
  const auto parent = depths.find(queue.parent);
  return parent == depths.end() ? 0 : parent->second + 1;
}

// Queues come parents first, so the parent's depth is known when the child's is asked.
std::map<std::string, std::size_t> DepthsOf(const std::vector<QueueReport>& queues) {
  std::map<std::string, std::size_t> depths;
  for (const QueueReport& queue : queues) depths[queue.name] = DepthOf(queue, depths);
  return depths;
}

void PrintDecisions(const engine::PlanReport& plan, Output& output) {
  Table decisions({"DECISION", "POD", "NODE", "WORKLOAD", "DETAIL"});
  for (const DecisionReport& decision : plan.decisions) {
    const std::string type(ToString(decision.type));
    const std::string workload = decision.workload == decision.pod ? "" : decision.workload;
    decisions.Add(
        {{type, ToneOf(type)}, decision.pod, decision.node, workload, DetailOf(decision)});
  }
  output.Section("Decisions", decisions, "Nothing to decide.");
}

void PrintPending(const engine::PlanReport& plan, Output& output) {
  Table pending({"WORKLOAD", "QUEUE", "REASON", "MESSAGE"});
  for (const engine::PendingReport& report : plan.pending) {
    for (const state::Reason& reason : report.reasons) {
      pending.Add({report.workload,
                   report.queue,
                   {std::string(state::ToString(reason.code)), Tone::kWaiting},
                   reason.message});
    }
  }
  output.Section("Pending", pending, "Nothing stays pending.");
}

}  // namespace

std::string ReservationText(std::optional<Time> at, const std::vector<std::string>& nodes) {
  if (nodes.empty()) return "no room is kept for it any more";
  const std::string_view more = at ? "" : ", whenever that is";
  return fmt::format(
      "{}room is kept for it on {}{}",
      at ? fmt::format("from {} on ", FormatTime(*at)) : "what comes free: ", Some(nodes), more);
}

std::string LoanText(std::string_view holder, std::string_view until) {
  if (holder.empty()) return "it is not on loan any more";
  return fmt::format("on loan from {}: if it still runs at {}, it gives way", holder, until);
}

std::string DetailOf(const DecisionReport& decision) {
  switch (decision.type) {
    case DecisionType::kBind: {
      std::string text;
      if (decision.gpu_device >= 0) text = fmt::format("shares GPU {}", decision.gpu_device);
      if (decision.volumes.empty()) return text;
      std::vector<std::string> volumes;
      for (const engine::VolumeToBind& each : decision.volumes) {
        volumes.push_back(each.volume.empty() ? each.claim
                                              : fmt::format("{} to {}", each.claim, each.volume));
      }
      return fmt::format("{}{}once its volumes are bound there: {}", text, text.empty() ? "" : ", ",
                         fmt::join(volumes, ", "));
    }
    case DecisionType::kEvict: {
      std::string text = ActionWord(decision.action);
      if (!decision.beneficiary.empty()) text += " for " + decision.beneficiary;
      return decision.reason.empty() ? text : text + ": " + decision.reason;
    }
    case DecisionType::kNominate:
      if (decision.waiting_for.empty()) return "";
      return fmt::format("once {} {} gone", Some(decision.waiting_for),
                         decision.waiting_for.size() == 1 ? "is" : "are");
    case DecisionType::kAdmit: {
      std::string text;
      for (const engine::PodSetCount& pod_set : decision.pod_sets) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", pod_set.name, pod_set.count);
        if (pod_set.asked > pod_set.count) text += fmt::format(" of {}", pod_set.asked);
      }
      return decision.reason.empty() ? text : text + ": " + decision.reason;
    }
    case DecisionType::kLand:
      if (!decision.pod.empty())
        return "its next pod goes there: it moves for " + decision.beneficiary;
      if (decision.landings.empty()) return "those who moved for it have their places";
      return fmt::format("room is held for {} {} for it", decision.landings.size(),
                         decision.landings.size() == 1 ? "pod that moves" : "pods that move");
    case DecisionType::kReserve:
      return decision.pod.empty() ? ReservationText(decision.at, decision.nodes)
                                  : "the node is held for it";
    case DecisionType::kLend:
      return LoanText(decision.beneficiary, decision.at ? FormatTime(*decision.at) : "");
  }
  return "";
}

std::string ShortQuantities(const engine::Quantities& quantities) {
  std::string text;
  for (const auto& [resource, amount] : quantities) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", ShortResource(resource),
                        HumanAmount(resource, amount));
  }
  return text;
}

Table QueueTable(const std::vector<QueueReport>& queues) {
  const std::map<std::string, std::size_t> depths = DepthsOf(queues);
  Table table({"QUEUE", "GUARANTEED", "ALLOCATED", "FAIR-SHARE", "PENDING", "RUNNING"});
  for (const QueueReport& queue : queues) {
    const bool ready = queue.not_ready.empty();
    const std::string name = std::string(2 * depths.at(queue.name), ' ') + queue.name;
    table.Add({{ready ? name : fmt::format("{} ({})", name, queue.not_ready),
                ready ? Tone::kPlain : Tone::kBad},
               ShortQuantities(queue.guaranteed),
               ShortQuantities(queue.allocated),
               ShortQuantities(queue.fair_share),
               std::to_string(queue.pending_workloads),
               std::to_string(queue.running_workloads)});
  }
  return table;
}

void PrintPlan(const engine::PlanReport& plan, const std::vector<std::string>& others,
               Output& output) {
  const auto pending = static_cast<std::int64_t>(plan.pending.size());
  // Where nothing waits it is for pods that nobody makes in time, which surprises whoever reads it.
  const bool looks_again = plan.next_round && pending > 0;
  output.Line(fmt::format(
      "Plan at {}: {}, {} pending{}", FormatTime(plan.now),
      Counted(static_cast<std::int64_t>(plan.decisions.size()), "decision"),
      Counted(pending, "workload"),
      looks_again ? fmt::format("; looks again at {}", FormatTime(*plan.next_round)) : ""));
  PrintDecisions(plan, output);
  PrintPending(plan, output);
  output.Paragraph(others);
  output.Section("Queues, with this plan carried out", QueueTable(plan.queues), "");
}

}  // namespace fairlead::show
