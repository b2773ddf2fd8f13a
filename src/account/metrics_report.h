#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "base/wide_int.h"
#include "engine/plan/daemon_set_counts.h"

namespace fairlead::account {

// Sorted microseconds, summed up. Percentiles are nearest-rank: the ⌈q·n/100⌉-th smallest.
struct Spread {
  std::int64_t count = 0;
  Duration mean, p50, p95, p99, max;  // zero where count is 0
};

// One resource over the run, in the unit of the resource's Scale × µs. 128 bits: 10^5 cores over a
// year in milli × µs pass 2^63.
struct Use {
  std::string resource;
  WideInt allocated = 0;  // ∫ of what placed pods ask
  WideInt capacity = 0;   // ∫ of the allocatable of ready, schedulable nodes
  std::int64_t peak_allocated = 0;
  double Percent() const;  // 100 × allocated / capacity, 0 where there is no capacity
};

struct QueueWaiting {
  std::string queue;
  Spread waiting;
  std::int64_t pending = 0;  // workloads that have not started
};

// What `simulate` prints as metrics. All exact; ratios are made when printing.
struct MetricsReport {
  Duration makespan;  // from the first workload's submission to the last pod's end (or, where pods
                      // still run, the last event)
  std::int64_t pods = 0, bound = 0, running = 0, finished = 0, pending = 0;  // bound: ever
  std::int64_t evictions = 0;
  // Work lost by evictions: Σ over evicted pods of request × runtime so far, or since the last
  // checkpoint, in whole units (cores, bytes, GPUs) × seconds, rounded down once per resource.
  // Sorted by resource.
  std::vector<std::pair<std::string, std::int64_t>> lost_seconds;
  // Σ over evicted pods of their runtime, each counted under the resource that was dominant in it
  // (the largest share of the cluster's capacity). Sorted by resource.
  std::vector<std::pair<std::string, Duration>> lost_by_dominant;
  Spread waiting;                // first placement of a workload's whole minimum − its submission
  Spread completion;             // last pod's end − submission, of workloads that finished
  std::vector<Use> utilisation;  // by resource name
  std::optional<Use> gpu;        // nvidia.com/gpu, shared GPUs included; absent: no GPUs
  std::vector<QueueWaiting> queues;  // by name
  engine::DaemonSetCounts daemon_sets;
};

}  // namespace fairlead::account
