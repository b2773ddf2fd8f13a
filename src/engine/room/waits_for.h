#pragma once

#include <span>
#include <vector>

#include "state/cluster.h"

namespace fairlead::engine {

// Whom claimed room waits for (semantics.md §9).

// Whether only what is still leaving keeps the workload from being placed, by a limit
// (semantics.md §3). `request`: what of it is to be placed.
bool WaitsForLimit(const state::Cluster& cluster, state::WorkloadId w,
                   const state::Amounts& request);

// The pods that leave the queue whose limit keeps the workload's pods that claim room from being
// placed until they have left (semantics.md §3); none where no limit does. In no order. Cost: where
// one does, the pods of the nodes that somebody is leaving.
std::vector<state::PodId> LeavingForLimit(const state::Cluster& cluster, state::WorkloadId w);

// Those, the pods that have still to leave the nodes of `claims`, and those that leave elsewhere
// and exclude one of them until they have: by name, each once.
std::vector<state::PodId> WaitsFor(const state::Cluster& cluster,
                                   std::vector<state::PodId> leaving_for_limit,
                                   std::span<const state::PodId> claims);

}  // namespace fairlead::engine
