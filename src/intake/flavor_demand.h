#pragma once

#include <string>
#include <vector>

#include "objects/objects.h"

namespace fairlead::intake {

// What a quota's ResourceFlavor asks of the nodes of whoever uses that quota: pods that ask one of
// its resources run on its nodes only, and tolerate what it says. Its nodeTaints are those of its
// nodes, where they count by themselves.
struct FlavorDemand {
  std::string flavor;
  std::vector<std::string> resources;
  objects::Labels labels;
  std::vector<objects::Toleration> tolerations;
  bool operator==(const FlavorDemand&) const = default;
};
using FlavorDemands = std::vector<FlavorDemand>;

// The needs of a pod and what its queue's flavors ask beside.
objects::PodNeeds WithDemands(objects::PodNeeds needs, const FlavorDemands& demands);

}  // namespace fairlead::intake
