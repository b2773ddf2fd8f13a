#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/wide_int.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Whether all who may move could have places beside those for whom they do: a bound, by which most
// of what is asked in vain is refused before anybody is looked for.
//
// Of one resource, by some size: once all movers are taken up, what a node has is so many slots of
// that size, rounded down, and a pod takes as many as its request is, rounded down. However movers
// and comers then stand, those of a node take no more slots than it has; so all of them together
// take no more than all nodes have. The sizes are those of movers.
//
// Worked: 1,000 nodes of 8 GPUs with one mover of 7 each. By size 7 they are 1,000 slots, and all
// are taken: a pod of 8 GPUs, which asks one, is refused, though 1,000 GPUs are free in sum.
class MoverSlots {
 public:
  // `movers`: all who may move, as the state is now, with nothing done in a trial and nothing kept
  // back. Cost: O(pods of movers + nodes × resources × kMostSizes).
  MoverSlots(const state::Cluster& cluster, std::span<const state::WorkloadId> movers);

  // No is a proof: with any of the movers elsewhere and the step in place somebody has none.
  // Cost: O(parts × sizes).
  bool MayDo(const RoomStep& step) const;

 private:
  static constexpr std::size_t kMostSizes = 8;  // of a resource: the largest
  struct Left {
    state::ResourceId resource;
    std::int64_t size = 0;
    WideInt slots = 0;
  };
  const state::Cluster& cluster_;
  std::vector<Left> left_;
};

}  // namespace fairlead::engine
