#pragma once

#include <string_view>
#include <vector>

#include "engine/room/make_room.h"
#include "state/cluster.h"
#include "state/reason.h"

namespace fairlead::engine {

// That disruption budgets keep these victims: the first budget that is short for them, by name, and
// the first of its pods among them. `room`: what they would make room for, "for it", "on node n1".
// REQUIRES: they are still there.
void TellBudget(const state::Cluster& cluster, const std::vector<VictimUnit>& victims,
                std::string_view room, state::Reason& reason);

}  // namespace fairlead::engine
