#include "engine/room/landings.h"

#include <algorithm>

#include "engine/place/topology_gang.h"
#include "policy/eviction_cost.h"
#include "state/kept_back.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::When;

bool Landings::MayLand(state::WorkloadId w) const {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.solo() && AsksTopology(cluster_, w)) return false;
  bool may = true;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    if (!cluster_.pods()[p].live()) return;
    const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
    may = may && shape.placeable && shape.gpu_milli == 0 && shape.dynamic->empty() &&
          shape.dynamic->holds.empty();
  });
  return may;
}

bool Landings::Find(std::span<const VictimUnit> units) {
  std::vector<PodId> pods;
  for (const VictimUnit& unit : units) pods.insert(pods.end(), unit.pods.begin(), unit.pods.end());
  struct Sized {
    std::int64_t dominant = 0;
    PodId pod;
  };
  std::vector<Sized> sized;
  sized.reserve(pods.size());
  for (const PodId p : pods) {
    sized.push_back({policy::DominantPart(cluster_, cluster_.pods()[p].shape), p});
  }
  std::sort(sized.begin(), sized.end(), [this](const Sized& a, const Sized& b) {
    if (a.dominant != b.dominant) return a.dominant > b.dominant;
    const state::ShapeId s = cluster_.pods()[a.pod].shape, t = cluster_.pods()[b.pod].shape;
    if (s != t) return s < t;
    return cluster_.pods().name(a.pod) < cluster_.pods().name(b.pod);
  });
  for (std::size_t i = 0; i < pods.size(); ++i) pods[i] = sized[i].pod;
  proven_ = true;
  if (FindGreedily(pods)) return true;
  if (pods.size() > kFewPods) {
    proven_ = false;
    return false;
  }
  found_.clear();
  steps_ = kMostSteps;
  const bool found = FindByTrying(pods, 0, 0);
  proven_ = found || steps_ > 0;
  return found;
}

bool Landings::FindGreedily(const std::vector<PodId>& pods) {
  found_.clear();
  state::KeptBack taken(cluster_);
  for (const PodId p : pods) {
    const state::ShapeId s = cluster_.pods()[p].shape;
    const NodeId n = placer_.Best(s, When::kLater);
    if (!n.valid()) {
      stuck_ = cluster_.pods()[p].workload;
      found_.clear();
      return false;
    }
    taken.Keep(n, cluster_.shapes()[s].request);
    found_.push_back({p, n});
  }
  return true;
}

// Pods from the i-th on. One like the one before it needs no node before that one's, `from`.
bool Landings::FindByTrying(const std::vector<PodId>& pods, std::size_t i, std::uint32_t from) {
  if (i == pods.size()) return true;
  const state::ShapeId s = cluster_.pods()[pods[i]].shape;
  for (std::uint32_t k = from; k < cluster_.nodes().size(); ++k) {
    const NodeId n(k);
    if (!cluster_.nodes().exists(n)) continue;
    if (--steps_ <= 0) return false;
    if (!placer_.Fits(s, n, When::kLater)) continue;
    state::KeptBack taken(cluster_);
    taken.Keep(n, cluster_.shapes()[s].request);
    found_.push_back({pods[i], n});
    const bool like_it = i + 1 < pods.size() && cluster_.pods()[pods[i + 1]].shape == s;
    if (FindByTrying(pods, i + 1, like_it ? k : 0)) return true;
    found_.pop_back();
  }
  return false;
}

}  // namespace fairlead::engine
