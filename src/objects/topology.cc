#include "objects/topology.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/did_you_mean.h"
#include "base/integer.h"

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

constexpr std::string_view kTierPrefix = "tier-";

}  // namespace

std::string TierName(std::int32_t tier) { return fmt::format("{}{}", kTierPrefix, tier); }

std::optional<std::int32_t> TierIn(std::string_view name) {
  if (!name.starts_with(kTierPrefix)) return std::nullopt;
  return ParseInteger<std::int32_t>(name.substr(kTierPrefix.size()));
}

std::string_view LastWordOf(std::string_view level) {
  const std::size_t before = level.find_last_of("/.");
  return before == std::string_view::npos ? level : level.substr(before + 1);
}

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

std::string NoSuchLevel(std::string_view topology, const std::vector<std::string>& levels,
                        std::string_view name) {
  return fmt::format("Topology {} has no level {}; its levels are {}{}", topology, name,
                     fmt::join(levels, ", "), DidYouMean(name, NamesOfLevels(levels)));
}

std::string AmbiguousLevel(std::string_view topology, const std::vector<std::string>& levels,
                           std::string_view name) {
  const std::vector<std::size_t> named = LevelsNamed(levels, name);
  return fmt::format("{} may be {} or {} in Topology {}: write the label key", name,
                     levels[named[0]], levels[named[1]], topology);
}

std::span<const TopologyRow> TopologyRows() { return kTopologyRows; }

const TopologyRow& RowOf(const Topology& topology) {
  const auto* found =
      std::ranges::find(kTopologyRows, topology.dialect_kind, &TopologyRow::dialect_kind);
  return found == std::end(kTopologyRows) ? kTopologyRows[0] : *found;
}

}  // namespace fairlead::objects
