#include "engine/plan/daemon_set_counts.h"

namespace fairlead::engine {

std::string_view ToString(NoVictims cause) {
  static constexpr std::array<std::string_view, kNoVictimsCauses> kNames = {
      "NotEnough", "Bounds", "Protected", "DisruptionBudget", "NeverPreempts"};
  return kNames[static_cast<std::size_t>(cause)];
}

}  // namespace fairlead::engine
