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
// surplus one, or all replacements, where they are bound to those that run. Absent: nothing is, or
// pods are still to be made by somebody else, or those of a suspended job's last run are still to
// go.
std::optional<GangStep> NextStepOf(const state::Cluster& cluster, state::WorkloadId w);

// A job that waits has pods of its last run for a moment, until its controller has seen that it was
// stopped. They are no beginning: what they still lack is not to come, and what is admitted beside
// them would be missing them soon.
bool HasPodsOfItsLastRun(const state::Cluster& cluster, const state::Gang& gang);

}  // namespace fairlead::engine
