#include "view/view.h"

#include <array>

namespace fairlead::view {

std::string_view ToString(NodeState state) {
  static constexpr std::array<std::string_view, 3> kNames = {"Ready", "NotReady", "Unschedulable"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view ToString(PodState state) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "Pending", "Gated", "Claiming", "Starting", "Running", "Leaving", "Finished"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view ToString(WorkloadState state) {
  static constexpr std::array<std::string_view, 4> kNames = {"Pending", "Admitted", "Running",
                                                             "Finished"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace fairlead::view
