#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/wide_int.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What is free on all nodes together, once those have left who leave already, of each of these
// resources.
inline std::vector<WideInt> FreeOnAll(const state::NodeTable& nodes, const state::Amounts& of) {
  std::vector<WideInt> free(of.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::int64_t* later = nodes.later(state::NodeId(i));
    for (std::size_t r = 0; r < free.size(); ++r) {
      free[r] += std::max<std::int64_t>(0, later[of[r].resource.value()]);
    }
  }
  return free;
}

// The same by resource, added up anew only where something was touched since.
class FreeOnAllNodes {
 public:
  explicit FreeOnAllNodes(const state::Cluster& cluster) : cluster_(cluster) {}

  bool MayDo(const state::Amounts& request) {
    const std::uint64_t touched = cluster_.journal().touched.end();
    if (std::exchange(as_of_, touched) != touched) free_.clear();
    return std::ranges::all_of(request, [this](const state::Amount& asked) {
      const auto [known, is_new] = free_.try_emplace(asked.resource, 0);
      if (is_new) known->second = FreeOnAll(cluster_.nodes(), {asked}).front();
      return known->second >= asked.amount;
    });
  }

 private:
  const state::Cluster& cluster_;
  std::map<state::ResourceId, WideInt> free_;
  std::uint64_t as_of_ = 0;
};

// The same of the resources that a step asks: where that is too little, no place will do.
class FreeInSum {
 public:
  // The step must outlive it.
  FreeInSum(const state::Cluster& cluster, const RoomStep& step)
      : step_(step), free_(FreeOnAll(cluster.nodes(), step.request)) {}

  void Add(const state::Amounts& amounts, std::int64_t times) {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      free_[r] += static_cast<WideInt>(times) * state::AmountOf(amounts, step_.request[r].resource);
    }
  }

  // Whether it may be enough for the step: what is there in sum may be too scattered.
  bool MayDo() const {
    for (std::size_t r = 0; r < free_.size(); ++r) {
      if (free_[r] < step_.request[r].amount) return false;
    }
    return true;
  }

 private:
  const RoomStep& step_;
  std::vector<WideInt> free_;  // by the step's resources
};

}  // namespace fairlead::engine
