#pragma once

#include <optional>
#include <vector>

#include "engine/explain/what_if.h"
#include "state/reason.h"

namespace fairlead::engine {

// Why pods that are to be near each other are not: which domains come closest, and by how much.
// Empty: by counts some domain holds them.
std::optional<state::Reason> TopologyReason(const WhatIf& what_if, state::WorkloadId w,
                                            const std::vector<GangPart>& parts);

}  // namespace fairlead::engine
