#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/placer.h"
#include "engine/room_search.h"
#include "policy/reduction.h"

namespace fairlead::engine {

// With how many pods a job may start that has no room as a whole (semantics.md §8): the fewest pods
// are cut with which it has, then every pod set in turn grows into what is left.
//
// Fewer pods never have room where more do, so that halving finds the cut. Limits and the number of
// pods that nodes would hold one by one are compared first; only what passes is placed, to see.
class FewerPods {
 public:
  // `whole`: the step with all pods. `by_victims`: whether others would make room for a step; null:
  // nobody may be asked.
  FewerPods(state::Cluster& cluster, Placer& placer, const RoomStep& whole,
            std::function<bool(const RoomStep&)> by_victims);

  // By pod set; empty: not even with the fewest.
  std::vector<std::int32_t> Find();

  // The step of so many pods.
  RoomStep StepWith(const std::vector<std::int32_t>& counts) const;

 private:
  using Counts = std::vector<std::int32_t>;
  void Measure();
  std::int64_t SmallestCut();
  bool MayServe(const Counts& counts);
  bool Serves(const Counts& counts);
  void Grow(std::size_t set, Counts& counts);

  state::Cluster& cluster_;
  Placer& placer_;
  const RoomStep& whole_;
  std::function<bool(const RoomStep&)> by_victims_;
  const std::vector<state::PodSet>& sets_;
  std::vector<policy::CountRange> ranges_;
  struct ShapeRoom {
    state::ShapeId shape;
    std::int64_t wanted = 0, room = 0;
  };
  std::vector<ShapeRoom> shapes_;   // of the whole step
  std::vector<std::int64_t> free_;  // by resource, of all nodes together
  state::Amounts request_;
};

}  // namespace fairlead::engine
