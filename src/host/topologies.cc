#include "host/topologies.h"

#include <utility>

namespace fairlead::host {

std::vector<view::Topology> TopologiesOf(const intake::Intake& intake) {
  std::vector<view::Topology> all;
  for (intake::KnownTopology& known : intake.KnownTopologies()) {
    all.push_back({.name = std::move(known.name),
                   .levels = std::move(known.levels),
                   .of_labels = known.of_labels});
  }
  return all;
}

}  // namespace fairlead::host
