#pragma once

#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What of a gang is decided next.
struct GangStep {
  std::vector<GangPart> parts;
  bool above_minimum = false;  // a surplus pod
};

// All that the minimum still lacks, at once; once it has started one pod, a replacement before a
// surplus one. Absent: nothing is, or pods are still to be made by somebody else.
std::optional<GangStep> NextStepOf(const state::Cluster& cluster, state::WorkloadId w);

}  // namespace fairlead::engine
