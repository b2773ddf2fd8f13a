#pragma once

#include <cstdint>
#include <vector>

#include "policy/fair_share.h"

namespace fairlead::policy {

// Semantics §2 word for word, in fractions: slow and obvious. Answers by the sharers' order, in
// whole units where every guarantee and request is one.
std::vector<std::int64_t> ExactShares(std::int64_t amount, std::int64_t unit,
                                      const std::vector<Sharer>& sharers);

}  // namespace fairlead::policy
