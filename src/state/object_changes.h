#pragma once

#include <cstdint>

#include "state/change.h"
#include "state/decisions.h"

namespace fairlead::state {

// How nodes, queues, workloads and pods come, change and go, as their objects say.
class ObjectChanges {
 public:
  ObjectChanges(Tables& tables, Sums& sums, Decisions& decisions)
      : t_(tables), sums_(sums), decisions_(decisions) {}

  void Apply(const Change& change);

  void PassTo(Time now);

 private:
  struct Standing {
    NodeId node;
    Placement placement = Placement::kWaiting;
  };
  void ApplyNode(const NodeChange& change);
  void RemoveNode(NodeId n);
  void ApplyOutside(NodeId n, const objects::SharedLabels& labels);
  void Retire(NodeId n);
  // Changes where the node stands, and with it the pods on it, for those who demand something
  // there.
  template <typename Change>
  void MoveBetweenDomains(NodeId n, Change change);
  void ApplyQueue(const QueueChange& change);
  void ApplyEvictFailed(const EvictFailed& failed);
  void ApplyKeptOut(const KeptOut& kept);
  void SetStart(WorkloadId w, Time start);
  void ApplyBindFailed(const BindFailed& failed);
  void ApplyRemoval(const Removal& removal);
  void SetTraits(WorkloadId w, const WorkloadTraits& traits);
  void SetSubmitter(WorkloadId w, const objects::SubmitterPtr& submitter);
  void ApplyWorkload(const WorkloadChange& change);
  void ReleaseExpected(WorkloadId w);
  void RemoveWorkload(WorkloadId w);
  WorkloadId MembershipOf(PodId p, const PodChange& change);
  void SetFacts(PodId p, const PodChange& change);
  bool Confirms(PodId p, const PodChange& change);
  Standing StandingAfter(const Pod& before, const PodChange& change);
  void Pin(ShapeId s);
  void ApplyPod(const PodChange& change);
  void RemovePod(PodId p);
  void End(PodId p);
  void TakeRefusal(PodId p, const PodChange& change);
  void TakeRefusal(const BindFailed& failed);
  void Forget(std::string_view pod);
  // Where there are any.
  template <typename Change>
  void ChangeRefusals(Change change);
  void NoteRefusals();
  // Takes over room held for it; where it does not follow its template, it claims its node.
  void AdoptExpected(PodId p, NodeId bound_to);

  Tables& t_;
  Sums& sums_;
  Decisions& decisions_;
};

}  // namespace fairlead::state
