#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "state/cluster.h"

namespace fairlead::engine {

struct ShapeCount {
  state::ShapeId shape;
  std::int64_t pods = 0;
};

void AddPods(std::vector<ShapeCount>& into, state::ShapeId shape, std::int64_t pods);

// The largest part of the capacity that one pod of the shape asks, in parts per 10^9.
std::int64_t SizeOf(const state::Cluster& cluster, const state::Shape& shape);

// An arrangement of many pods of several shapes that costs no more than a look at every node:
// shape by shape, those with the fewest nodes first, then the largest, onto node after node as many
// as it holds. Works on a copy of what is free and touches nothing. That it finds none proves
// nothing.
class Filling {
 public:
  Filling(const state::Cluster& cluster, Placer& placer, state::When when)
      : cluster_(cluster), placer_(placer), when_(when) {}

  // Pods of one shape on one node.
  struct Taken {
    state::NodeId node;
    state::ShapeId shape;
    std::int64_t pods = 0;
  };
  // Whether amounts alone tell who fits: not where pods share devices or ask for host ports.
  bool CanJudge(const std::vector<ShapeCount>& wanted) const;
  // Absent: it found none, or cannot judge. REQUIRES: the cluster is as at the first call.
  std::optional<std::vector<Taken>> Of(const std::vector<ShapeCount>& wanted);

 private:
  struct Hosts {
    state::ShapeId shape;
    std::vector<state::NodeId> nodes;
  };
  const Hosts& HostsOf(state::ShapeId shape);

  const state::Cluster& cluster_;
  Placer& placer_;
  state::When when_;
  std::vector<Hosts> hosts_;
  std::vector<std::int64_t> free_;
};

}  // namespace fairlead::engine
