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

// What is free on all nodes together, once those have left who leave already, by resource. Added up
// anew only where something was touched since.
class FreeOnAllNodes {
 public:
  explicit FreeOnAllNodes(const state::Cluster& cluster) : cluster_(cluster) {}

  bool MayDo(const state::Amounts& request) {
    const std::uint64_t touched = cluster_.journal().touched.end();
    if (std::exchange(as_of_, touched) != touched) free_.clear();
    return std::ranges::all_of(request, [this](const state::Amount& asked) {
      return FreeOf(asked.resource) >= asked.amount;
    });
  }

 private:
  WideInt FreeOf(state::ResourceId r) {
    const auto [known, is_new] = free_.try_emplace(r, 0);
    const state::NodeTable& nodes = cluster_.nodes();
    for (std::uint32_t i = 0; is_new && i < nodes.size(); ++i) {
      known->second += std::max<std::int64_t>(0, nodes.later(state::NodeId(i))[r.value()]);
    }
    return known->second;
  }

  const state::Cluster& cluster_;
  std::map<state::ResourceId, WideInt> free_;
  std::uint64_t as_of_ = 0;
};

// The same of the resources that a step asks: where that is too little, no place will do.
class FreeInSum {
 public:
  // The step must outlive it.
  FreeInSum(const state::Cluster& cluster, const RoomStep& step) : step_(step) {
    const state::NodeTable& nodes = cluster.nodes();
    free_.assign(step.request.size(), 0);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      const std::int64_t* later = nodes.later(state::NodeId(i));
      for (std::size_t r = 0; r < free_.size(); ++r) {
        free_[r] += std::max<std::int64_t>(0, later[step.request[r].resource.value()]);
      }
    }
  }

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
