#include "effects/waiting_book.h"

namespace fairlead::effects {

void WaitingBook::Apply(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) {
      if (pod->ungated && *pod->ungated == Time::Max()) {
        writes_.push_back(SetUngated{.pod = std::string(pod->name)});
      }
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      if (workload->activity_untold) {
        writes_.push_back(
            SetInactive{.workload = workload->name, .inactive = !workload->traits.active});
      }
    }
  }
}

}  // namespace fairlead::effects
