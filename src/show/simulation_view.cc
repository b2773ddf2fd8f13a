#include "show/simulation_view.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/quantity.h"
#include "show/event_text.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

using drive::Event;

constexpr std::size_t kShownWorkloads = 20;

void Fact(Output& output, std::string_view label, std::string_view text) {
  output.Line(fmt::format("{:<12}{}", label, text));
}

std::string SpreadText(const account::Spread& spread) {
  if (spread.count == 0) return "";
  return fmt::format("half within {}, 95% within {}, longest {}, mean {}",
                     HumanDuration(spread.p50), HumanDuration(spread.p95),
                     HumanDuration(spread.max), HumanDuration(spread.mean));
}

// "40 gpu hours": seconds of work of one resource.
std::string LostText(const account::MetricsReport& metrics) {
  std::string text;
  for (const auto& [resource, seconds] : metrics.lost_seconds) {
    // Bytes × seconds tell a person nothing.
    if (SuffixesOf(resource) == Suffixes::kBinary || resource == "pods" || seconds == 0) continue;
    text += fmt::format("{}{} {}·s", text.empty() ? "" : ", ", Grouped(seconds),
                        ShortResource(resource));
  }
  return text;
}

void PrintFacts(const SimulationSummary& summary, Output& output) {
  const account::MetricsReport& metrics = summary.metrics;
  output.Line(fmt::format("Simulated {}, from {} to {}; {}",
                          HumanDuration(summary.end - summary.start), FormatTime(summary.start),
                          FormatTime(summary.end),
                          summary.idle ? "nothing more can change" : "it would go on"));
  output.Line("");
  // The rest were evicted, or went with their owners.
  const auto gone = metrics.pods - metrics.finished - metrics.running - metrics.pending;
  Fact(output, "Pods",
       fmt::format("{} in all: {} ended, {} running, {} pending{}", Grouped(metrics.pods),
                   Grouped(metrics.finished), Grouped(metrics.running), Grouped(metrics.pending),
                   gone > 0 ? fmt::format(", {} gone", Grouped(gone)) : ""));
  const std::string lost = LostText(metrics);
  Fact(output, "Evictions",
       metrics.evictions == 0 || lost.empty()
           ? Grouped(metrics.evictions)
           : fmt::format("{}, losing {}", Grouped(metrics.evictions), lost));
  if (const engine::DaemonSetCounts& counts = metrics.daemon_sets; counts.attempts > 0) {
    Fact(output, "DaemonSets",
         fmt::format("{} searches for room on a full node, {} pods had to leave",
                     Grouped(counts.attempts), Grouped(counts.victims)));
  }
  if (metrics.waiting.count > 0) Fact(output, "Waiting", SpreadText(metrics.waiting));
  if (metrics.completion.count > 0) {
    Fact(output, "Completion", SpreadText(metrics.completion));
    Fact(output, "Makespan", HumanDuration(metrics.makespan));
  }
  Fact(output, "Digest", summary.digest);
}

void PrintUse(const account::MetricsReport& metrics, Output& output) {
  Table table({"RESOURCE", "USED", "PEAK"});
  for (const account::Use& use : metrics.utilisation) {
    if (use.resource == "pods" || use.capacity == 0) continue;
    table.Add({std::string(ShortResource(use.resource)), fmt::format("{:.1f}%", use.Percent()),
               HumanAmount(use.resource, use.peak_allocated)});
  }
  output.Section("Utilisation", table, "");
}

// The row without a level: pairs that shared none.
void PrintNearness(const account::Nearness& nearness, Output& output) {
  const auto percent = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.1f}%", *value) : "";
  };
  Table table({"LEVEL", "GANGS-WITHIN", "PAIRS-NEAREST", "DOMAINS-FREE", "OF-ALL"});
  for (const account::Nearness::OfLevel& level : nearness.levels) {
    table.Add({level.key, percent(level.gangs_within), percent(level.nearest),
               level.free ? fmt::format("{:.1f}", *level.free) : "", percent(level.free_percent)});
  }
  if (nearness.apart) table.Add({"", "", percent(nearness.apart), "", ""});
  output.Section(fmt::format("Near each other by {}", nearness.topology), table, "");
}

void PrintQueues(const SimulationSummary& summary, Output& output) {
  Table table({"QUEUE", "STARTED", "WAITED-P50", "WAITED-P95", "WAITED-MAX", "PENDING"});
  for (const account::QueueWaiting& queue : summary.metrics.queues) {
    const auto shown = [&](Duration waited) {
      return queue.waiting.count == 0 ? "" : HumanDuration(waited);
    };
    table.Add({queue.queue, Grouped(queue.waiting.count), shown(queue.waiting.p50),
               shown(queue.waiting.p95), shown(queue.waiting.max), Grouped(queue.pending)});
  }
  output.Section("By queue", table, "");
}

std::string StateText(const virtual_cluster::WorkloadFinal& workload) {
  std::string text;
  for (const virtual_cluster::PodSetFinal& pod_set : workload.pod_sets) {
    const std::int32_t there = pod_set.running + pod_set.succeeded;
    text += fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", pod_set.name, there, pod_set.count);
  }
  return text;
}

// Those that are done need no row each.
void PrintWorkloads(const SimulationSummary& summary, Output& output) {
  std::int64_t finished = summary.finished_before;
  std::size_t left = 0;
  Table workloads({"WORKLOAD", "STATE", "PODS"});
  for (const virtual_cluster::WorkloadFinal& workload : summary.workloads) {
    if (workload.state == virtual_cluster::WorkloadState::kFinished) {
      ++finished;
      continue;
    }
    const std::string state(ToString(workload.state));
    if (left++ >= kShownWorkloads) continue;
    workloads.Add({workload.workload, {state, ToneOf(state)}, StateText(workload)});
  }
  const std::string done = fmt::format("{} finished", Counted(finished, "workload"));
  output.Section("Workloads at the end", workloads, finished == 0 ? "" : done + ".");
  if (left > kShownWorkloads) {
    output.Line(fmt::format("… and {} more; -o json lists all", left - kShownWorkloads));
  }
  if (left > 0 && finished > 0) output.Line(fmt::format("… and {}", done));
}

void PrintPendingAtEnd(const SimulationSummary& summary, Output& output) {
  Table pending({"WORKLOAD", "QUEUE", "REASON", "MESSAGE"});
  for (std::size_t i = 0; i < summary.pending.size() && i < kShownPending; ++i) {
    const engine::PendingReport& report = summary.pending[i];
    for (const state::Reason& reason : report.reasons) {
      pending.Add({report.workload,
                   report.queue,
                   {std::string(state::ToString(reason.code)), Tone::kWaiting},
                   reason.message});
    }
  }
  output.Section("Pending at the end", pending, "");
  if (summary.pending.size() > kShownPending) {
    output.Line(
        fmt::format("… and {} more; -o json lists all pods",
                    Grouped(static_cast<std::int64_t>(summary.pending.size() - kShownPending))));
  }
}

}  // namespace

void EventTable::OnEvent(const Event& event) {
  const std::string type(ToString(event.type));
  table_.Add({"+" + ExactDuration(event.time - start_),
              {type, ToneOf(type)},
              std::string(ObjectOf(event)),
              std::string(event.node),
              DetailOf(event)});
}

void PrintSimulation(const SimulationSummary& summary, Output& output) {
  PrintFacts(summary, output);
  output.Section("Time line", summary.timeline.Rows(summary.end), "Nothing happened.");
  PrintUse(summary.metrics, output);
  for (const account::Nearness& nearness : summary.nearness) PrintNearness(nearness, output);
  PrintQueues(summary, output);
  PrintWorkloads(summary, output);
  PrintPendingAtEnd(summary, output);
  output.Paragraph(summary.others);
}

}  // namespace fairlead::show
