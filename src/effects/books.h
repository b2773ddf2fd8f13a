#pragma once

#include <span>
#include <vector>

#include "base/time.h"
#include "effects/broken_book.h"
#include "effects/group_book.h"
#include "effects/kueue_book.h"
#include "effects/protection_book.h"
#include "effects/quota_book.h"
#include "effects/waiting_book.h"
#include "effects/workload_book.h"
#include "effects/writes.h"
#include "state/change.h"
#include "state/cluster.h"

namespace fairlead::effects {

// All the books of a cluster, in the order in which they are to be asked: whoever drives an engine
// gives them the changes that it gets, takes the facts before the round and the statuses after it.
//
// Thread safety: none. Cost: that of the books.
class Books {
 public:
  // `now`: as in WorkloadBook.
  void Apply(Time now, std::span<const state::Change> changes);

  // What came true of workloads (WorkloadBook::TakeWrites). REQUIRES: all of it is carried out: a
  // start decides who is protected.
  std::vector<Write> TakeFacts();

  // The workload was admitted: what TakeFacts and TakeStatuses gave of it is given once more. Where
  // it ran already, and had no object to write that to, its status begins with it.
  void Admitted(const std::string& workload);

  // Who is protected, who is broken, since when work waits that was kept out, what quotas use, what
  // Kueue's owners should mend, then why groups wait. REQUIRES: as after a round at `now`.
  std::vector<Write> TakeStatuses(const engine::Scheduler& scheduler, Time now);

  const WorkloadBook& workloads() const { return workloads_; }

 private:
  WorkloadBook workloads_;
  QuotaBook quotas_;
  KueueBook kueue_;
  GroupBook groups_;
  ProtectionBook protections_;
  BrokenBook broken_;
  WaitingBook waiting_;
};

}  // namespace fairlead::effects
