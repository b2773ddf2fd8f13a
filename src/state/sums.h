#pragma once

#include <cstdint>

#include "state/tables.h"

namespace fairlead::state {

// The sums over pods: what nodes have free, what queues have and ask, what waits of a shape, what
// is held of a demand. Each has one pair of functions that adds a pod to it and takes it away
// again, and tells the journal and the marks.
//
// Invariant: whoever changes what a sum depends on takes the pod away, changes it, and adds it.
class Sums {
 public:
  explicit Sums(Tables& tables) : t_(tables) {}

  // A pod's part in every sum: what Enter adds, Withdraw takes away.
  void Enter(PodId p);
  void Withdraw(PodId p);
  // Of these the room on its node. The pod stays where it is in Restand; what its room is there for
  // changes.
  void Occupy(PodId p, NodeId n, std::int8_t wanted_device);
  // The pod that came to the node last changes places with that one.
  void MoveToSlot(PodId p, std::uint32_t slot);
  void Vacate(PodId p);
  void Restand(PodId p, Stay from, Stay to);
  // Around a change of a node by which it may move to other domains: what its pods count for there
  // is taken away, and added where it is then.
  void CountDemands(NodeId n, bool add);
  void MoveDomains(NodeId n);

  // What a pod on a node counts for in its queue and in the capacity, and parts of that.
  void CountPlaced(PodId p, std::int64_t times);
  void CountRunning(PodId p, std::int64_t times);
  void CountTurnover(PodId p, std::int64_t times);
  void CountAllocated(PodId p, std::int64_t times);
  // What waits, and so counts as requested. Of a decision, which leaves what a queue requests as it
  // was: ForgetWaiting.
  void CountWaiting(QueueId q, ShapeId s, std::int64_t times);
  void ForgetWaiting(PodId p, std::int64_t times);
  void RecountExpected(WorkloadId w);
  void CountAll(WorkloadId w, bool add);  // all pods of a workload, live and waiting
  // The accounts of users, from nothing, by queues that are others now. REQUIRES: the tree is
  // settled; what pods take beyond what they count for is added after that.
  void SettleAccounts();

  // For those who follow.
  void NoteTouched(NodeId n);
  void NoteReshaped(NodeId n);
  void NoteChanged(WorkloadId w);
  void NoteRelieved(PodId p);
  void NoteStays(PodId p);
  void MarkPod(PodId p);

 private:
  std::int64_t CountedMissing(const PodSet& set) const;
  bool IsFavoured(const Pod& pod) const;

  Tables& t_;
};

}  // namespace fairlead::state
