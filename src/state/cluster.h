#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/change.h"
#include "state/decisions.h"
#include "state/object_changes.h"
#include "state/round_notes.h"
#include "state/sums.h"
#include "state/tables.h"

namespace fairlead::state {

// The cluster as the engine sees it: nodes, queues, workloads and pods in tables, tied by numbers.
//
// Invariants (recomputed from nothing in tests):
//   - a node's free amounts, a queue's sums and a shape's waiting counts equal what the pods say.
//   - a pod takes room on `node` exactly while that is valid.
// Thread safety: none. It cannot be copied: a what-if is a Trial.
class Cluster {
 public:
  Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  void Apply(const Change& change) { object_changes_.Apply(change); }

  // Asked whenever something is decided; none: NodeTable's own choice. Not owned.
  void SetDeviceChooser(DeviceChooser* chooser) { t_.device_chooser = chooser; }

  // All that a decision does; Trial undoes it.
  // A waiting pod on a node, assumed; or, once others have left, a claim on room there.
  void Place(PodId p, NodeId n) { decisions_.Put(p, n, Placement::kAssumed); }
  void Claim(PodId p, NodeId n) { decisions_.Put(p, n, Placement::kClaimed); }
  void ClaimAgain(PodId p, const Stand& stood) { decisions_.ClaimAgain(p, stood); }
  // An assumed or claimed pod waits again.
  void Unplace(PodId p) { decisions_.Unplace(p); }
  // The same of one that is put back at once, or given up with a word about it: that its queue has
  // less meanwhile is no news.
  void SetAside(PodId p) { decisions_.SetAside(p); }
  // A live pod leaves.
  void Evict(PodId p) { decisions_.Evict(p); }
  void Unevict(PodId p) { decisions_.Unevict(p); }
  // A pod that waits again goes to the end of its kind's list.
  void Requeue(PodId p) {
    sums_.Withdraw(p);
    sums_.Enter(p);
  }
  // Room for a pod that does not exist yet: a record that Place can use, and its removal.
  // `index`: which of the set's pods takes it over; −1: any.
  PodId AddExpected(WorkloadId w, std::uint16_t set, std::int32_t index) {
    return decisions_.AddExpected(w, set, index);
  }
  void RemoveExpected(PodId p) { decisions_.RemoveExpected(p); }
  // Says whether some node could hold the shape if it were empty (semantics.md §10): pods that fit
  // nowhere do not count as requested.
  void SetPlaceable(ShapeId s, bool placeable) { decisions_.SetPlaceable(s, placeable); }
  // The counts with which a gang is to start, by pod set: decided, not shown yet. None of them: all
  // that was asked again.
  void SetCounts(WorkloadId w, std::span<const std::int32_t> counts) {
    decisions_.SetCounts(w, counts);
  }

  // What rounds remember of pods and workloads, and no sum depends on.
  RoundNotes& notes() { return notes_; }

  // Brings the queue tree up to date with what was applied.
  void Settle();

  const ResourceTable& resources() const { return t_.resources; }
  const ShapeTable& shapes() const { return t_.shapes; }
  const TermTable& terms() const { return t_.terms; }
  const DemandCounts& demands() const { return t_.demands; }
  const DomainTrees& trees() const { return t_.trees; }
  const NodeRefusals& refusals() const { return t_.refusals; }
  // What was refused a while ago is asked for again. Cost: refusals; nothing without.
  void PassTo(Time now) { object_changes_.PassTo(now); }
  const NodeTable& nodes() const { return t_.nodes; }
  const QueueTree& queues() const { return t_.queues; }
  QueueTree& queues() { return t_.queues; }
  const PodTable& pods() const { return t_.pods; }
  const WorkloadTable& workloads() const { return t_.workloads; }
  const BudgetTable& budgets() const { return t_.budgets; }
  const objects::SchedulerConfiguration& configuration() const { return *t_.configuration; }
  const Volumes& volumes() const { return t_.volumes; }
  const WindowTable& windows() const { return t_.windows; }
  const Reason* HoldOf(PodId p) const;  // why a held pod must not start; null when it is not held
  const Journal& journal() const { return t_.journal; }
  void TrimJournal(const Journal::Positions& read) { t_.journal.DropBefore(read); }
  Marks& marks() { return t_.marks; }  // for one who keeps a copy; the engine leaves them alone

  std::string_view NameOf(WorkloadId w) const;  // "namespace/name"
  // Calls `look` for every pod of the workload, in no order.
  template <typename Look>
  void ForEachPodOf(WorkloadId w, Look look) const;
  // What the pods of a node would give changed, by what was done elsewhere.
  void NoteTouched(NodeId n) { sums_.NoteTouched(n); }
  bool RerankNodes() { return t_.nodes.Rerank(); }

 private:
  friend class KeptBack;  // what nodes have is less, for a while
  friend class Favour;    // what a workload claims counts for its own pods, for a while
  friend void SetBeyondLine(Cluster& cluster, WorkloadId w, bool beyond);
  friend void SweepShapes(Cluster& cluster, std::span<const ShapeId> kept);
  friend PodId HoldLanding(Cluster& cluster, std::string name, QueueId q, const NeedsPtr& needs,
                           NodeId n);

  Tables t_;
  Sums sums_{t_};
  Decisions decisions_{t_, sums_};
  ObjectChanges object_changes_{t_, sums_, decisions_};
  RoundNotes notes_{t_};
};

// Of a gang, or of a pod that is a workload by itself; invalid: there is none of that name.
WorkloadId FindWorkload(const Cluster& cluster, std::string_view name);

// Whether more of its user's wait before the workload than a limit lets wait: then it is not open.
void SetBeyondLine(Cluster& cluster, WorkloadId w, bool beyond);

// Lets go of shapes that no pod asks, and of what was kept for them: their numbers are others' from
// now on. `kept`: shapes to keep besides. Cost: a look at all pods.
void SweepShapes(Cluster& cluster, std::span<const ShapeId> kept);

// Room for a pod that somebody is to make in another's place, as for one of a gang that does not
// exist yet: a record that claims it, of a workload of its own with that name, which counts in the
// queue. RemoveExpected ends both. REQUIRES: the node exists; nobody has the name.
PodId HoldLanding(Cluster& cluster, std::string name, QueueId q, const NeedsPtr& needs, NodeId n);

// Whether any of its pods has a node, or claims room on one.
bool HasPlace(const Cluster& cluster, WorkloadId w);

// What pods ask together.
Amounts RequestOf(const Cluster& cluster, std::span<const PodId> pods);

template <typename Look>
void Cluster::ForEachPodOf(WorkloadId w, Look look) const {
  const Workload& workload = t_.workloads[w];
  if (workload.solo()) {
    look(workload.only_pod);
    return;
  }
  for (const PodSet& set : t_.workloads.gang(w).sets) {
    for (PodId p : set.pods) look(p);
  }
}

}  // namespace fairlead::state
