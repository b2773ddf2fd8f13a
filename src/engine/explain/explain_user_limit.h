#pragma once

#include <string>

#include "policy/limits.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Why work waits for a limit of its user, or of a group of his (time.md §7): whose limit it is, who
// has what it allows, and when that ends, as far as anybody knows. Cost: a look at each workload.

// REQUIRES: the breach is by a user.
state::Reason UserLimitReason(const state::Cluster& cluster, const policy::LimitBreach& breach,
                              Time now);
// Without who has it: "user ada may use 2 more GPUs before a limit of queue "lab", 4 asked".
std::string UserLimitText(const state::Cluster& cluster, const policy::LimitBreach& breach);

// Of work that waits behind others of its user. REQUIRES: it is beyond the line.
state::Reason BeyondLineReason(const state::Cluster& cluster, state::WorkloadId w);

}  // namespace fairlead::engine
