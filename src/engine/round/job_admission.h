#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Jobs as they are admitted (semantics.md §8): with how many pods they count, what the cluster
// shows of that already, and whether their pods come in time.
//
// A workload may be admitted before its pods are there. They hold room, and are waited for, up to
// the configuration's podsTimeout; then the room is let go, and the workload is left alone for as
// long.
class JobAdmission {
 public:
  JobAdmission(RoundContext& round, GangStarts& starts)
      : round_(round),
        cluster_(round.cluster),
        backlog_(round.backlog),
        plan_(round.plan),
        starts_(starts) {}

  // Whether the group is a job that has not started, and may with fewer pods than it asks.
  bool MayStartWithFewer(GroupId g) const;
  // The same of one that waits, which says so by what it waits for: the group alone is looked at
  // where it may not.
  bool WaitsForFewer(GroupId g) const {
    return backlog_[g].wait == Group::Wait::kEither && MayStartWithFewer(g);
  }
  // Of the fewest pods with which it may. Rights are judged with what is asked: for fewer pods
  // others may have to make room where they need not for all of them.
  state::Amounts LeastRequest(GroupId g) const;

  // The counts that were decided, once pods came or went. They hold as long as pods run by them.
  void RefreshCounts(state::WorkloadId w);
  // The same for all workloads that the round itself changed, and what of them waits.
  void RefreshChanged();

  // Pods that are placed before they exist. REQUIRES: placed just now; `since`: when they were
  // admitted.
  void Await(const std::vector<state::PodId>& pods, Time since);
  // Whom pods of it had kept from being due is due once these have lost their places.
  void AwaitAgain(state::WorkloadId w);
  // Since when the workload's pods are waited for: since it was admitted, where none have come yet.
  Time AwaitedSince(state::WorkloadId w) const;
  // When the next of them are overdue.
  std::optional<Time> NextDue();
  void GiveUpOverdue();

  // What the cluster shows as admitted and is not so any more. REQUIRES: a gang.
  void NoteShown(state::WorkloadId w);
  void ServeShown();

 private:
  Time DueAt(state::PodId p) const;
  std::vector<state::PodId> OverdueAt(state::WorkloadId w, Time at) const;
  bool HasLapsed(state::WorkloadId w) const;
  void GiveReduction(state::WorkloadId w);
  void Withdraw(state::WorkloadId w);

  RoundContext& round_;
  state::Cluster& cluster_;
  Backlog& backlog_;
  PlanWriter& plan_;
  GangStarts& starts_;
  std::vector<state::WorkloadId> shown_;  // whose admission, as the cluster shows it, is to change
  std::set<std::pair<Time, state::WorkloadId>> awaited_;  // until when rooms are held for pods
};

}  // namespace fairlead::engine
