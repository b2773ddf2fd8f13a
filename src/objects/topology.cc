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

}  // namespace

std::span<const TopologyRow> TopologyRows() { return kTopologyRows; }

const TopologyRow& RowOf(const Topology& topology) {
  const auto* found =
      std::ranges::find(kTopologyRows, topology.dialect_kind, &TopologyRow::dialect_kind);
  return found == std::end(kTopologyRows) ? kTopologyRows[0] : *found;
}

}  // namespace fairlead::objects
