#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "objects/objects.h"
#include "objects/reader.h"
#include "trace/arrivals.h"
#include "trace/ledger.h"
#include "trace/metrics.h"

namespace fairlead::trace {

// One run: objects (a SchedulerConfiguration among them), and how they are run. Nothing is printed,
// nothing is shared: many may run at once on threads of their own.
struct RunOptions {
  Time start;
  // Instead of those among the objects, where it is set: the same trace under another one.
  std::optional<objects::SchedulerConfiguration> configuration;
  Duration start_delay, grace;
  std::optional<Duration> until;     // absent: until nothing more can change
  std::optional<Arrivals> arrivals;  // run as the load experiment
  bool keep_ledger = false;          // of all that happens, for a report
};

struct RunResult {
  MetricsReport metrics;
  std::string digest;  // of all events
  Time end;
  bool idle = false;                     // nothing more can change
  std::vector<std::int64_t> allocation;  // AllocationCurve; empty without arrivals
  std::optional<Ledger> ledger;
};

// What is submitted for such a run: under another configuration, as the load experiment, whose
// seed is that of random placement too where none is configured, and with the trace's typical pods
// where placement needs them.
std::vector<objects::Object> SubmissionOf(std::vector<objects::Object> objects,
                                          const RunOptions& options);

// Faults: what VirtualCluster::Submit refuses.
tl::expected<RunResult, std::vector<objects::Fault>> Run(std::vector<objects::Object> objects,
                                                         const RunOptions& options);

}  // namespace fairlead::trace
