#pragma once

#include <cstdint>
#include <vector>

#include "state/tally.h"

namespace fairlead::account {

// Which workloads of a run have started: had their minimum placed for the first time. Metrics and
// the ledger keep one each, beside their rows, whose indices are the workloads'.
//
// Thread safety: none. Cost: constant a change, a walk over its pod sets for a workload that was
// touched.
class Starts {
 public:
  using Index = std::uint32_t;

  // Its object says so.
  void Ask(Index workload, const state::WorkloadChange& change) {
    Gang& gang = Touch(workload);
    gang.known = true;
    state::Ask(gang.sets, change.pod_sets);
  }
  // It is a pod that is a workload of its own.
  void AskPod(Index workload) { Touch(workload).known = true; }
  // One pod more, or fewer, is placed.
  void Count(Index workload, std::int32_t set, std::int32_t sign) {
    state::CountPod(Touch(workload).sets, set, sign);
  }
  // It has started, though its pods do not show it.
  void SetStarted(Index workload) { Touch(workload).started = true; }
  // It was asked for; and has not started.
  bool known(Index workload) const { return workload < gangs_.size() && gangs_[workload].known; }
  bool Waits(Index workload) const { return known(workload) && !gangs_[workload].started; }

  // Once all changes of one moment are told: calls `start(workload, began_before)` for whatever
  // has started. `began_before`: its minimum was placed when it was first seen. REQUIRES: `start`
  // does not change this.
  template <typename Start>
  void Judge(Start start) {
    for (const Index workload : touched_) {
      Gang& gang = gangs_[workload];
      if (!gang.known || gang.started || !state::HasMinimum(gang.sets)) continue;
      gang.started = true;
      start(workload, gang.is_new);
    }
    for (const Index workload : touched_) gangs_[workload].is_new = false;
    touched_.clear();
  }

 private:
  struct Gang {
    std::vector<state::TalliedSet> sets;
    bool known = false, started = false, is_new = true;
  };

  Gang& Touch(Index workload) {
    if (gangs_.size() <= workload) gangs_.resize(workload + std::size_t{1});
    touched_.push_back(workload);
    return gangs_[workload];
  }

  std::vector<Gang> gangs_;
  std::vector<Index> touched_;
};

}  // namespace fairlead::account
