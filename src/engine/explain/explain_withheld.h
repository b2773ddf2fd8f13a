#pragma once

#include <optional>

#include "engine/explain/what_if.h"
#include "engine/room/room_step.h"
#include "policy/windows.h"
#include "state/reason.h"

namespace fairlead::engine {

// That room which is free is on nodes that a window closes (time.md §4), or is kept for others who
// start later (§2): for whom first. Empty: the step has no room anyhow, or it has some beside that.
std::optional<state::Reason> WithheldReason(const WhatIf& what_if, const Group& group,
                                            const RoomStep& step, Time now);

}  // namespace fairlead::engine
