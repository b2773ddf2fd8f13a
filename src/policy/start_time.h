#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

// The live pods of one pod set, as far as its start goes.
struct PlacedSet {
  std::int32_t min_count = 0;
  std::int32_t succeeded = 0;  // they count towards the minimum
  std::int32_t live = 0;
  std::vector<Time> since;  // when they were placed, of those of which it is known; in no order
};

// When a workload's minimum was placed, by its live pods (semantics.md §1): per pod set the time of
// the m-th earliest, m its minimum, and the latest of these. Where no pod set has a minimum left,
// the first pod of all is it. Empty: the times of a minimum are not known, or not all of it is
// there.
std::optional<Time> DerivedStart(std::span<const PlacedSet> sets);

// When a gang's minimum was first placed, as its pods and its recorded start tell it. A recorded
// start counts only where it lies between the creation of the oldest live pod (its own, where it
// was moved since) and the derived start (`now`, where none can be derived): nobody can make
// himself older or younger than his pods. Where one does not, and fewer pods are left than the
// minimum (others were replaced, or are to be; a clock was wrong), it has started all the same, at
// the latest with the youngest that is left. Empty: not started, or nobody knows when.
std::optional<Time> StartOf(const state::Cluster& cluster, state::WorkloadId gang, Time now);

// Since when a workload waits that has not started: its creation, its last stop, its activation or
// the moment at which the last of its pods lost its scheduling gates, whichever is latest
// (time.md §5.1). Max(): the cluster does not show it yet. Cost: O(1), of gangs whose pods had
// gates O(pods).
Time WaitsSince(const state::Cluster& cluster, state::WorkloadId w);

// The same of any workload that was told to leave: since when it had been started.
std::optional<Time> StartOfLeaving(const state::Cluster& cluster, state::WorkloadId w, Time now);

}  // namespace fairlead::policy
