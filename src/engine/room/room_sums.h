#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "state/cluster.h"

namespace fairlead::engine {

// How many pods of the shape the node holds in numbers alone once all of those have left for whom
// `may_leave` says yes: an upper bound. `amounts`: to work in.
template <typename MayLeave>
std::int64_t PodsOnceLeft(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                          MayLeave may_leave, std::vector<std::int64_t>& amounts) {
  const std::int64_t* later = cluster.nodes().later(n);
  amounts.assign(later, later + cluster.nodes().stride());
  for (const state::PodId p : cluster.nodes().pods(n)) {
    if (!may_leave(p)) continue;
    for (const state::Amount& a : cluster.shapes()[cluster.pods()[p].shape].request) {
      amounts[a.resource.value()] += a.amount;
    }
  }
  return PodsInSum(amounts, shape);
}

// How many pods of a shape the nodes hold in sum, while pods leave and come back: in numbers alone,
// the state stays as it is. For shapes that take room alone that many find room, device shares
// aside. Cost: O(nodes) to make, O(resources) a change.
class RoomSums {
 public:
  RoomSums(const state::Cluster& cluster, Placer& placer, state::ShapeId shape)
      : cluster_(cluster), placer_(placer), shape_(shape), rooms_(cluster.nodes().size()) {
    std::vector<std::int64_t> amounts;
    for (std::uint32_t n = 0; n < rooms_.size(); ++n) {
      const state::NodeId node(n);
      if (!cluster_.nodes().exists(node) || !placer_.classes().Fits(shape_, node)) continue;
      Start(node, amounts);
      rooms_[n].pods = PodsInSum(amounts, cluster_.shapes()[shape_]);
      held_ += rooms_[n].pods;
    }
  }

  std::int64_t held() const { return held_; }
  void Leave(std::span<const state::PodId> pods) { Change(pods, 1); }
  void Return(std::span<const state::PodId> pods) { Change(pods, -1); }
  // By how many more there are once they have left.
  std::int64_t GainOf(std::span<const state::PodId> pods) {
    const std::int64_t before = held_;
    Leave(pods);
    const std::int64_t gain = held_ - before;
    Return(pods);
    return gain;
  }

 private:
  struct Room {
    std::vector<std::int64_t> amounts;  // by resource; empty: as the node has them
    std::int64_t pods = 0;
  };
  void Start(state::NodeId n, std::vector<std::int64_t>& amounts) const {
    const std::int64_t* later = cluster_.nodes().later(n);
    amounts.assign(later, later + cluster_.nodes().stride());
  }
  void Change(std::span<const state::PodId> pods, std::int64_t sign) {
    for (const state::PodId p : pods) {
      const state::Pod& pod = cluster_.pods()[p];
      if (!placer_.classes().Fits(shape_, pod.node)) continue;
      Room& room = rooms_[pod.node.value()];
      if (room.amounts.empty()) Start(pod.node, room.amounts);
      for (const state::Amount& a : cluster_.shapes()[pod.shape].request) {
        room.amounts[a.resource.value()] += sign * a.amount;
      }
      held_ -= room.pods;
      room.pods = PodsInSum(room.amounts, cluster_.shapes()[shape_]);
      held_ += room.pods;
    }
  }

  const state::Cluster& cluster_;
  Placer& placer_;
  state::ShapeId shape_;
  std::int64_t held_ = 0;
  std::vector<Room> rooms_;
};

}  // namespace fairlead::engine
