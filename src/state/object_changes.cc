#include "state/object_changes.h"

#include <algorithm>

#include "base/name_map.h"
#include "state/round_notes.h"

namespace fairlead::state {
namespace {

std::uint32_t HashOf(const Uid& uid) { return static_cast<std::uint32_t>(uid.Hash()); }

}  // namespace

void ObjectChanges::Apply(const Change& change) {
  std::visit(
      [this](const auto& c) {
        using T = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<T, NodeChange>) ApplyNode(c);
        if constexpr (std::is_same_v<T, QueueChange>) ApplyQueue(c);
        if constexpr (std::is_same_v<T, WorkloadChange>) ApplyWorkload(c);
        if constexpr (std::is_same_v<T, PodChange>) ApplyPod(c);
        if constexpr (std::is_same_v<T, Removal>) ApplyRemoval(c);
        if constexpr (std::is_same_v<T, BindFailed>) ApplyBindFailed(c);
        if constexpr (std::is_same_v<T, EvictFailed>) ApplyEvictFailed(c);
        if constexpr (std::is_same_v<T, KeptOut>) ApplyKeptOut(c);
        if constexpr (std::is_same_v<T, ConfigurationChange>) {
          t_.configuration = c.configuration;
          t_.queues.LendOfAll(c.configuration->lend);
          ++t_.journal.configuration;
        }
        if constexpr (std::is_same_v<T, BudgetChange>) {
          if (t_.budgets.Update(c)) ++t_.journal.budgets;
        }
        if constexpr (std::is_same_v<T, WindowChange>) {
          if (t_.windows.Update(*c.window)) ++t_.journal.windows;
        }
        if constexpr (std::is_same_v<T, VolumeChange>) {
          t_.volumes.supply.Upsert(c);
          ++t_.journal.volumes;
        }
      },
      change);
}

template <typename Change>
void ObjectChanges::MoveBetweenDomains(NodeId n, Change change) {
  if (!t_.columns.any()) {
    change();
    return t_.trees.Refresh(n);
  }
  sums_.CountDemands(n, false);
  change();
  sums_.MoveDomains(n);
  sums_.CountDemands(n, true);
  t_.trees.Refresh(n);
}

template <typename Change>
void ObjectChanges::ChangeRefusals(Change change) {
  if (t_.refusals.empty()) return;
  change(t_.refusals);
  NoteRefusals();
}

void ObjectChanges::ApplyNode(const NodeChange& change) {
  const NodeId n = t_.nodes.Intern(change.name);
  if (change.outside) return ApplyOutside(n, change.labels);
  auto count_capacity = [&](std::int64_t sign) {
    if (!t_.nodes.in_service(n)) return;
    for (std::uint32_t r = 0; r < t_.resources.size(); ++r) {
      if (!IsInternal(ResourceId(r))) {
        t_.queues.AddCapacity(ResourceId(r), sign * t_.nodes.allocatable(n)[r]);
      }
    }
  };
  for (PodId p : t_.nodes.pods(n)) sums_.CountPlaced(p, -1);
  count_capacity(-1);
  const bool was_there = t_.nodes.exists(n);
  bool changed = false;
  MoveBetweenDomains(n, [&] { changed = t_.nodes.Update(n, change, t_.resources); });
  t_.volumes.attachments.SetLeaving(n, change.slots_leaving);
  t_.queues.Widen(t_.resources);
  count_capacity(+1);
  for (PodId p : t_.nodes.pods(n)) sums_.CountPlaced(p, +1);
  if (changed) {
    sums_.NoteReshaped(n);
  } else {
    sums_.NoteTouched(n);
  }
  if (changed && was_there) ChangeRefusals([n](NodeRefusals& all) { all.NodeChanged(n); });
}

void ObjectChanges::ApplyOutside(NodeId n, const objects::SharedLabels& labels) {
  if (t_.nodes.exists(n)) RemoveNode(n);
  MoveBetweenDomains(n, [&] { t_.nodes.SetOutside(n, labels); });
  sums_.NoteTouched(n);
}

void ObjectChanges::RemoveNode(NodeId n) {
  t_.volumes.attachments.SetLeaving(n, {});
  if (!t_.nodes.exists(n)) return Retire(n);
  for (PodId p : t_.nodes.pods(n)) sums_.CountPlaced(p, -1);
  if (t_.nodes.in_service(n)) {
    for (std::uint32_t r = 0; r < t_.resources.size(); ++r) {
      if (!IsInternal(ResourceId(r))) {
        t_.queues.AddCapacity(ResourceId(r), -t_.nodes.allocatable(n)[r]);
      }
    }
  }
  Retire(n);
  sums_.NoteReshaped(n);
  // What we only assumed there waits again; what ran there is gone with it, once its object goes.
  const std::vector<PodId> pods = t_.nodes.pods(n);
  for (PodId p : pods) {
    if (t_.pods[p].placement == Placement::kAssumed)
      ApplyBindFailed(BindFailed{std::string(t_.pods.name(p))});
  }
}

void ObjectChanges::Retire(NodeId n) {
  MoveBetweenDomains(n, [&] { t_.nodes.Retire(n); });
  sums_.NoteTouched(n);
}

void ObjectChanges::ApplyQueue(const QueueChange& change) {
  t_.queues.Update(t_.queues.Intern(change.name), change, t_.resources);
  t_.nodes.Widen(t_.resources);
  ++t_.journal.queues;
}

void ObjectChanges::ApplyEvictFailed(const EvictFailed& failed) {
  const PodId p = t_.pods.Find(failed.pod);
  if (!p.valid() || !t_.pods[p].evicted) return;
  decisions_.Unevict(p);
  const WorkloadId w = t_.pods[p].workload;
  if (!w.valid()) return;
  // As long as it was to go it had none.
  if (t_.workloads[w].solo()) SetStart(w, t_.pods[p].scheduled);
  sums_.NoteChanged(w);
}

void ObjectChanges::ApplyKeptOut(const KeptOut& kept) {
  const WorkloadId w = t_.workloads.FindGang(kept.workload);
  if (!w.valid()) return;
  sums_.CountAll(w, false);
  t_.workloads.SetHold(w, kept.why.get());
  sums_.CountAll(w, true);
  sums_.NoteChanged(w);
}

// Of a pod by itself.
void ObjectChanges::SetStart(WorkloadId w, Time start) {
  if (t_.workloads[w].start != start) RoundNotes(t_).SetStart(w, start);
}

void ObjectChanges::ApplyBindFailed(const BindFailed& failed) {
  if (failed.refusal) TakeRefusal(failed);
  const PodId p = t_.pods.Find(failed.pod);
  const bool decided = p.valid() && (t_.pods[p].placement == Placement::kAssumed ||
                                     t_.pods[p].placement == Placement::kClaimed);
  if (!decided) return;
  if (t_.pods[p].expected) {
    sums_.NoteChanged(t_.pods[p].workload);
    decisions_.RemoveExpected(p);  // its node may be gone already: not a decision to be undone
  } else {
    sums_.Withdraw(p);
    t_.pods[p].evicted = false;
    sums_.Enter(p);
  }
}

void ObjectChanges::ApplyRemoval(const Removal& removal) {
  switch (removal.kind) {
    case RowKind::kNode:
      if (NodeId n = t_.nodes.Find(removal.name);
          n.valid() && (t_.nodes.exists(n) || t_.nodes.is_outside(n))) {
        RemoveNode(n);
      }
      return;
    case RowKind::kQueue:
      if (QueueId q = t_.queues.Find(removal.name); q.valid()) {
        t_.queues.Retire(q);
        ++t_.journal.queues;
      }
      return;
    case RowKind::kWorkload:
      if (WorkloadId w = t_.workloads.FindGang(removal.name); w.valid()) RemoveWorkload(w);
      return;
    case RowKind::kPod:
      if (PodId p = t_.pods.Find(removal.name); p.valid()) End(p);
      Forget(removal.name);
      return;
    case RowKind::kBudget:
      if (t_.budgets.Retire(removal.name)) ++t_.journal.budgets;
      return;
    case RowKind::kWindow:
      if (t_.windows.Remove(removal.name)) ++t_.journal.windows;
      return;
    case RowKind::kVolume:
      t_.volumes.supply.Remove(removal.name);
      ++t_.journal.volumes;
      return;
    case RowKind::kQuota:
      return;
  }
}

namespace {

std::uint8_t Counted(std::int32_t stops) {
  return static_cast<std::uint8_t>(std::clamp(stops, 0, 255));
}

}  // namespace

void ObjectChanges::SetTraits(WorkloadId w, const WorkloadTraits& traits) {
  Workload& workload = t_.workloads[w];
  t_.workloads.SetQueue(w, t_.queues.Intern(traits.queue));
  workload.priority = traits.priority;
  workload.preemptible = traits.preemptible;
  workload.never_preempts = traits.never_preempts;
  workload.active = traits.active;
  workload.created = traits.created;
  workload.stops = Counted(traits.stops);
  SetSubmitter(w, traits.submitter);
  if (workload.knows_run_time || traits.run_time->known()) t_.journal.timed.Add(w);
  t_.workloads.SetRunTime(w, *traits.run_time);
  t_.workloads.SetWaitsAnew(w, traits.waits_anew.get());
  t_.workloads.ShowReservation(w, traits.reservation.get());
  t_.workloads.ShowLandings(w, traits.landings.get());
  if (traits.moved_at) t_.workloads.NoteMoved(w, *traits.moved_at);
  t_.workloads.ShowLoan(w, traits.loan.get());
  t_.workloads.SetHold(w, traits.hold.get());
}

// Where queues are about to change, all accounts are worked out anew after that (Cluster::Settle).
void ObjectChanges::SetSubmitter(WorkloadId w, const objects::SubmitterPtr& submitter) {
  const SubmitterId s = t_.queues.accounts().Intern(submitter);
  t_.workloads.SetSubmitter(w, s);
  if (!t_.queues.settled()) return;
  Workload& workload = t_.workloads[w];
  workload.accounts = t_.queues.accounts().Of(t_.queues, t_.resources, workload.queue, s);
}

void ObjectChanges::ApplyWorkload(const WorkloadChange& change) {
  const WorkloadId w = t_.workloads.InternGang(change.name);
  Gang& gang = t_.workloads.gang(w);
  sums_.CountAll(w, false);  // pods that came before it are counted already
  SetTraits(w, change.traits);
  gang.known = true;
  gang.kind = change.kind;
  gang.announces = change.announces_admission;
  gang.in_order = change.comes_in_order;
  gang.suspended = change.is_suspended;
  gang.recorded_start = change.recorded_start;
  if (gang.admitted_since != change.admitted_since) gang.admission_met = false;
  gang.admitted_since = change.admitted_since;
  gang.broken_since = change.broken_since;
  gang.elastic = false;
  gang.leaves_whole = change.leaves_whole;
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
    set.step = from.step;
    set.expected_shape = from.expected_needs ? t_.shapes.Intern(from.expected_needs) : ShapeId();
    if (set.min_count < set.count) gang.elastic = true;
  }
  gang.topology.clear();
  for (const TopologyConstraint& from : change.topology) {
    gang.topology.push_back({.tree = t_.trees.Intern(from.levels),
                             .required = from.required,
                             .preferred = from.preferred,
                             .slice_size = from.slice_size,
                             .slice_level = from.slice_level,
                             .sets = {from.pod_sets.begin(), from.pod_sets.end()},
                             .restarts_when_broken = from.restarts_when_broken});
  }
  if (!gang.shown_admitted()) gang.admission_met = false;
  t_.nodes.Widen(t_.resources);
  t_.queues.Widen(t_.resources);
  sums_.CountAll(w, true);
  ReleaseExpected(w);
  sums_.NoteChanged(w);
}

// Gives up room for pods that are no longer to come: the newest first.
void ObjectChanges::ReleaseExpected(WorkloadId w) {
  for (PodSet& set : t_.workloads.gang(w).sets) {
    const std::int64_t wanted = t_.workloads[w].active ? set.count - set.succeeded : 0;
    const std::vector<PodId> pods = set.pods;
    for (auto p = pods.rbegin(); p != pods.rend() && std::ssize(set.pods) > wanted; ++p) {
      if (t_.pods[*p].expected) decisions_.RemoveExpected(*p);
    }
  }
}

void ObjectChanges::RemoveWorkload(WorkloadId w) {
  Gang& gang = t_.workloads.gang(w);
  for (PodSet& set : gang.sets) {
    const std::vector<PodId> pods = set.pods;
    for (PodId p : pods) {
      if (t_.pods[p].expected) RemovePod(p);
    }
  }
  sums_.CountAll(w, false);
  gang.known = false;
  for (PodSet& set : gang.sets) {
    set.count = set.min_count = set.asked = set.min_asked = set.decided = 0;
    set.expected_shape = ShapeId();
  }
  sums_.CountAll(w, true);
  sums_.NoteChanged(w);
  const bool empty = std::all_of(gang.sets.begin(), gang.sets.end(),
                                 [](const PodSet& set) { return set.pods.empty(); });
  if (empty) t_.workloads.Remove(w);
}

WorkloadId ObjectChanges::MembershipOf(PodId p, const PodChange& change) {
  if (change.foreign) return WorkloadId();
  if (!change.solo) {
    const WorkloadId w = t_.workloads.InternGang(change.workload);
    // Its own object has yet to come: until then its pods count at the root.
    if (!t_.workloads[w].queue.valid()) t_.workloads.SetQueue(w, QueueTree::Root());
    return w;
  }
  const WorkloadId had = t_.pods[p].workload;
  if (had.valid() && t_.workloads[had].solo()) return had;
  return t_.workloads.AddSolo(p);
}

void ObjectChanges::SetFacts(PodId p, const PodChange& change) {
  Pod& pod = t_.pods[p];
  pod.created = change.created;
  pod.scheduled = change.scheduled_time.value_or(pod.scheduled);
  pod.uid_hash = HashOf(change.uid);
  pod.priority = change.priority;
  pod.pod_set = static_cast<std::uint16_t>(change.pod_set);
  pod.terminating = change.terminating;
  pod.gated = change.gated;
  pod.foreign = change.foreign;
  pod.daemon_set = change.of_daemon_set;
  pod.opted_out = change.opted_out;
  pod.owns_pods = change.owns_pods;
  pod.may_move = change.may_move;
  t_.pods.SetMadeBy(p, change.may_move ? change.made_by : SharedOptional<std::string>());
  pod.is_static = change.is_static;
  const NodeId nominated =
      change.nominated_node.empty() ? NodeId() : t_.nodes.Intern(change.nominated_node);
  if (nominated != pod.nominated) pod.renounced = false;
  pod.nominated = nominated;
  if (change.reserved_time) {
    pod.reserved = *change.reserved_time;
    pod.reservation_told = true;
  }
  pod.held = change.hold.has_value();
  if (pod.held) t_.pod_holds.insert_or_assign(p.value(), *change.hold);
  t_.pods.SetIndex(p, change.index);
  t_.pods.SetUngated(p, change.ungated.get());
  t_.volumes.supply.SetClaims(p, change.volumes ? &*change.volumes : nullptr);
  if (t_.budgets.SetBudgets(p, change.budgets)) ++t_.journal.budgets;
}

// Whether `change` says of a placed pod only what no sum depends on: the common case, in which the
// cluster shows what we had assumed.
bool ObjectChanges::Confirms(PodId p, const PodChange& change) {
  const Pod& pod = t_.pods[p];
  if (!pod.placed() || pod.foreign || change.foreign || pod.held || change.hold) return false;
  if (pod.terminating != change.terminating || pod.gated != change.gated) return false;
  if (pod.opted_out != change.opted_out || pod.owns_pods != change.owns_pods) return false;
  if (pod.may_move != change.may_move) return false;
  if (pod.daemon_set != change.of_daemon_set) return false;
  if (pod.claims() || (pod.evicted && change.state != PodState::kBound)) return false;
  const Workload& workload = t_.workloads[pod.workload];
  if (!change.solo) {
    return !workload.solo() && pod.pod_set == change.pod_set &&
           t_.workloads.gang(pod.workload).name == change.workload;
  }
  const WorkloadTraits& traits = *change.solo;
  return workload.solo() && t_.queues[workload.queue].name == traits.queue &&
         workload.preemptible == traits.preemptible && workload.priority == traits.priority &&
         workload.active == traits.active && !workload.held && !traits.hold &&
         workload.created == traits.created && workload.stops == Counted(traits.stops) &&
         t_.workloads.submitter(pod.workload) == t_.queues.accounts().Intern(traits.submitter) &&
         t_.workloads.run_time(pod.workload) == *traits.run_time && !workload.waits_anew &&
         !traits.waits_anew && !workload.has_landings && !traits.landings && !traits.loan;
}

void ObjectChanges::AdoptExpected(PodId p, NodeId bound_to) {
  Pod& pod = t_.pods[p];
  if (!pod.workload.valid() || t_.workloads[pod.workload].solo()) return;
  if (!bound_to.valid() && !pod.waits()) return;
  const std::int32_t index = t_.pods.IndexSaidBy(p);
  const auto is_its_own = [&](PodId other) {
    return index >= 0 && t_.pods.IndexSaidBy(other) == index;
  };
  PodId held;  // that of its index, else the oldest
  for (PodId other : t_.workloads.gang(pod.workload).sets[pod.pod_set].pods) {
    if (!t_.pods[other].expected || !t_.pods[other].placed()) continue;
    const bool first = !held.valid() || t_.pods[other].ticket < t_.pods[held].ticket;
    if (is_its_own(other) || (first && !(held.valid() && is_its_own(held)))) held = other;
  }
  if (!held.valid()) return;
  const Pod was = t_.pods[held];
  decisions_.RemoveExpected(held);
  if (bound_to.valid()) return;  // it goes its own way
  pod.node = was.node;
  if (was.shape == pod.shape) {
    pod.placement = was.placement;
    pod.gpu_device = was.gpu_device;
  } else {  // whoever made it changed what it asks: the round judges whether that has room there
    pod.placement = Placement::kClaimed;
  }
  t_.journal.adopted.Add(p);
}

// Where a pod stands once the change is known. One that the cluster does not show as bound stays
// where we decided; one that we know nothing of claims the room that it was given before.
ObjectChanges::Standing ObjectChanges::StandingAfter(const Pod& before, const PodChange& change) {
  if (change.state == PodState::kBound) return {t_.nodes.Intern(change.node), Placement::kBound};
  const bool may_claim = !change.terminating && !change.gated && !change.hold && !change.foreign;
  if (before.placement == Placement::kAssumed || (before.claims() && may_claim)) {
    return {before.node, before.placement};
  }
  if (change.nominated_node.empty() || !may_claim) return {};
  const NodeId claimed = t_.nodes.Intern(change.nominated_node);
  if (claimed == before.nominated) return {};  // it claimed it, and the claim was taken back
  return {claimed, Placement::kClaimed};
}

// Its node may have yet to come, and is known by its name until then.
void ObjectChanges::Pin(ShapeId s) {
  Shape& shape = t_.shapes[s];
  if (shape.only_nodes.size() != 1 || shape.pinned_to.valid()) return;
  shape.pinned_to = t_.nodes.Intern(shape.only_nodes.front());
}

void ObjectChanges::ApplyPod(const PodChange& change) {
  PodId p = t_.pods.Find(change.name);
  if (p.valid() && t_.pods[p].uid_hash != HashOf(change.uid)) {
    End(p);  // another pod of the same name
    p = PodId();
  }
  if (!change.refusal && p.valid()) {
    ChangeRefusals([&](NodeRefusals& all) { all.RemoveFailed(change.name); });
  } else if (!change.refusal) {
    Forget(change.name);
  }
  if (change.state == PodState::kFinished) {
    if (change.refusal) return TakeRefusal(p, change);
    if (p.valid()) End(p);
    return;
  }
  const bool fresh = !p.valid();
  if (fresh) p = t_.pods.Add(change.name);
  const ShapeId shape = t_.shapes.Intern(change.needs);
  if (change.of_daemon_set != OfDaemonSet::kNo) Pin(shape);
  t_.nodes.Widen(t_.resources);
  t_.queues.Widen(t_.resources);

  const Pod before = t_.pods[p];
  const bool bound = change.state == PodState::kBound;
  const Standing standing = StandingAfter(before, change);
  const NodeId node = standing.node;
  if (!fresh && shape == before.shape && node == before.node && Confirms(p, change)) {
    SetFacts(p, change);
    sums_.MarkPod(p);
    if (!bound) return;
    t_.pods[p].placement = Placement::kBound;
    const bool runs = t_.pods[p].live();  // who is to go has no start any more
    if (change.solo && change.scheduled_time && runs) {
      SetStart(before.workload, t_.pods[p].scheduled);
    }
    return;
  }
  if (!fresh) sums_.Withdraw(p);
  const WorkloadId workload = MembershipOf(p, change);
  if (!fresh && (workload != before.workload || change.pod_set != before.pod_set))
    decisions_.Leave(p);
  const bool joins = fresh || workload != before.workload || change.pod_set != before.pod_set;

  if (before.held) t_.pod_holds.erase(p.value());
  SetFacts(p, change);
  Pod& pod = t_.pods[p];
  pod.shape = shape;
  pod.workload = workload;
  if (joins) decisions_.Join(p);
  if (change.solo) SetTraits(workload, *change.solo);
  pod.node = node;
  if (node != before.node) pod.scheduled = change.scheduled_time.value_or(Time::Max());
  pod.placement = standing.placement;
  pod.evicted = before.evicted && bound && node == before.node && !change.terminating;
  // What we gave ourselves is known better than what the cluster says.
  pod.gpu_device = node == before.node && before.gpu_device >= 0
                       ? before.gpu_device
                       : static_cast<std::int8_t>(std::clamp(change.gpu_device, -1, 127));
  const bool arrives = joins || (!before.placed() && !before.waits());
  if (arrives && !pod.claims()) AdoptExpected(p, node);
  sums_.Enter(p);
  if (change.solo && pod.live()) SetStart(workload, pod.scheduled);
}

// Who leaves its node may have been what the kubelet could not place beside another.
void ObjectChanges::End(PodId p) {
  const NodeId left = t_.pods[p].placement == Placement::kBound ? t_.pods[p].node : NodeId();
  RemovePod(p);
  if (left.valid()) ChangeRefusals([left](NodeRefusals& all) { all.NodeChanged(left); });
}

void ObjectChanges::TakeRefusal(PodId p, const PodChange& change) {
  if (p.valid()) RemovePod(p);
  const ShapeId shape = t_.shapes.Intern(change.refusal->needs);
  t_.shapes[shape].avoids_nodes = true;
  t_.nodes.Widen(t_.resources);
  t_.queues.Widen(t_.resources);
  t_.refusals.Add(std::string(change.name), {.shape = shape, .node = t_.nodes.Intern(change.node)},
                  change.refusal->at, change.refusal->message);
  NoteRefusals();
}

// The pod asks for the same volume as before: the claim's node was taken back, and that was seen.
void ObjectChanges::TakeRefusal(const BindFailed& failed) {
  const PodId p = t_.pods.Find(failed.pod);
  if (!p.valid()) return;
  const ShapeId shape = t_.pods[p].shape;
  t_.shapes[shape].avoids_nodes = true;
  t_.refusals.AddAgain(failed.pod,
                       {.shape = shape,
                        .node = t_.nodes.Intern(failed.refusal->node),
                        .by = NodeRefusals::By::kProvisioner},
                       failed.refusal->at, failed.refusal->message);
  NoteRefusals();
}

void ObjectChanges::Forget(std::string_view pod) {
  ChangeRefusals([&](NodeRefusals& all) { all.Remove(pod); });
}

void ObjectChanges::PassTo(Time now) {
  ChangeRefusals([now](NodeRefusals& all) { all.PassTo(now); });
}

void ObjectChanges::NoteRefusals() {
  for (const NodeRefusals::Place& place : t_.refusals.TakeChanged()) {
    sums_.NoteReshaped(place.node);
  }
}

void ObjectChanges::RemovePod(PodId p) {
  sums_.Withdraw(p);
  decisions_.Leave(p);
  if (t_.pods[p].held) t_.pod_holds.erase(p.value());
  t_.volumes.supply.SetClaims(p, nullptr);
  if (t_.budgets.SetBudgets(p, {})) ++t_.journal.budgets;
  t_.pods.Remove(p);
}

}  // namespace fairlead::state
