#include "intake/facts/node_levels.h"

#include <algorithm>
#include <utility>

#include "base/integer.h"

namespace fairlead::intake {
namespace {

constexpr std::string_view kTier = "fabric.topograph.run/tier-";
constexpr std::string_view kLayer = "topology.k8s.aws/network-node-layer-";
constexpr std::int32_t kMostNumber = 31;  // no fabric is deeper: what is above is a slip

void CountKey(std::string_view key, std::string_view prefix, std::int64_t by, bool& moved,
              std::map<std::int32_t, std::int64_t>& numbers) {
  if (!key.starts_with(prefix)) return;
  const auto number = ParseInteger<std::int32_t>(key.substr(prefix.size()));
  if (!number || *number < 0 || *number > kMostNumber) return;
  const auto at = numbers.try_emplace(*number).first;
  const bool was_there = at->second > 0;
  at->second += by;
  moved |= was_there != (at->second > 0);
  if (at->second == 0) numbers.erase(at);
}

}  // namespace

void NodeLevels::Count(const objects::Labels& labels, std::int64_t by) {
  for (const auto& [key, value] : labels) {
    CountKey(key, kTier, by, moved_, tiers_);
    CountKey(key, kLayer, by, moved_, layers_);
  }
}

std::vector<LevelsOfLabels> NodeLevels::All() const {
  std::vector<std::string> tiers, layers;
  if (!tiers_.empty()) {
    for (std::int32_t tier = tiers_.rbegin()->first; tier >= 0; --tier) {
      tiers.push_back(std::string(kTier) += std::to_string(tier));
    }
  }
  for (const auto& [layer, nodes] : layers_) {
    layers.push_back(std::string(kLayer) += std::to_string(layer));
  }
  return {{"accelerator", {"network.topology.nvidia.com/accelerator"}},
          {"aws", std::move(layers)},
          {"gcp",
           {"cloud.google.com/gce-topology-block", "cloud.google.com/gce-topology-subblock",
            "cloud.google.com/gce-topology-host"}},
          {"nvidia",
           {"network.topology.nvidia.com/core", "network.topology.nvidia.com/spine",
            "network.topology.nvidia.com/leaf"}},
          {"topograph", std::move(tiers)},
          {"zone", {"topology.kubernetes.io/zone"}}};
}

bool NodeLevels::TakeMoved() { return std::exchange(moved_, false); }

}  // namespace fairlead::intake
