#pragma once

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"
#include "policy/room_action.h"

namespace fairlead::engine {

// All pods of the workload leave, for nobody's sake, and room that is held for pods of it to come
// is let go: it has no start any more. Pods of DaemonSets and of files stay.
void StopWhole(RoundContext& round, GangStarts& starts, state::WorkloadId w,
               policy::RoomAction action);

}  // namespace fairlead::engine
