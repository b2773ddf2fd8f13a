// Admission of jobs (semantics.md §8).
//
// They start with fewer pods rather than not at all: where all of it has no room, with or without
// victims, the fewest pods are cut with which it has; then every pod set in turn grows into what is
// left. What is admitted holds its room until its pods come, for a while.

#include <algorithm>

#include "engine/round.h"
#include "policy/limits.h"
#include "policy/reduction.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

namespace {

// Of each pod set as many pods as `counts` says.
std::vector<GangPart> Limited(const std::vector<GangPart>& parts,
                              const std::vector<std::int32_t>& counts) {
  std::vector<std::int64_t> left(counts.begin(), counts.end());
  std::vector<GangPart> limited;
  for (const GangPart& part : parts) {
    std::int64_t& most = left[part.pod_set];
    if (most <= 0) continue;
    GangPart& fewer = limited.emplace_back(part);
    fewer.pods.resize(std::min<std::size_t>(fewer.pods.size(), static_cast<std::size_t>(most)));
    most -= std::ssize(fewer.pods);
    fewer.expected = std::min(fewer.expected, most);
    most -= fewer.expected;
  }
  return limited;
}

}  // namespace

bool RoundState::MayStartWithFewer(GroupId g) const {
  const WorkloadId w = backlog_[g].gang;
  return w.valid() && cluster_.configuration().partial_admission.enabled &&
         !cluster_.workloads()[w].started() && cluster_.workloads()[w].live == 0 &&
         cluster_.workloads().gang(w).reducible();
}

RoomStep RoundState::StepWith(GroupId g, const std::vector<std::int32_t>& counts) {
  RoomStep step = StepOf(g);
  const std::vector<state::PodSet>& sets = cluster_.workloads().gang(step.workload).sets;
  std::vector<std::int32_t> wanted = counts;
  for (std::size_t k = 0; k < sets.size(); ++k) wanted[k] -= sets[k].succeeded;
  step.parts = Limited(step.parts, wanted);
  step.request.clear();
  for (const GangPart& part : step.parts) {
    state::AddTo(step.request, cluster_.shapes()[part.shape].request, part.count());
  }
  return step;
}

// With or without victims.
bool RoundState::HasRoomFor(const RoomStep& step) {
  if (step.parts.empty()) return false;
  const bool limited =
      policy::FirstBreach(cluster_.queues(), step.queue, step.request, step.preemptible)
          .has_value();
  if (!limited) {
    state::Trial trial(cluster_);
    if (CouldPlaceGang(placer_, cluster_, step.workload, step.parts, trial) ==
        GangVerdict::kPlaced) {
      return true;
    }
  }
  if (!MayBeGivenRoom(step)) return false;
  state::Trial trial(cluster_);
  const RoomAnswer answer = room_.Find(step, Outranked(step.queue, step.priority), trial);
  return IsGiven(answer, trial);
}

std::vector<std::int32_t> RoundState::FewerCounts(GroupId g) {
  const std::vector<state::PodSet>& sets = cluster_.workloads().gang(backlog_[g].gang).sets;
  std::vector<policy::CountRange> ranges;
  for (const state::PodSet& set : sets) {
    ranges.push_back({.count = set.asked, .min_count = std::min(set.min_asked, set.asked)});
  }
  const objects::SchedulerConfiguration::PartialAdmission& rules =
      cluster_.configuration().partial_admission;
  auto counts_after = [&](std::int64_t cut) {
    return policy::CountsAfter(ranges, cut, rules.reduce);
  };
  auto serves = [&](const std::vector<std::int32_t>& counts) {
    return HasRoomFor(StepWith(g, counts));
  };
  std::int64_t fails = 0;
  std::int64_t cut = policy::CutsOf(ranges);
  if (!serves(counts_after(cut))) return {};
  while (cut - fails > 1) {
    const std::int64_t middle = fails + (cut - fails) / 2;
    (serves(counts_after(middle)) ? cut : fails) = middle;
  }
  std::vector<std::int32_t> counts = counts_after(cut);
  if (!rules.fill && rules.reduce != objects::Reduction::kOrdered) return counts;
  for (std::size_t k = 0; k < counts.size(); ++k) Grow(g, k, ranges[k].count, counts);
  return counts;
}

// By as much as there is room for.
void RoundState::Grow(GroupId g, std::size_t set, std::int32_t most,
                      std::vector<std::int32_t>& counts) {
  std::int32_t step = 1;
  std::int32_t grown = counts[set];
  auto serves = [&](std::int32_t count) {
    std::vector<std::int32_t> larger = counts;
    larger[set] = count;
    return HasRoomFor(StepWith(g, larger));
  };
  while (grown < most && serves(std::min(most, grown + step))) {
    grown = std::min(most, grown + step);
    step *= 2;
  }
  std::int32_t fails = std::min(most + 1, grown + step);
  while (fails - grown > 1) {
    const std::int32_t middle = grown + (fails - grown) / 2;
    (serves(middle) ? grown : fails) = middle;
  }
  counts[set] = grown;
}

// Whether it can; then the group's next step is that.
bool RoundState::StartsWithFewer(GroupId g) {
  Group& group = backlog_[g];
  if (group.fewer_after != steps_ || group.fewer_in != rounds_) {
    group.fewer = MayStartWithFewer(g) ? FewerCounts(g) : std::vector<std::int32_t>();
    group.fewer_after = steps_;
    group.fewer_in = rounds_;
  }
  return !group.fewer.empty();
}

bool RoundState::TryFewer(GroupId g) {
  if (!StartsWithFewer(g)) return false;
  Group& group = backlog_[g];
  const WorkloadId w = group.gang;
  RoomStep step = StepWith(g, group.fewer);
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

// Pods that do not come -----------------------------------------------------------------------

Time RoundState::DueAt(PodId p) const {
  return cluster_.pods()[p].created + cluster_.configuration().pods_timeout;
}

// REQUIRES: placed just now.
void RoundState::AwaitPods(WorkloadId w, const std::vector<PodId>& pods) {
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) continue;
    cluster_.SetExpectedSince(p, now_);
    awaited_.insert({DueAt(p), w});
  }
}

bool RoundState::Awaits(WorkloadId w, Time due) const {
  bool awaits = false;
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.solo()) return false;
  cluster_.ForEachPodOf(w, [&](PodId p) {
    awaits |= cluster_.pods()[p].expected && cluster_.pods()[p].live() && DueAt(p) <= due;
  });
  return awaits;
}

std::optional<Time> RoundState::NextDue() {
  while (!awaited_.empty() && !Awaits(awaited_.begin()->second, awaited_.begin()->first)) {
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
    std::vector<PodId> overdue;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (cluster_.pods()[p].expected && cluster_.pods()[p].live() && DueAt(p) <= now_) {
        overdue.push_back(p);
      }
    });
    for (PodId p : overdue) cluster_.RemoveExpected(p);
    ++steps_;
    if (cluster_.workloads()[w].live > 0) continue;
    RefreshCounts(w);
    RefreshStart(w);
    if (cluster_.workloads().gang(w).announces) {
      plan_.decisions.push_back({.type = DecisionType::kAdmit, .workload = w, .withdrawn = true});
    }
    backlog_.Refresh(w);
    if (const GroupId g = backlog_.GroupOfGang(w); g.valid()) {
      backlog_[g].not_before = now_ + cluster_.configuration().pods_timeout;
    }
  }
}

// Whether the group is still to be left alone, after its pods did not come.
bool RoundState::IsPutOff(GroupId g) {
  if (backlog_[g].not_before <= now_) return false;
  BlockGroup(g, backlog_[g].not_before);
  return true;
}

}  // namespace fairlead::engine
