#pragma once

#include <optional>

#include "state/cluster.h"

namespace fairlead::policy {

// When a gang's minimum was first placed, as its pods and its recorded start tell it (semantics.md
// §1). Derived: per pod set the time of the m-th earliest placed pod, m its minimum, and the latest
// of these. A recorded start counts only where it lies between the creation of the oldest live pod
// and the derived start: nobody can make himself older or younger than his pods.
// Empty: not started.
std::optional<Time> StartOf(const state::Cluster& cluster, state::WorkloadId gang);

}  // namespace fairlead::policy
