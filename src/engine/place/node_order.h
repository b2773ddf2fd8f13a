#pragma once

#include <cstdint>
#include <vector>

#include "engine/place/node_blocks.h"
#include "policy/placement.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Where a node stands in an order of its axis by placement: its score, then its name. kInNoOrder:
// it is of the other axis, or gone.
inline constexpr std::uint64_t kInNoOrder = 0;
std::uint64_t PlacementKey(const state::Cluster& cluster, state::NodeId n, policy::Axis axis,
                           state::When when);

// A node that was touched leaves its place in one order for a place in another, or in the same.
// Null: it stood nowhere (its key was kInNoOrder), or is to stand nowhere.
void MoveNode(state::NodeId n, NodeBlocks* from, std::uint64_t had, NodeBlocks* to,
              std::uint64_t key);

// All nodes of an axis, by their room now or later, from the best to the worst.
// Cost: as NodeBlocks; Refresh O(log n + block).
class NodeOrder {
 public:
  NodeOrder(const state::Cluster& cluster, const NodeClasses& classes, policy::Axis axis,
            state::When when)
      : cluster_(cluster), axis_(axis), when_(when), blocks_(cluster, classes, when) {}

  void Rebuild();
  // The node's free amounts, score or existence changed.
  void Refresh(state::NodeId n);

  // The first node with score ≥ `from` that holds `fit`, is of a class in `mask` and is accepted.
  template <typename Accept>
  state::NodeId First(const state::Amounts& fit, std::uint64_t mask, std::uint32_t from,
                      Accept accept) {
    return blocks_.First(fit, mask, static_cast<std::uint64_t>(from) << 32, accept);
  }

 private:
  const state::Cluster& cluster_;
  policy::Axis axis_;
  state::When when_;
  NodeBlocks blocks_;
  std::vector<std::uint64_t> key_of_;  // by node; kInNoOrder: not in the order
};

}  // namespace fairlead::engine
