#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "objects/objects.h"

namespace fairlead::intake {

// What a quota's ResourceFlavor asks of the nodes of whoever uses that quota: pods that ask one of
// its resources run on its nodes only, and tolerate what it says. Its nodeTaints are those of its
// nodes, where they count by themselves; they tell only whom it suits.
struct FlavorDemand {
  std::string flavor;
  objects::Labels labels;
  std::vector<objects::Toleration> tolerations;
  std::vector<objects::Taint> taints;
  bool counted = false;  // what its pods use is counted as the flavor's too
  bool operator==(const FlavorDemand&) const = default;
};

// The flavors of one group of resources, in the order in which they are to be taken.
struct GroupDemand {
  std::vector<std::string> resources;
  std::vector<FlavorDemand> flavors;  // at least one
  bool operator==(const GroupDemand&) const = default;
};
using FlavorDemands = std::vector<GroupDemand>;

// The needs of a pod and what its queue's flavors ask beside: of each group the first flavor that
// suits it, by what it selects and tolerates itself. `node_labels`: of the node that it runs on,
// which tells its flavor; null: it runs on none that is known.
objects::PodNeeds WithDemands(objects::PodNeeds needs, const FlavorDemands& demands,
                              const objects::Labels* node_labels);

// What is used of a resource in a flavor, where quota is counted so: "cpu[spot]". No resource of
// Kubernetes' can have such a name.
std::string CountedName(std::string_view resource, std::string_view flavor);

// A flavor whose nodes tell what they have of it.
struct CountedFlavor {
  std::string flavor;
  objects::Labels labels;
  std::vector<std::string> resources;  // sorted
  bool operator==(const CountedFlavor&) const = default;
};

// A node's allocatable and what of it is each flavor's. Cost: O(flavors × their labels).
objects::ResourceList WithFlavors(objects::ResourceList allocatable, const objects::Labels& labels,
                                  const std::vector<CountedFlavor>& flavors);

}  // namespace fairlead::intake
