#pragma once

#include <vector>

#include "policy/queue_order.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Whose turn it is in the queue tree: siblings are compared from the root down, each by its best
// child (semantics.md §3). Holds only queues that have something to try.
//
// Nearly always only the queue on top changes while work is tried, and with it the path above it:
// one heap for each parent is enough.
class Turns {
 public:
  explicit Turns(const state::Cluster& cluster) : cluster_(cluster) {}

  // `best[i]`: the request of the best ready work directly in `queues[i]`. They must outlive their
  // turn.
  void Start(const std::vector<state::QueueId>& queues,
             const std::vector<const state::Amounts*>& best);

  // The queue whose turn it is; invalid when nothing is left.
  state::QueueId Top() const;
  // The top's figures or best work changed; null: it has nothing left to try.
  void Update(const state::Amounts* best);
  // Another queue's figures changed: somebody took from it.
  void Refresh(state::QueueId q);
  // A queue got work, or better work: it may have had none.
  void Put(state::QueueId q, const state::Amounts* best);

 private:
  struct Node {
    std::vector<state::QueueId> heap;     // of children with something to try
    const state::Amounts* own = nullptr;  // best work directly in the queue
    policy::QueueTurn turn;
    bool active = false;
  };
  const state::Amounts* Best(state::QueueId q) const;
  void MakeTurn(state::QueueId q);
  void SortBeside(state::QueueId q);  // among its siblings
  bool Later(state::QueueId a, state::QueueId b) const {
    return policy::GoesFirst(nodes_[b.value()].turn, nodes_[a.value()].turn);
  }

  const state::Cluster& cluster_;
  std::vector<Node> nodes_;  // by queue
};

}  // namespace fairlead::engine
