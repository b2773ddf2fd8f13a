#include "engine/place/node_order.h"

#include <algorithm>

namespace fairlead::engine {

using state::NodeId;

std::uint64_t PlacementKey(const state::Cluster& cluster, NodeId n, policy::Axis axis,
                           state::When when) {
  return static_cast<std::uint64_t>(policy::Score(cluster, n, axis, when)) << 32 |
         cluster.nodes().rank(n);
}

void NodeOrder::Rebuild() {
  key_of_.assign(cluster_.nodes().size(), kAbsent);
  std::vector<NodeBlocks::Keyed> all;
  for (std::uint32_t i = 0; i < cluster_.nodes().size(); ++i) {
    const NodeId n(i);
    if (cluster_.nodes().exists(n) && policy::OnAxis(cluster_, n, axis_)) {
      key_of_[i] = PlacementKey(cluster_, n, axis_, when_);
      all.emplace_back(key_of_[i], n);
    }
  }
  std::sort(all.begin(), all.end());
  blocks_.Assign(all);
}

void NodeOrder::Refresh(NodeId n) {
  if (n.value() >= key_of_.size()) key_of_.resize(cluster_.nodes().size(), kAbsent);
  const std::uint64_t had = key_of_[n.value()];
  const bool belongs = cluster_.nodes().exists(n) && policy::OnAxis(cluster_, n, axis_);
  const std::uint64_t key = belongs ? PlacementKey(cluster_, n, axis_, when_) : kAbsent;
  if (had == key) {
    if (belongs) blocks_.Note(n, key);
    return;
  }
  if (had != kAbsent) blocks_.Erase(had);
  if (belongs) blocks_.Insert(n, key);
  key_of_[n.value()] = key;
}

}  // namespace fairlead::engine
