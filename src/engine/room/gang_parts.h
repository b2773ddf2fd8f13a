#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/room/victim_scope.h"

namespace fairlead::engine {

// How much of what a gang's leaving costs counts on each node with pods of it: in parts that are no
// more than all of them together, so that what a set of victims costs by the nodes on which they
// make room is no more than what it costs. Which parts they are is free: by pods at first. To move
// them from nodes where it is left alone to those where it goes makes the bound better (a dual
// ascent).
//
// Worked: a gang on n1 and n2, a half on each. On n1 it makes room for a pod at 1/2; a single pod
// of n3 at 1. The gang looks cheaper, and no bound is better than 1/2. With 3/4 on n1 it is 3/4.
class GangParts {
 public:
  static constexpr std::int64_t kAll = 5040;

  explicit GangParts(const state::Cluster& cluster) : cluster_(cluster) {}

  std::int64_t Of(const VictimUnit& unit, state::NodeId n) const;
  void Clear() { moved_.clear(); }
  // To the nodes where it is taken, from the others of its. Adds those whose parts are others now.
  void Move(const VictimUnit& unit, std::span<const state::NodeId> taken,
            std::vector<state::NodeId>& changed);

 private:
  static constexpr std::int64_t kMostMoved = kAll / 4;

  const state::Cluster& cluster_;
  // By the unit's first pod and a node of it; the rest is by pods.
  std::map<std::pair<state::PodId, state::NodeId>, std::int64_t> moved_;
};

}  // namespace fairlead::engine
