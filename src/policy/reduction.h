#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objects/objects.h"

// With how many pods a job may start that does not fit whole (semantics.md §8).

namespace fairlead::policy {

struct CountRange {
  std::int32_t count = 0;      // asked
  std::int32_t min_count = 0;  // ≤ count
  std::int32_t step = 1;       // it goes by so many: count − min_count is a multiple
};

// How many cuts there are: Σ (count − min_count).
std::int64_t CutsOf(std::span<const CountRange> ranges);

// The counts after `cut` of them, 0 ≤ cut ≤ CutsOf(ranges); no count grows with another cut.
//   proportional: every range loses the same part of what it can: count − ⌊(count − min)·cut/cuts⌋.
//   ordered:      the last range that can loses all it can first.
// What a range loses is brought up to its next whole step.
// Worked: {1}, {4, min 2}, {20, min 10}, 6 of 12 cuts: {1}, {3}, {15}; ordered {1}, {4}, {14}.
std::vector<std::int32_t> CountsAfter(std::span<const CountRange> ranges, std::int64_t cut,
                                      objects::Reduction how);

}  // namespace fairlead::policy
