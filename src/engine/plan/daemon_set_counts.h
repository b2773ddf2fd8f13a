#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fairlead::engine {

// Why no strategy serves: the one rule that stands in the way alone, or else kNotEnough.
enum class NoVictims : std::uint8_t {
  kNotEnough,      // all that may be asked would not suffice
  kBounds,         // by singleMaxDeviationPercent or multipleMaxVictims
  kProtected,      // by minimum runtimes
  kBudgets,        // by disruption budgets
  kNeverPreempts,  // its preemptionPolicy is Never
};
inline constexpr std::size_t kNoVictimsCauses = 5;
std::string_view ToString(NoVictims cause);  // "NotEnough", …

// How often victims were looked for, and what came of it, since the engine began.
struct DaemonSetCounts {
  std::int64_t attempts = 0;
  std::int64_t victims = 0;
  std::array<std::int64_t, kNoVictimsCauses> failures = {};  // by NoVictims
};

}  // namespace fairlead::engine
