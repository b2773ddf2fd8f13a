#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "objects/keys.h"
#include "objects/objects.h"

// Traces that know jobs, not pods: how their rows become objects.

namespace fairlead::trace {

// By which annotation a job's limit is said, on its pod or its Workload.
inline constexpr std::string_view kTraceLimitKey = objects::kMaxRunTimeKey;

// The cluster on which such a trace runs: equal nodes, counted in one resource.
struct Machine {
  std::int64_t nodes = 0;
  std::int64_t per_node = 0;  // whole GPUs, or cores
  std::string resource = "nvidia.com/gpu";
  std::optional<Duration> checkpoint_every;  // that jobs make on it

  std::int64_t total() const { return nodes * per_node; }
};

struct TraceJob {
  std::string name, source;
  std::string queue;  // empty: the configured default
  Duration arrives;   // after the start
  Duration runs;
  std::optional<Duration> limit;  // how long it may run at most, as its owner said; ≥ runs
  std::int64_t amount = 1;        // of the machine's resource, in whole units; at least 1
};

// node-0001 …, with the machine's resource and room for 110 pods, created at `start`.
void AppendNodes(const Machine& machine, Time start, std::vector<objects::Object>& into);

// What is evicted comes back. A job that fits on one node is a batch/v1 Job of one pod, which makes
// those of a queue that ask the same one kind of work to the engine; a larger one is a Workload: a
// gang of pods of whole nodes, and one pod for the rest.
objects::Object ObjectOf(const TraceJob& job, const Machine& machine,
                         const std::string& name_space);

}  // namespace fairlead::trace
