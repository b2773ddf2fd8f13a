#include "engine/room/gang_parts.h"

#include <algorithm>

#include "base/sorted_set.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

std::int64_t GangParts::Of(const VictimUnit& unit, NodeId n) const {
  const auto moved = moved_.find({unit.pods.front(), n});
  if (moved != moved_.end()) return moved->second;
  const auto here =
      std::ranges::count_if(unit.pods, [&](PodId p) { return cluster_.pods()[p].node == n; });
  return kAll * here / std::ssize(unit.pods);
}

void GangParts::Move(const VictimUnit& unit, std::span<const NodeId> taken,
                     std::vector<NodeId>& changed) {
  std::vector<NodeId> nodes;
  for (const PodId p : unit.pods) nodes.push_back(cluster_.pods()[p].node);
  MakeSet(nodes);
  std::vector<NodeId> others;
  std::int64_t all = 0;
  for (const NodeId n : nodes) {
    if (std::ranges::find(taken, n) != taken.end()) continue;
    others.push_back(n);
    all += Of(unit, n);
  }
  if (all == 0) return;
  const PodId key = unit.pods.front();
  std::int64_t given = 0;
  for (const NodeId n : others) {
    const std::int64_t has = Of(unit, n);
    const std::int64_t gives = std::min(all, kMostMoved) * has / all;
    moved_[{key, n}] = has - gives;
    given += gives;
  }
  for (const NodeId n : taken) {
    moved_[{key, n}] = Of(unit, n) + given / std::ssize(taken);
  }
  changed.insert(changed.end(), nodes.begin(), nodes.end());
}

}  // namespace fairlead::engine
