// A round, from the changes that came to the plan:
//
//   1. Catch up: nodes, workloads and queues as they are now; whom that wakes. Which workloads may
//      wait at all, by limits of their users: again whenever one of them has started.
//      Then who has run as long as it may, or is to start anew elsewhere, and what that changes.
//   2. Lapses: pods that are overdue, admissions that do not hold.
//   3. Reservations: nodes that DaemonSets' pods wait for.
//   4. Landings: room that is held for pods which move. Claims: who claims room has it, or has lost
//      it.
//   5. Reserved starts: room that is kept for work which has waited for long, and who starts there.
//   6. Turns: one queue after the other starts its best work, and asks others for room.
//      Then 3, 4 and 6 again, while what was done lets others start.
//   7. Close: shares as they are by now, and the plan. What queues have is what they use until the
//      next round.
//
// A round over nothing changed ends before 1.

#include "engine/round/round.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/sorted_set.h"
#include "policy/disruption_budget.h"
#include "policy/fair_share.h"
#include "policy/node_fit.h"

namespace fairlead::engine {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

void Round::Apply(const state::Change& change) {
  DCHECK(what_ifs_ == 0);
  cluster_.Apply(change);
}

Plan Round::Run(Time now) {
  DCHECK(what_ifs_ == 0);
  context_.now = now;
  placements_.StartRound();
  cluster_.PassTo(now);
  backlog_.WakeLapsed(now);
  reservations_.nodes().TouchLapsed(now);
  if (NothingToDo()) {
    return Plan{.now = now,
                .next_round = NextRound(),
                .decisions = {},
                .counts = {},
                .waits = {},
                .nodes = {}};
  }
  plan_.Begin(now);
  ++context_.number;
  context_.notices.vacated.Clear();
  const bool changed = !NothingChanged();
  if (!changed) PassUsage();
  CatchUp();
  // Its room is like any that is coming: for later rounds.
  const bool at_limit = limits_.Serve();
  const bool in_window = windows_.Serve();
  const bool stopped = broken_.Serve() || in_window || at_limit;
  if (stopped) CatchUp();
  room_.Start(now);
  reservations_.StartRound();
  GiveAdopted();
  admission_.ServeShown();
  std::uint32_t before = context_.steps;
  admission_.GiveUpOverdue();
  ServeReservations();
  moves_.Serve();
  // What is held, or came to run, on a node out of service is part of the capacity, as for whoever
  // held it before.
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  claims_.Serve();
  // Some may have been those of pods that move.
  if (moves_.Serve()) claims_.Serve();
  admission_.GiveUpOverdue();  // of those that claims are lost of just now
  WakeByEvictions();
  if (changed || stopped || !context_.notices.vacated.empty()) AskAgain();
  ServeReserved();
  do {
    LetOthersStart(before);
  } while (ServeReservedAgain());
  Close();
  return plan_.Finish(NextRound());
}

void Round::LetOthersStart(std::uint32_t before) {
  do {
    TryAll();
    // Budgets may bind no longer for queues that have more by now.
    if (context_.steps != before && policy::BudgetsYield(cluster_)) {
      reservations_.nodes().TouchRestless();
    }
    ServeReservations();
    if (std::exchange(context_.notices.claims_were_lifted, false)) claims_.Serve();
    LetNextWait();
    if (context_.steps == before) continue;
    UpdateFairShares(context_);
    before = context_.steps;
    WakeByEvictions();
    // Who came may be whom others want beside them.
    if (cluster_.demands().columns().any()) backlog_.WakeRoom({}, placer_, state::When::kNow);
    AskAgain();
  } while (backlog_.HasReady());
}

bool Round::NothingToDo() {
  const auto is_over = [this](const std::optional<Time>& due) {
    return due && *due <= context_.now;
  };
  const bool overdue = is_over(admission_.NextDue()) || is_over(limits_.NextDue()) ||
                       is_over(windows_.NextDue()) || is_over(broken_.NextDue()) ||
                       is_over(moves_.NextDue());
  return NothingChanged() && !backlog_.HasReady() && !reservations_.nodes().HasTouched() &&
         !overdue && !reserved_.IsDue(context_.now);
}

void Round::ServeReservations() {
  reservations_.Serve();
  WakeByGivenUp();
}

// What was decided since may have taken some of what is kept, or left more to be kept. Whether
// others have a turn again by that.
bool Round::ServeReservedAgain() {
  if (context_.steps == served_reserved_after_ || !reserved_.MayChange()) return false;
  if (++served_reserved_ > kMostServedReserved) return false;
  ServeReserved();
  return backlog_.HasReady();
}

// Those for whom room is kept start there before others have a turn.
void Round::ServeReserved() {
  served_reserved_after_ = context_.steps;
  std::vector<WorkloadId> waiting = reserved_.Start();
  // As others start there is only less room; who has no turn yet may get one by that.
  std::vector<bool> might;
  for (const WorkloadId w : waiting) {
    const GroupId g = backlog_.GroupOf(w);
    might.push_back(!g.valid() || attempts_.MightStartReserved(g));
  }
  std::size_t i = 0;
  std::erase_if(waiting, [&](WorkloadId w) {
    const GroupId g = backlog_.GroupOf(w);
    const bool tries = might[i++];
    if (!g.valid() || !attempts_.StartReserved(g, tries)) return false;
    reserved_.End(w);
    return true;
  });
  for (const WorkloadId w : waiting) reserved_.Renew(w);
  reserved_.ChooseCandidates();
  reserved_.KeepNothing();
  WakeByGivenUp();
  LetNextWait();
}

void Round::Close() {
  served_reserved_ = 0;
  reserved_.Close();
  for (const WorkloadId w : std::exchange(context_.notices.moved_in, {})) broken_.Note(w);
  broken_.Look();
  placer_.EndRound();
  if (cluster_.volumes().supply.any_taken()) {
    for (const PodId p : plan_.Bound()) cluster_.notes().KeepVolumes(p);
  }
  // What was placed on a node out of service is part of the capacity from now on.
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  usage_.Charge();
  context_.relieved.Forget();
  reservations_.EndRound();
  placements_.EndRound();
}

std::optional<Time> Round::NextRound() {
  std::optional<Time> next;
  for (const std::optional<Time>& at :
       {backlog_.NextLapse(), reservations_.nodes().NextLapse(), admission_.NextDue(),
        cluster_.refusals().NextEnd(), reserved_.NextBegin(), limits_.NextDue(), windows_.NextDue(),
        broken_.NextDue(), moves_.NextDue()}) {
    if (at) next = std::min(next.value_or(*at), *at);
  }
  return next;
}

// Catching up ------------------------------------------------------------------------------------

bool Round::NothingChanged() const {
  return !placer_.HasNews() && !context_.changed.HasNews() && !context_.relieved.HasNews() &&
         !adopted_.HasNews() && seen_ == VersionsOf(cluster_.journal());
}

void Round::CatchUp() {
  DCHECK(what_ifs_ == 0);
  if (NothingChanged()) return;
  cluster_.Settle();
  const Versions last = std::exchange(seen_, VersionsOf(cluster_.journal()));
  const bool configured = last.configuration != seen_.configuration;
  const bool sweeps = cluster_.shapes().IsStale(few_) || backlog_.IsStale(few_);
  if (sweeps) SweepShapes();
  const bool other_windows = last.windows != seen_.windows;
  const bool wake_all = last.queues != seen_.queues || configured || other_windows;
  if (wake_all) rooms_.standing().Clear();
  if (configured) usage_.Configure();
  PassUsage();
  if (last.queues != seen_.queues) lines_.Clear();
  const std::vector<state::NodeId> reshaped = reshaped_.Take();
  if (other_windows || !reshaped.empty()) context_.windows.CatchUp();
  GiveUpLostRoom(reshaped);
  placer_.CatchUp();
  if (!reshaped.empty()) attempts_.WakePinned();
  attempts_.WakeClashing(placer_.touched());
  ReservedNodes& reserved = reservations_.nodes();
  if (wake_all || last.budgets != seen_.budgets) reserved.TouchAll();
  if (configured) NoteAllPinned();
  for (state::NodeId n : placer_.touched()) reserved.Touch(n);
  reserved.TouchRestless();
  NoteChangedWorkloads();
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
  if (sweeps) {
    backlog_.Sweep();
  } else if (wake_all) {
    backlog_.WakeAll();
  } else {
    // Those whom others may be asked to give room for are asked anyhow (AskAgain); not those who
    // wait for what others hold.
    const bool whole = !reservations_.AnyHolders() && !cluster_.workloads().any_landings();
    backlog_.WakeRoom(placer_.touched(), placer_, state::When::kNow, whole);
    backlog_.WakeQueues(context_.relieved.News());
    // More may be free in all.
    if (!reshaped.empty() && cluster_.queues().idle().kept()) {
      backlog_.WakeQueues({{.queue = state::QueueTree::Root(), .accounts = {}}});
    }
  }
  context_.relieved.Forget();
  TrimJournal();
}

// Jobs whose pods ask something of their own come and go: what was kept for them goes as well. All
// who wait are asked anew for that.
void Round::SweepShapes() {
  state::SweepShapes(cluster_, reserved_.ShapesOfSeats());
  placer_.ForgetShapes();
  reserved_.ForgetShapes();
  rooms_.standing().Clear();
}

void Round::Settle(std::optional<Time> at) {
  CatchUp();
  if (!at) return;
  usage_.PassTo(*at);
  policy::UpdateFairShares(cluster_.queues(), cluster_.resources());
}

// Before the first round there is no time.
void Round::PassUsage() {
  if (context_.now != Time::Max()) usage_.PassTo(context_.now);
}

// Here everybody has read it: whoever follows it in the middle of a round begins after this.
void Round::TrimJournal() {
  rooms_.standing().StartRound();
  room_.CatchUp();
  state::Journal::Positions read = {
      .touched = placer_.touched_position(),
      .reshaped = std::min(reshaped_.position(), placer_.reshaped_position()),
      .workloads = std::min(context_.changed.position(), lines_.position()),
      .relieved = context_.relieved.position(),
      .adopted = adopted_.position(),
      .started = cluster_.journal().started.end(),
      .timed = limits_.position()};
  reserved_.Need(read);
  cluster_.TrimJournal(read);
}

// Who may wait now, as one before it has started.
void Round::LetNextWait() {
  if (!lines_.HasNews()) return;
  for (const WorkloadId w : lines_.Advance()) backlog_.Refresh(w);
}

void Round::NoteChangedWorkloads() {
  lines_.Advance();
  WorkloadId last;
  for (WorkloadId w : context_.changed.Take()) {
    if (w == last) continue;  // one pod of a gang after the other
    last = w;
    admission_.RefreshCounts(w);
    starts_.Refresh(w);
    broken_.Note(w);
    reservations_.Note(w);
    claims_.Note(w);
    moves_.Note(w);
    if (!cluster_.workloads()[w].solo()) admission_.NoteShown(w);
    admission_.AwaitAgain(w);
    backlog_.Refresh(w);
  }
}

// The configuration says whether there are such pods at all.
void Round::NoteAllPinned() {
  for (WorkloadId w : claims_.TakeAll()) {
    reservations_.Note(w);
    claims_.Note(w);
  }
}

// Room that is held for pods to come, or was until they came with this news, is of no use on a node
// that was cordoned, tainted, shrank or went.
void Round::GiveUpLostRoom(const std::vector<state::NodeId>& reshaped) {
  const std::vector<PodId>& adopted = adopted_.News();
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
      context_.changed.Tell(pod.workload);
      if (came) {
        cluster_.Apply(state::BindFailed{std::string(cluster_.pods().name(*p))});
      } else {
        cluster_.RemoveExpected(*p);
      }
    }
  }
}

void Round::GiveAdopted() {
  for (PodId p : adopted_.Take()) {
    const state::Pod& pod = cluster_.pods()[p];
    if (pod.placement == state::Placement::kAssumed && !pod.leaves()) placements_.Bind(p);
    if (pod.claims()) claims_.Give(pod.workload, {p});
  }
}

// Turns ------------------------------------------------------------------------------------------

void Round::TryAll() {
  auto can_start = [this](GroupId g) { return attempts_.CanStart(g); };
  auto best_request = [this](QueueId q) -> const state::Amounts* {
    const GroupId g = backlog_.TopReady(q);
    return g.valid() ? &backlog_[g].request : nullptr;
  };
  rooms_.StartPass();
  moves_.StartPass();
  const std::vector<QueueId> queues = backlog_.StartTrying(can_start);
  std::vector<const state::Amounts*> best;
  best.reserve(queues.size());
  for (QueueId q : queues) best.push_back(best_request(q));
  turns_.Start(queues, best);
  RoundNotices& notices = context_.notices;
  for (QueueId q = turns_.Top(); q.valid(); q = turns_.Top()) {
    const GroupId g = backlog_.TopReady(q);
    backlog_.PopReady(q);
    notices.lost_to_try.clear();
    rooms_.freed().Clear();
    attempts_.Try(g);
    LetNextWait();
    turns_.Update(best_request(q));
    for (const state::Relief& gave : notices.lost_to_try) turns_.Refresh(gave.queue);
    if (notices.vacated.HasNews() && backlog_.AnyBlocked()) OfferFreedRoom();
    if (!backlog_.HasWoken()) continue;
    for (QueueId got : backlog_.TakeWoken(can_start)) turns_.Put(got, best_request(got));
  }
  backlog_.StopTrying();
  reserved_.KeepNothing();
}

// Who is asked again -----------------------------------------------------------------------------

// Work that could not start may be entitled to others' room by now: since it was refused, others
// have been placed or had to go.
void Round::AskAgain(const std::function<bool(GroupId)>& whom) {
  const bool leaves = !context_.notices.vacated.empty();
  const auto may = [this, &whom](GroupId g) {
    const Group& group = backlog_[g];
    // In the middle of turns some room is kept from others than those it is kept from now.
    if (!whom && !moves_.enabled() && rooms_.IsStillRefused(g)) return false;
    const bool news = group.refused_in != context_.number || group.refused_after != context_.steps;
    return news && group.wait != Group::Wait::kUser && (!whom || whom(g)) &&
           (rooms_.MightAsk(g) || moves_.MightAsk(g)) && !attempts_.IsPinned(g);
  };
  backlog_.WakeAsking(
      {.anyhow =
           [this](QueueId q, std::int32_t highest) {
             return claims_.Outranks(q, highest) || moves_.enabled() ||
                    room_.PreemptsAnybody(q, highest);
           },
       .left = [this](QueueId q, auto& into) { room_.LeftByRights(q, into); },
       .by_right = [this, leaves](QueueId q) { return room_.MayReclaim(q, leaves); },
       .may = may});
}

// Who has to go may free more than was needed, and brings queues back under their limits: those who
// wait for either are asked once more.
void Round::WakeByEvictions() {
  if (!context_.notices.vacated.HasNews()) return;
  WakeByVacated();
  backlog_.WakeQueues(context_.relieved.Take());
}

void Round::WakeByVacated() {
  backlog_.WakeRoom(context_.notices.vacated.TakeNews(), placer_, state::When::kLater);
}

// A step had victims: whom their room could serve is asked before the next turn is taken
// (semantics.md §4). That is: who waits for room that came free or for a limit that holds no more;
// and who could make do with victims of his own, now that these have left.
void Round::OfferFreedRoom() {
  WakeByVacated();
  backlog_.WakeQueues(context_.notices.lost_to_try);
  FreedRoom& freed = rooms_.freed();
  if (!freed.any()) return;
  AskAgain([this, &freed](GroupId g) {
    return admission_.WaitsForFewer(g) || freed.MightServe(backlog_[g]);
  });
}

// What was held for pods and is held no more may be free for others.
void Round::WakeByGivenUp() {
  std::vector<state::NodeId>& given_up = context_.notices.given_up;
  if (given_up.empty()) return;
  MakeSet(given_up);
  backlog_.WakeRoom(std::exchange(given_up, {}), placer_, state::When::kNow);
  backlog_.WakeQueues(context_.relieved.Take());
}

}  // namespace fairlead::engine
