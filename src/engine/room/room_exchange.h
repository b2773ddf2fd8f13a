#pragma once

#include <cstdint>
#include <vector>

#include "engine/room/room_step.h"
#include "engine/room/room_sums.h"
#include "engine/room/victim_scope.h"

namespace fairlead::engine {

// Makes a set of victims cheaper by taking one more, where that makes dearer ones needless. For
// pods of one shape that take room alone (RoomCurves::Suits): then so many pods find room as the
// nodes hold in sum, and numbers tell it.
//
//   a step of four pods; v1, v2 make room for two each, w, on both of their nodes, for four:
//   w is taken, v1 and v2 are needless, and one workload stops instead of two
class RoomExchange {
 public:
  // `candidates`: units that are all that their workloads give. As the state is now, with all of
  // them in their places. Cost: O(nodes + candidates × log candidates).
  RoomExchange(const state::Cluster& cluster, Placer& placer, const RoomStep& step,
               std::vector<VictimUnit> candidates);

  // Whether it found anything cheaper. Rights and budgets are not asked. A workload that gives by
  // several units keeps them. Cost: kMostTaken × candidates × units.
  bool Improve(std::vector<VictimUnit>& units);

 private:
  static constexpr int kMostTaken = 32;

  void Leave(const VictimUnit& unit) { sums_.Leave(unit.leaving()); }
  void Return(const VictimUnit& unit) { sums_.Return(unit.leaving()); }
  bool TakeOne(std::vector<VictimUnit>& units);
  bool TakeIn(const VictimUnit& unit, std::vector<VictimUnit>& units);

  RoomSums sums_;
  std::int64_t wanted_ = 0;
  std::vector<VictimUnit> candidates_;  // the cheapest first
  std::vector<std::uint32_t> by_cost_;  // of the units at hand, scratch
};

}  // namespace fairlead::engine
