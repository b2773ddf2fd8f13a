#pragma once

#include "state/cluster.h"

namespace fairlead::engine {

// Calls look(NodeId) for the node of each of the workload's pods that has one, as often as it has
// pods there; of a workload that is gone for none: its pods have left, which touched their nodes.
template <typename Look>
void ForEachNodeOf(const state::Cluster& cluster, state::WorkloadId w, Look look) {
  if (!cluster.workloads()[w].in_use) return;
  cluster.ForEachPodOf(w, [&](state::PodId p) {
    if (cluster.pods()[p].placed()) look(cluster.pods()[p].node);
  });
}

}  // namespace fairlead::engine
