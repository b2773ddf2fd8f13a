#include "engine/explain/kept_guarantees.h"

#include <map>

#include "engine/explain/explain.h"
#include "engine/round/round.h"
#include "policy/queue_order.h"

namespace fairlead::engine {
namespace {

using state::QueueId;
using state::WorkloadId;

// By queue; invalid: none waits there.
std::vector<WorkloadId> FirstWaiting(const state::Cluster& cluster) {
  std::vector<WorkloadId> first(cluster.queues().size());
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const WorkloadId w(i);
    if (!IsPending(cluster, w)) continue;
    WorkloadId& of_queue = first[cluster.workloads()[w].queue.value()];
    if (!of_queue.valid() || policy::IsServedFirst(cluster, w, of_queue)) of_queue = w;
  }
  return first;
}

}  // namespace

std::vector<KeptGuarantee> KeptGuarantees(const Scheduler& scheduler, std::size_t most_queues) {
  const state::Cluster& cluster = scheduler.cluster();
  if (cluster.budgets().size() == 0) return {};
  const std::vector<WorkloadId> first = FirstWaiting(cluster);
  Explainer explainer(scheduler, scheduler.round().now());
  std::map<std::string, std::int64_t> queues;
  std::size_t asked = 0;
  for (const QueueId q : cluster.queues().order()) {
    if (!first[q.value()].valid()) continue;
    if (asked++ == most_queues) break;
    for (const state::Reason& reason : explainer.Reasons(first[q.value()])) {
      // It names the queue where that is guaranteed what it asks.
      const bool keeps = reason.code == state::ReasonCode::kDisruptionBudget &&
                         !reason.queue.empty() && !reason.budget.empty();
      if (keeps) ++queues[reason.budget];
    }
  }
  std::vector<KeptGuarantee> kept;
  kept.reserve(queues.size());
  for (const auto& [budget, count] : queues) kept.push_back({budget, count});
  return kept;
}

}  // namespace fairlead::engine
