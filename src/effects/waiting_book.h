#pragma once

#include <span>
#include <utility>
#include <vector>

#include "effects/writes.h"
#include "state/change.h"

namespace fairlead::effects {

// Since when work waits that was kept out by its owner, by scheduling gates of its pods or as not
// active: the cluster keeps no time of that, so that its status has to say it (time.md §5.1).
//
// Thread safety: none. Cost: a look at each change.
class WaitingBook {
 public:
  void Apply(std::span<const state::Change> changes);
  // SetUngated and SetInactive where the cluster does not show it, in the order of changes.
  bool HasNews() const { return !writes_.empty(); }
  std::vector<Write> TakeWrites() { return std::exchange(writes_, {}); }

 private:
  std::vector<Write> writes_;
};

}  // namespace fairlead::effects
