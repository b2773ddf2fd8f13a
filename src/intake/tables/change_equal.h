#pragma once

#include "objects/objects.h"
#include "state/change.h"

// Whether two values say the same to the engine: changes come out only where they do not.
// Needs are compared by pointer, which intake shares between equal ones (needs_pool.h).

namespace fairlead::intake {

bool Same(const state::NodeChange& a, const state::NodeChange& b);
bool Same(const state::QueueChange& a, const state::QueueChange& b);
bool Same(const state::WorkloadTraits& a, const state::WorkloadTraits& b);
bool Same(const state::WorkloadChange& a, const state::WorkloadChange& b);
bool Same(const objects::SchedulerConfiguration& a, const objects::SchedulerConfiguration& b);

}  // namespace fairlead::intake
