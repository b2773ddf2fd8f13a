#pragma once

#include <cstdint>
#include <vector>

#include "policy/entitlement.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Which queues have more than a right gives them, so that others may reclaim from them. Where none
// has, as in a cluster that is shared out fairly, nobody needs to be asked any further, however
// many ask.
//
// Cost: O(queues beside) where figures have changed since the last question, O(depth) else.
class QueuesAbove {
 public:
  explicit QueuesAbove(const state::Cluster& cluster)
      : cluster_(cluster), queues_(cluster.queues()) {}

  // Whether a queue beside `q`, or beside one above it, may be above the right: no is a proof.
  bool AnyBeside(state::QueueId q, policy::Right right);

 private:
  // Of the children of one queue: the first two, which tell for each child whether another is.
  struct Known {
    std::uint64_t version = 0;  // of the figures
    state::QueueId first, second;
  };
  const Known& AmongChildren(state::QueueId parent, policy::Right right);

  const state::Cluster& cluster_;
  const state::QueueTree& queues_;
  std::vector<Known> known_[2];  // by right, and parent
};

}  // namespace fairlead::engine
