#include "show/metrics_text.h"

#include "base/check.h"
#include "engine/explain/kept_guarantees.h"
#include "engine/plan/daemon_set_counts.h"
#include "objects/key.h"
#include "show/metric_lines.h"
#include "show/queue_metrics.h"

namespace fairlead::show {
namespace {

// So many queues are asked whether a budget keeps them from what they are guaranteed: each answer
// is a search, and each may add a series.
constexpr std::size_t kMostQueuesAsked = 16;

void AddKeptGuarantees(MetricLines& lines, const engine::Scheduler& scheduler) {
  lines.Begin("fairlead_disruption_budget_keeps_guarantees", "gauge",
              "Queues whose guarantee a disruption budget keeps from being met.");
  for (const auto& [budget, queues] : engine::KeptGuarantees(scheduler, kMostQueuesAsked)) {
    const auto [name_space, name] = objects::SplitKey(budget);
    lines.Add(queues, Label("namespace", name_space) + "," + Label("budget", name));
  }
}

}  // namespace

std::string MetricsText(const engine::Scheduler& scheduler) {
  const engine::DaemonSetCounts& counts = scheduler.daemon_set_counts();
  MetricLines lines;
  lines.Begin("fairlead_daemonset_preemption_attempts_total", "counter",
              "Searches for pods to leave the node of a DaemonSet's pod.");
  lines.Add(counts.attempts);
  lines.Begin("fairlead_daemonset_preemption_victims_total", "counter",
              "Pods that had to leave for a DaemonSet's pod.");
  lines.Add(counts.victims);
  lines.Begin("fairlead_daemonset_preemption_failures_total", "counter",
              "Searches that found nobody, by what stood in the way.");
  for (std::size_t i = 0; i < counts.failures.size(); ++i) {
    lines.Add(counts.failures[i],
              Label("reason", engine::ToString(static_cast<engine::NoVictims>(i))));
  }
  lines.Begin("fairlead_bugs_total", "counter",
              "Faults of the scheduler itself that it noticed, and went on. The log says which.");
  lines.Add(BugCount());
  AddKeptGuarantees(lines, scheduler);
  return QueueMetricsText(scheduler) + lines.Take();
}

}  // namespace fairlead::show
