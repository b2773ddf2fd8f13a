#pragma once

#include "state/cluster.h"
#include "state/reason.h"

namespace fairlead::engine {

// Whether no end of what runs lets the workload start: somebody has to edit it, its queue or the
// nodes. `reason`: why it waits, the first of engine::Explain. What waits its turn is not like
// that, nor what fits no node where there are none yet.
bool WaitsForGood(const state::Cluster& cluster, state::WorkloadId w, const state::Reason& reason);

}  // namespace fairlead::engine
