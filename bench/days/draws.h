#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "base/random.h"
#include "base/time.h"

// What days of made-up work are drawn from (bench/topology_day, bench/moves).

namespace fairlead::bench {

inline constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute;  // seconds

// When a day is measured: with half a day before it that fills the cluster and half a day after it
// in which work goes on to come.
inline constexpr Duration kDayBegin = Duration::Seconds(12 * kHour);
inline constexpr Duration kDayEnd = Duration::Seconds(36 * kHour);
inline constexpr Duration kLastArrival = Duration::Seconds(48 * kHour);

// Runs are no shorter and no longer.
inline constexpr Duration kShortestRun = Duration::Seconds(5 * kMinute),
                          kLongestRun = Duration::Seconds(12 * kHour);

struct Weighted {
  std::int64_t value, percent;
};
// One of them. REQUIRES: the percents' sum is 100.
std::int64_t Draw(Random& random, std::span<const Weighted> from);

// Log-normal, an hour in the median, in whole seconds.
Duration DrawDuration(Random& random);

// Evenly until the last arrival, in whole milliseconds; each once.
Duration DrawArrival(Random& random, std::set<std::int64_t>& taken);

}  // namespace fairlead::bench
