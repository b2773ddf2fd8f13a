#include "objects/topology.h"

#include <algorithm>
#include <array>

namespace fairlead::objects {
namespace {

constexpr std::array<std::string_view, 1> kOwn = {"fairlead.dev/v1alpha1"};
constexpr std::array<std::string_view, 3> kOfKueue = {
    "kueue.x-k8s.io/v1beta2", "kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1alpha1"};
constexpr std::array<std::string_view, 1> kOfKai = {"kai.scheduler/v1alpha1"};

constexpr TopologyRow kTopologyRows[] = {
    {"fairlead.dev", "", kOwn},
    {"kueue.x-k8s.io", "Topology.kueue.x-k8s.io", kOfKueue},
    {"kai.scheduler", "Topology.kai.scheduler", kOfKai},
};

std::string_view LastWordOf(std::string_view key) {
  const std::size_t before = key.find_last_of("/.");
  return before == std::string_view::npos ? key : key.substr(before + 1);
}

}  // namespace

std::vector<std::size_t> LevelsNamed(const std::vector<std::string>& levels,
                                     std::string_view name) {
  const auto at = std::ranges::find(levels, name);
  if (at != levels.end()) return {static_cast<std::size_t>(at - levels.begin())};
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (LastWordOf(levels[i]) == name) named.push_back(i);
  }
  return named;
}

std::vector<std::string> NamesOfLevels(const std::vector<std::string>& levels) {
  std::vector<std::string> names = levels;
  for (const std::string& key : levels) names.emplace_back(LastWordOf(key));
  return names;
}

std::span<const TopologyRow> TopologyRows() { return kTopologyRows; }

const TopologyRow& RowOf(const Topology& topology) {
  const auto* found =
      std::ranges::find(kTopologyRows, topology.dialect_kind, &TopologyRow::dialect_kind);
  return found == std::end(kTopologyRows) ? kTopologyRows[0] : *found;
}

}  // namespace fairlead::objects
