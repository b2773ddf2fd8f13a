#pragma once

#include <string>

#include "state/reason.h"

namespace fairlead::cli {

// What would let a workload start that waits for this reason, as advice to its owner or the
// cluster's admin: one or two sentences, without a final period.
std::string RemedyFor(const state::Reason& reason);

}  // namespace fairlead::cli
