#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/name_map.h"
#include "effects/workload_book.h"
#include "effects/writes.h"
#include "state/change.h"
#include "state/cluster.h"

namespace fairlead::effects {

// status.protectedUntil of Workloads that run. It follows the workload's start, its end, its queue,
// every queue above that and the configuration. The first three are the workload's own changes; the
// others are rare and concern all that run.
//
// Thread safety: none. Cost: a lookup a workload that changed.
class ProtectionBook {
 public:
  void Apply(std::span<const state::Change> changes);
  // The start of the workload was written, or its end.
  void StartedOrEnded(const std::string& workload) { due_.push_back(workload); }
  // What was given is to be given once more.
  void GiveAgain(const std::string& workload) {
    given_.erase(workload);
    due_.push_back(workload);
  }

  // SetProtection where it is another than was given last, by name. REQUIRES: the engine knows
  // every start and how the queues stand, as after a round.
  std::vector<Write> TakeWrites(const state::Cluster& cluster, const WorkloadBook& workloads);

 private:
  NameMap<SetProtection> given_;
  std::vector<std::string> due_;  // of these workloads, or of all
  bool all_due_ = false;
};

}  // namespace fairlead::effects
