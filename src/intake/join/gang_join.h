#pragma once

#include <optional>
#include <vector>

#include "intake/facts/job_facts.h"
#include "intake/join/demands.h"
#include "intake/join/gang_traits.h"
#include "intake/join/topology_join.h"
#include "intake/tables/queue_uses.h"

namespace fairlead::intake {

// The joins of workloads of several pods: what their families need to know of them, and what the
// engine is told: traits, and what the pods add (how many ended well, how many there are where
// nothing else says it).
class GangJoin {
 public:
  // What a join reads beside the tables.
  struct Reads {
    const GangTraits& traits;
    const KueueQueues& kueue;
    const AskJoin& asks;
    const TopologyJoin& topologies;
    Demands& demands;
  };
  GangJoin(Tables& tables, Marks& marks, QueueUses& uses, Reads reads)
      : tables_(tables),
        marks_(marks),
        uses_(uses),
        traits_(reads.traits),
        kueue_(reads.kueue),
        asks_(reads.asks),
        topologies_(reads.topologies),
        demands_(reads.demands) {}

  // Works out what the gang's families need to know of it, and has them joined where that changed.
  void Join(GangId id);

  // What the engine is told. REQUIRES: gang.source is not kNone, its families are joined.
  state::WorkloadChange ChangeOf(const GangRow& gang) const;
  // A job of which nothing is left to run is no workload any more, though its pods may still be
  // there.
  bool IsOver(const GangRow& gang) const;
  // All of its pods are told anew.
  void MarkPods(const GangRow& gang);
  // What the owner of one of its jobs should mend; under the job's name something else may count.
  JobNotice NoticeOf(const GangRow& gang, const JobFacts& job) const;

 private:
  std::optional<state::JobProblem> ProblemOf(const GangRow& gang) const;

  Tables& tables_;
  Marks& marks_;
  QueueUses& uses_;
  const GangTraits& traits_;
  const KueueQueues& kueue_;
  const AskJoin& asks_;
  const TopologyJoin& topologies_;
  Demands& demands_;
};

// What people know it by: the job, where a Workload stands for one. REQUIRES: its source is not
// kNone.
std::string_view KindOf(const GangRow& gang);

// How many pods of the gang are in which state, by pod set. REQUIRES: its source is not kNone, its
// families are joined. Cost: O(its families).
std::vector<Tally> CountPods(const Tables& tables, const GangRow& gang);

}  // namespace fairlead::intake
