#include "engine/round/job_admission.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/round/fewer_pods.h"
#include "engine/round/gang_step.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

bool JobAdmission::MayStartWithFewer(GroupId g) const {
  const WorkloadId w = backlog_[g].gang;
  if (!w.valid() || !cluster_.configuration().partial_admission.enabled) return false;
  const state::Workload& workload = cluster_.workloads()[w];
  // It may have gone, and its number serve another.
  return workload.in_use && !workload.solo() && !workload.started() && workload.live == 0 &&
         cluster_.workloads().gang(w).reducible();
}

state::Amounts JobAdmission::LeastRequest(GroupId g) const {
  const RoomStep whole{.workload = backlog_[g].gang, .parts = backlog_[g].parts};
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(backlog_[g].gang).sets) {
    counts.push_back(std::min(set.min_asked, set.asked));
  }
  const RoomStep least = StepWith(cluster_, whole, counts);
  return least.request;
}

// Counts that were decided hold as long as pods run by them. Where room is only claimed, or where
// nobody remembers and the cluster does not show them yet, they are what is placed.
void JobAdmission::RefreshCounts(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo()) return;
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.known || gang.elastic || HasPodsOfItsLastRun(cluster_, gang)) return;
  bool decided = false;
  bool ranges = false;
  bool enough = true;
  bool any = false;
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : gang.sets) {
    if (set.admitted > 0) return;
    decided |= set.decided > 0;
    ranges |= set.min_asked < set.asked;
    const auto have = std::count_if(set.pods.begin(), set.pods.end(),
                                    [this](PodId p) { return cluster_.pods()[p].counts(); });
    any |= have > 0;
    counts.push_back(static_cast<std::int32_t>(have) + set.succeeded);
    enough &= counts.back() >= set.min_asked;
  }
  if (!any) {
    if (decided) cluster_.SetCounts(w, {});
    return;
  }
  if (!ranges || !enough || (decided && workload.live > 0)) return;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    counts[k] = std::min(counts[k], gang.sets[k].asked);
  }
  cluster_.SetCounts(w, counts);
}

void JobAdmission::RefreshChanged() {
  for (WorkloadId w : round_.changed.Take()) {
    RefreshCounts(w);
    backlog_.Refresh(w);
    AwaitAgain(w);
  }
}

// What the cluster shows as admitted -----------------------------------------------------------

Time JobAdmission::AwaitedSince(WorkloadId w) const {
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (gang.admission_met || gang.recorded_start) return round_.now;
  return std::min(round_.now, gang.admitted_since.value_or(round_.now));
}

// It was admitted long ago, and nothing of it has come.
bool JobAdmission::HasLapsed(WorkloadId w) const {
  const state::Gang& gang = cluster_.workloads().gang(w);
  return gang.shown_admitted() &&
         AwaitedSince(w) + cluster_.configuration().pods_timeout <= round_.now &&
         std::all_of(gang.sets.begin(), gang.sets.end(), [](const state::PodSet& set) {
           return set.pods.empty() && (set.admitted == 0 || set.expected_shape.valid());
         });
}

void JobAdmission::NoteShown(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  DCHECK(!workload.solo());
  if (!workload.in_use || !workload.active) return;
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.known || !gang.announces) return;
  if (gang.oversized() || HasLapsed(w)) shown_.push_back(w);
}

void JobAdmission::ServeShown() {
  for (WorkloadId w : std::exchange(shown_, {})) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || workload.solo()) continue;
    const state::Gang& gang = cluster_.workloads().gang(w);
    if (HasLapsed(w)) {
      cluster_.notes().SetAdmissionMet(w);
      Withdraw(w);
    } else if (gang.oversized() && !gang.reduction_told) {
      cluster_.notes().SetReductionTold(w);
      GiveReduction(w);
    }
  }
}

// Counts were edited below what runs. Whoever makes its pods takes the surplus back, the youngest
// first: what is admitted says how many stay (semantics.md §10).
void JobAdmission::GiveReduction(WorkloadId w) {
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    counts.push_back(std::min(set.admitted, set.count));
  }
  plan_.Admit(w, counts);
}

// Pods that do not come ------------------------------------------------------------------------

Time JobAdmission::DueAt(PodId p) const {
  return cluster_.pods()[p].created + cluster_.configuration().pods_timeout;
}

void JobAdmission::Await(const std::vector<PodId>& pods, Time since) {
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) continue;
    cluster_.notes().SetExpectedSince(p, since);
    awaited_.insert({DueAt(p), cluster_.pods()[p].workload});
  }
}

void JobAdmission::AwaitAgain(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo() || !cluster_.workloads().gang(w).in_order) return;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    if (cluster_.pods()[p].expected) awaited_.insert({DueAt(p), w});
  });
}

// Room for pods that should have come by then, and have not. Those that come when others run are
// not due as long as these are there, and none of them waits for a place.
std::vector<PodId> JobAdmission::OverdueAt(WorkloadId w, Time at) const {
  std::vector<PodId> overdue;
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo()) return overdue;
  bool begun = false, waits = false;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    begun |= cluster_.pods()[p].live() && !cluster_.pods()[p].expected;
    waits |= cluster_.pods()[p].waits();
  });
  if (begun && !waits && cluster_.workloads().gang(w).in_order) return overdue;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.expected && pod.live() && DueAt(p) <= at) overdue.push_back(p);
  });
  return overdue;
}

std::optional<Time> JobAdmission::NextDue() {
  while (!awaited_.empty() &&
         OverdueAt(awaited_.begin()->second, awaited_.begin()->first).empty()) {
    awaited_.erase(awaited_.begin());
  }
  if (awaited_.empty()) return std::nullopt;
  return awaited_.begin()->first;
}

// Their room is let go. A workload of which no pod has come is pending again, and is not tried for
// as long: others may have the room.
void JobAdmission::GiveUpOverdue() {
  for (std::optional<Time> due = NextDue(); due && *due <= round_.now; due = NextDue()) {
    const WorkloadId w = awaited_.begin()->second;
    for (PodId p : OverdueAt(w, round_.now)) {
      round_.notices.given_up.push_back(cluster_.pods()[p].node);
      cluster_.RemoveExpected(p);
    }
    ++round_.steps;
    if (cluster_.workloads()[w].live > 0) continue;
    RefreshCounts(w);
    starts_.Refresh(w);
    Withdraw(w);
  }
}

void JobAdmission::Withdraw(WorkloadId w) {
  if (cluster_.workloads().gang(w).announces) {
    plan_.Give({.type = DecisionType::kAdmit, .workload = w, .withdrawn = true});
  }
  backlog_.Refresh(w);
  if (const GroupId g = backlog_.GroupOfGang(w); g.valid()) {
    backlog_[g].not_before = round_.now + cluster_.configuration().pods_timeout;
  }
}

}  // namespace fairlead::engine
