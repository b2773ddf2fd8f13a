#pragma once

#include <cstdint>
#include <string>

#include "live/live_scheduler.h"

namespace fairlead::host {

// What is counted beside what the live scheduler itself counts.
struct LiveFigures {
  std::uint64_t decisions = 0;
  std::uint64_t objects_told = 0;  // by lists and watches
  std::uint64_t audited = 0;       // times that the audit was all around
};

// Everything that a scheduler of a real cluster counts, in Prometheus' text format (0.0.4).
// docs/metrics.md tells what each figure means.
std::string LiveMetricsText(const live::LiveScheduler& live, const LiveFigures& figures);

}  // namespace fairlead::host
