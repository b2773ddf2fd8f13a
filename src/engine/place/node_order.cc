#include "engine/place/node_order.h"

#include <algorithm>
#include <utility>

namespace fairlead::engine {

using state::NodeId;

std::uint64_t PlacementKey(const state::Cluster& cluster, NodeId n, policy::Axis axis,
                           state::When when) {
  if (!cluster.nodes().exists(n) || !policy::OnAxis(cluster, n, axis)) return kInNoOrder;
  return static_cast<std::uint64_t>(policy::Score(cluster, n, axis, when)) << 32 |
         cluster.nodes().rank(n);
}

void MoveNode(NodeId n, NodeBlocks* from, std::uint64_t had, NodeBlocks* to, std::uint64_t key) {
  if (from == to && had == key) {
    if (to != nullptr) to->Note(n, key);
    return;
  }
  if (from != nullptr) from->Erase(had);
  if (to != nullptr) to->Insert(n, key);
}

void NodeOrder::Rebuild() {
  key_of_.assign(cluster_.nodes().size(), kInNoOrder);
  std::vector<NodeBlocks::Keyed> all;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const NodeId n(i);
    key_of_[i] = PlacementKey(cluster_, n, axis_, when_);
    if (key_of_[i] != kInNoOrder) all.emplace_back(key_of_[i], n);
  }
  std::sort(all.begin(), all.end());
  blocks_.Assign(all);
}

void NodeOrder::Refresh(NodeId n) {
  if (n.value() >= key_of_.size()) key_of_.resize(cluster_.nodes().size(), kInNoOrder);
  const std::uint64_t key = PlacementKey(cluster_, n, axis_, when_);
  const std::uint64_t had = std::exchange(key_of_[n.value()], key);
  const auto order_of = [&](std::uint64_t at) { return at == kInNoOrder ? nullptr : &blocks_; };
  MoveNode(n, order_of(had), had, order_of(key), key);
}

}  // namespace fairlead::engine
