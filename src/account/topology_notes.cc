#include "account/topology_notes.h"

#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fairlead::account {
namespace {

// The path of values down to the level; empty: a node so labelled is in no domain of it.
std::string DomainOf(const objects::Labels& labels, std::span<const std::string> keys) {
  std::string path;
  for (const std::string& key : keys) {
    const std::string* value = objects::FindLabel(labels, key);
    if (value == nullptr && &key == &keys.back()) return {};
    path += (path.empty() ? "" : "/") + (value == nullptr ? "-" : *value);
  }
  return path;
}

}  // namespace

void TopologyNotes::Note(std::span<const state::Change> changes) {
  for (const state::Change& change : changes) {
    if (const auto* node = std::get_if<state::NodeChange>(&change)) {
      if (!node->outside) labels_[node->name] = node->labels;
    } else if (const auto* workload = std::get_if<state::WorkloadChange>(&change)) {
      for (const state::TopologyConstraint& each : workload->topology) asked_.insert(each.levels);
    }
  }
}

std::vector<TopologyNotes::Level> TopologyNotes::LevelsOf(
    const std::vector<objects::KnownTopology>& there) const {
  std::map<std::string, std::vector<std::string>> counted;  // by name
  std::set<std::vector<std::string>> unnamed = asked_;
  for (const objects::KnownTopology& topology : there) {
    unnamed.erase(topology.levels);
    if (topology.of_labels && !asked_.contains(topology.levels)) continue;
    counted.emplace(topology.name, topology.levels);
  }
  for (const auto& keys : unnamed) counted.emplace(fmt::format("{}", fmt::join(keys, ",")), keys);
  std::vector<Level> levels;
  for (const auto& [name, keys] : counted) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      Level level{.topology = name, .key = keys[i], .nodes = {}};
      for (const auto& [node, labels] : labels_) {
        std::string domain = DomainOf(labels, std::span(keys).first(i + 1));
        if (!domain.empty()) level.nodes.emplace_back(node, std::move(domain));
      }
      if (!level.nodes.empty()) levels.push_back(std::move(level));
    }
  }
  return levels;
}

}  // namespace fairlead::account
