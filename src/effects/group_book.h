#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "effects/workload_book.h"
#include "effects/writes.h"
#include "engine/scheduler.h"
#include "state/change.h"

namespace fairlead::effects {

// Why native PodGroups wait, told in their status: the first reason that `explain` gives.
//
// - A group is looked at when it or a pod of it changed, not when others did: its words are of that
//   moment, and `explain` says what holds now.
// - At most kMostARound are explained a round, the others with the next ones: an explanation
//   searches for room.
//
// Thread safety: none. Cost: a lookup or two a change; an explanation for each that is looked at.
class GroupBook {
 public:
  static constexpr std::size_t kMostARound = 50;

  void Apply(std::span<const state::Change> changes);
  // SetGroupCondition, by name. REQUIRES: as after a round at `now`.
  bool HasNews() const { return !due_.empty(); }
  std::vector<Write> TakeWrites(const engine::Scheduler& scheduler, const WorkloadBook& workloads,
                                Time now);

 private:
  std::map<std::string, std::string, std::less<>> told_;  // by group, the message; "": none yet
  std::map<std::string, std::string, std::less<>> pods_;  // of these groups: which
  std::set<std::string, std::less<>> due_;
};

}  // namespace fairlead::effects
