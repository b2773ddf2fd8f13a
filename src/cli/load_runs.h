#pragma once

#include <cstdint>
#include <vector>

#include "objects/objects.h"
#include "show/output.h"
#include "trace/run.h"

namespace fairlead::cli {

// The load experiment (trace/arrivals.h) with each of `seeds` seeds from that of
// options.arrivals on, on all cores, and what came out, run by run and on average.
// REQUIRES: options.arrivals. Returns the exit code.
int RunLoads(const std::vector<objects::Object>& objects, const trace::RunOptions& options,
             std::int64_t seeds, show::Output& output);

// "ARRIVED  ALLOCATED" at every tenth percent, and at the last.
void PrintAllocation(const std::vector<std::int64_t>& curve, show::Output& output);

}  // namespace fairlead::cli
