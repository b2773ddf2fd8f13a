#include "show/metrics_text.h"

#include <string_view>

#include <fmt/format.h>

#include "base/check.h"
#include "engine/explain/kept_guarantees.h"
#include "engine/plan/daemon_set_counts.h"
#include "objects/key.h"

namespace fairlead::show {
namespace {

// So many queues are asked whether a budget keeps them from what they are guaranteed: each answer
// is a search, and each may add a series.
constexpr std::size_t kMostQueuesAsked = 16;

std::string Head(std::string_view name, std::string_view help, std::string_view type = "counter") {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

// The names of a budget and its namespace are such that nothing in them needs to be escaped.
std::string KeptGuaranteesText(const engine::Scheduler& scheduler) {
  constexpr std::string_view kKept = "fairlead_disruption_budget_keeps_guarantees";
  std::string text =
      Head(kKept, "Queues whose guarantee a disruption budget keeps from being met.", "gauge");
  for (const auto& [budget, queues] : engine::KeptGuarantees(scheduler, kMostQueuesAsked)) {
    const auto [name_space, name] = objects::SplitKey(budget);
    text +=
        fmt::format("{}{{namespace=\"{}\",budget=\"{}\"}} {}\n", kKept, name_space, name, queues);
  }
  return text;
}

}  // namespace

std::string MetricsText(const engine::Scheduler& scheduler) {
  const engine::DaemonSetCounts& counts = scheduler.daemon_set_counts();
  constexpr std::string_view kAttempts = "fairlead_daemonset_preemption_attempts_total";
  constexpr std::string_view kVictims = "fairlead_daemonset_preemption_victims_total";
  constexpr std::string_view kFailures = "fairlead_daemonset_preemption_failures_total";
  std::string text = Head(kAttempts, "Searches for pods to leave the node of a DaemonSet's pod.");
  text += fmt::format("{} {}\n", kAttempts, counts.attempts);
  text += Head(kVictims, "Pods that had to leave for a DaemonSet's pod.");
  text += fmt::format("{} {}\n", kVictims, counts.victims);
  text += Head(kFailures, "Searches that found nobody, by what stood in the way.");
  for (std::size_t i = 0; i < counts.failures.size(); ++i) {
    text += fmt::format("{}{{reason=\"{}\"}} {}\n", kFailures,
                        engine::ToString(static_cast<engine::NoVictims>(i)), counts.failures[i]);
  }
  constexpr std::string_view kBugs = "fairlead_bugs_total";
  text += Head(kBugs,
               "Faults of the scheduler itself that it noticed, and went on. The log says which.");
  text += fmt::format("{} {}\n", kBugs, BugCount());
  return text + KeptGuaranteesText(scheduler);
}

}  // namespace fairlead::show
