#pragma once

#include <vector>

#include "objects/volumes.h"

namespace fairlead::intake {

// Where a volume can be had: of each list one term must hold. By its node affinity, and by its
// labels of zones and regions, as kube-scheduler reads them. Empty: everywhere.
std::vector<std::vector<objects::NodeSelectorTerm>> ReachOf(
    const objects::PersistentVolume& volume);

}  // namespace fairlead::intake
