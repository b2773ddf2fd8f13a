#pragma once

#include <optional>

#include "engine/explain/what_if.h"
#include "engine/room/room_step.h"
#include "state/reason.h"

namespace fairlead::engine {

// That room which is free is kept for others who start later (time.md §2), and for whom first.
// Empty: the step has no room anyhow, or it has some beside what is kept.
std::optional<state::Reason> ReservedReason(const WhatIf& what_if, const Group& group,
                                            const RoomStep& step);

}  // namespace fairlead::engine
