#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "engine/scheduler.h"
#include "state/cluster.h"
#include "state/reason.h"

namespace fairlead::engine {

// Work that waits, beside one node: what of the node it lacks.
struct AskerReport {
  enum class Verdict : std::uint8_t {
    kHasRoom,  // a pod of it has room there now: it waits for something else, `reason` says what
    kLacks,    // the node would serve if it were empty: `lacks` says what is too little
    kUnfit,    // the node is none for it: `lacks` says what it demands
  };
  Verdict verdict = Verdict::kUnfit;
  std::string workload, queue;
  std::int64_t alike = 1;  // workloads of one pod that ask the same in its queue; it is their first
  std::string lacks;       // "too few free GPUs (4 of 8)", "with taints that it does not tolerate"
  state::Reason reason;    // why it waits, the first
};

struct AskersReport {
  std::int64_t waiting = 0;         // workloads that wait
  std::int64_t unseen = 0;          // of them: not looked at, as there are too many
  std::vector<AskerReport> askers;  // who has room there first, then by priority and who came first
};

// Who of those that wait could use the node. At most kAskersLooked of them are looked at, in the
// order in which they are served. REQUIRES: `n` exists, and the scheduler has settled.
inline constexpr std::size_t kAskersLooked = 2'000;
AskersReport ReportAskers(const Scheduler& scheduler, state::NodeId n, Time now);

}  // namespace fairlead::engine
