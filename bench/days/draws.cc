#include "bench/days/draws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fairlead::bench {
namespace {

constexpr double kMedianHours = 1, kSpread = 1.2;  // of log-normal durations

// In (0, 1).
double Uniform(Random& random) {
  return (static_cast<double>(random.Next() >> 11) + 0.5) * 0x1.0p-53;
}

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
  const double normal =
      std::sqrt(-2 * std::log(Uniform(random))) * std::cos(2 * std::numbers::pi * Uniform(random));
  const double seconds = kMedianHours * kHour * std::exp(kSpread * normal);
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
