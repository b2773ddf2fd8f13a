#pragma once

#include <string_view>

#include <boost/json/fwd.hpp>

#include "engine/scheduler.h"
#include "show/output.h"

namespace fairlead::host {

// Adds `candidates` to what Explain said of `name` (host/explanation.h): the nodes that hold now
// the pod of that name, or the workload's first that waits, the best first:
//   pod, preferences: first | tie | off; nodes [node, preference, and nodeAffinity, podAffinity,
//   spread and taints: each points of 100 and what they are made of, raw].
// `raw` is null for a node that the pod's spread does not count. Without `pod`: it is yet to be
// made. Nothing where none waits. REQUIRES: the scheduler has settled.
void AddCandidates(const engine::Scheduler& scheduler, std::string_view name,
                   boost::json::value& explanation);

// The same for people.
void PrintCandidates(const boost::json::value& explanation, show::Output& output);

}  // namespace fairlead::host
