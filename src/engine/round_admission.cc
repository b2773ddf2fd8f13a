// Admission of jobs (semantics.md §8).
//
// They start with fewer pods rather than not at all: where all of it has no room, with or without
// victims, the fewest pods are cut with which it has; then every pod set in turn grows into what is
// left. What is admitted holds its room until its pods come, for a while.

#include <algorithm>
#include <utility>

#include "engine/round.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

bool RoundState::MayStartWithFewer(GroupId g) const {
  const WorkloadId w = backlog_[g].gang;
  if (!w.valid() || !cluster_.configuration().partial_admission.enabled) return false;
  const state::Workload& workload = cluster_.workloads()[w];
  // It may have gone, and its number serve another.
  return workload.in_use && !workload.solo() && !workload.started() && workload.live == 0 &&
         cluster_.workloads().gang(w).reducible();
}

// Of the fewest pods with which the job may start. Rights are judged with what is asked: for fewer
// pods others may have to make room where they need not for all of them.
state::Amounts RoundState::LeastRequest(GroupId g) const {
  const RoomStep whole{.workload = backlog_[g].gang, .parts = backlog_[g].parts};
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(backlog_[g].gang).sets) {
    counts.push_back(std::min(set.min_asked, set.asked));
  }
  const RoomStep least = StepWith(cluster_, whole, counts);
  return least.request;
}

// Whether others might give room to it, with all of its pods or with fewer.
bool RoundState::MightAskForRoom(GroupId g) const {
  return MayAskForRoom(g, backlog_[g].request) ||
         (MayStartWithFewer(g) && MayAskForRoom(g, LeastRequest(g)));
}

FewerPods::Others RoundState::AskOthers(const RoomStep& step) {
  using Others = FewerPods::Others;
  state::Trial trial(cluster_);
  const RoomAnswer answer = room_.Find(step, Outranked(step.queue, step.priority), trial);
  if (IsGiven(answer, trial)) return Others::kMakeRoom;
  const bool comes = answer.verdict == RoomAnswer::Verdict::kComing;
  return comes ? Others::kLeaveAnyway : Others::kGiveNothing;
}

// Whether it can; then the group's next step is that.
bool RoundState::StartsWithFewer(GroupId g) {
  Group& group = backlog_[g];
  if (group.fewer_after != steps_ || group.fewer_in != rounds_) {
    group.fewer.clear();
    if (MayStartWithFewer(g)) {
      const RoomStep whole = StepOf(g);
      FewerPods::AskOthers ask;
      if (MayBeGivenRoom(g, LeastRequest(g))) {
        ask = [this](const RoomStep& step) { return AskOthers(step); };
      }
      group.fewer = FewerPods(cluster_, placer_, whole, std::move(ask)).Find();
    }
    group.fewer_after = steps_;
    group.fewer_in = rounds_;
  }
  return !group.fewer.empty();
}

bool RoundState::TryFewer(GroupId g) {
  if (!StartsWithFewer(g)) return false;
  Group& group = backlog_[g];
  const WorkloadId w = group.gang;
  const RoomStep whole = StepOf(g);
  RoomStep step = StepWith(cluster_, whole, group.fewer);
  group.parts = std::move(step.parts);
  group.request = std::move(step.request);
  cluster_.SetCounts(w, group.fewer);
  std::optional<Time> lapse;
  if (!LimitedBy(g).valid() && TryGang(g)) return true;
  if (TryMakeRoom(g, lapse)) return true;
  RefreshCounts(w);
  backlog_.PrepareGang(g);
  return false;
}

// Counts that were decided hold as long as pods run by them. Where only room is promised, or where
// nobody remembers and the cluster does not show them yet, they are what is placed.
void RoundState::RefreshCounts(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo()) return;
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.known || gang.elastic) return;
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

// What the cluster shows as admitted ------------------------------------------------------------

// Since when its pods are waited for: since it was admitted, where none have come yet.
Time RoundState::AwaitedSince(WorkloadId w) const {
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (gang.admission_met || gang.recorded_start) return now_;
  return std::min(now_, gang.admitted_since.value_or(now_));
}

// It was admitted long ago, and nothing of it has come.
bool RoundState::HasLapsed(WorkloadId w) const {
  const state::Gang& gang = cluster_.workloads().gang(w);
  return gang.shown_admitted() && AwaitedSince(w) + cluster_.configuration().pods_timeout <= now_ &&
         std::all_of(gang.sets.begin(), gang.sets.end(), [](const state::PodSet& set) {
           return set.pods.empty() && (set.admitted == 0 || set.expected_shape.valid());
         });
}

// REQUIRES: a gang.
void RoundState::NoteShown(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || !workload.active) return;
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.known || !gang.announces) return;
  if (gang.oversized() || HasLapsed(w)) shown_.push_back(w);
}

void RoundState::ServeShown() {
  for (WorkloadId w : std::exchange(shown_, {})) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || workload.solo()) continue;
    const state::Gang& gang = cluster_.workloads().gang(w);
    if (HasLapsed(w)) {
      cluster_.SetAdmissionMet(w);
      Withdraw(w);
    } else if (gang.oversized() && !gang.reduction_told) {
      cluster_.SetReductionTold(w);
      GiveReduction(w);
    }
  }
}

// Counts were edited below what runs. Whoever makes its pods takes the surplus back, the youngest
// first: what is admitted says how many stay (semantics.md §10).
void RoundState::GiveReduction(WorkloadId w) {
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    counts.push_back(std::min(set.admitted, set.count));
  }
  plan_.Admit(w, counts);
}

// Pods that do not come -----------------------------------------------------------------------

Time RoundState::DueAt(PodId p) const {
  return cluster_.pods()[p].created + cluster_.configuration().pods_timeout;
}

// REQUIRES: placed just now; `since`: when they were admitted.
void RoundState::AwaitPods(const std::vector<PodId>& pods, Time since) {
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) continue;
    cluster_.SetExpectedSince(p, since);
    awaited_.insert({DueAt(p), cluster_.pods()[p].workload});
  }
}

// Room for pods that should have come by then, and have not.
std::vector<PodId> RoundState::OverdueAt(WorkloadId w, Time at) const {
  std::vector<PodId> overdue;
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo()) return overdue;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.expected && pod.live() && DueAt(p) <= at) overdue.push_back(p);
  });
  return overdue;
}

std::optional<Time> RoundState::NextDue() {
  while (!awaited_.empty() &&
         OverdueAt(awaited_.begin()->second, awaited_.begin()->first).empty()) {
    awaited_.erase(awaited_.begin());
  }
  if (awaited_.empty()) return std::nullopt;
  return awaited_.begin()->first;
}

// Their room is let go. A workload of which no pod has come is pending again, and is not tried for
// as long: others may have the room.
void RoundState::GiveUpAwaited() {
  for (std::optional<Time> due = NextDue(); due && *due <= now_; due = NextDue()) {
    const WorkloadId w = awaited_.begin()->second;
    for (PodId p : OverdueAt(w, now_)) {
      given_up_.push_back(cluster_.pods()[p].node);
      cluster_.RemoveExpected(p);
    }
    ++steps_;
    if (cluster_.workloads()[w].live > 0) continue;
    RefreshCounts(w);
    RefreshStart(w);
    Withdraw(w);
  }
}

void RoundState::Withdraw(WorkloadId w) {
  if (cluster_.workloads().gang(w).announces) {
    plan_.Give({.type = DecisionType::kAdmit, .workload = w, .withdrawn = true});
  }
  backlog_.Refresh(w);
  if (const GroupId g = backlog_.GroupOfGang(w); g.valid()) {
    backlog_[g].not_before = now_ + cluster_.configuration().pods_timeout;
  }
}

// Whether the group is still to be left alone, after its pods did not come.
bool RoundState::IsPutOff(GroupId g) {
  if (backlog_[g].not_before <= now_) return false;
  BlockGroup(g, backlog_[g].not_before);
  return true;
}

}  // namespace fairlead::engine
