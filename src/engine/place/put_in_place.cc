#include "engine/place/put_in_place.h"

#include <algorithm>

#include "policy/dynamic_demand.h"

namespace fairlead::engine {

using state::PodId;

bool PutInPlace(Placer& placer, const state::Cluster& cluster, std::vector<PodId>& pods,
                state::When when, state::Trial& trial) {
  std::stable_partition(pods.begin(), pods.end(), [&](PodId p) {
    return !cluster.shapes()[cluster.pods()[p].shape].dynamic->spread.empty();
  });
  struct Stand {
    PodId pod;
    state::NodeId node;
  };
  std::vector<Stand> left;
  for (PodId p : pods) {
    left.push_back({p, cluster.pods()[p].node});
    trial.Release(p);
  }
  pods.clear();
  // Whom one of them wants beside it may be another of them.
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](const Stand& stand) {
      return placer.Fits(cluster.pods()[stand.pod].shape, stand.node, when,
                         policy::Asked::kAllButAffinity);
    });
    if (next == left.end()) return false;
    trial.Put(next->pod, next->node, when);
    pods.push_back(next->pod);
    left.erase(next);
  }
  return std::all_of(pods.begin(), pods.end(),
                     [&](PodId p) { return policy::OthersAllowPlaced(cluster, p, when); });
}

}  // namespace fairlead::engine
