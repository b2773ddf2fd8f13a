#pragma once

#include <string>
#include <string_view>

#include "state/reason.h"

namespace fairlead::show {

// What would let a workload start that waits for this reason, as advice to its owner or the
// cluster's admin: one or two sentences, without a final period. `scheduler`: our name, as
// configured.
std::string RemedyFor(const state::Reason& reason, std::string_view scheduler);

}  // namespace fairlead::show
