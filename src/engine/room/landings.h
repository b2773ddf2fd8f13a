#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/victim_scope.h"

namespace fairlead::engine {

// Where a pod that moves is to stand.
struct Landing {
  state::PodId mover;
  state::NodeId node;
};

// Finds places for those who move (time.md §6): for all of them, in what is free once they have
// left and those for whom they do have come; or for none.
//
// Worked: a pod of 8 GPUs takes node a, from which x (4) and y (2) move. b has 4 free, c has 3: x,
// the larger, goes to b and y to c. Were y first, it would take 2 of b's, and x found no place.
class Landings {
 public:
  Landings(state::Cluster& cluster, Placer& placer) : cluster_(cluster), placer_(placer) {}

  // Whether room is all that its pods ask of a place. Work that shares devices, holds volumes, asks
  // a topology, or demands something of other pods, or of which others do, stays where it is.
  bool MayLand(state::WorkloadId w) const;

  // The largest first, each to its best node; where that fails and they are few, every way there
  // is. Nothing stays of it in the state. Pods may land where others have left.
  // REQUIRES: the units, who may land, have left in a trial, and those who come hold their room.
  bool Find(std::span<const VictimUnit> units);

  // Of the last Find that found something: sorted by mover, as units are by giving.
  const std::vector<Landing>& found() const { return found_; }
  // Of the last that did not: whether there is no way for sure.
  bool proven() const { return proven_; }
  // Whose pod found no place when the largest went first, the last time that one did not; invalid:
  // all did since Forget.
  state::WorkloadId stuck() const { return stuck_; }
  void Forget() { stuck_ = state::WorkloadId(); }

 private:
  static constexpr std::size_t kFewPods = 8;
  static constexpr std::int32_t kMostSteps = 2000;
  void SortBySize(std::vector<state::PodId>& pods) const;
  bool FindGreedily(const std::vector<state::PodId>& pods);
  bool FindByTrying(const std::vector<state::PodId>& pods, std::size_t i, std::size_t from);

  state::Cluster& cluster_;
  Placer& placer_;
  std::vector<Landing> found_;
  state::WorkloadId stuck_;
  bool proven_ = true;
  std::int32_t steps_ = 0;
};

}  // namespace fairlead::engine
