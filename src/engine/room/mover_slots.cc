#include "engine/room/mover_slots.h"

#include <algorithm>
#include <functional>
#include <map>

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::ResourceId;

namespace {

// Of one resource.
struct Asked {
  std::map<std::int64_t, std::int64_t, std::greater<>> pods;  // by amount: so many movers' pods
  std::vector<std::int64_t> on_node;                          // by node: of those on it
};

}  // namespace

MoverSlots::MoverSlots(const state::Cluster& cluster, std::span<const state::WorkloadId> movers)
    : cluster_(cluster) {
  const state::NodeTable& nodes = cluster.nodes();
  std::map<ResourceId, Asked> by_resource;
  for (const state::WorkloadId w : movers) {
    cluster.ForEachPodOf(w, [&](PodId p) {
      const state::Pod& pod = cluster.pods()[p];
      if (!pod.counts()) return;
      for (const state::Amount& a : cluster.shapes()[pod.shape].request) {
        if (a.amount <= 0) continue;
        Asked& asked = by_resource[a.resource];
        ++asked.pods[a.amount];
        asked.on_node.resize(nodes.size());
        asked.on_node[pod.node.value()] += a.amount;
      }
    });
  }
  for (const auto& [r, asked] : by_resource) {
    std::size_t sizes = 0;
    for (const auto& of_size : asked.pods) {
      const std::int64_t size = of_size.first;
      Left left{.resource = r, .size = size};
      for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        // Where there is less than was given, who is there may stay all the same.
        const std::int64_t later = std::max<std::int64_t>(0, nodes.later(NodeId(n))[r.value()]);
        left.slots += (later + asked.on_node[n]) / size;
      }
      for (const auto& [amount, pods] : asked.pods) {
        left.slots -= static_cast<WideInt>(pods) * (amount / size);
      }
      left_.push_back(left);
      if (++sizes == kMostSizes) break;
    }
  }
}

bool MoverSlots::MayDo(const RoomStep& step) const {
  return std::ranges::all_of(left_, [&](const Left& left) {
    WideInt asked = 0;
    for (const GangPart& part : step.parts) {
      const state::Amounts& request = cluster_.shapes()[part.shape].request;
      asked += static_cast<WideInt>(part.count()) *
               (state::AmountOf(request, left.resource) / left.size);
    }
    return asked <= left.slots;
  });
}

}  // namespace fairlead::engine
