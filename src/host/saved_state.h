#pragma once

#include <string>
#include <vector>

#include "objects/objects.h"
#include "virtual/cluster.h"

// The state of a virtual cluster, to be looked at or run on elsewhere.

namespace fairlead::host {

// All objects that are there, kind by kind. What is still to arrive is not.
std::vector<objects::Object> CopyOf(const virtual_cluster::VirtualCluster& cluster);

// The same as a List in YAML, which every command that takes -f reads back.
std::string SavedState(const virtual_cluster::VirtualCluster& cluster);

}  // namespace fairlead::host
