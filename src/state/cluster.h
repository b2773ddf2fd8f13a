#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/budgets.h"
#include "state/change.h"
#include "state/marks.h"
#include "state/nodes.h"
#include "state/pods.h"
#include "state/queues.h"
#include "state/resources.h"
#include "state/shapes.h"
#include "state/workloads.h"

namespace fairlead::state {

// What happened to the state since somebody last looked: the engine follows it instead of walking
// the cluster. Entries may repeat.
struct Journal {
  std::vector<NodeId> touched;        // free amounts changed
  std::vector<NodeId> reshaped;       // labels, taints, allocatable or existence changed
  std::vector<WorkloadId> workloads;  // pods, traits or hold changed
  std::vector<QueueId> relieved;      // a queue's allocated went down
  std::vector<PodId> adopted;         // pods that came for room held for them: to be bound there
  bool queues_changed = false;        // specs or structure
  bool configuration_changed = false;
  bool budgets_changed = false;  // numbers of a budget, or which pods it selects
};

// Says on which device of a node a share of a GPU is put.
class DeviceChooser {
 public:
  virtual ~DeviceChooser() = default;
  // A device with enough room, as NodeTable::ForEachDevice numbers them; or kBestDevice.
  virtual std::int8_t ChooseDevice(const Shape& shape, NodeId n, Stay stay) = 0;
};

// The cluster as the engine sees it: nodes, queues, workloads and pods in tables, tied by numbers.
//
// Invariants (recomputed from nothing in tests):
//   - a node's free amounts, a queue's sums and a shape's waiting counts equal what the pods say.
//   - a pod takes room on `node` exactly while that is valid.
// Thread safety: none. It cannot be copied: a what-if is a Trial.
class Cluster {
 public:
  Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  void Apply(const Change& change);

  // Asked whenever something is decided; none: NodeTable's own choice. Not owned.
  void SetDeviceChooser(DeviceChooser* chooser) { device_chooser_ = chooser; }

  // All that a decision does; Trial undoes it.
  void Place(PodId p, NodeId n);  // a waiting pod on a node, assumed
  void Claim(PodId p, NodeId n);  // room for a waiting pod on a node, once others have left
  void Unplace(PodId p);          // an assumed or claimed pod waits again
  void SetSpared(PodId p, bool spared) { pods_[p].spared = spared; }
  // What the cluster shows as promised to it is taken back, or stands again.
  void SetRenounced(PodId p, bool renounced) { pods_[p].renounced = renounced; }
  // Bookkeeping about DaemonSet pods that wait for their node (semantics.md §7).
  void SetReserved(PodId p, Time since) { pods_[p].reserved = since; }
  void SetReservationTold(PodId p) { pods_[p].reservation_told = true; }
  void SetPromiseTold(PodId p, bool told) { pods_[p].promise_told = told; }
  void SetPassedBy(PodId p) { pods_[p].passed_by = true; }
  void Evict(PodId p);  // a live pod leaves
  void Unevict(PodId p);

  // A pod that waits again goes to the end of its kind's list.
  void Requeue(PodId p) {
    Withdraw(p);
    Enter(p);
  }

  // Room for a pod that does not exist yet: a record that Place can use, and its removal.
  PodId AddExpected(WorkloadId w, std::uint16_t pod_set);
  void RemoveExpected(PodId p);
  void SetExpectedSince(PodId p, Time since) { pods_[p].created = since; }

  // Says whether some node could hold the shape if it were empty (semantics.md §10): pods that fit
  // nowhere do not count as requested.
  void SetPlaceable(ShapeId s, bool placeable);

  // The counts with which a gang is to start, by pod set: decided, not shown yet. None of them: all
  // that was asked again.
  void SetCounts(WorkloadId w, std::span<const std::int32_t> counts);

  // The start of a gang, by decision or derived from what runs (semantics.md §1).
  void SetStart(WorkloadId w, Time start) {
    workloads_[w].start = start;
    marks_.Note(w);
  }

  // What the cluster shows as admitted has its pods, or room for them: from now on it is no news.
  void SetAdmissionMet(WorkloadId w) { workloads_.gang(w).admission_met = true; }

  // It was decided that what is admitted beyond its counts goes.
  void SetReductionTold(WorkloadId w) { workloads_.gang(w).reduction_told = true; }

  // Brings the queue tree up to date with what was applied.
  void Settle();

  const ResourceTable& resources() const { return resources_; }
  const ShapeTable& shapes() const { return shapes_; }
  const NodeTable& nodes() const { return nodes_; }
  const QueueTree& queues() const { return queues_; }
  QueueTree& queues() { return queues_; }
  const PodTable& pods() const { return pods_; }
  const WorkloadTable& workloads() const { return workloads_; }
  const BudgetTable& budgets() const { return budgets_; }
  // Another number: budgets may allow more than they did, for pods that stay now.
  std::uint64_t budgets_eased() const { return budgets_eased_; }
  const objects::SchedulerConfiguration& configuration() const { return *configuration_; }
  const Reason* HoldOf(PodId p) const;  // why a held pod must not start; null when it is not held
  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  Marks& marks() { return marks_; }  // for one who keeps a copy; the engine leaves them alone

  const std::string& NameOf(WorkloadId w) const;  // "namespace/name"
  WorkloadId FindWorkload(std::string_view name) const;
  // Calls `look` for every pod of the workload, in no order.
  template <typename Look>
  void ForEachPodOf(WorkloadId w, Look look) const;
  void SortByName(std::vector<PodId>& pods) const;
  bool RerankNodes() { return nodes_.Rerank(); }
  void Reserve(std::size_t pods) { pods_.Reserve(pods); }

  // Expected pods of a set that have neither come nor been given room.
  std::int64_t MissingExpected(const PodSet& set) const;

 private:
  void ApplyNode(const NodeChange& change);
  void RemoveNode(NodeId n);
  void NoteReshaped(NodeId n);
  void ApplyQueue(const QueueChange& change);
  void ApplyWorkload(const WorkloadChange& change);
  void RemoveWorkload(WorkloadId w);
  void ApplyPod(const PodChange& change);
  void RemovePod(PodId p);
  void ApplyRemoval(const Removal& removal);
  void ApplyBindFailed(const BindFailed& failed);
  void ApplyEvictFailed(const EvictFailed& failed);
  void SetTraits(WorkloadId w, const WorkloadTraits& traits);
  void SetFacts(PodId p, const PodChange& change);
  WorkloadId MembershipOf(PodId p, const PodChange& change);

  void NoteTouched(NodeId n);
  void NoteChanged(WorkloadId w);
  void MarkPod(PodId p);

  // A pod's part in every sum: what Enter adds, Withdraw takes away.
  void Enter(PodId p);
  void Withdraw(PodId p);
  void Put(PodId p, NodeId n, Placement placement);
  void Restand(PodId p, Stay from, Stay to);
  void Occupy(PodId p, NodeId n, std::int8_t wanted_device);
  void Vacate(PodId p);
  void CountPlaced(PodId p, std::int64_t times);
  void CountRunning(PodId p, std::int64_t times);
  void CountTurnover(PodId p, std::int64_t times);
  void CountAllocated(PodId p, std::int64_t times);
  void NoteStays(PodId p);
  void ForgetWaiting(PodId p, std::int64_t times);
  void CountWaiting(QueueId q, ShapeId s, std::int64_t times);
  void CountAll(WorkloadId w, bool add);  // all pods of a workload, live and waiting
  std::int64_t CountedMissing(const PodSet& set) const;
  void RecountExpected(WorkloadId w);
  void Join(PodId p);
  void Leave(PodId p);
  bool Confirms(PodId p, const PodChange& change) const;
  struct Standing {
    NodeId node;
    Placement placement = Placement::kWaiting;
  };
  void Pin(ShapeId s);
  Standing StandingAfter(const Pod& before, const PodChange& change);
  // Takes over room held for it; or ends the claim, where it does not follow its template.
  bool AdoptExpected(PodId p, NodeId bound_to);
  void ReleaseExpected(WorkloadId w);

  ResourceTable resources_;
  ShapeTable shapes_{resources_};
  NodeTable nodes_{resources_};
  QueueTree queues_{resources_};
  PodTable pods_;
  WorkloadTable workloads_;
  BudgetTable budgets_;
  boost::unordered_flat_map<std::uint32_t, Reason> pod_holds_;
  std::shared_ptr<const objects::SchedulerConfiguration> configuration_;
  Journal journal_;
  std::uint64_t budgets_eased_ = 0;
  DeviceChooser* device_chooser_ = nullptr;
  Marks marks_;
  std::uint32_t next_ticket_ = 1;
};

// What pods ask together.
Amounts RequestOf(const Cluster& cluster, std::span<const PodId> pods);

template <typename Look>
void Cluster::ForEachPodOf(WorkloadId w, Look look) const {
  const Workload& workload = workloads_[w];
  if (workload.solo()) {
    look(workload.only_pod);
    return;
  }
  for (const PodSet& set : workloads_.gang(w).sets) {
    for (PodId p : set.pods) look(p);
  }
}

}  // namespace fairlead::state
