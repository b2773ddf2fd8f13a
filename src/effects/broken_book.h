#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "effects/writes.h"
#include "engine/scheduler.h"
#include "state/change.h"

namespace fairlead::effects {

// The condition Broken of Workloads that run below their minimum, and whose missing pods cannot be
// placed: whoever starts anew reads there since when.
//
// Thread safety: none. Cost: a comparison a change of a workload, where none is broken.
class BrokenBook {
 public:
  void Apply(std::span<const state::Change> changes);
  // SetBroken where the cluster shows another, by name. REQUIRES: as after a round.
  std::vector<Write> TakeWrites(const engine::Scheduler& scheduler);

 private:
  std::set<std::string> shown_;  // or written last
};

}  // namespace fairlead::effects
