#include "policy/min_runtime.h"

#include <algorithm>

#include "base/check.h"

// Reclaim by lca, on the tree of the design (B 600s over C and D 60s; leaf1 0s and leaf2 180s under
// C; leaf3 under D):
//   leaf1 asks, leaf3 gives: they meet at B; D is its child towards leaf3 and says 60s.
//   leaf3 asks, leaf1 gives: they meet at B; C is its child towards leaf1 and says nothing, so B's
//   600s count. leaf1's own 0s is for those who meet it at C.

namespace fairlead::policy {
namespace {

using state::QueueId;
using state::QueueTree;

std::optional<Duration> SettingOf(const state::Queue& queue, RoomAction action) {
  if (!queue.exists) return std::nullopt;  // what is deleted says nothing any more
  return action == RoomAction::kReclaim ? queue.reclaim_min_runtime : queue.preempt_min_runtime;
}

// The first that is set, from `start` upward.
MinRuntime FirstFrom(const state::Cluster& cluster, RoomAction action, QueueId start) {
  const QueueTree& queues = cluster.queues();
  for (QueueId q = start; q.valid(); q = queues[q].parent) {
    if (const std::optional<Duration> set = SettingOf(queues[q], action)) {
      return {.value = *set, .from = q};
    }
  }
  const objects::SchedulerConfiguration& configuration = cluster.configuration();
  return {.value = action == RoomAction::kReclaim ? configuration.reclaim_min_runtime
                                                  : configuration.preempt_min_runtime,
          .from = QueueId()};
}

// The child of the lowest common ancestor towards `victim`; `victim` itself where it is that
// ancestor.
QueueId StartByLca(const QueueTree& queues, QueueId victim, QueueId preemptor) {
  QueueId below = victim;  // the last queue on the victim's way up that is not above the preemptor
  QueueId v = victim;
  QueueId t = preemptor.valid() ? preemptor : QueueTree::Root();
  while (v != t && v.valid() && t.valid()) {
    if (queues[v].depth >= queues[t].depth) {
      below = v;
      v = queues[v].parent;
    } else {
      t = queues[t].parent;
    }
  }
  return below;
}

bool ByLca(const state::Cluster& cluster, RoomAction action) {
  return action == RoomAction::kReclaim &&
         cluster.configuration().reclaim_resolve == objects::ReclaimResolve::kLca;
}

}  // namespace

MinRuntime ResolveMinRuntime(const state::Cluster& cluster, RoomAction action, QueueId victim,
                             QueueId preemptor) {
  DCHECK(victim.valid() && cluster.queues().settled());
  const QueueId start =
      ByLca(cluster, action) ? StartByLca(cluster.queues(), victim, preemptor) : victim;
  return FirstFrom(cluster, action, start);
}

std::optional<Time> ProtectedUntil(const state::Cluster& cluster, state::WorkloadId victim,
                                   RoomAction action, QueueId preemptor, Time now) {
  const state::Workload& workload = cluster.workloads()[victim];
  if (!workload.started()) return std::nullopt;
  const MinRuntime runtime = ResolveMinRuntime(cluster, action, workload.queue, preemptor);
  const Time until = workload.start + runtime.value;  // saturates
  if (now >= until) return std::nullopt;
  return until;
}

Protection LatestProtection(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.started()) return {};
  auto until = [&](const MinRuntime& runtime) {
    return runtime.value > Duration() ? std::optional<Time>(workload.start + runtime.value)
                                      : std::nullopt;
  };
  const MinRuntime preempt = FirstFrom(cluster, RoomAction::kPreempt, workload.queue);
  MinRuntime reclaim = FirstFrom(cluster, RoomAction::kReclaim, workload.queue);
  if (ByLca(cluster, RoomAction::kReclaim)) {
    const QueueTree& queues = cluster.queues();
    for (QueueId q = workload.queue; q.valid() && q != QueueTree::Root(); q = queues[q].parent) {
      const MinRuntime from_here = FirstFrom(cluster, RoomAction::kReclaim, q);
      if (from_here.value > reclaim.value) reclaim = from_here;
    }
  }
  return {.preempt = until(preempt),
          .reclaim = until(reclaim),
          .preempt_by = preempt,
          .reclaim_by = reclaim};
}

std::string ToText(Duration runtime) {
  const std::int64_t seconds = runtime.WholeSeconds();
  if (runtime != Duration::Seconds(seconds) || seconds == 0) return FormatDuration(runtime);
  std::string text;
  auto add = [&](std::int64_t amount, const char* unit) {
    if (amount > 0) text += std::to_string(amount) + unit;
  };
  add(seconds / 3600, "h");
  add(seconds / 60 % 60, "m");
  add(seconds % 60, "s");
  return text;
}

}  // namespace fairlead::policy
