#include "policy/min_runtime.h"

#include <algorithm>

#include <fmt/format.h>

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

// The first that is set, from `start` upward. What is deleted says nothing any more.
template <typename SettingOf>
MinRuntime FirstFrom(const state::Cluster& cluster, QueueId start, Duration configured,
                     SettingOf setting_of) {
  const QueueTree& queues = cluster.queues();
  for (QueueId q = start; q.valid(); q = queues[q].parent) {
    if (!queues[q].exists) continue;
    const std::optional<Duration>& set = setting_of(queues[q]);
    if (set) return {.value = *set, .from = q};
  }
  return {.value = configured, .from = QueueId()};
}

MinRuntime FirstFrom(const state::Cluster& cluster, RoomAction action, QueueId start) {
  const objects::SchedulerConfiguration& configuration = cluster.configuration();
  const bool reclaims = action == RoomAction::kReclaim;
  return FirstFrom(cluster, start,
                   reclaims ? configuration.reclaim_min_runtime : configuration.preempt_min_runtime,
                   [&](const state::Queue& queue) -> const std::optional<Duration>& {
                     return reclaims ? queue.reclaim_min_runtime : queue.preempt_min_runtime;
                   });
}

MinRuntime OfFirstStop(const state::Cluster& cluster, QueueId queue) {
  return FirstFrom(
      cluster, queue, cluster.configuration().repeat_protection,
      [](const state::Queue& q) -> const std::optional<Duration>& { return q.repeat_protection; });
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

constexpr Duration kDay = Duration::Seconds(86'400);

MinRuntime Longer(const MinRuntime& a, const MinRuntime& b) { return b.value > a.value ? b : a; }

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

MinRuntime RepeatProtectionOf(const state::Cluster& cluster, state::WorkloadId victim) {
  const state::Workload& workload = cluster.workloads()[victim];
  if (workload.stops == 0) return {};
  MinRuntime protection = OfFirstStop(cluster, workload.queue);
  protection.stops = workload.stops;
  for (int k = 1; k < workload.stops && protection.value < kDay; ++k) {
    protection.value = protection.value + protection.value;
  }
  protection.value = std::min(protection.value, kDay);
  return protection;
}

bool StopsProtect(const state::Cluster& cluster, QueueId queue) {
  return OfFirstStop(cluster, queue).value > Duration();
}

std::int32_t StopsWithOneMore(const state::Cluster& cluster, state::WorkloadId w, Time now) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.started()) return workload.stops + 1;
  const Time open_since = LatestProtection(cluster, w).reclaim.value_or(workload.start);
  return now - open_since >= kDay ? 1 : workload.stops + 1;
}

MinRuntime ProtectionOf(const state::Cluster& cluster, state::WorkloadId victim, RoomAction action,
                        QueueId preemptor) {
  const MinRuntime runtime =
      ResolveMinRuntime(cluster, action, cluster.workloads()[victim].queue, preemptor);
  if (action != RoomAction::kReclaim) return runtime;
  return Longer(runtime, RepeatProtectionOf(cluster, victim));
}

std::optional<Time> ProtectedUntil(const state::Cluster& cluster, state::WorkloadId victim,
                                   RoomAction action, QueueId preemptor, Time now,
                                   Time past_repeats) {
  const state::Workload& workload = cluster.workloads()[victim];
  if (!workload.started()) return std::nullopt;
  const MinRuntime runtime = ResolveMinRuntime(cluster, action, workload.queue, preemptor);
  Time until = workload.start + runtime.value;  // saturates
  if (workload.stops > 0 && action == RoomAction::kReclaim) {
    const Time repeats = workload.start + RepeatProtectionOf(cluster, victim).value;
    until = std::max(until, std::min(repeats, past_repeats));
  }
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
  reclaim = Longer(reclaim, RepeatProtectionOf(cluster, w));
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

std::string ToText(const state::Cluster& cluster, const MinRuntime& runtime) {
  std::string by = runtime.from.valid()
                       ? fmt::format("queue {}", cluster.queues()[runtime.from].name)
                       : std::string("the configuration");
  by += fmt::format(" ({}", ToText(runtime.value));
  if (runtime.stops > 0) {
    by += runtime.stops == 1 ? ": stopped once" : fmt::format(": stopped {} times", runtime.stops);
  }
  return by + ")";
}

}  // namespace fairlead::policy
