// How the round asks others for room: who could be given it, who has to go for it, and what becomes
// of placements of the same plan that are in the way.

#include <algorithm>
#include <span>

#include "engine/round.h"
#include "engine/waits_for.h"
#include "policy/disruption_budget.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

RoomStep RoundState::StepOf(GroupId g) {
  const Group& group = backlog_[g];
  RoomStep step{.workload = group.gang,
                .queue = group.queue,
                .priority = group.priority,
                .preemptible = group.preemptible,
                .parts = group.parts,
                .request = group.request};
  if (!group.gang.valid()) {
    const PodId p = backlog_.Head(g);
    step.workload = cluster_.pods()[p].workload;
    step.parts = {{.pod_set = 0, .shape = group.shape, .pods = {p}, .expected = 0}};
  }
  return step;
}

// A few comparisons. No: others give no room for so much.
bool RoundState::MayAskForRoom(GroupId g, const state::Amounts& request) const {
  const Group& group = backlog_[g];
  return !group.never_preempts && (room_.MayAsk(group.queue, group.priority, request) ||
                                   Outranks(group.queue, group.priority));
}

bool RoundState::MayBeGivenRoom(GroupId g, const state::Amounts& request) const {
  return !vacated_.empty() || MayAskForRoom(g, request);
}

bool RoundState::CouldBeGivenRoom(GroupId g, std::optional<Time>& lapse) {
  if (!MayBeGivenRoom(g, backlog_[g].request)) return false;
  const RoomStep step = StepOf(g);
  state::Trial trial(cluster_);
  const RoomAnswer answer = room_.Find(step, Outranked(step.queue, step.priority), trial);
  if (IsGiven(answer, trial)) {
    found_ = {.group = g, .after = steps_, .answer = answer, .steps = trial.steps()};
    return true;
  }
  trial.UndoTo(0);
  if (answer.lapse) lapse = room_.ServedFrom(step, *answer.lapse);
  return false;
}

// Room that is coming anyway is waited for, not held: whoever is first when it is there has it.
// What this plan's victims leave beyond its need may be claimed at once.
bool RoundState::IsGiven(const RoomAnswer& answer, const state::Trial& trial) const {
  if (answer.verdict != RoomAnswer::Verdict::kComing) {
    return answer.verdict == RoomAnswer::Verdict::kFound;
  }
  return std::any_of(trial.steps().begin(), trial.steps().end(),
                     [&](const auto& step) { return is_vacated_.contains(step.node.value()); });
}

// What was found when the round asked who can start, where nothing has happened since.
RoomAnswer RoundState::FindAgain(GroupId g, const RoomStep& step, state::Trial& trial) {
  using Act = state::Trial::Act;
  const bool known =
      found_.group == g && found_.after == steps_ &&
      std::all_of(found_.steps.begin(), found_.steps.end(), [](const state::Trial::Step& done) {
        return done.act == Act::kPut || done.act == Act::kEvict;
      });
  if (!known) return room_.Find(step, Outranked(step.queue, step.priority), trial);
  for (const state::Trial::Step& done : found_.steps) {
    if (done.act == Act::kPut) {
      trial.Put(done.pod, done.node, state::When::kLater);
    } else {
      trial.Evict(done.pod);
    }
  }
  return std::move(found_.answer);
}

bool RoundState::TryMakeRoom(GroupId g, std::optional<Time>& lapse) {
  if (!MayBeGivenRoom(g, backlog_[g].request)) return false;
  const RoomStep step = StepOf(g);
  state::Trial trial(cluster_);
  const RoomAnswer answer = FindAgain(g, step, trial);
  if (!IsGiven(answer, trial)) {
    trial.UndoTo(0);
    if (answer.lapse) lapse = room_.ServedFrom(step, *answer.lapse);
    return false;
  }
  GiveVictims(answer, step.workload);
  std::vector<PodId> promised;
  for (const state::Trial::Step& done : trial.steps()) {
    const state::Pod& pod = cluster_.pods()[done.pod];
    const bool put =
        done.act == state::Trial::Act::kPut || done.act == state::Trial::Act::kPutExpected;
    const bool ours = pod.workload == step.workload;
    if (put && ours && pod.claims() && pod.node == done.node) promised.push_back(done.pod);
    // Of a promise that is taken over some room may be left, and free already.
    if (done.act == state::Trial::Act::kRelease) given_up_.push_back(done.node);
  }
  if (backlog_.AnyBlocked()) freed_.Add(trial);
  trial.Commit();
  ++steps_;
  Displace(answer);
  TakeBackOutranked(answer.outranked);
  backlog_[g].waiting_since = 0;
  if (!backlog_[g].gang.valid()) backlog_.PopHead(g);
  // Victims of this very plan never ran: what they had may be free.
  if (TakeUp(step.workload, promised)) {
    GiveTakenUp(step.workload, promised);
  } else {
    GivePromised(step.workload, promised);
  }
  backlog_.Continue(g);
  return true;
}

void RoundState::GiveVictims(const RoomAnswer& answer, WorkloadId beneficiary) {
  std::vector<PodId> past_budgets;
  if (cluster_.budgets().size() > 0) {
    past_budgets = policy::PastBudgets(cluster_, LeavingOf(answer.victims));
  }
  for (const VictimUnit& unit : answer.victims) {
    const WorkloadId w = unit.candidate.workload;
    for (PodId p : unit.pods) {
      vacated_.push_back(cluster_.pods()[p].node);
      is_vacated_.insert(cluster_.pods()[p].node.value());
      if (BoundByThisPlan(p)) continue;  // Displace takes it back
      plan_.Give({.type = DecisionType::kEvict,
                  .pod = p,
                  .node = cluster_.pods()[p].node,
                  .workload = w,
                  .action = unit.candidate.action,
                  .beneficiary = beneficiary,
                  .least_proven = answer.least_proven,
                  .past_budgets = std::binary_search(past_budgets.begin(), past_budgets.end(), p)});
    }
    relieved_.push_back(cluster_.workloads()[w].queue);
    RefreshStart(w);
    if (cluster_.workloads()[w].solo()) continue;
    backlog_.Refresh(w);
    // A gang that has stopped keeps no room for single pods of it.
    if (unit.stops && !ClaimsOf(cluster_, w).empty()) promises_were_lifted_ = true;
  }
}

bool RoundState::BoundByThisPlan(PodId p) const {
  return cluster_.pods()[p].placement == state::Placement::kAssumed && plan_.Binds(p);
}

// Victims that this very plan had placed were never told so: they wait again, as if it had not.
void RoundState::Displace(const RoomAnswer& answer) {
  for (const VictimUnit& unit : answer.victims) {
    const WorkloadId w = unit.candidate.workload;
    bool displaced = false;
    for (PodId p : unit.pods) {
      if (!BoundByThisPlan(p)) continue;
      displaced = true;
      plan_.TakeBackBind(p);
      cluster_.Apply(state::BindFailed{cluster_.pods().name(p)});
    }
    if (!displaced) continue;
    promises_were_lifted_ = true;  // their room is free now: promises may be kept at once
    DisplaceRest(w);
    ++displaced_[w.value()];
    if (cluster_.workloads()[w].live == 0) cluster_.SetStart(w, Time::Max());
    if (plan_.Admits(w)) {
      if (cluster_.workloads()[w].live > 0) {
        GiveAdmit(w, false);
      } else {
        plan_.TakeBackAdmit(w);
      }
    }
    NoteClaims(w);
  }
  RefreshJournaled();
}

// A gang of which nothing ran before this plan is placed whole or not at all.
void RoundState::DisplaceRest(WorkloadId w) {
  if (cluster_.workloads()[w].solo()) return;
  std::vector<PodId> placed;
  bool whole = true;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    std::int64_t live = 0;
    for (PodId p : set.pods) {
      if (!cluster_.pods()[p].live()) continue;
      if (!BoundByThisPlan(p)) return;
      placed.push_back(p);
      ++live;
    }
    whole = whole && live + set.succeeded >= set.min_count;
  }
  if (whole) return;
  for (PodId p : placed) {
    vacated_.push_back(cluster_.pods()[p].node);
    is_vacated_.insert(cluster_.pods()[p].node.value());
    plan_.TakeBackBind(p);
    cluster_.Apply(state::BindFailed{cluster_.pods().name(p)});
  }
}

// One that was displaced again and again stays: rounds must end. It stays for the instant: a second
// round would only begin anew what this one has broken off.
void RoundState::SpareIfDisplacedOften(PodId p) {
  constexpr std::uint32_t kOften = 2;
  const auto times = displaced_.find(cluster_.pods()[p].workload.value());
  if (times == displaced_.end() || times->second < kOften) return;
  cluster_.SetSpared(p, true);
  spared_.push_back(p);
  spared_at_ = now_;
}

// Room that pods of the workload hold until others have left.
void RoundState::GivePromised(WorkloadId w, const std::vector<PodId>& pods) {
  const std::vector<PodId> leaving = LeavingForLimit(cluster_, w);
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) GiveNominate(p, leaving);
  }
  NoteClaims(w);
}

void RoundState::GiveNominate(PodId p, const std::vector<PodId>& leaving_for_limit) {
  if (KeepsPromise(p)) return;
  const state::Pod& pod = cluster_.pods()[p];
  plan_.Nominate(p, pod.node, pod.workload,
                 WaitsFor(cluster_, leaving_for_limit, std::span(&pod.node, 1)));
}

}  // namespace fairlead::engine
