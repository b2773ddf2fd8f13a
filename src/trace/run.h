#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"
#include "objects/reader.h"
#include "trace/arrivals.h"
#include "trace/metrics.h"

namespace fairlead::trace {

// One run: objects (a SchedulerConfiguration among them), and how they are run. Nothing is printed,
// nothing is shared: many may run at once on threads of their own.
struct RunOptions {
  Time start;
  Duration start_delay, grace;
  std::optional<Duration> until;     // absent: until nothing more can change
  std::optional<Arrivals> arrivals;  // run as the load experiment
};

struct RunResult {
  MetricsReport metrics;
  std::string digest;  // of all events
  Time end;
  bool idle = false;                     // nothing more can change
  std::vector<std::int64_t> allocation;  // AllocationCurve; empty without arrivals
};

// Faults: what VirtualCluster::Submit refuses.
tl::expected<RunResult, std::vector<objects::Fault>> Run(std::vector<objects::Object> objects,
                                                         const RunOptions& options);

}  // namespace fairlead::trace
