#pragma once

#include <string>
#include <vector>

#include "engine/scheduler.h"

namespace fairlead::engine {

// What limits of users and groups come to (time.md §7), worked out anew from what the queues and
// the pods say, by walking all of them; a sentence for each that the scheduler did otherwise:
// - nobody is above a limit by what this plan started, not while others end either;
// - those who wait beyond a limit are just those for whom the others of their user leave no place;
// - nobody waits by himself whom limits and a node would let start.
// REQUIRES: just after the plan, of which nothing is carried out.
std::vector<std::string> UserLimitFaults(const Scheduler& scheduler, const Plan& plan);

}  // namespace fairlead::engine
