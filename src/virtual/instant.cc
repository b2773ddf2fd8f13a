#include <string>
#include <utility>

#include "effects/conditions.h"
#include "effects/group_status.h"
#include "effects/workload_status.h"
#include "objects/key.h"
#include "virtual/bindings.h"
#include "virtual/controllers.h"
#include "virtual/impl.h"
#include "virtual/kubelet.h"

// What happens at one instant: everything that is due, arrivals, starts, ends, and what controllers
// make of them. Then the engine decides on all of it (drive/driver.cc). What its plan changes at
// this very instant (a bound pod that runs at once, a victim without a grace period) comes round
// again, until there is nothing new to tell.

namespace fairlead::virtual_cluster {

bool VirtualCluster::Impl::HasWorkNow() const {
  return !begun || world.store.dirty() || !world.to_sync.empty() || world.nodes_changed;
}

void VirtualCluster::Impl::DoInstant() {
  begun = true;
  ForgetEnded();
  driver.Instant(world.now);
  DropStaleTasks();
}

void VirtualCluster::Impl::Happen(Time /*now*/) {
  Agenda& agenda = world.agenda;
  TakeComing();
  do {
    while (!agenda.empty() && agenda.top().time <= world.now) {
      const Task task = agenda.Pop();
      if (!world.Holds({task.slot, task.generation})) continue;
      if (task.type == TaskType::kArrive) {
        Appear(task.slot);
      } else if (task.type == TaskType::kVolumes) {
        BindWaiting(world);
      } else {
        HandlePodTask(world, task);
      }
    }
    SyncControllers(world);
  } while (!agenda.empty() && agenda.top().time <= world.now);
}

bool VirtualCluster::Impl::TellNews(Time now) {
  const bool any = world.store.Flush([&](const objects::Object& object, Store::News what) {
    drive::ObjectNews news = drive::NewsOf(now, object);
    if (what == Store::News::kGone) news.object = nullptr;
    news.status_only = what == Store::News::kStatusOnly;
    driver.Take(news);
  });
  world.scheduler_name = driver.intake().configuration().scheduler_name;
  return any;
}

void VirtualCluster::Impl::Reveal(const effects::EvictPod& evict) {
  const SlotId pod = world.store.Find(kPodKind, evict.pod);
  const SlotId job = pod.valid() ? world.store[pod].owner : SlotId();
  if (!job.valid() || !world.store[job].silent) return;
  Reveal(job);
  driver.Take(drive::NewsOf(world.now, world.store[job].object));
}

template <typename NoteIn>
void VirtualCluster::Impl::NoteInWorkload(const std::string& name, NoteIn note) {
  const SlotId slot = world.store.Find(kWorkloadKind, name);
  if (!slot.valid()) return;
  if (note(std::get<objects::Workload>(world.store[slot].object))) world.store.Changed(slot);
}

template <typename Set>
void VirtualCluster::Impl::NoteNow(const Set& set) {
  NoteInWorkload(set.workload, [&](objects::Workload& workload) {
    return effects::Note(set, world.now, workload);
  });
}

void VirtualCluster::Impl::Carry(effects::Write&& write) {
  struct Visitor {
    Impl& impl;
    void operator()(effects::BindPod& bind) const { Bind(impl.world, bind); }
    void operator()(const effects::EvictPod& evict) const { impl.ApplyEvict(evict); }
    void operator()(const effects::NominatePod& nominate) const { impl.ApplyNominate(nominate); }
    void operator()(const effects::ReserveNode& reserve) const { impl.ApplyReserve(reserve); }
    void operator()(const effects::SetReservation& set) const { impl.ApplyReservation(set); }
    void operator()(const effects::SetLandings& set) const { impl.ApplyLandings(set); }
    void operator()(const effects::SetMoved& set) const { impl.NoteNow(set); }
    void operator()(const effects::SetLoan& set) const { impl.ApplyLoan(set); }
    void operator()(const effects::AdmitWorkload& admit) const { impl.ApplyAdmit(admit); }
    void operator()(const effects::StopWorkload& stop) const { impl.ApplyStop(stop); }
    void operator()(const effects::SetStartTime& set) const { impl.NoteNow(set); }
    void operator()(const effects::SetProtection& set) const { impl.ApplyProtection(set); }
    void operator()(const effects::SetBroken& set) const { impl.NoteNow(set); }
    void operator()(const effects::SetInactive& set) const { impl.NoteNow(set); }
    void operator()(const effects::SetUngated& set) const { impl.ApplyUngated(set); }
    void operator()(const effects::FinishWorkload& finish) const { impl.ApplyFinish(finish); }
    void operator()(effects::SetQuotaStatus& set) const { impl.ApplyQuotaStatus(set); }
    void operator()(const effects::SetGroupCondition& set) const { impl.ApplyGroupCondition(set); }
    void operator()(const effects::Warn& warn) const { impl.ApplyWarn(warn); }
  };
  std::visit(Visitor{*this}, write);
}

void VirtualCluster::Impl::ApplyEvict(const effects::EvictPod& evict) {
  const SlotId pod = world.store.Find(kPodKind, evict.pod);
  if (!pod.valid() || world.store[pod].pod().finished()) return;
  if (ReleaseBinding(world, evict.pod)) return driver.Fail(state::BindFailed{.pod = evict.pod});
  world.Emit(drive::EventOf(world.now, evict));
  const effects::ConditionText why = *effects::PodConditionOf(evict);
  world.store[pod].pod().disruption_target = {.type = std::string(why.type),
                                              .holds = true,
                                              .reason = why.reason,
                                              .message = why.message,
                                              .since = world.now};
  world.store.Changed(pod);
  if (!evict.job.empty()) NoteStops(evict);
  TerminatePod(world, pod, evict.max_grace);
}

void VirtualCluster::Impl::NoteStops(const effects::EvictPod& evict) {
  const SlotId job = world.store.Find(*FindKind(evict.job_kind), evict.job);
  if (!job.valid()) return;
  objects::Labels& annotations = objects::MetaOf(world.store[job].object).annotations;
  if (evict.stops > 0) {
    SetLabel(annotations, objects::kStopsAnnotation, std::to_string(evict.stops));
  }
  if (!evict.stopped.empty()) SetLabel(annotations, objects::kStoppedAnnotation, evict.stopped);
  world.store.Changed(job);
}

void VirtualCluster::Impl::ApplyNominate(const effects::NominatePod& nominate) {
  const SlotId pod = world.store.Find(kPodKind, nominate.pod);
  if (!pod.valid()) return;
  world.store[pod].pod().nominated_node = nominate.node;
  world.store.Changed(pod);
  world.Emit({.time = world.now,
              .type = EventType::kNominate,
              .pod = nominate.pod,
              .node = nominate.node,
              .workload = nominate.workload,
              .waiting_for = nominate.waiting_for});
}

void VirtualCluster::Impl::ApplyReserve(const effects::ReserveNode& reserve) {
  const SlotId pod = world.store.Find(kPodKind, reserve.pod);
  if (!pod.valid()) return;
  world.store[pod].pod().node_reserved_time = reserve.since;
  world.store.Changed(pod);
  world.Emit(
      {.time = world.now, .type = EventType::kReserve, .pod = reserve.pod, .node = reserve.node});
}

void VirtualCluster::Impl::ApplyReservation(const effects::SetReservation& set) {
  if (set.is_pod) {
    const SlotId pod = world.store.Find(kPodKind, set.workload);
    if (!pod.valid()) return;
    objects::Labels& annotations = world.store[pod].pod().meta.annotations;
    if (set.reservation) {
      SetLabel(annotations, objects::kReservationAnnotation, objects::TextOf(*set.reservation));
    } else {
      DropLabel(annotations, objects::kReservationAnnotation);
    }
    world.store.Changed(pod);
  } else {
    NoteInWorkload(set.workload,
                   [&](objects::Workload& workload) { return effects::Note(set, workload); });
  }
  world.Emit({.time = world.now,
              .type = EventType::kReserve,
              .workload = set.workload,
              .at = set.reservation ? set.reservation->at : std::nullopt,
              .nodes = set.reservation ? std::span<const std::string>(set.reservation->nodes)
                                       : std::span<const std::string>()});
}

void VirtualCluster::Impl::ApplyLoan(const effects::SetLoan& set) {
  if (set.is_pod) {
    const SlotId pod = world.store.Find(kPodKind, set.workload);
    if (!pod.valid()) return;
    world.store[pod].pod().loan = set.loan;
    world.store.Changed(pod);
  } else {
    NoteNow(set);
  }
  world.Emit({.time = world.now,
              .type = EventType::kLend,
              .workload = set.workload,
              .beneficiary = set.loan ? std::string_view(set.loan->holder) : std::string_view(),
              .at = set.loan ? std::optional(set.loan->until) : std::nullopt});
}

void VirtualCluster::Impl::ApplyAdmit(const effects::AdmitWorkload& admit) {
  if (!AdmitWorkload(world, admit)) return;
  world.Emit({.time = world.now,
              .type = EventType::kAdmit,
              .workload = admit.workload,
              .reason = admit.reason,
              .pod_sets = admit.pod_sets});
}

void VirtualCluster::Impl::ApplyStop(const effects::StopWorkload& stop) {
  if (!StopWorkload(world, stop)) return;
  world.Emit({.time = world.now, .type = EventType::kStop, .workload = stop.workload});
}

void VirtualCluster::Impl::ApplyLandings(const effects::SetLandings& set) {
  if (!set.is_pod) {
    return NoteInWorkload(
        set.workload, [&](objects::Workload& workload) { return effects::Note(set, workload); });
  }
  const SlotId pod = world.store.Find(kPodKind, set.workload);
  if (!pod.valid()) return;
  objects::Labels& annotations = world.store[pod].pod().meta.annotations;
  if (set.landings.empty()) {
    DropLabel(annotations, objects::kLandingsAnnotation);
  } else {
    SetLabel(annotations, objects::kLandingsAnnotation, objects::TextOf(set.landings));
  }
  world.store.Changed(pod);
}

void VirtualCluster::Impl::ApplyProtection(const effects::SetProtection& set) {
  NoteInWorkload(set.workload,
                 [&](objects::Workload& workload) { return effects::Note(set, workload); });
}

void VirtualCluster::Impl::ApplyUngated(const effects::SetUngated& set) {
  const SlotId pod = world.store.Find(kPodKind, set.pod);
  if (!pod.valid() || !world.store[pod].pod().spec.node_name.empty()) return;
  world.store[pod].pod().gates_told = false;
  world.store[pod].pod().ungated_time = world.now;
  world.store.Changed(pod);
}

void VirtualCluster::Impl::ApplyFinish(const effects::FinishWorkload& finish) {
  NoteNow(finish);
  // A job says itself when it is complete.
  if (JobOf(world, finish.workload).valid()) return;
  const SlotId workload = world.store.Find(kWorkloadKind, finish.workload);
  if (workload.valid()) world.NoteEnd(workload);
  world.Emit(drive::EventOf(world.now, finish));
}

void VirtualCluster::Impl::ApplyQuotaStatus(effects::SetQuotaStatus& set) {
  const SlotId slot = world.store.Find(KindIndexOf<objects::ElasticQuota>(), set.quota);
  if (!slot.valid()) return;
  auto& quota = std::get<objects::ElasticQuota>(world.store[slot].object);
  auto conditions = effects::WithTimes(std::move(set.conditions), quota.conditions, world.now);
  if (quota.used == set.used && quota.conditions == conditions) return;
  quota.used = std::move(set.used);
  quota.conditions = std::move(conditions);
  world.store.Changed(slot);
}

void VirtualCluster::Impl::ApplyGroupCondition(const effects::SetGroupCondition& set) {
  static const std::size_t kNativeGroups =
      *FindKind(objects::RowOf(objects::GroupApi::kNative).qualified_kind);
  const SlotId slot = world.store.Find(kNativeGroups, set.group);
  if (!slot.valid()) return;
  auto& group = std::get<objects::PodGroup>(world.store[slot].object);
  if (effects::Note(set, world.now, group)) world.store.Changed(slot);
}

void VirtualCluster::Impl::ApplyWarn(const effects::Warn& warn) {
  world.Emit({.time = world.now,
              .type = EventType::kWarn,
              .kind = warn.kind,
              .object = warn.object,
              .action = warn.reason,
              .reason = warn.note});
}

}  // namespace fairlead::virtual_cluster
