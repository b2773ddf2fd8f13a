#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "account/ledger.h"
#include "account/metrics_report.h"
#include "account/nearness.h"
#include "base/result.h"
#include "base/time.h"
#include "drive/observer.h"
#include "objects/objects.h"
#include "objects/read/reader.h"
#include "trace/arrivals.h"
#include "trace/jobs.h"
#include "virtual/cluster.h"

namespace fairlead::trace {

// One run: objects (a SchedulerConfiguration among them), and how they are run. Nothing is printed,
// nothing is shared: many may run at once on threads of their own.
struct RunOptions {
  Time start;
  // Instead of those among the objects, where it is set: the same trace under another one.
  std::optional<objects::SchedulerConfiguration> configuration;
  virtual_cluster::Delays delays = {};
  std::optional<Duration> until;     // absent: until nothing more can change
  std::optional<Arrivals> arrivals;  // run as the load experiment
  // What comes beside the objects; null: nothing.
  std::shared_ptr<const JobList> jobs = nullptr;
  bool keep_ledger = false;   // of all that happens, for a report
  bool keep_cluster = false;  // as it is in the end
  bool forget_ended = false;  // … but for what has ended; told as virtual/cluster.h says
  std::function<void(const virtual_cluster::PodFinal&)> on_forgotten_pod = nullptr;
  std::function<void(const virtual_cluster::WorkloadFinal&)> on_forgotten_workload = nullptr;
  // Of one run that is watched (virtual/run.h).
  std::vector<drive::Observer*> observers = {};
  std::function<void(const virtual_cluster::VirtualCluster&, const virtual_cluster::Submitted&)>
      on_submitted = nullptr;
  std::function<bool(const virtual_cluster::VirtualCluster&)> on_instant = nullptr;
};

struct RunResult {
  account::MetricsReport metrics;
  std::string digest;  // of all events
  Time end;
  bool idle = false;                        // nothing more can change
  std::vector<std::int64_t> allocation;     // AllocationCurve; empty without arrivals
  std::vector<account::Nearness> nearness;  // of each topology that counts
  std::optional<account::Ledger> ledger;
  std::shared_ptr<const virtual_cluster::VirtualCluster> cluster;
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
