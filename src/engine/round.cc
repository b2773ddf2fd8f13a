#include "engine/round.h"

#include <algorithm>
#include <utility>

#include "policy/disruption_budget.h"
#include "policy/fair_share.h"
#include "policy/limits.h"
#include "policy/node_fit.h"
#include "policy/start_time.h"
#include "state/trial.h"

namespace fairlead::engine {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

RoundState::RoundState() = default;

Plan RoundState::Run(Time now) {
  now_ = now;
  // At the same instant who was moved enough stays so: rounds of one instant must end, too.
  if (now != spared_at_) {
    for (PodId p : std::exchange(spared_, {})) cluster_.SetSpared(p, false);
  }
  backlog_.WakeLapsed(now);
  reservations_.TouchLapsed(now);
  const std::optional<Time> due = NextDue();
  const bool overdue = due && *due <= now;
  if (NothingChanged() && !backlog_.HasReady() && !reservations_.HasTouched() && !overdue) {
    return Plan{.now = now, .next_round = NextRound(), .decisions = {}, .counts = {}, .waits = {}};
  }
  plan_.Begin(now);
  ++rounds_;
  vacated_.clear();
  is_vacated_.clear();
  told_vacated_ = 0;
  const bool changed = !NothingChanged();
  CatchUp();
  room_.Start(now);
  seen_touched_ = cluster_.journal().touched.size();
  GiveAdopted();
  ServeShown();
  std::uint32_t before = steps_;
  GiveUpAwaited();
  ServeReservations();
  WakeByGivenUp();
  // What is held, or came to run, on a node out of service is part of the capacity, as for whoever
  // held it before.
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  ServeClaims();
  WakeByEvictions();
  if (changed || !vacated_.empty()) AskAgain();
  do {
    TryAll();
    // Budgets may bind no longer for queues that have more by now.
    if (steps_ != before && policy::BudgetsYield(cluster_)) reservations_.TouchRestless();
    ServeReservations();
    WakeByGivenUp();
    if (std::exchange(promises_were_lifted_, false)) ServeClaims();
    if (steps_ == before) continue;
    UpdateFairShares();
    before = steps_;
    WakeByEvictions();
    AskAgain();
  } while (backlog_.HasReady());
  placer_.EndRound();
  // What was placed on a node out of service is part of the capacity from now on.
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  cluster_.journal().relieved.clear();
  for (PodId p : std::exchange(new_of_daemon_sets_, {})) cluster_.SetPassedBy(p);
  displaced_.clear();
  return plan_.Finish(NextRound());
}

// Who starts with fewer pods asks for no more: others may be due what is left. What is placed on a
// node out of service is part of the capacity. With other shares others are entitled to room.
void RoundState::UpdateFairShares() {
  const bool changed = policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  if (!changed || !backlog_.AnyBlocked()) return;
  ++steps_;
  room_.Start(now_);
}

std::optional<Time> RoundState::NextRound() {
  std::optional<Time> next;
  for (const std::optional<Time>& at :
       {backlog_.NextLapse(), reservations_.NextLapse(), NextDue()}) {
    if (at) next = std::min(next.value_or(*at), *at);
  }
  return next;
}

void RoundState::TryAll() {
  auto can_start = [this](GroupId g) { return CanStart(g); };
  const std::vector<QueueId> queues = backlog_.StartTrying(can_start);
  std::vector<const state::Amounts*> best;
  best.reserve(queues.size());
  for (QueueId q : queues) best.push_back(BestRequest(q));
  turns_.Start(queues, best);
  for (QueueId q = turns_.Top(); q.valid(); q = turns_.Top()) {
    const GroupId g = backlog_.TopReady(q);
    backlog_.PopReady(q);
    relieved_.clear();
    freed_.Clear();
    Try(g);
    turns_.Update(BestRequest(q));
    for (QueueId gave : relieved_) turns_.Refresh(gave);
    if (told_vacated_ < vacated_.size() && backlog_.AnyBlocked()) OfferFreedRoom();
    if (!backlog_.HasWoken()) continue;
    for (QueueId got : backlog_.TakeWoken(can_start)) turns_.Put(got, BestRequest(got));
  }
  backlog_.StopTrying();
}

// Who has to go may free more than was needed, and brings queues back under their limits: those who
// wait for either are asked once more.
void RoundState::WakeByEvictions() {
  if (vacated_.size() == told_vacated_) return;
  WakeByVacated();
  backlog_.WakeQueues(cluster_.journal().relieved);
  cluster_.journal().relieved.clear();
}

void RoundState::WakeByVacated() {
  std::vector<state::NodeId> news(vacated_.begin() + static_cast<std::ptrdiff_t>(told_vacated_),
                                  vacated_.end());
  told_vacated_ = vacated_.size();
  std::sort(news.begin(), news.end());
  news.erase(std::unique(news.begin(), news.end()), news.end());
  backlog_.WakeRoom(news, placer_, state::When::kLater);
}

// A step had victims: whom their room could serve is asked before the next turn is taken
// (semantics.md §4). That is: who waits for room that came free or for a limit that holds no more;
// and who could make do with victims of his own, now that these have left.
void RoundState::OfferFreedRoom() {
  WakeByVacated();
  backlog_.WakeQueues(relieved_);
  if (!freed_.any()) return;
  AskAgain([this](GroupId g) { return MayStartWithFewer(g) || freed_.MightServe(backlog_[g]); });
}

// What was held for pods and is held no more may be free for others.
void RoundState::WakeByGivenUp() {
  if (given_up_.empty()) return;
  std::sort(given_up_.begin(), given_up_.end());
  given_up_.erase(std::unique(given_up_.begin(), given_up_.end()), given_up_.end());
  backlog_.WakeRoom(std::exchange(given_up_, {}), placer_, state::When::kNow);
  backlog_.WakeQueues(cluster_.journal().relieved);
}

// Work that could not start may be entitled to others' room by now: since it was refused, others
// have been placed or had to go.
void RoundState::AskAgain(const std::function<bool(GroupId)>& whom) {
  auto queue_may = [this](QueueId q, std::int32_t highest) {
    return Outranks(q, highest) || room_.MayAnyAsk(q, highest);
  };
  backlog_.WakeAsking(queue_may, [this, &whom](GroupId g) {
    const Group& group = backlog_[g];
    const bool news = group.refused_in != rounds_ || group.refused_after != steps_;
    return news && (!whom || whom(g)) && MightAskForRoom(g) && !IsPinned(g);
  });
}

bool RoundState::NothingChanged() const {
  const state::Journal& journal = cluster_.journal();
  return journal.touched.empty() && journal.reshaped.empty() && journal.workloads.empty() &&
         journal.relieved.empty() && journal.adopted.empty() && !journal.queues_changed &&
         !journal.configuration_changed && !journal.budgets_changed;
}

void RoundState::CatchUp() {
  if (NothingChanged()) return;
  state::Journal& journal = cluster_.journal();
  cluster_.Settle();
  const bool wake_all = journal.queues_changed || journal.configuration_changed;
  const bool reshaped = !journal.reshaped.empty();
  GiveUpLostRoom();
  placer_.CatchUp();
  if (reshaped) WakePinned();
  WakeClashing(placer_.touched());
  if (wake_all || journal.budgets_changed) reservations_.TouchAll();
  if (journal.configuration_changed) NoteAllPinned();
  for (state::NodeId n : placer_.touched()) reservations_.Touch(n);
  reservations_.TouchRestless();
  journal.configuration_changed = false;
  journal.queues_changed = false;
  journal.budgets_changed = false;
  WorkloadId last;
  for (WorkloadId w : std::exchange(journal.workloads, {})) {
    if (w == last) continue;  // one pod of a gang after the other
    last = w;
    RefreshCounts(w);
    RefreshStart(w);
    NotePinned(w);
    NoteClaims(w);
    if (!cluster_.workloads()[w].solo()) NoteShown(w);
    backlog_.Refresh(w);
  }
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  if (wake_all) {
    backlog_.WakeAll();
  } else {
    backlog_.WakeRoom(placer_.touched(), placer_, state::When::kNow);
    backlog_.WakeQueues(journal.relieved);
  }
  journal.relieved.clear();
}

// Room that is held for pods to come, or was until they came with this news, is of no use on a node
// that was cordoned, tainted, shrank or went.
void RoundState::GiveUpLostRoom() {
  const std::vector<state::NodeId> reshaped = cluster_.journal().reshaped;
  const std::vector<PodId>& adopted = cluster_.journal().adopted;
  for (state::NodeId n : reshaped) {
    const std::vector<PodId> pods = cluster_.nodes().pods(n);
    for (auto p = pods.rbegin(); p != pods.rend(); ++p) {
      const state::Pod& pod = cluster_.pods()[*p];
      const bool came = pod.placement == state::Placement::kAssumed && !pod.expected &&
                        std::find(adopted.begin(), adopted.end(), *p) != adopted.end();
      if (!came && !pod.expected) continue;
      const state::Shape& shape = cluster_.shapes()[pod.shape];
      const std::int64_t* free = cluster_.nodes().free(n);
      const bool over = std::any_of(shape.fit.begin(), shape.fit.end(), [&](const auto& asked) {
        return free[asked.resource.value()] < 0;
      });
      if (!over && policy::FitsClass(cluster_, shape, n)) continue;
      cluster_.journal().workloads.push_back(pod.workload);
      if (came) {
        cluster_.Apply(state::BindFailed{cluster_.pods().name(*p)});
      } else {
        cluster_.RemoveExpected(*p);
      }
    }
  }
}

namespace {

bool HasMinimum(const state::Cluster& cluster, const state::Gang& gang, bool only_bound) {
  return std::ranges::all_of(gang.sets, [&](const state::PodSet& set) {
    const auto there = std::ranges::count_if(set.pods, [&](PodId p) {
      const state::Pod& pod = cluster.pods()[p];
      return pod.live() && (!only_bound || pod.placement == state::Placement::kBound);
    });
    return there + set.succeeded >= set.min_count;
  });
}

}  // namespace

// A gang starts when its minimum is first placed, goes on while single pods are replaced, and has
// stopped when none is left. One that was given its minimum, and lost room of it before the cluster
// showed all of it, never had it: who starts anew would know of no start either. A single pod has
// stopped when its binding failed.
void RoundState::RefreshStart(WorkloadId w) {
  const state::Workload& workload = cluster_.workloads()[w];
  if (workload.in_use && workload.live == 0 && workload.started()) {
    cluster_.SetStart(w, Time::Max());
  }
  if (workload.in_use && workload.solo()) return;
  if (!workload.in_use || workload.live == 0) {
    if (HadMinimum(w)) SetHadMinimum(w, false);
    return;
  }
  cluster_.SetAdmissionMet(w);
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!workload.started()) {
    const std::optional<Time> start = policy::StartOf(cluster_, w, now_);
    if (!start) return;
    cluster_.SetStart(w, *start);
    SetHadMinimum(w, true);
  } else if (!HadMinimum(w)) {
    if (gang.recorded_start || HasMinimum(cluster_, gang, /*only_bound=*/true)) {
      SetHadMinimum(w, true);
    } else if (!HasMinimum(cluster_, gang, /*only_bound=*/false)) {
      cluster_.SetStart(w, Time::Max());
    }
  }
}

bool RoundState::HadMinimum(WorkloadId w) const {
  return w.value() < had_minimum_.size() && had_minimum_[w.value()];
}

void RoundState::SetHadMinimum(WorkloadId w, bool had) {
  if (had_minimum_.size() <= w.value()) had_minimum_.resize(cluster_.workloads().size());
  had_minimum_[w.value()] = had;
}

void RoundState::GiveAdopted() {
  for (PodId p : std::exchange(cluster_.journal().adopted, {})) {
    if (cluster_.pods()[p].placement == state::Placement::kAssumed) GiveBind(p);
  }
}

const state::Amounts* RoundState::BestRequest(QueueId q) const {
  const GroupId g = backlog_.TopReady(q);
  return g.valid() ? &backlog_[g].request : nullptr;
}

// One step
// -----------------------------------------------------------------------------------------

void RoundState::Try(GroupId g) {
  if (!backlog_.StillHasStep(g)) return;
  if (QueueClosed(g) || IsPutOff(g)) return;
  bool limited = LimitedBy(g).valid();
  if (limited) {
    TakeLimit(g);
    limited = LimitedBy(g).valid();
  }
  if (IsPinned(g)) {
    if (!CanReserve(g) || !TryPinned(g)) BlockPinned(g);
    return;
  }
  if (!limited && (backlog_[g].gang.valid() ? TryGang(g) : TryPod(g))) return;
  std::optional<Time> lapse;
  if (TryMakeRoom(g, lapse) || TryFewer(g)) return;
  BlockGroup(g, lapse);
}

// A queue that takes no new work.
bool RoundState::QueueClosed(GroupId g) {
  const Group& group = backlog_[g];
  const bool takes_work = cluster_.queues().TakesWork(group.queue);
  if (!takes_work) backlog_.Block(g, Group::Wait::kQueue, group.queue);
  return !takes_work;
}

QueueId RoundState::LimitedBy(GroupId g) const {
  const Group& group = backlog_[g];
  const auto breach =
      policy::FirstBreach(cluster_.queues(), group.queue, group.request, group.preemptible);
  return breach ? breach->queue : QueueId();
}

// Where nothing leaves nor waits for that, what is allocated says it all.
bool RoundState::WaitsForLimit(WorkloadId w, const state::Amounts& request) const {
  if (cluster_.nodes().nodes_in_turnover().empty()) return false;
  const state::Workload& workload = cluster_.workloads()[w];
  return policy::FirstBreach(cluster_.queues(), workload.queue, request, workload.preemptible,
                             state::When::kNow)
      .has_value();
}

// Queues are compared by work that could start in the state as the round finds it. What cannot is
// left out before any turn is taken: so it makes no difference whether an earlier round has found
// that out already, and the same state gives the same plan whatever came before it.
bool RoundState::CanStart(GroupId g) {
  if (QueueClosed(g) || IsPutOff(g)) return false;
  if (LimitedBy(g).valid()) {
    state::Trial trial(cluster_);
    if (CouldTakeLimit(g, trial)) return true;
  }
  if (IsPinned(g)) {
    if (CanReserve(g)) return true;
    BlockPinned(g);
    return false;
  }
  if (!LimitedBy(g).valid() && FitsNow(g)) return true;
  std::optional<Time> lapse;
  if (CouldBeGivenRoom(g, lapse) || StartsWithFewer(g)) return true;
  BlockGroup(g, lapse);
  return false;
}

bool RoundState::FitsNow(GroupId g) {
  Group& group = backlog_[g];
  if (!group.gang.valid()) return placer_.AnyFits(group.shape);
  state::Trial trial(cluster_);
  const GangVerdict verdict = CouldPlaceGang(placer_, cluster_, group.gang, group.parts, trial);
  group.searched_in_vain = verdict == GangVerdict::kNotFound;
  return verdict == GangVerdict::kPlaced;
}

void RoundState::BlockGroup(GroupId g, std::optional<Time> lapse) {
  Group& group = backlog_[g];
  group.refused_in = rounds_;
  group.refused_after = steps_;
  if (group.of_daemon_set && !group.gang.valid() && !cluster_.shapes()[group.shape].placeable) {
    unplaceable_pinned_.insert(g);
  }
  const QueueId limited = LimitedBy(g);
  if (group.gang.valid() && group.waiting_since == 0) group.waiting_since = workloads_placed_ + 1;
  const Group::Wait why = MayStartWithFewer(g) ? Group::Wait::kEither
                          : limited.valid()    ? Group::Wait::kQueue
                                               : Group::Wait::kRoom;
  backlog_.BlockUntil(g, why, limited, lapse);
}

bool RoundState::TryPod(GroupId g) {
  const PodId p = backlog_.Head(g);
  const state::NodeId n = placer_.Best(backlog_[g].shape);
  if (!n.valid()) return false;
  const WorkloadId w = cluster_.pods()[p].workload;
  ++steps_;
  backlog_.PopHead(g);
  if (WaitsForLimit(w, backlog_[g].request)) {
    cluster_.Claim(p, n);
    GivePromised(w, {p});
  } else {
    cluster_.Place(p, n);
    cluster_.SetStart(w, now_);
    NotePlaced(w);
    GiveBind(p);
  }
  backlog_.Continue(g);
  return true;
}

bool RoundState::TryGang(GroupId g) {
  const WorkloadId w = backlog_[g].gang;
  const bool waits = WaitsForLimit(w, backlog_[g].request);
  state::Trial trial(cluster_);
  const GangVerdict verdict =
      PlaceGang(placer_, cluster_, w, backlog_[g].parts, state::When::kNow, trial);
  backlog_[g].searched_in_vain = verdict == GangVerdict::kNotFound;
  if (verdict != GangVerdict::kPlaced) return false;
  backlog_[g].waiting_since = 0;
  std::vector<PodId> pods;
  for (const state::Trial::Step& step : trial.steps()) pods.push_back(step.pod);
  trial.Commit();
  ++steps_;
  if (waits) {
    for (PodId p : pods) {
      const state::NodeId n = cluster_.pods()[p].node;
      cluster_.Unplace(p);
      cluster_.Claim(p, n);
    }
    GivePromised(w, pods);
  } else {
    GivePlaced(w, pods);
  }
  backlog_.Continue(g);
  return true;
}

void RoundState::NotePlaced(WorkloadId w) {
  ++workloads_placed_;
  if (placed_at_.size() <= w.value()) placed_at_.resize(cluster_.workloads().size());
  placed_at_[w.value()] = workloads_placed_;
}

std::uint32_t RoundState::PlacedAt(WorkloadId w) const {
  return w.value() < placed_at_.size() ? placed_at_[w.value()] : 0;
}

// Decisions
// ----------------------------------------------------------------------------------------

// The workload's next step is done: `pods` are placed.
void RoundState::GivePlaced(WorkloadId w, const std::vector<PodId>& pods) {
  const bool starts = !cluster_.workloads()[w].started();
  if (starts) cluster_.SetStart(w, now_);
  NotePlaced(w);
  if (!cluster_.workloads()[w].solo()) {
    if (starts) RefreshCounts(w);
    // What the cluster shows as admitted already is not admitted again.
    const bool shown = cluster_.workloads().gang(w).shown_admitted();
    GiveAdmit(w, starts && !shown);
    AwaitPods(pods, starts && shown ? AwaitedSince(w) : now_);
    cluster_.SetAdmissionMet(w);
  }
  for (PodId p : pods) {
    if (!cluster_.pods()[p].expected) GiveBind(p);
  }
}

void RoundState::GiveBind(PodId p) {
  const state::Pod& pod = cluster_.pods()[p];
  if (!displaced_.empty()) SpareIfDisplacedOften(p);
  plan_.Give({.type = DecisionType::kBind,
              .pod = p,
              .node = pod.node,
              .workload = pod.workload,
              .gpu_device = pod.gpu_device});
}

// Given when the minimum is first placed, and when pods that do not exist yet were given room:
// their controller must know how many to make. One for each workload and round, with its final
// counts.
void RoundState::GiveAdmit(WorkloadId w, bool starts) {
  const state::Gang& gang = cluster_.workloads().gang(w);
  if (!gang.announces) return;
  std::vector<std::int32_t> counts;
  bool more_expected = false;
  for (const state::PodSet& set : gang.sets) {
    std::int32_t placed = set.succeeded;
    std::int32_t expected = 0;
    for (PodId p : set.pods) {
      placed += cluster_.pods()[p].live() ? 1 : 0;
      expected += cluster_.pods()[p].expected ? 1 : 0;
    }
    counts.push_back(std::min(placed, set.count));
    if (expected > 0 && placed > set.admitted) more_expected = true;
  }
  if (starts || more_expected || plan_.Admits(w)) plan_.Admit(w, counts);
}

}  // namespace fairlead::engine
