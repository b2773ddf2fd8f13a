#pragma once

#include <string>
#include <vector>

#include "engine/scheduler.h"
#include "state/cluster.h"

namespace fairlead::engine {

// The invariants of docs/invariants.md, recomputed from nothing: what is wrong, one sentence each;
// empty when all hold. For tests and simulations that check themselves; a process that goes on has
// SumsAudit. Cost: O(cluster).
std::vector<std::string> Audit(const state::Cluster& cluster);

// The same, and that `plan` was right to do what it did, as far as the state after it tells: gangs
// whole, no limit passed by a decision; nobody evicted who must not be, or is protected; what was
// claimed can be kept. REQUIRES: called after the Round that gave the plan, before the next Apply.
std::vector<std::string> Audit(const Scheduler& scheduler, const Plan& plan);

}  // namespace fairlead::engine
