#include "engine/round/moves.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/room/waits_for.h"
#include "engine/round/kept_answers.h"
#include "engine/round/stop_whole.h"
#include "objects/key.h"
#include "policy/limits.h"
#include "policy/max_loss.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

namespace {

constexpr std::string_view kGangOwner = "Workload/";

std::string GangOwner(const state::Cluster& cluster, WorkloadId w) {
  return std::string(kGangOwner).append(cluster.NameOf(w));
}

std::string OwnerOf(const state::Cluster& cluster, PodId p) {
  const WorkloadId w = cluster.pods()[p].workload;
  if (!cluster.workloads()[w].solo()) return GangOwner(cluster, w);
  return std::string(cluster.pods().MadeBy(p));
}

// Of "KIND/NAMESPACE/NAME".
std::string_view NamespaceOf(std::string_view owner) {
  owner.remove_prefix(std::min(owner.find('/') + 1, owner.size()));
  return owner.substr(0, owner.find('/'));
}

// Pods are created in whole seconds.
Time WholeSecond(Time at) { return Time{at.us - at.us % 1'000'000}; }

// What holds room stands there whatever becomes of the node: whoever comes is asked then.
state::NeedsPtr NeedsOf(const objects::Landing& landing) {
  objects::PodNeeds needs;
  needs.request = landing.requests;
  needs.tolerations = {{.key = {}, .exists = true, .value = {}, .effect = {}}};
  return std::make_shared<const objects::PodNeeds>(std::move(needs));
}

void NoteLapse(const std::optional<Time>& at, std::optional<Time>& earliest) {
  if (at) earliest = std::min(earliest.value_or(*at), *at);
}

// The step's pods that claim room by what the trial has done.
std::vector<PodId> ClaimedBy(const state::Cluster& cluster, const state::Trial& trial,
                             WorkloadId w) {
  std::vector<PodId> claimed;
  for (const state::Trial::Step& done : trial.steps()) {
    const bool put =
        done.act == state::Trial::Act::kPut || done.act == state::Trial::Act::kPutExpected;
    if (!put) continue;
    const state::Pod& pod = cluster.pods()[done.pod];
    const bool fresh = std::ranges::find(claimed, done.pod) == claimed.end();
    if (pod.workload == w && pod.claims() && pod.node == done.node && fresh) {
      claimed.push_back(done.pod);
    }
  }
  return claimed;
}

}  // namespace

// Landings ----------------------------------------------------------------------------------------

std::optional<Time> Moves::NextDue() const {
  std::optional<Time> next;
  for (const Hold& hold : holds_) {
    if (hold.taken) continue;
    next = std::min(next.value_or(hold.landing.until), hold.landing.until);
  }
  return next;
}

bool Moves::IsAwaited(std::string_view owner) const {
  for (const WorkloadId w : cluster_.workloads().WithLandings()) {
    for (const objects::Landing& landing : *cluster_.workloads().landings(w)) {
      if (landing.owner == owner) return true;
    }
  }
  return false;
}

void Moves::Note(WorkloadId w) {
  if (!any()) return;
  const state::Workload& workload = cluster_.workloads()[w];
  if (!workload.in_use || workload.is_landing) return;
  if (workload.solo()) {
    const PodId p = workload.only_pod;
    if (!cluster_.pods()[p].waits() || !IsAwaited(cluster_.pods().MadeBy(p))) return;
  } else if (!IsAwaited(GangOwner(cluster_, w))) {
    return;
  }
  arrived_.insert(w);
}

bool Moves::IsOf(PodId p, const objects::Landing& landing) const {
  const state::Pod& pod = cluster_.pods()[p];
  if (!pod.workload.valid() || pod.expected) return false;
  const state::Workload& workload = cluster_.workloads()[pod.workload];
  if (workload.solo()) return cluster_.pods().MadeBy(p) == landing.owner;
  const std::string_view owner = landing.owner;
  return owner.starts_with(kGangOwner) &&
         owner.substr(kGangOwner.size()) == cluster_.NameOf(pod.workload) &&
         cluster_.workloads().gang(pod.workload).sets[pod.pod_set].name == landing.pod_set;
}

// It was made since.
bool Moves::IsNext(PodId p, const objects::Landing& landing) const {
  return cluster_.pods()[p].created >= WholeSecond(landing.since) && IsOf(p, landing);
}

bool Moves::IsTaker(std::string_view pod) const {
  const auto takes = [&pod](const Hold& hold) { return hold.taker == pod; };
  return std::ranges::any_of(holds_, takes) || std::ranges::any_of(before_, takes);
}

// Who was to move was not told so, or would not go.
bool Moves::HasStayed(const objects::Landing& landing) const {
  const PodId p =
      cluster_.pods().Find(fmt::format("{}/{}", NamespaceOf(landing.owner), landing.pod));
  if (!p.valid() || IsNext(p, landing)) return false;
  return cluster_.pods()[p].live();
}

// Who starts anew finds whoever has taken it where it is.
PodId Moves::TakerOn(NodeId n, const objects::Landing& landing) const {
  PodId found;
  for (const PodId p : cluster_.nodes().pods(n)) {
    if (cluster_.pods()[p].leaves() || !IsNext(p, landing)) continue;
    if (IsTaker(cluster_.pods().name(p))) continue;
    if (!found.valid() || cluster_.pods().name(p) < cluster_.pods().name(found)) found = p;
  }
  return found;
}

// Of those that wait, the oldest first.
std::vector<PodId> Moves::NextOf(const objects::Landing& landing) const {
  std::vector<PodId> next;
  for (const WorkloadId w : arrived_) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!workload.in_use || !workload.open()) continue;
    cluster_.ForEachPodOf(w, [&](PodId p) {
      if (cluster_.pods()[p].waits() && IsNext(p, landing)) next.push_back(p);
    });
  }
  std::ranges::sort(next, {}, [this](PodId p) {
    return std::pair(cluster_.pods()[p].created, cluster_.pods().name(p));
  });
  return next;
}

// Who waits already may have been made in the second in which they move.
void Moves::NoteWaiting(const objects::Landings& landings) {
  for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) {
    const PodId p(i);
    if (!cluster_.pods()[p].in_use || !cluster_.pods()[p].waits()) continue;
    const auto is_of = [&](const objects::Landing& landing) { return IsOf(p, landing); };
    if (std::ranges::any_of(landings, is_of)) arrived_.insert(cluster_.pods()[p].workload);
  }
}

void Moves::LetGo(Hold& hold) {
  const PodId p = cluster_.pods().Find(hold.room);
  hold.room.clear();
  if (p.valid()) cluster_.RemoveExpected(p);
}

// Others may have it.
void Moves::Lift(Hold& hold) {
  const PodId p = cluster_.pods().Find(hold.room);
  if (!p.valid()) return;
  round_.notices.given_up.push_back(cluster_.pods()[p].node);
  if (cluster_.pods()[p].claims()) cluster_.Unplace(p);
  LetGo(hold);
}

bool Moves::HoldRoom(Hold& hold, NodeId n) {
  if (const PodId p = cluster_.pods().Find(hold.room); p.valid()) return true;
  state::QueueId q = cluster_.queues().Find(hold.landing.queue);
  if (!q.valid()) q = state::QueueTree::Root();
  std::string name;
  for (std::int32_t i = 0; name.empty() || cluster_.workloads().FindGang(name).valid(); ++i) {
    name = fmt::format("{}~{}", cluster_.NameOf(hold.beneficiary), i);
  }
  const PodId p = state::HoldLanding(cluster_, std::move(name), q, NeedsOf(hold.landing), n);
  hold.room = cluster_.pods().name(p);
  if (!IsOverdrawn(p)) return true;
  Lift(hold);
  return false;
}

// Its node has less than what is held and promised there.
bool Moves::IsOverdrawn(PodId p) const {
  const std::int64_t* later = cluster_.nodes().later(cluster_.pods()[p].node);
  const state::Shape& shape = cluster_.shapes()[cluster_.pods()[p].shape];
  return std::ranges::any_of(
      shape.fit, [later](const state::Amount& asked) { return later[asked.resource.value()] < 0; });
}

// Others have come to a node, whom nobody asked: what is held there is held anew, as by whoever
// starts anew, as far as it still fits.
void Moves::LetGoOverdrawn() {
  std::set<NodeId> overdrawn;
  for (const Hold& hold : before_) {
    const PodId p = cluster_.pods().Find(hold.room);
    if (p.valid() && IsOverdrawn(p)) overdrawn.insert(cluster_.pods()[p].node);
  }
  for (Hold& hold : before_) {
    const PodId p = cluster_.pods().Find(hold.room);
    if (p.valid() && overdrawn.contains(cluster_.pods()[p].node)) Lift(hold);
  }
}

// It stands where room was held for it, or claims that until who leaves there has left.
bool Moves::Land(Hold& hold, PodId p, NodeId n) {
  LetGo(hold);
  const state::ShapeId s = cluster_.pods()[p].shape;
  const WorkloadId w = cluster_.pods()[p].workload;
  const state::Amounts& request = cluster_.shapes()[s].request;
  if (!cluster_.shapes()[s].placeable || policy::FirstBreach(cluster_, w, request)) return false;
  if (!WaitsForLimit(cluster_, w, request) && placer_.Fits(s, n)) {
    cluster_.Place(p, n);
    placements_.Give(w, {p});
  } else if (placer_.Fits(s, n, state::When::kLater)) {
    cluster_.Claim(p, n);
    claims_.Give(w, {p});
  } else {
    return false;
  }
  backlog_.Refresh(w);
  ++round_.steps;
  return true;
}

// Its room is held, on its way to be taken, or not to be held any more.
Moves::Outlook Moves::Look(Hold& hold) {
  const NodeId n = cluster_.nodes().Find(hold.landing.node);
  if (!n.valid() || !cluster_.nodes().exists(n) || hold.landing.until <= round_.now ||
      HasStayed(hold.landing)) {
    return Outlook::kOver;
  }
  PodId taker = cluster_.pods().Find(hold.taker);
  if (taker.valid()) {
    const state::Pod& pod = cluster_.pods()[taker];
    if (!pod.counts() || !IsNext(taker, hold.landing)) taker = PodId();
  }
  hold.taker.clear();
  hold.taken = false;
  if (!taker.valid()) taker = TakerOn(n, hold.landing);
  if (!taker.valid()) {
    const std::vector<PodId> next = NextOf(hold.landing);
    const auto landed = std::ranges::find_if(next, [&](PodId each) { return Land(hold, each, n); });
    if (landed == next.end()) {
      return HoldRoom(hold, n) ? Outlook::kAwaited : Outlook::kOver;
    }
    taker = *landed;
  }
  LetGo(hold);
  hold.taker = cluster_.pods().name(taker);
  hold.taken = cluster_.pods()[taker].live();
  return hold.taken ? Outlook::kTaken : Outlook::kAwaited;
}

void Moves::StartPass() {
  alike_.clear();
  movers_.reset();
}

bool Moves::Serve() {
  refused_.clear();
  StartPass();
  if (!any()) return false;
  bool over = false;
  std::vector<WorkloadId> with = cluster_.workloads().WithLandings();
  SortByName(cluster_, with);
  before_ = std::exchange(holds_, {});
  LetGoOverdrawn();
  for (const WorkloadId w : with) SetMoving(*cluster_.workloads().landings(w));
  for (const WorkloadId w : with) {
    bool awaited = false;
    const std::size_t first = holds_.size();
    for (const objects::Landing& landing : *cluster_.workloads().landings(w)) {
      const auto known = std::ranges::find_if(before_, [&](const Hold& hold) {
        return hold.beneficiary == w && hold.landing == landing;
      });
      Hold hold{.beneficiary = w, .landing = landing, .room = {}, .taker = {}};
      if (known != before_.end()) {
        hold = std::move(*known);
        before_.erase(known);
      }
      const Outlook outlook = Look(hold);
      if (outlook == Outlook::kOver) Lift(hold);
      awaited |= outlook == Outlook::kAwaited;
      holds_.push_back(std::move(hold));
    }
    if (awaited) continue;
    over = true;
    holds_.resize(first);
    Tell(w, {});
  }
  // Nobody is left for whom they moved.
  for (Hold& hold : std::exchange(before_, {})) Lift(hold);
  std::erase_if(arrived_, [this](WorkloadId w) { return !cluster_.workloads()[w].in_use; });
  if (holds_.empty()) arrived_.clear();
  EndMoving();
  return over;
}

void Moves::Tell(WorkloadId w, const objects::Landings& landings) {
  cluster_.notes().SetLandings(w, landings.empty() ? nullptr : &landings);
  plan_.Land(w);
  ++round_.steps;
  if (!landings.empty()) return;
  const GroupId g = backlog_.GroupOf(w);
  if (g.valid() && backlog_[g].IsBlocked()) backlog_.MakeReady(g);
}

// A gang whose pods have yet to come goes on: its start stands, and nothing else is sought for it.
void Moves::SetMoving(WorkloadId w, bool moving) {
  if (cluster_.workloads()[w].is_moving == moving) return;
  cluster_.notes().SetMoving(w, moving);
  if (moving) {
    const std::optional<Time> start = cluster_.workloads().gang(w).recorded_start;
    if (!cluster_.workloads()[w].started() && start && *start <= round_.now) {
      cluster_.notes().SetStart(w, *start);
    }
    return;
  }
  round_.notices.moved_in.push_back(w);
  starts_.Refresh(w);
  backlog_.Refresh(w);
}

void Moves::SetMoving(const objects::Landings& landings) {
  for (const objects::Landing& landing : landings) {
    const WorkloadId w = GangOf(landing);
    if (!w.valid()) continue;
    SetMoving(w, true);
    moving_.insert(w);
  }
}

// Of a pod by itself: none.
WorkloadId Moves::GangOf(const objects::Landing& landing) const {
  const std::string_view owner = landing.owner;
  if (!owner.starts_with(kGangOwner)) return WorkloadId();
  return cluster_.workloads().FindGang(owner.substr(kGangOwner.size()));
}

// Those of which all landings are over.
void Moves::EndMoving() {
  std::set<WorkloadId> still;
  for (const Hold& hold : holds_) {
    if (const WorkloadId w = GangOf(hold.landing); w.valid()) still.insert(w);
  }
  for (const WorkloadId w : std::exchange(moving_, still)) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (!still.contains(w) && workload.in_use && !workload.solo()) SetMoving(w, false);
  }
}

// Moving ------------------------------------------------------------------------------------------

bool Moves::MayHave(GroupId g) const {
  const Group& group = backlog_[g];
  return enabled() && !group.of_daemon_set && !group.above_minimum && !group.never_preempts;
}

bool Moves::MightAsk(GroupId g) {
  if (!MayHave(g)) return false;
  if (!backlog_[g].gang.valid() && !backlog_.Head(g).valid()) return false;
  return search_.Might(backlog_.StepOf(g));
}

MoveAnswer Moves::Find(GroupId g, const RoomStep& step, state::Trial& trial) {
  if (!search_.Might(step)) return {};  // who may move need not be known for that
  const MoveRoom::Movers& movers = WhoMayMove();
  reserved_.KeepAllFrom(g);
  return search_.Find(
      step, round_.now, [this](WorkloadId w) { return StaysUntil(cluster_, w, round_.now); }, trial,
      &movers);
}

// As long as nothing has changed it is the same for all who ask.
const MoveRoom::Movers& Moves::WhoMayMove() {
  const std::uint64_t news = cluster_.journal().workloads.end();
  const bool known = movers_ && movers_->after == round_.steps && movers_->workloads == news;
  if (!known) {
    reserved_.KeepNothing();
    const auto stays = [this](WorkloadId w) { return StaysUntil(cluster_, w, round_.now); };
    movers_.emplace(
        KnownMovers{.after = round_.steps, .workloads = news, .movers = search_.WhoMayMove(stays)});
  }
  return movers_->movers;
}

// Those who ask the same are refused together. Not so where room is kept for some of them or closed
// to them, they count for other users, or how long one has waited bounds what others may lose.
Moves::Ask Moves::AskOf(const RoomStep& step) const {
  Ask ask = KeyOfAsk(cluster_, step);
  const state::Workload& workload = cluster_.workloads()[step.workload];
  const bool all_see_the_same = reserved_.bookings().empty() && !round_.windows.any();
  ask.push_back(all_see_the_same ? 0 : step.workload.value() + std::uint64_t{1});
  ask.push_back(workload.accounts.value());
  const bool bounded = policy::BoundsLosses(cluster_, step.queue, policy::RoomAction::kConsolidate);
  ask.push_back(bounded ? static_cast<std::uint64_t>(WaitsSince(cluster_, step).us) : 0);
  return ask;
}

bool Moves::WasRefused(GroupId g, const RoomStep& step, std::optional<Time>& lapse) const {
  const Refusal* known = nullptr;
  if (const auto own = refused_.find(g); own != refused_.end()) known = &own->second;
  if (known == nullptr || known->after != round_.steps) {
    const auto alike = alike_.find(AskOf(step));
    known = alike == alike_.end() ? nullptr : &alike->second;
  }
  if (known == nullptr || known->after != round_.steps) return false;
  NoteLapse(known->lapse, lapse);
  return true;
}

bool Moves::Refuse(GroupId g, const RoomStep& step, const MoveAnswer& answer,
                   std::optional<Time>& lapse) {
  const Refusal refusal{.after = round_.steps, .lapse = answer.lapse};
  refused_.insert_or_assign(g, refusal);
  alike_.insert_or_assign(AskOf(step), refusal);
  NoteLapse(answer.lapse, lapse);
  return false;
}

bool Moves::CouldMove(GroupId g, std::optional<Time>& lapse) {
  if (!MayHave(g)) return false;
  const RoomStep step = backlog_.StepOf(g);
  if (WasRefused(g, step, lapse)) return false;
  state::Trial trial(cluster_);
  const MoveAnswer answer = Find(g, step, trial);
  return (answer.found && !answer.movers.empty()) || Refuse(g, step, answer, lapse);
}

objects::Landing Moves::LandingOf(const Landing& found) const {
  const state::Pod& pod = cluster_.pods()[found.mover];
  const state::Workload& workload = cluster_.workloads()[pod.workload];
  objects::Landing landing;
  landing.owner = OwnerOf(cluster_, found.mover);
  if (!workload.solo()) {
    landing.pod_set = cluster_.workloads().gang(pod.workload).sets[pod.pod_set].name;
    landing.index = cluster_.pods().IndexSaidBy(found.mover);
  }
  landing.pod = objects::SplitKey(cluster_.pods().name(found.mover)).name;
  landing.node = cluster_.nodes().name(found.node);
  landing.since = round_.now;
  landing.until = round_.now + cluster_.configuration().pods_timeout;
  landing.queue = cluster_.queues()[workload.queue].name;
  landing.requests = cluster_.shapes()[pod.shape].needs->request;
  return landing;
}

bool Moves::Move(GroupId g, std::optional<Time>& lapse) {
  if (!MayHave(g)) return false;
  const RoomStep step = backlog_.StepOf(g);
  if (WasRefused(g, step, lapse)) return false;
  state::Trial trial(cluster_);
  const MoveAnswer answer = Find(g, step, trial);
  if (!answer.found || answer.movers.empty()) {
    trial.UndoTo(0);
    return Refuse(g, step, answer, lapse);
  }
  objects::Landings landings;
  for (const Landing& each : answer.landings) landings.push_back(LandingOf(each));
  // What is held is shown first: nobody leaves for a landing that is forgotten.
  Tell(step.workload, landings);
  SetMoving(landings);
  NoteWaiting(landings);
  for (const objects::Landing& landing : landings) {
    if (const WorkloadId w = GangOf(landing); w.valid()) cluster_.notes().NoteMoved(w, round_.now);
  }
  rooms_.GiveVictims({.verdict = RoomAnswer::Verdict::kFound,
                      .victims = answer.movers,
                      .outranked = {},
                      .least_proven = answer.least_proven,
                      .lapse = {}},
                     step.workload);
  for (const Landing& each : answer.landings) {
    plan_.Give({.type = DecisionType::kLand,
                .pod = each.mover,
                .node = each.node,
                .workload = cluster_.pods()[each.mover].workload,
                .beneficiary = step.workload});
  }
  const std::vector<PodId> claimed = ClaimedBy(cluster_, trial, step.workload);
  if (backlog_.AnyBlocked()) rooms_.freed().Add(trial);
  trial.Commit();
  ++round_.steps;
  backlog_[g].waiting_since = 0;
  if (!backlog_[g].gang.valid()) backlog_.PopHead(g);
  claims_.Give(step.workload, claimed);
  for (std::size_t i = 0; i < landings.size(); ++i) {
    Hold& hold = holds_.emplace_back(
        Hold{.beneficiary = step.workload, .landing = landings[i], .room = {}, .taker = {}});
    HoldRoom(hold, answer.landings[i].node);
  }
  backlog_.Continue(g);
  return true;
}

}  // namespace fairlead::engine
