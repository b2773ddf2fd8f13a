#include "intake/join/volume_reach.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

// Worked: a volume with the label zone=a__b. A node is in its reach that has zone a or b under the
// same key (or under the newer one, where the volume has the older), and one without any label of
// zones or regions: what is in no zone is taken to be in all.

namespace fairlead::intake {
namespace {

using objects::NodeSelectorTerm;
using objects::Operator;
using Terms = std::vector<NodeSelectorTerm>;

struct ZoneLabel {
  std::string_view key, older_key;
};
constexpr std::array kZoneLabels = {
    ZoneLabel{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"},
    ZoneLabel{"topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"},
};

// "a__b": of either.
std::vector<std::string> ZonesIn(std::string_view value) {
  std::vector<std::string> zones;
  for (;;) {
    const std::size_t end = value.find("__");
    zones.emplace_back(value.substr(0, end));
    if (end == std::string_view::npos) break;
    value.remove_prefix(end + 2);
  }
  std::ranges::sort(zones);
  return zones;
}

// kube-scheduler's rule of labels on volumes: a node has the zone under the same key, or, for an
// older key, under the newer one; and a node without any label of zones is in all of them.
Terms TermsOfZone(const ZoneLabel& label, std::string_view found_key, std::string_view value) {
  const std::vector<std::string> zones = ZonesIn(value);
  const auto in = [&](std::string_view key) {
    return objects::Requirement{std::string(key), Operator::kIn, zones};
  };
  const auto absent = [](std::string_view key) {
    return objects::Requirement{std::string(key), Operator::kDoesNotExist, {}};
  };
  Terms terms;
  terms.push_back({.labels = {in(found_key)}, .fields = {}});
  if (found_key == label.older_key) {
    terms.push_back({.labels = {absent(label.older_key), in(label.key)}, .fields = {}});
  }
  NodeSelectorTerm nowhere;
  for (const ZoneLabel& each : kZoneLabels) {
    nowhere.labels.push_back(absent(each.key));
    nowhere.labels.push_back(absent(each.older_key));
  }
  terms.push_back(std::move(nowhere));
  return terms;
}

}  // namespace

std::vector<Terms> ReachOf(const objects::PersistentVolume& volume) {
  std::vector<Terms> reach;
  if (volume.node_affinity) reach.push_back(*volume.node_affinity);
  for (const ZoneLabel& label : kZoneLabels) {
    for (const std::string_view key : {label.key, label.older_key}) {
      const std::string* value = objects::FindLabel(volume.meta.labels, key);
      if (value != nullptr) reach.push_back(TermsOfZone(label, key, *value));
    }
  }
  return reach;
}

}  // namespace fairlead::intake
