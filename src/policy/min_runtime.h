#pragma once

#include <optional>
#include <string>

#include "policy/room_action.h"
#include "state/cluster.h"

namespace fairlead::policy {

// How long a workload may run before an action may stop it (semantics.md §6): the rule of the
// seeds' designs, one walk up the queue tree. Only queues that exist set anything; an explicit 0s
// is set. Queues of a cycle and orphans stand at the root (state/queues.h), so that every walk
// ends.
//
// Cost of every function here: O(depth of the tree). REQUIRES: the cluster's queues are settled.

struct MinRuntime {
  Duration value;
  state::QueueId from;     // the queue that sets it; invalid: the configured default
  std::int32_t stops = 0;  // that make it so long; 0: it is as long for all
  bool operator==(const MinRuntime&) const = default;
};

// What protects workloads of queue `victim` from `action` by a workload of queue `preemptor`.
//   preempt, for a DaemonSet's pod: from the victim's queue upward, the first that is set.
//   reclaim, reclaimResolve queue:  likewise.
//   reclaim, reclaimResolve lca:    from the child of their lowest common ancestor towards the
//                                   victim upward. Where the victim's queue is an ancestor of the
//                                   preemptor's, or the same: from the victim's queue.
// `preemptor` counts for reclaim by lca only. Invalid there: as if it were another top-level queue.
// REQUIRES: `victim` is valid.
MinRuntime ResolveMinRuntime(const state::Cluster& cluster, RoomAction action,
                             state::QueueId victim, state::QueueId preemptor);

// What protects a workload besides from reclaim, where others have stopped it k times: as by a
// minimum runtime of repeatProtection × 2^(k−1), at most 24h. Its queue says, the first upward.
//   repeatProtection 10m, stopped three times: 40m
MinRuntime RepeatProtectionOf(const state::Cluster& cluster, state::WorkloadId victim);

// Whether stops of the queue's work protect it.
bool StopsProtect(const state::Cluster& cluster, state::QueueId queue);
// How often it will have been stopped when others take its room at `now`. What has run for a day
// beyond its protection by then begins anew: a day that protection gives would let work that is
// taken at its end begin anew each time.
std::int32_t StopsWithOneMore(const state::Cluster& cluster, state::WorkloadId w, Time now);

// The longer of both.
MinRuntime ProtectionOf(const state::Cluster& cluster, state::WorkloadId victim, RoomAction action,
                        state::QueueId preemptor);

// Until when `victim` is protected, where it is at `now`: before start + min-runtime. At that very
// moment it is no longer. Empty: it is not. Who has not started is not protected; who has is by his
// start, whatever `now` is. Time::Max(): for ever. Having been stopped protects it no longer than
// `past_repeats`.
std::optional<Time> ProtectedUntil(const state::Cluster& cluster, state::WorkloadId victim,
                                   RoomAction action, state::QueueId preemptor, Time now,
                                   Time past_repeats = Time::Max());

// What a workload's owner is told (status.protectedUntil): the moments from which nobody is kept
// from stopping it. For reclaim by lca the latest over all queues that could ask: for each queue
// from the victim's up to its top-level ancestor somebody may start there.
// Empty: it has not started, or nothing protects it.
struct Protection {
  std::optional<Time> preempt, reclaim;
  MinRuntime preempt_by, reclaim_by;  // what sets them, where there is one
};
Protection LatestProtection(const state::Cluster& cluster, state::WorkloadId workload);

// For sentences: "30m", "1h30m", "45s".
std::string ToText(Duration runtime);
// "queue lab (30m)", "the configuration (1h30m)", "queue lab (40m: stopped 3 times)".
std::string ToText(const state::Cluster& cluster, const MinRuntime& runtime);

}  // namespace fairlead::policy
