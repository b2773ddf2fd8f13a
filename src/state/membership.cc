// How pods and workloads come, change and go: the part of Cluster that follows their objects.

#include <algorithm>

#include <boost/container_hash/hash.hpp>

#include "base/check.h"
#include "state/cluster.h"

namespace fairlead::state {
namespace {

std::uint32_t HashUid(std::string_view uid) {
  return static_cast<std::uint32_t>(boost::hash<std::string_view>()(uid));
}

}  // namespace

// Workloads --------------------------------------------------------------------------------------

void Cluster::CountAll(WorkloadId w, bool add) {
  const Workload& workload = workloads_[w];
  const std::int64_t times = add ? 1 : -1;
  auto count = [&](PodId p) {
    if (pods_[p].placed()) {
      CountPlaced(p, times);
    } else if (pods_[p].waits() && workload.open()) {
      CountWaiting(workload.queue, pods_[p].shape, times);
    }
  };
  if (workload.solo()) {
    count(workload.only_pod);
    return;
  }
  for (PodSet& set : workloads_.gang(w).sets) {
    for (PodId p : set.pods) count(p);
    if (!add && set.counted_expected > 0) {
      CountWaiting(workload.queue, set.expected_shape, -set.counted_expected);
      set.counted_expected = 0;
    }
  }
  if (add) RecountExpected(w);
}

std::int64_t Cluster::MissingExpected(const PodSet& set) const {
  if (!set.expected_shape.valid()) return 0;
  return std::max<std::int64_t>(
      0, std::int64_t{set.count} - set.succeeded - static_cast<std::int64_t>(set.pods.size()));
}

// As far as they count as requested: so many that no sum over pod sets passes the end of the
// numbers, and more than any cluster holds.
std::int64_t Cluster::CountedMissing(const PodSet& set) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 55;
  std::int64_t missing = MissingExpected(set);
  if (missing == 0) return 0;
  for (const Amount& a : shapes_[set.expected_shape].request) {
    missing = std::min(missing, std::max<std::int64_t>(1, kMost / a.amount));
  }
  return missing;
}

void Cluster::RecountExpected(WorkloadId w) {
  const Workload& workload = workloads_[w];
  for (PodSet& set : workloads_.gang(w).sets) {
    const std::int64_t missing = workload.open() ? CountedMissing(set) : 0;
    if (missing == set.counted_expected) continue;
    CountWaiting(workload.queue, set.expected_shape, missing - set.counted_expected);
    set.counted_expected = missing;
  }
}

void Cluster::SetTraits(WorkloadId w, const WorkloadTraits& traits) {
  Workload& workload = workloads_[w];
  workloads_.SetQueue(w, queues_.Intern(traits.queue));
  workload.priority = traits.priority;
  workload.preemptible = traits.preemptible;
  workload.never_preempts = traits.never_preempts;
  workload.active = traits.active;
  workload.created = traits.created;
  workloads_.SetHold(w, traits.hold.get());
}

void Cluster::ApplyWorkload(const WorkloadChange& change) {
  const WorkloadId w = workloads_.InternGang(change.name);
  Gang& gang = workloads_.gang(w);
  CountAll(w, false);  // pods that came before it are counted already
  SetTraits(w, change.traits);
  gang.known = true;
  gang.kind = change.kind;
  gang.announces = change.announces_admission;
  gang.recorded_start = change.recorded_start;
  if (gang.admitted_since != change.admitted_since) gang.admission_met = false;
  gang.admitted_since = change.admitted_since;
  gang.elastic = false;
  // Pods keep their set by its index; what a set no longer has waits to be told where it belongs.
  gang.sets.resize(std::max(gang.sets.size(), change.pod_sets.size()));
  for (std::size_t i = 0; i < gang.sets.size(); ++i) {
    PodSet& set = gang.sets[i];
    if (i >= change.pod_sets.size()) {
      set.count = set.min_count = set.asked = set.min_asked = set.decided = set.admitted = 0;
      set.expected_shape = ShapeId();
      continue;
    }
    const PodSetChange& from = change.pod_sets[i];
    const bool anytime = change.resize == objects::Resize::kAnytime;
    set.name = from.name;
    if (set.asked != from.count || set.admitted != from.admitted) gang.reduction_told = false;
    set.admitted = from.admitted;
    set.succeeded = from.succeeded;
    // A reduction is of what was asked.
    const bool edited = set.asked != from.count || set.min_asked != from.min_count;
    if (from.admitted > 0 || anytime || edited) set.decided = 0;
    const std::int32_t fixed = from.admitted > 0 ? from.admitted : set.decided;
    set.asked = from.count;
    set.count = !anytime && fixed > 0 ? fixed : from.count;
    set.min_count = anytime ? from.min_count : set.count;
    set.min_asked = from.min_count;
    set.expected_shape = from.expected_needs ? shapes_.Intern(from.expected_needs) : ShapeId();
    if (set.min_count < set.count) gang.elastic = true;
  }
  if (!gang.shown_admitted()) gang.admission_met = false;
  nodes_.Widen(resources_);
  queues_.Widen(resources_);
  CountAll(w, true);
  ReleaseExpected(w);
  NoteChanged(w);
}

void Cluster::SetCounts(WorkloadId w, std::span<const std::int32_t> counts) {
  std::vector<PodSet>& sets = workloads_.gang(w).sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PodSet& set = sets[i];
    const bool fixed = i < counts.size();
    set.decided = fixed ? counts[i] : 0;
    if (!fixed && set.admitted > 0) continue;
    set.count = set.min_count = fixed ? counts[i] : set.asked;
  }
  RecountExpected(w);
  marks_.Note(w);
}

// Gives up room for pods that are no longer to come: the newest first.
void Cluster::ReleaseExpected(WorkloadId w) {
  for (PodSet& set : workloads_.gang(w).sets) {
    const std::int64_t wanted = workloads_[w].active ? set.count - set.succeeded : 0;
    const std::vector<PodId> pods = set.pods;
    for (auto p = pods.rbegin(); p != pods.rend() && std::ssize(set.pods) > wanted; ++p) {
      if (pods_[*p].expected) RemoveExpected(*p);
    }
  }
}

void Cluster::RemoveWorkload(WorkloadId w) {
  Gang& gang = workloads_.gang(w);
  for (PodSet& set : gang.sets) {
    const std::vector<PodId> pods = set.pods;
    for (PodId p : pods) {
      if (pods_[p].expected) RemovePod(p);
    }
  }
  CountAll(w, false);
  gang.known = false;
  for (PodSet& set : gang.sets) {
    set.count = set.min_count = set.asked = set.min_asked = set.decided = 0;
    set.expected_shape = ShapeId();
  }
  CountAll(w, true);
  NoteChanged(w);
  const bool empty = std::all_of(gang.sets.begin(), gang.sets.end(),
                                 [](const PodSet& set) { return set.pods.empty(); });
  if (empty) workloads_.Remove(w);
}

// Pods -------------------------------------------------------------------------------------------

void Cluster::Join(PodId p) {
  const Pod& pod = pods_[p];
  if (!pod.workload.valid() || workloads_[pod.workload].solo()) return;
  Gang& gang = workloads_.gang(pod.workload);
  if (gang.sets.size() <= pod.pod_set) gang.sets.resize(pod.pod_set + std::size_t{1});
  gang.sets[pod.pod_set].pods.push_back(p);
  RecountExpected(pod.workload);
}

void Cluster::Leave(PodId p) {
  const Pod& pod = pods_[p];
  const WorkloadId w = pod.workload;
  if (!w.valid()) return;
  if (workloads_[w].solo()) {
    workloads_.Remove(w);
    return;
  }
  Gang& gang = workloads_.gang(w);
  std::erase(gang.sets[pod.pod_set].pods, p);
  RecountExpected(w);
  const bool empty = std::all_of(gang.sets.begin(), gang.sets.end(),
                                 [](const PodSet& set) { return set.pods.empty(); });
  if (!gang.known && empty) workloads_.Remove(w);
}

WorkloadId Cluster::MembershipOf(PodId p, const PodChange& change) {
  if (change.foreign) return WorkloadId();
  if (!change.solo) {
    const WorkloadId w = workloads_.InternGang(change.workload);
    // Its own object has yet to come: until then its pods count at the root.
    if (!workloads_[w].queue.valid()) workloads_.SetQueue(w, QueueTree::Root());
    return w;
  }
  const WorkloadId had = pods_[p].workload;
  if (had.valid() && workloads_[had].solo()) return had;
  return workloads_.AddSolo(p);
}

void Cluster::SetFacts(PodId p, const PodChange& change) {
  Pod& pod = pods_[p];
  pod.created = change.created;
  pod.scheduled = change.scheduled_time.value_or(pod.scheduled);
  pod.uid_hash = HashUid(change.uid);
  pod.priority = change.priority;
  pod.pod_set = static_cast<std::uint16_t>(change.pod_set);
  pod.terminating = change.terminating;
  pod.gated = change.gated;
  pod.foreign = change.foreign;
  pod.daemon_set = change.of_daemon_set;
  pod.opted_out = change.opted_out;
  pod.owns_pods = change.owns_pods;
  pod.is_static = change.is_static;
  const NodeId nominated =
      change.nominated_node.empty() ? NodeId() : nodes_.Intern(change.nominated_node);
  if (nominated != pod.nominated) pod.renounced = false;
  pod.nominated = nominated;
  if (change.reserved_time) {
    pod.reserved = *change.reserved_time;
    pod.reservation_told = true;
  }
  pod.held = change.hold.has_value();
  if (pod.held) pod_holds_.insert_or_assign(p.value(), *change.hold);
  if (budgets_.SetBudgets(p, change.budgets)) journal_.budgets_changed = true;
}

// Whether `change` says of a placed pod only what no sum depends on: the common case, in which the
// cluster shows what we had assumed.
bool Cluster::Confirms(PodId p, const PodChange& change) const {
  const Pod& pod = pods_[p];
  if (!pod.placed() || pod.foreign || change.foreign || pod.held || change.hold) return false;
  if (pod.terminating != change.terminating || pod.gated != change.gated) return false;
  if (pod.opted_out != change.opted_out || pod.owns_pods != change.owns_pods) return false;
  if (pod.daemon_set != change.of_daemon_set) return false;
  if (pod.claims() || (pod.evicted && change.state != PodState::kBound)) return false;
  const Workload& workload = workloads_[pod.workload];
  if (!change.solo) {
    return !workload.solo() && pod.pod_set == change.pod_set &&
           workloads_.gang(pod.workload).name == change.workload;
  }
  const WorkloadTraits& traits = *change.solo;
  return workload.solo() && queues_[workload.queue].name == traits.queue &&
         workload.preemptible == traits.preemptible && workload.priority == traits.priority &&
         workload.active == traits.active && !workload.held && !traits.hold &&
         workload.created == traits.created;
}

bool Cluster::AdoptExpected(PodId p, NodeId bound_to) {
  Pod& pod = pods_[p];
  if (!pod.workload.valid() || workloads_[pod.workload].solo()) return false;
  if (!bound_to.valid() && !pod.waits()) return false;
  PodId held;
  for (PodId other : workloads_.gang(pod.workload).sets[pod.pod_set].pods) {
    if (!pods_[other].expected || !pods_[other].placed()) continue;
    if (!held.valid() || pods_[other].ticket < pods_[held].ticket) held = other;
  }
  if (!held.valid()) return false;
  // One that is bound already, or asks something else than its template did, goes its own way.
  if (bound_to.valid() || pods_[held].shape != pod.shape) {
    RemoveExpected(held);
    return false;
  }
  const Pod was = pods_[held];
  RemoveExpected(held);
  pod.node = was.node;
  pod.gpu_device = was.gpu_device;
  pod.placement = was.placement;
  if (was.placement == Placement::kAssumed) journal_.adopted.push_back(p);
  return true;
}

// Where a pod stands once the change is known. One that the cluster does not show as bound stays
// where we decided; one that we know nothing of claims the room that it was promised before.
Cluster::Standing Cluster::StandingAfter(const Pod& before, const PodChange& change) {
  if (change.state == PodState::kBound) return {nodes_.Intern(change.node), Placement::kBound};
  const bool may_claim = !change.terminating && !change.gated && !change.hold && !change.foreign;
  if (before.placement == Placement::kAssumed || (before.claims() && may_claim)) {
    return {before.node, before.placement};
  }
  if (change.nominated_node.empty() || !may_claim) return {};
  const NodeId promised = nodes_.Intern(change.nominated_node);
  if (promised == before.nominated) return {};  // it was promised, and the promise taken back
  return {promised, Placement::kClaimed};
}

// Its node may have yet to come, and is known by its name until then.
void Cluster::Pin(ShapeId s) {
  Shape& shape = shapes_[s];
  if (shape.only_nodes.size() != 1 || shape.pinned_to.valid()) return;
  shape.pinned_to = nodes_.Intern(shape.only_nodes.front());
}

void Cluster::ApplyPod(const PodChange& change) {
  PodId p = pods_.Find(change.name);
  if (p.valid() && pods_[p].uid_hash != HashUid(change.uid)) {
    RemovePod(p);  // another pod of the same name
    p = PodId();
  }
  if (change.state == PodState::kFinished) {
    if (p.valid()) RemovePod(p);
    return;
  }
  const bool fresh = !p.valid();
  if (fresh) p = pods_.Add(change.name);
  const ShapeId shape = shapes_.Intern(change.needs);
  if (change.of_daemon_set != OfDaemonSet::kNo) Pin(shape);
  nodes_.Widen(resources_);
  queues_.Widen(resources_);

  const Pod before = pods_[p];
  const bool bound = change.state == PodState::kBound;
  const Standing standing = StandingAfter(before, change);
  const NodeId node = standing.node;
  if (!fresh && shape == before.shape && node == before.node && Confirms(p, change)) {
    SetFacts(p, change);
    MarkPod(p);
    if (!bound) return;
    pods_[p].placement = Placement::kBound;
    if (change.solo && change.scheduled_time)
      workloads_[before.workload].start = pods_[p].scheduled;
    return;
  }
  if (!fresh) Withdraw(p);
  const WorkloadId workload = MembershipOf(p, change);
  if (!fresh && (workload != before.workload || change.pod_set != before.pod_set)) Leave(p);
  const bool joins = fresh || workload != before.workload || change.pod_set != before.pod_set;

  if (before.held) pod_holds_.erase(p.value());
  SetFacts(p, change);
  Pod& pod = pods_[p];
  pod.shape = shape;
  pod.workload = workload;
  if (joins) Join(p);
  if (change.solo) SetTraits(workload, *change.solo);
  pod.node = node;
  if (node != before.node) pod.scheduled = change.scheduled_time.value_or(Time::Max());
  pod.placement = standing.placement;
  pod.evicted = before.evicted && bound && node == before.node && !change.terminating;
  // What we gave ourselves is known better than what the cluster says.
  pod.gpu_device = node == before.node && before.gpu_device >= 0
                       ? before.gpu_device
                       : static_cast<std::int8_t>(std::clamp(change.gpu_device, -1, 127));
  const bool arrives = fresh || (!before.placed() && !before.waits());
  if (arrives && !pod.claims()) AdoptExpected(p, node);
  Enter(p);
  if (change.solo && pod.placed() && !pod.claims()) workloads_[workload].start = pod.scheduled;
}

void Cluster::RemovePod(PodId p) {
  Withdraw(p);
  Leave(p);
  if (pods_[p].held) pod_holds_.erase(p.value());
  if (budgets_.SetBudgets(p, {})) journal_.budgets_changed = true;
  pods_.Remove(p);
}

}  // namespace fairlead::state
