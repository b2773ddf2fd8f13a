#include "unit/engine/tell.h"

#include <algorithm>

#include "engine/explain/report.h"

namespace fairlead::engine {

std::vector<std::string> Decided(const Scheduler& scheduler, const Plan& plan) {
  std::vector<std::string> lines;
  for (const DecisionReport& decision : ReportDecisions(scheduler, plan)) {
    std::string line(ToString(decision.type));
    line +=
        " " + (decision.pod.empty() ? decision.workload : decision.pod + " -> " + decision.node);
    if (decision.gpu_device >= 0) line += " device " + std::to_string(decision.gpu_device);
    for (const std::string& node : decision.nodes) line += " " + node;
    const bool lends = decision.type == DecisionType::kLend && decision.at;
    if (lends) line += " for " + decision.beneficiary;
    if (decision.at) line += " at " + FormatTime(*decision.at);
    for (const PodSetCount& set : decision.pod_sets) {
      line += " " + set.name + "=" + std::to_string(set.count);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string Told(const std::vector<state::Change>& changes) {
  std::string text;
  for (const state::Change& change : changes) {
    if (const auto* c = std::get_if<state::NodeChange>(&change)) {
      text += "\n  node " + c->name + (c->schedulable ? "" : " cordoned") +
              (c->ready ? "" : " not ready");
    } else if (const auto* q = std::get_if<state::QueueChange>(&change)) {
      text +=
          "\n  queue " + q->name + " under \"" + q->parent + "\"" + (q->active ? "" : " inactive");
    } else if (const auto* w = std::get_if<state::WorkloadChange>(&change)) {
      text += "\n  workload " + w->name + " in " + w->traits.queue;
      for (const auto& set : w->pod_sets) {
        text += " " + std::to_string(set.min_count) + ".." + std::to_string(set.count);
      }
    } else if (const auto* p = std::get_if<state::PodChange>(&change)) {
      text += "\n  pod " + std::string(p->name) + " of " +
              (p->solo ? p->solo->queue : p->workload) + " on \"" + p->node + "\"";
      text += (p->terminating ? " terminating" : "") + std::string(p->gated ? " gated" : "");
      text += p->state == state::PodState::kFinished ? " finished" : "";
    } else if (const auto* r = std::get_if<state::Removal>(&change)) {
      text += "\n  removed " + r->name;
    } else if (const auto* f = std::get_if<state::BindFailed>(&change)) {
      text += "\n  bind failed " + f->pod;
    } else if (const auto* i = std::get_if<state::WindowChange>(&change)) {
      text += "\n  window " + i->window->meta.name + " from " + FormatTime(i->window->from);
    } else if (const auto* b = std::get_if<state::BudgetChange>(&change)) {
      text += "\n  budget " + b->name;
    } else if (const auto* o = std::get_if<state::ConfigurationChange>(&change)) {
      const auto& rules = o->configuration->daemon_set_preemption;
      text += std::string("\n  configuration; DaemonSets ") + (rules.enabled ? "on" : "off");
    }
  }
  return text;
}

std::vector<std::string> Picture(const Scheduler& scheduler) {
  std::vector<std::string> lines;
  for (const PendingReport& pending : ReportPending(scheduler, Time{})) {
    std::string line = "pending " + pending.workload;
    for (const state::Reason& reason : pending.reasons)
      line += " " + std::string(ToString(reason.code));
    lines.push_back(std::move(line));
  }
  for (const QueueReport& queue : ReportQueues(scheduler)) {
    std::string line = "queue " + queue.name + " " + queue.not_ready;
    for (const Quantities* figures : {&queue.requested, &queue.allocated, &queue.fair_share}) {
      line += " |";
      for (const auto& [resource, amount] : *figures) line += " " + resource + "=" + amount;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string Difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::string text;
  if (a == b) return text;
  for (const std::string& line : a) {
    if (std::find(b.begin(), b.end(), line) == b.end()) text += "\n  - " + line;
  }
  for (const std::string& line : b) {
    if (std::find(a.begin(), a.end(), line) == a.end()) text += "\n  + " + line;
  }
  return text.empty() ? "in another order" : text;
}

}  // namespace fairlead::engine
