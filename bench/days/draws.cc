#include "bench/days/draws.h"

#include <algorithm>
#include <cmath>

#include "bench/normal.h"

namespace fairlead::bench {
namespace {

constexpr double kMedianHours = 1, kSpread = 1.2;  // of log-normal durations

}  // namespace

std::int64_t Draw(Random& random, std::span<const Weighted> from) {
  auto left = static_cast<std::int64_t>(random.Below(100));
  for (const Weighted& each : from) {
    if (left < each.percent) return each.value;
    left -= each.percent;
  }
  return from.back().value;
}

// In whole seconds, so that the last digit of a logarithm decides nothing.
Duration DrawDuration(Random& random) {
  const double seconds = kMedianHours * kHour * std::exp(kSpread * Normal(random));
  return std::clamp(Duration::Seconds(std::llround(std::min(seconds, 1e6))), kShortestRun,
                    kLongestRun);
}

Duration DrawArrival(Random& random, std::set<std::int64_t>& taken) {
  auto ms =
      static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(kLastArrival.us / 1000)));
  while (!taken.insert(ms).second) ++ms;
  return {ms * 1000};
}

}  // namespace fairlead::bench
