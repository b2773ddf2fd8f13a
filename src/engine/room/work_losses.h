#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/max_loss.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What is lost when pods are stopped now. What each shape asks of the cluster is worked out once.
class WorkLosses {
 public:
  explicit WorkLosses(const state::Cluster& cluster) : cluster_(cluster) {}

  // Before a round, or an explanation: `now` and the capacity give work its weight.
  void Start(Time now);

  policy::Work LostBy(state::PodId p) const;
  // What it costs when the pods leave together. `stops`: their workload is brought below its
  // minimum.
  policy::EvictionCost CostOf(std::span<const state::PodId> pods, bool stops) const;
  policy::Loss Of(std::span<const state::PodId> pods) const;

 private:
  std::int64_t DominantOf(state::ShapeId s) const;

  const state::Cluster& cluster_;
  Time now_;
  mutable std::vector<std::int64_t> dominant_;  // by shape; −1: not worked out yet
};

}  // namespace fairlead::engine
