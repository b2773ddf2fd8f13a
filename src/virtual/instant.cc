#include <string>
#include <utility>

#include "base/check.h"
#include "virtual/controllers.h"
#include "virtual/impl.h"
#include "virtual/kubelet.h"

// What happens at one instant. First everything that is due: arrivals, starts, ends, and what the
// controllers make of them. Then the engine is told, and decides once on all of it. What its plan
// changes at this very instant (a bound pod that runs at once, a victim without a grace period)
// comes round again, until there is nothing new to tell.

namespace fairlead::virtual_cluster {
namespace {

// So many timers in a row that lead to no decision are a scheduler that asks for ever.
constexpr std::int32_t kMaxQuietInstants = 10'000;

}  // namespace

bool VirtualCluster::Impl::HasWorkNow() const {
  return !begun || world.store.dirty() || !world.to_sync.empty() || world.nodes_changed;
}

void VirtualCluster::Impl::DoInstant() {
  begun = true;
  const std::uint64_t version = world.store.version();
  bool round_is_due = rounds == 0 || (next_round && *next_round <= world.now);
  for (int i = 0;; ++i) {
    DoDueTasks();
    const bool news = TellEngine();
    if (!news && !round_is_due) break;
    if (i == kMaxRoundsPerInstant) {
      BUG("the rounds of one instant do not come to rest");
      break;
    }
    RunRound();
    round_is_due = false;
  }
  quiet_instants = world.store.version() == version ? quiet_instants + 1 : 0;
  if (quiet_instants > kMaxQuietInstants) next_round.reset();
  DropStaleTasks();
}

void VirtualCluster::Impl::DoDueTasks() {
  Agenda& agenda = world.agenda;
  do {
    while (!agenda.empty() && agenda.top().time <= world.now) {
      const Task task = agenda.Pop();
      if (!world.Holds({task.slot, task.generation})) continue;
      if (task.type == TaskType::kArrive) {
        Appear(task.slot);
      } else {
        HandlePodTask(world, task);
      }
    }
    SyncControllers(world);
  } while (!agenda.empty() && agenda.top().time <= world.now);
}

bool VirtualCluster::Impl::TellEngine() {
  bool told = false;
  const auto tell = [this](const objects::Object& object, bool gone) {
    for (Observer* observer : world.observers) observer->OnObject(object, gone);
  };
  while (world.store.Flush(intake, world.now, tell) || !failed_binds.empty()) {
    std::vector<state::Change> changes = intake.TakeChanges();
    world.scheduler_name = intake.configuration().scheduler_name;
    for (state::Change& change : failed_binds) changes.push_back(std::move(change));
    failed_binds.clear();
    if (changes.empty()) continue;
    told = true;
    for (Observer* observer : world.observers) observer->OnChanges(world.now, changes);
    books.Apply(world.now, changes);
    scheduler.Apply(changes);
    for (effects::Write& write : books.TakeFacts()) Apply(write);
  }
  return told;
}

void VirtualCluster::Impl::RunRound() {
  ++rounds;
  const engine::Plan plan = scheduler.Round(world.now);
  for (Observer* observer : world.observers) observer->OnRound(scheduler, plan);
  next_round = plan.next_round;
  if (next_round && *next_round <= world.now) next_round.reset();
  for (effects::Write& write : books.TakeStatuses(scheduler.cluster())) Apply(write);
  if (plan.decisions.empty()) return;
  std::vector<engine::DecisionReport> decisions = engine::ReportDecisions(scheduler, plan);
  for (Observer* observer : world.observers) observer->OnDecisions(world.now, decisions);
  std::vector<effects::Write> writes = effects::WritesOf(std::move(decisions), books.workloads());
  for (effects::Write& write : writes) Apply(write);
}

void VirtualCluster::Impl::Apply(effects::Write& write) {
  struct Visitor {
    Impl& impl;
    void operator()(effects::BindPod& bind) const { impl.ApplyBind(bind); }
    void operator()(const effects::EvictPod& evict) const { impl.ApplyEvict(evict); }
    void operator()(const effects::NominatePod& nominate) const { impl.ApplyNominate(nominate); }
    void operator()(const effects::ReserveNode& reserve) const { impl.ApplyReserve(reserve); }
    void operator()(const effects::AdmitWorkload& admit) const { impl.ApplyAdmit(admit); }
    void operator()(const effects::StopWorkload& stop) const { impl.ApplyStop(stop); }
    void operator()(const effects::SetStartTime& set) const { impl.ApplyStart(set); }
    void operator()(const effects::SetProtection& set) const { impl.ApplyProtection(set); }
    void operator()(const effects::FinishWorkload& finish) const { impl.ApplyFinish(finish); }
    void operator()(effects::SetQuotaStatus& set) const { impl.ApplyQuotaStatus(set); }
    void operator()(const effects::Warn& warn) const { impl.ApplyWarn(warn); }
  };
  std::visit(Visitor{*this}, write);
}

void VirtualCluster::Impl::ApplyBind(effects::BindPod& bind) {
  const SlotId pod = world.store.Find(kPodKind, bind.pod);
  if (!pod.valid() || !BindPodTo(world, pod, bind.node, bind.gpu_device)) {
    failed_binds.emplace_back(state::BindFailed{.pod = std::move(bind.pod)});
    return;
  }
  world.Emit({.time = world.now,
              .type = EventType::kBind,
              .pod = bind.pod,
              .node = bind.node,
              .workload = bind.workload,
              .gpu_device = bind.gpu_device});
}

void VirtualCluster::Impl::ApplyEvict(const effects::EvictPod& evict) {
  const SlotId pod = world.store.Find(kPodKind, evict.pod);
  if (!pod.valid() || world.store[pod].pod().finished()) return;
  world.Emit({.time = world.now,
              .type = EventType::kEvict,
              .pod = evict.pod,
              .node = evict.node,
              .workload = evict.workload,
              .action = evict.action,
              .beneficiary = evict.beneficiary,
              .reason = evict.reason});
  TerminatePod(world, pod, evict.max_grace);
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

void VirtualCluster::Impl::ApplyAdmit(const effects::AdmitWorkload& admit) {
  if (!AdmitWorkload(world, admit.workload, admit.pod_sets)) return;
  world.Emit({.time = world.now,
              .type = EventType::kAdmit,
              .workload = admit.workload,
              .reason = admit.reason,
              .pod_sets = admit.pod_sets});
}

void VirtualCluster::Impl::ApplyStop(const effects::StopWorkload& stop) {
  if (!StopWorkload(world, stop.workload)) return;
  world.Emit({.time = world.now, .type = EventType::kStop, .workload = stop.workload});
}

void VirtualCluster::Impl::ApplyStart(const effects::SetStartTime& set) {
  const SlotId slot = world.store.Find(kWorkloadKind, set.workload);
  if (!slot.valid()) return;
  auto& workload = std::get<objects::Workload>(world.store[slot].object);
  if (workload.start_time == set.start) return;
  workload.start_time = set.start;
  world.store.Changed(slot);
}

void VirtualCluster::Impl::ApplyProtection(const effects::SetProtection& set) {
  const SlotId slot = world.store.Find(kWorkloadKind, set.workload);
  if (!slot.valid()) return;
  auto& workload = std::get<objects::Workload>(world.store[slot].object);
  if (workload.preempt_protected_until == set.preempt &&
      workload.reclaim_protected_until == set.reclaim) {
    return;
  }
  workload.preempt_protected_until = set.preempt;
  workload.reclaim_protected_until = set.reclaim;
  world.store.Changed(slot);
}

void VirtualCluster::Impl::ApplyFinish(const effects::FinishWorkload& finish) {
  // A job says itself when it is complete.
  if (JobOf(world, finish.workload).valid()) return;
  world.Emit({.time = world.now,
              .type = EventType::kComplete,
              .workload = finish.workload,
              .kind = "Workload",
              .object = finish.workload});
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

void VirtualCluster::Impl::ApplyWarn(const effects::Warn& warn) {
  world.Emit({.time = world.now,
              .type = EventType::kWarn,
              .kind = warn.kind,
              .object = warn.object,
              .action = warn.reason,
              .reason = warn.note});
}

}  // namespace fairlead::virtual_cluster
