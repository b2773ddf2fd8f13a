#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.h"

// What the history is made of, as plain values. Pods and workloads are "namespace/name". Whatever
// is empty was not said.

namespace fairlead::history {

struct PodSetCount {
  std::string name;
  std::int32_t count = 0;
  bool operator==(const PodSetCount&) const = default;
};

// Something that was decided, or came of it. Besides the plan's types (Bind, Evict, Nominate,
// Admit, Reserve) there are BindFailed and EvictFailed, Stop (an admission was taken back), Finish
// (a pod ended; `reason`: how), Start (a scheduler began to write) and Gap (records were lost;
// `reason` says how many).
struct Decision {
  Time time;
  std::string type;
  std::string pod, node, workload, queue, user;
  std::string action, beneficiary, reason;
  std::vector<PodSetCount> pod_sets;
};

// A resource of a cluster: amounts are counted in units of 1/scale.
struct Resource {
  std::string name;
  std::int64_t scale = 1;
  bool operator==(const Resource&) const = default;
};
using Resources = std::vector<Resource>;

// What a queue used at a moment; of the whole cluster its name is empty. Amounts are in the order
// of the sample's resources; an empty list says that there is no such figure.
struct QueueUsage {
  std::string queue, parent;
  std::vector<std::int64_t> allocatable, allocated, requested, fair_share;
  std::int32_t running = 0, pending = 0;  // workloads
  std::optional<Time> waiting_since;      // of the pending workload that waits the longest
  bool gone = false;                      // there is no such queue any more
  bool operator==(const QueueUsage&) const = default;
};

inline constexpr std::int64_t kMinuteUs = 60'000'000;  // a sample a minute

// What was used at a moment, by those queues for which it differs from the sample before. The
// others are as they were.
struct Sample {
  Time time;
  std::shared_ptr<const Resources> resources;
  std::vector<QueueUsage> queues;
};

// A workload that ended.
struct Ended {
  std::string workload, queue, user;
  Time created, finished;
  std::optional<Time> started;
  std::int32_t pods = 0, evictions = 0;
  std::string made_by;  // of a single pod that something made: "Job lab/train-7"
  std::string outcome;  // Succeeded, Failed, Deleted, Unknown
  // Resource → units × seconds that its pods held: core-seconds, byte-seconds, device-seconds.
  std::vector<std::pair<std::string, double>> used;
  // It is older than the scheduler's process: what that did not see is looked up in the history.
  bool older_than_us = false;
};

// When a workload that waits was said to start: the first that was said of it.
struct Estimate {
  Time said;
  std::string workload, queue, user;
  Time created, at;
  std::optional<Time> from, until;  // absent: no range was said
  std::string basis;                // Limits, Expected, History
};

// What came of that: it started, or went before.
struct EstimateEnd {
  Time time;
  std::string workload;
  Time created;
  bool started = false;
};

using Record = std::variant<Decision, Sample, Ended, Estimate, EstimateEnd>;

// Records on their way to the disk. They are large, and they come by the ten thousand: of those
// that wait there the recorder packs what it can.
using Records = std::vector<Record>;

// Whose clock the times are of.
enum class Mode : std::uint8_t { kVirtual, kReal };

}  // namespace fairlead::history
