#pragma once

#include <cstdint>
#include <string>

#include "kube/histogram.h"
#include "kube/live_scheduler.h"

namespace fairlead::cli {

// What is counted beside what the live scheduler itself counts.
struct LiveFigures {
  const kube::Histogram& deciding;
  std::uint64_t rounds = 0, decisions = 0;
  std::uint64_t objects_told = 0;  // by lists and watches
};

// Everything that a scheduler of a real cluster counts, in Prometheus' text format (0.0.4).
// docs/metrics.md tells what each figure means.
std::string LiveMetricsText(const kube::LiveScheduler& live, const LiveFigures& figures);

}  // namespace fairlead::cli
