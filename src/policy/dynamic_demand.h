#pragma once

#include <cstdint>

#include "state/cluster.h"

// Demands that are answered by what else is placed, over the store of counts
// (state/demand_counts.h): may it, who stands in the way, how many, whom to wake.

namespace fairlead::policy {

// Whether nobody holds on the node what refuses the shape; of one kind of demand, or of all.
bool OthersAllow(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                 state::When when);
bool OthersAllow(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                 state::When when, state::TermKind kind);

// Whether pods of the two shapes cannot share a domain, whichever of them comes first.
bool Exclude(const state::Shape& a, const state::Shape& b);

// Who stands in its way there: look(pod) for each pod on the node that stays or comes and excludes
// it, in no order.
template <typename Look>
void ForEachInTheWay(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                     Look look) {
  if (shape.dynamic.empty()) return;
  for (const state::PodId p : cluster.nodes().pods(n)) {
    const state::Pod& pod = cluster.pods()[p];
    if (pod.stay() == state::Stay::kLeaves) continue;
    if (Exclude(shape, cluster.shapes()[pod.shape])) look(p);
  }
}

// Whether another scheduler's pod is among them: no room that could be made or waited for.
bool IsExcludedByForeign(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);

// At most so many pods of the shape go to one node, whatever room there is.
inline std::int64_t MostOnNode(const state::Shape& shape, std::int64_t with_room) {
  return shape.dynamic.refuses_its_like && with_room > 1 ? 1 : with_room;
}

// Whether room alone does not say how many pods of the shape a node holds.
inline bool DependsOnOthers(const state::Shape& shape) { return !shape.dynamic.empty(); }

// Whether a pod that waits may come to fit since others have left its node, for more than their
// room.
inline bool IsWokenByLeaving(const state::Shape& shape) { return DependsOnOthers(shape); }

}  // namespace fairlead::policy
