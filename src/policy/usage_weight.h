#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/fair_share.h"

namespace fairlead::policy {

// What a queue's weight becomes by what it used over time (time.md §7), beside those of its band
// that ask for something. Parts in millionths.
struct UsageWeight {
  std::int64_t of_weights = 0;  // w: its part of the siblings' weights
  std::int64_t of_usage = 0;    // u: its part of what they used
  // max(0, w + influence × (w − u)), in 10^-9; where nobody of the band has any, w.
  std::int64_t weight = 0;
};

// By sharer; zeros of those that ask for nothing. Where a band used nothing all that counts is w.
// Cost: O(n) where they have one priority, else O(n log n).
std::vector<UsageWeight> UsageWeights(std::span<const Sharer> sharers,
                                      std::int32_t influence_milli);

}  // namespace fairlead::policy
