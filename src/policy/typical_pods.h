#pragma once

#include "objects/typical_pods.h"
#include "state/cluster.h"

namespace fairlead::policy {

// The kinds of pods that are there: ours, that wait or are on nodes; DaemonSets' are left out, who
// have no choice.
objects::PodKinds KindsOfPods(const state::Cluster& cluster);

}  // namespace fairlead::policy
