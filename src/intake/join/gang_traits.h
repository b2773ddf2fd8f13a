#pragma once

#include <string_view>

#include "intake/join/ask_join.h"
#include "intake/join/queue_chooser.h"
#include "intake/join/run_time_bounds.h"
#include "intake/kueue/kueue_queues.h"
#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// What makes a name a workload of several pods (a Workload, a PodGroup, or a job that is one), and
// what that says of its queue, priority and preemptibility.
//
// A job that was admitted has a Workload of its own. While it is suspended the job alone says what
// it asks; while it runs, the Workload's status says with how many pods that may be.
//
// Keeps nothing: functions over the tables. Cost: O(what the gang says).
class GangTraits {
 public:
  GangTraits(const Tables& tables, const QueueChooser& queues, const KueueQueues& kueue,
             const AskJoin& asks, const RunTimeBounds& bounds)
      : tables_(tables), queues_(queues), kueue_(kueue), asks_(asks), bounds_(bounds) {}

  // The job that a Workload of the name is of; else the first that is a workload by itself; else
  // that of which the pods say it is a group, of several the first by name.
  struct Counting {
    const JobFacts* job = nullptr;
    GangId base;  // the job's row, where `gang` is a group of it
  };
  Counting CountingJob(const GangRow& gang) const;
  // REQUIRES: gang.job is the counting one.
  GangSource SourceOf(const GangRow& gang) const;

  // REQUIRES, these two: gang.source is not kNone.
  state::WorkloadTraits Of(const GangRow& gang) const;
  PriorityGiven PriorityOf(const GangRow& gang) const;

  // By what the objects of its own say alone. REQUIRES: its source is not kNone.
  state::WorkloadTraits Own(const GangRow& gang) const;
  // By what one object says alone.
  state::WorkloadTraits Of(const GangRow& gang, const GangFacts& facts) const;
  state::WorkloadTraits Of(const GangRow& gang, const JobFacts& job) const;

  // Why none of the job's pods would be ours, or not all.
  std::optional<state::Reason> OtherScheduler(const JobFacts& job) const;

 private:
  Counting JobOfGroup(const GangRow& gang) const;
  // Why none of its pods would be ours.
  std::optional<state::Reason> OtherScheduler(const GangRow& gang, const GangFacts& facts) const;
  PriorityGiven PriorityOf(const GangRow& gang, const GangFacts& facts) const;
  PriorityGiven PriorityOf(const JobFacts& job) const;
  static state::RunTime RunTimeOf(const GangRow& gang);          // as it says it
  static std::string_view SubmitterSaidOf(const GangRow& gang);  // packed
  // Whether it was stopped at its limit, and asks what it did then.
  static bool IsKeptOut(const GangRow& gang, const GangFacts& facts);
  // Whether the ClusterQueue, or the LocalQueue by which it came, stops what it has admitted.
  bool IsDrained(const GangRow& gang, std::string_view queue) const;

  const Tables& tables_;
  const QueueChooser& queues_;
  const KueueQueues& kueue_;
  const AskJoin& asks_;
  const RunTimeBounds& bounds_;
};

}  // namespace fairlead::intake
