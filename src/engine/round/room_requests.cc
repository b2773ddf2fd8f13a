#include "engine/round/room_requests.h"

#include <algorithm>
#include <utility>

#include "policy/disruption_budget.h"
#include "policy/dynamic_demand.h"
#include "state/tally.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

bool RoomRequests::MayAsk(GroupId g, const state::Amounts& request) const {
  const Group& group = backlog_[g];
  const bool leaves = !round_.notices.vacated.empty();
  return !group.never_preempts && (room_.MayAsk(group.queue, group.priority, request, leaves) ||
                                   claims_.Outranks(group.queue, group.priority));
}

bool RoomRequests::MayBeGiven(GroupId g, const state::Amounts& request) const {
  return !round_.notices.vacated.empty() || MayAsk(g, request);
}

bool RoomRequests::MightAsk(GroupId g) const {
  return MayAsk(g, backlog_[g].request) ||
         (admission_.WaitsForFewer(g) && MayAsk(g, admission_.LeastRequest(g)));
}

// Who starts with fewer pods may be given room for these.
bool RoomRequests::IsStillRefused(GroupId g) {
  const Group& group = backlog_[g];
  return group.refusal != StandingRefusals::kNone && !admission_.WaitsForFewer(g) &&
         !claims_.Outranks(group.queue, group.priority) &&
         standing_.Stands(group.refusal, group.retry_at);
}

// From when on time alone gives it room.
std::optional<Time> RoomRequests::NoteRefused(GroupId g, const RoomStep& step,
                                              const RoomAnswer& answer) {
  std::optional<Time> lapse;
  if (answer.lapse) lapse = room_.ServedFrom(step, *answer.lapse);
  backlog_[g].refusal = standing_.Note(step, lapse.value_or(Time::Max()));
  return lapse;
}

bool RoomRequests::CouldBeGiven(GroupId g, std::optional<Time>& lapse) {
  if (!MayBeGiven(g, backlog_[g].request)) return false;
  const RoomStep step = backlog_.StepOf(g);
  if (const KeptAnswers::Kept* kept = kept_.Find(step, round_.steps)) {
    if (!kept->given) {
      lapse = kept->lapse;
      backlog_[g].refusal = kept->refusal;
    }
    return kept->given;
  }
  state::Trial trial(cluster_);
  RoomAnswer answer = room_.Find(step, claims_.Outranked(step.queue, step.priority), trial);
  const bool given = IsGiven(answer, trial);
  std::vector<state::Trial::Step> acts = trial.steps();
  trial.UndoTo(0);
  if (!given) {
    acts.clear();
    lapse = NoteRefused(g, step, answer);
  }
  kept_.Keep(step, round_.steps,
             {.step = step,
              .given = given,
              .lapse = given ? std::nullopt : lapse,
              .refusal = backlog_[g].refusal,
              .answer = std::move(answer),
              .acts = std::move(acts)});
  return given;
}

// Room that is coming anyway is waited for, not held: whoever is first when it is there has it.
// What this plan's victims leave beyond its need may be claimed at once.
bool RoomRequests::IsGiven(const RoomAnswer& answer, const state::Trial& trial) const {
  if (answer.verdict != RoomAnswer::Verdict::kComing) {
    return answer.verdict == RoomAnswer::Verdict::kFound;
  }
  return std::any_of(trial.steps().begin(), trial.steps().end(),
                     [&](const auto& step) { return round_.notices.vacated.Contains(step.node); });
}

RoomAnswer RoomRequests::FindAgain(const RoomStep& step, state::Trial& trial) {
  if (const auto answer = kept_.Redo(step, round_.steps, trial)) return *answer;
  return room_.Find(step, claims_.Outranked(step.queue, step.priority), trial);
}

FewerPods::Others RoomRequests::AskOthers(const RoomStep& step) {
  using Others = FewerPods::Others;
  state::Trial trial(cluster_);
  const RoomAnswer answer = room_.Find(step, claims_.Outranked(step.queue, step.priority), trial);
  if (IsGiven(answer, trial)) return Others::kMakeRoom;
  const bool comes = answer.verdict == RoomAnswer::Verdict::kComing;
  return comes ? Others::kLeaveAnyway : Others::kGiveNothing;
}

bool RoomRequests::Give(GroupId g, std::optional<Time>& lapse) {
  if (!MayBeGiven(g, backlog_[g].request)) return false;
  const RoomStep step = backlog_.StepOf(g);
  state::Trial trial(cluster_);
  const RoomAnswer answer = FindAgain(step, trial);
  if (!IsGiven(answer, trial)) {
    trial.UndoTo(0);
    lapse = NoteRefused(g, step, answer);
    return false;
  }
  GiveVictims(answer, step.workload);
  std::vector<PodId> claimed;
  for (const state::Trial::Step& done : trial.steps()) {
    const state::Pod& pod = cluster_.pods()[done.pod];
    const bool put =
        done.act == state::Trial::Act::kPut || done.act == state::Trial::Act::kPutExpected;
    const bool ours = pod.workload == step.workload;
    // With demands of others it may have been taken up and put there again.
    const bool fresh = !cluster_.demands().columns().any() ||
                       std::find(claimed.begin(), claimed.end(), done.pod) == claimed.end();
    if (put && ours && fresh && pod.claims() && pod.node == done.node) claimed.push_back(done.pod);
    // Of a claim that is taken over some room may be left, and free already.
    if (done.act == state::Trial::Act::kRelease) round_.notices.given_up.push_back(done.node);
  }
  if (backlog_.AnyBlocked()) freed_.Add(trial);
  trial.Commit();
  ++round_.steps;
  Displace(answer);
  claims_.TakeBack(answer.outranked);
  backlog_[g].waiting_since = 0;
  if (!backlog_[g].gang.valid()) backlog_.PopHead(g);
  // Victims of this very plan never ran: what they had may be free.
  if (claims_.TakeUp(step.workload, claimed)) {
    claims_.GiveTakenUp(step.workload, claimed);
  } else {
    claims_.Give(step.workload, claimed);
  }
  backlog_.Continue(g);
  return true;
}

void RoomRequests::GiveVictims(const RoomAnswer& answer, WorkloadId beneficiary) {
  std::vector<PodId> past_budgets;
  if (cluster_.budgets().size() > 0) {
    past_budgets = policy::PastBudgets(cluster_, LeavingOf(answer.victims));
  }
  for (const VictimUnit& unit : answer.victims) {
    const WorkloadId w = unit.candidate.workload;
    for (PodId p : unit.pods) {
      round_.notices.vacated.Note(cluster_.pods()[p].node);
      if (placements_.BoundByThisPlan(p)) continue;  // Displace takes it back
      plan_.Give({.type = DecisionType::kEvict,
                  .pod = p,
                  .node = cluster_.pods()[p].node,
                  .workload = w,
                  .action = unit.candidate.action,
                  .beneficiary = beneficiary,
                  .least_proven = answer.least_proven,
                  .fewest_proven = answer.fewest_proven,
                  .past_budgets = std::binary_search(past_budgets.begin(), past_budgets.end(), p)});
    }
    round_.notices.lost_to_try.push_back(cluster_.workloads()[w].relief());
    starts_.Refresh(w);
    if (cluster_.workloads()[w].solo()) continue;
    backlog_.Refresh(w);
    // A gang that has stopped keeps no room for single pods of it.
    if (unit.stops && !ClaimsOf(cluster_, w).empty()) round_.notices.claims_were_lifted = true;
  }
}

void RoomRequests::Displace(const RoomAnswer& answer) {
  bool others_stood_on_them = false;
  for (const VictimUnit& unit : answer.victims) {
    std::vector<PodId> displaced;
    for (PodId p : unit.pods) {
      if (placements_.BoundByThisPlan(p)) displaced.push_back(p);
    }
    if (displaced.empty()) continue;
    for (PodId p : displaced) others_stood_on_them |= MayBeStoodOn(p);
    TakeBackFrom(unit.candidate.workload, displaced);
  }
  if (others_stood_on_them) TakeBackUnsupported();
  admission_.RefreshChanged();
}

// Whether others may have been placed where they are since it was where it was.
bool RoomRequests::MayBeStoodOn(PodId p) const {
  const auto& holds = cluster_.shapes()[cluster_.pods()[p].shape].dynamic->holds;
  return std::any_of(holds.begin(), holds.end(), [this](state::TermId term) {
    const state::TermKind kind = cluster_.terms().KindOf(term);
    return kind == state::TermKind::kAttracts || kind == state::TermKind::kSpread;
  });
}

// The workload's pods, which this very plan had bound, wait again.
void RoomRequests::TakeBackFrom(WorkloadId w, const std::vector<PodId>& pods) {
  for (PodId p : pods) {
    plan_.TakeBackBind(p);
    cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(p))});
  }
  round_.notices.claims_were_lifted = true;  // their room is free now: claims may be kept at once
  DisplaceRest(w);
  placements_.NoteDisplaced(w);
  if (cluster_.workloads()[w].live == 0) cluster_.notes().SetStart(w, Time::Max());
  if (plan_.Admits(w)) {
    if (cluster_.workloads()[w].live > 0) {
      placements_.Admit(w, false);
    } else {
      plan_.TakeBackAdmit(w);
    }
  }
  claims_.Note(w);
}

// What was bound beside somebody who does not come after all was bound in vain.
void RoomRequests::TakeBackUnsupported() {
  bool found = true;
  while (std::exchange(found, false)) {
    for (const PodId p : plan_.Bound()) {
      const state::Pod& pod = cluster_.pods()[p];
      if (!placements_.BoundByThisPlan(p)) continue;
      if (cluster_.shapes()[pod.shape].dynamic->first_of_series) continue;  // it may be that
      if (policy::IsAttractedPlaced(cluster_, p, state::When::kNow)) continue;
      round_.notices.vacated.Note(pod.node);
      TakeBackFrom(pod.workload, {p});
      found = true;
    }
  }
}

// A gang of which nothing ran before this plan is placed whole or not at all.
void RoomRequests::DisplaceRest(WorkloadId w) {
  if (cluster_.workloads()[w].solo()) return;
  std::vector<PodId> placed;
  bool whole = true;
  for (const state::PodSet& set : cluster_.workloads().gang(w).sets) {
    std::int64_t live = 0;
    for (PodId p : set.pods) {
      if (!cluster_.pods()[p].live()) continue;
      if (!placements_.BoundByThisPlan(p)) return;
      placed.push_back(p);
      ++live;
    }
    whole = whole && state::IsMinimum(live, set.succeeded, set.min_count);
  }
  if (whole) return;
  for (PodId p : placed) {
    round_.notices.vacated.Note(cluster_.pods()[p].node);
    plan_.TakeBackBind(p);
    cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(p))});
  }
}

}  // namespace fairlead::engine
