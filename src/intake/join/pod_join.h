#pragma once

#include <optional>

#include "intake/join/ask_join.h"
#include "intake/join/daemon_sets.h"
#include "intake/join/demands.h"
#include "intake/join/queue_chooser.h"
#include "intake/join/run_time_bounds.h"
#include "intake/join/told_pod.h"
#include "intake/join/topology_join.h"
#include "intake/tables/node_pool.h"
#include "intake/tables/queue_uses.h"

namespace fairlead::intake {

// The joins of pods, worked out once a family: which workload a pod is of, and where it is one by
// itself, its queue, priority and preemptibility (interface.md §1, semantics.md §10).
//
// Case 0  it names a group, and is of a job that is one workload: the outermost counts, the job.
// Case 1  another scheduler's: it takes room on its node, and that is all.
// Case 2  it names a workload that is there: it is of that one, whose queue and priority count.
// Case 3  it names one that is not there, or whose name another has, or is of a group of a job that
//         is not there, or is owned by a job that is still to come: it waits, WorkloadNotFound.
// Case 4  else it is a workload of its own. So are the pods of a Job that is no gang.
//
// Cost: a join is ≈ 1 µs, once a family that is marked; Tell is a copy, once a pod.
class PodJoin {
 public:
  // What a join reads beside the tables.
  struct Reads {
    const NodePool& pool;
    const DaemonSets& daemon_sets;
    const QueueChooser& queues;
    const KueueQueues& kueue;
    const AskJoin& asks;
    const TopologyJoin& topologies;
    const RunTimeBounds& bounds;
    Demands& demands;
  };
  PodJoin(Tables& tables, Marks& marks, QueueUses& uses, Reads reads)
      : tables_(tables),
        marks_(marks),
        uses_(uses),
        pool_(reads.pool),
        daemon_sets_(reads.daemon_sets),
        queues_(reads.queues),
        kueue_(reads.kueue),
        asks_(reads.asks),
        topologies_(reads.topologies),
        bounds_(reads.bounds),
        demands_(reads.demands) {}

  // Works the family's join out. Where it is another than before, its pods are marked, and its gang
  // where that counts otherwise. REQUIRES: its gang is joined.
  void JoinFamily(FamilyId id);

  // What the engine is told. REQUIRES: its family and its gang are joined.
  // In place, as a change is large. REQUIRES: `into` is as made.
  void Tell(const PodRow& row, state::PodChange& into) const;
  // The same for people, of what the engine has; absent: it has nothing.
  std::optional<ToldPod> Told(const PodRow& row) const;
  // Whether the engine has to know of the pod: ours always, others' while they take room; and on
  // nodes outside the pool who counts for what somebody demands, or has what others claim.
  bool IsVisible(const PodRow& row) const;

 private:
  FamilyJoin Join(const Family& family) const;
  // Why the pods are not of the workload that they name; none: then they are workloads themselves.
  std::optional<state::Reason> WhyNot(const Family& family, const GangRow& gang, Membership by,
                                      const PodTraits& traits, const NamedJob& named) const;
  enum class As : std::uint8_t { kItIs, kWaiting };  // one that waits asks for any node
  state::NeedsPtr NeedsOf(const PodRow& row, As as) const;

  Tables& tables_;
  Marks& marks_;
  QueueUses& uses_;
  const NodePool& pool_;
  const DaemonSets& daemon_sets_;
  const QueueChooser& queues_;
  const KueueQueues& kueue_;
  const AskJoin& asks_;
  const TopologyJoin& topologies_;
  const RunTimeBounds& bounds_;
  Demands& demands_;
  // What was told last of a workload of one pod: it is often the next one's, too.
  struct ToldTraits {
    FamilyId family;
    Time created;
    SharedOptional<state::WorkloadTraits> traits;
  };
  mutable ToldTraits told_;
};

}  // namespace fairlead::intake
