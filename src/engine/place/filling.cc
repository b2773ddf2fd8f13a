// An arrangement of many pods by amounts alone: for counts too large to place pod by pod.
//
// Shapes take turns, those with the fewest nodes first, then the largest; each fills node after
// node by division, on a copy of what is free. First-fit decreasing, so a yes is an arrangement and
// a no proves nothing.
//
// Worked: 300 pods of 1 GPU that run anywhere, 20 of 8 GPUs that only four nodes may hold. The
// twenty go first, though both would fit: the three hundred have other places.

#include "engine/place/filling.h"

#include <algorithm>

#include "base/wide_int.h"
#include "policy/dynamic_demand.h"
#include "policy/preference.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

void AddPods(std::vector<ShapeCount>& into, ShapeId shape, std::int64_t pods) {
  auto at = std::find_if(into.begin(), into.end(),
                         [&](const ShapeCount& each) { return each.shape == shape; });
  if (at == into.end()) at = into.insert(at, {.shape = shape});
  at->pods += pods;
}

std::int64_t SizeOf(const state::Cluster& cluster, const state::Shape& shape) {
  std::int64_t size = 0;
  for (const state::Amount& a : shape.request) {
    const std::int64_t capacity = std::max<std::int64_t>(1, cluster.queues().capacity(a.resource));
    size = std::max(
        size, static_cast<std::int64_t>(static_cast<WideInt>(a.amount) * 1'000'000'000 / capacity));
  }
  return size;
}

const Filling::Hosts& Filling::HostsOf(ShapeId shape) {
  const auto at = std::find_if(hosts_.begin(), hosts_.end(),
                               [&](const Hosts& hosts) { return hosts.shape == shape; });
  if (at != hosts_.end()) return *at;
  Hosts& hosts = hosts_.emplace_back(Hosts{.shape = shape, .nodes = {}});
  for (NodeId n : placer_.classes().nodes()) {
    if (placer_.Fits(shape, n, when_)) hosts.nodes.push_back(n);
  }
  // What they prefer of others is as it is before any of them is placed.
  if (policy::HasPreferences(cluster_, cluster_.shapes()[shape])) {
    placer_.SortByPlace(shape, when_, hosts.nodes);
  }
  return hosts;
}

bool Filling::CanJudge(const std::vector<ShapeCount>& wanted) const {
  return std::none_of(wanted.begin(), wanted.end(), [this](const ShapeCount& each) {
    const state::Shape& shape = cluster_.shapes()[each.shape];
    return each.pods > 0 && (shape.gpu_milli > 0 || policy::DependsOnOthers(shape));
  });
}

std::optional<std::vector<Filling::Taken>> Filling::Of(const std::vector<ShapeCount>& wanted) {
  if (!CanJudge(wanted)) return std::nullopt;
  struct Turn {
    ShapeId shape;
    std::int64_t pods, size;
    std::size_t hosts;
  };
  std::vector<Turn> turns;
  for (const ShapeCount& each : wanted) {
    if (each.pods == 0) continue;
    turns.push_back({.shape = each.shape,
                     .pods = each.pods,
                     .size = SizeOf(cluster_, cluster_.shapes()[each.shape]),
                     .hosts = HostsOf(each.shape).nodes.size()});
  }
  std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
    return a.hosts != b.hosts ? a.hosts < b.hosts : a.size > b.size;
  });
  const state::NodeTable& nodes = cluster_.nodes();
  const std::size_t stride = nodes.stride();
  free_.resize(nodes.size() * stride);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    std::copy_n(nodes.room(NodeId(i), when_), stride, free_.data() + i * stride);
  }
  std::vector<Taken> all;
  for (Turn& turn : turns) {
    const state::Shape& shape = cluster_.shapes()[turn.shape];
    for (NodeId n : HostsOf(turn.shape).nodes) {
      std::int64_t* free = free_.data() + n.value() * stride;
      const std::int64_t pods = std::min(turn.pods, PodsIn(free, shape));
      if (pods == 0) continue;
      for (const state::Amount& a : shape.fit) free[a.resource.value()] -= a.amount * pods;
      all.push_back({.node = n, .shape = turn.shape, .pods = pods});
      turn.pods -= pods;
      if (turn.pods == 0) break;
    }
    if (turn.pods > 0) return std::nullopt;
  }
  return all;
}

}  // namespace fairlead::engine
