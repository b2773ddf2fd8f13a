#include "engine/room/landings.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

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

// The largest first; those of one shape follow each other, the shapes as the names of their first.
void Landings::SortBySize(std::vector<PodId>& pods) const {
  std::ranges::sort(pods, {}, [this](PodId p) { return cluster_.pods().name(p); });
  struct Sized {
    std::int64_t dominant = 0;
    std::size_t shape_first = 0, at = 0;
  };
  std::map<state::ShapeId, Sized> of_shape;
  std::vector<Sized> sized;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const state::ShapeId s = cluster_.pods()[pods[i]].shape;
    const auto [known, first] = of_shape.try_emplace(s);
    if (first) known->second = {policy::DominantPart(cluster_, s), i, i};
    sized.push_back({known->second.dominant, known->second.shape_first, i});
  }
  std::ranges::sort(sized, {}, [](const Sized& each) {
    return std::tuple(-each.dominant, each.shape_first, each.at);
  });
  std::vector<PodId> sorted;
  for (const Sized& each : sized) sorted.push_back(pods[each.at]);
  pods = std::move(sorted);
}

bool Landings::Find(std::span<const VictimUnit> units) {
  std::vector<PodId> pods;
  for (const VictimUnit& unit : units) pods.insert(pods.end(), unit.pods.begin(), unit.pods.end());
  SortBySize(pods);
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
bool Landings::FindByTrying(const std::vector<PodId>& pods, std::size_t i, std::size_t from) {
  if (i == pods.size()) return true;
  const state::ShapeId s = cluster_.pods()[pods[i]].shape;
  const std::vector<NodeId>& nodes = cluster_.nodes().by_name();
  for (std::size_t k = from; k < nodes.size(); ++k) {
    const NodeId n = nodes[k];
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
