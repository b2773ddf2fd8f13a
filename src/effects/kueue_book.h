#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effects/writes.h"
#include "state/change.h"

namespace fairlead::effects {

// Whom to warn among the owners of Kueue's objects, kept from the changes that the engine gets. The
// status of these objects is Kueue's to write: their owners see events.
//
// - A problem is warned of once as long as it lasts. It is the same while it says the same.
//
// Thread safety: none. Cost: that of what changed.
class KueueBook {
 public:
  void Apply(std::span<const state::Change> changes);
  // Warn, in the order in which the problems came.
  bool HasNews() const { return !writes_.empty(); }
  std::vector<Write> TakeWrites() { return std::exchange(writes_, {}); }

 private:
  using KindAndName = std::pair<std::string, std::string>;
  using CodeAndMessage = std::pair<std::string, std::string>;
  std::map<KindAndName, std::set<CodeAndMessage>> warned_of_;  // without those that have none
  std::vector<Write> writes_;
};

}  // namespace fairlead::effects
