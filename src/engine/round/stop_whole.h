#pragma once

#include <vector>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"
#include "policy/room_action.h"

namespace fairlead::engine {

// All pods of the workload leave, for nobody's sake or for that of whose room it was lent, and room
// that is held for pods of it to come is let go: it has no start any more. Pods of DaemonSets and
// of files stay.
void StopWhole(RoundContext& round, GangStarts& starts, state::WorkloadId w,
               policy::RoomAction action, state::WorkloadId lender = {});

// Whether budgets let all of its pods go at once.
bool BudgetsLetGo(const state::Cluster& cluster, state::WorkloadId w);

// Whom to stop first is not said by numbers, which differ from process to process.
void SortByName(const state::Cluster& cluster, std::vector<state::WorkloadId>& workloads);

}  // namespace fairlead::engine
