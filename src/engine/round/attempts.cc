#include "engine/round/attempts.h"

#include <algorithm>
#include <utility>

#include "engine/place/filling.h"
#include "engine/room/waits_for.h"
#include "policy/dynamic_demand.h"
#include "policy/limits.h"
#include "policy/node_fit.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::QueueId;
using state::WorkloadId;

bool Attempts::CanStart(GroupId g) {
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
  KeepFrom(g);
  const Backlog::Limit limit = LimitedBy(g);
  if (!limit.valid() && (FitsNow(g) || FitsOnLoan(g))) return true;
  std::optional<Time> lapse;
  const bool may_ask = NowAsksOthers(g, limit);
  if (may_ask && rooms_.CouldBeGiven(g, lapse)) return true;
  KeepFrom(g);
  if (StartsWithFewer(g) || (may_ask && moves_.CouldMove(g, lapse)) || reserved_.Wants(g)) {
    return true;
  }
  Block(g, lapse);
  return false;
}

// What was found for others holds for those alone who may use the same nodes.
void Attempts::KeepFrom(GroupId g) {
  if (reserved_.KeepFrom(g)) rooms_.StartPass();
}

// Nobody gives way for a limit of users, or for room that is only kept.
bool Attempts::MayAskOthers(GroupId g, Backlog::Limit limit) {
  if (limit.account.valid()) return false;
  return limit.valid() || !OnlyKeptRoomFits(g);
}

// Whether it may, and sees no more from now on than what may be had for long.
bool Attempts::NowAsksOthers(GroupId g, Backlog::Limit limit) {
  // Nobody could be asked: what it would see need not be known. Of a gang it is found out besides
  // whether it finds room only by a search without an end.
  const Group& group = backlog_[g];
  if (!group.gang.valid() && !moves_.enabled() && !rooms_.MayBeGiven(g, group.request)) {
    return false;
  }
  if (!MayAskOthers(g, limit)) return false;
  if (reserved_.KeepFromLater(g)) rooms_.StartPass();
  return true;
}

// Others may be asked for what they have, not for what is kept: where that alone stands in the way
// there is nobody to ask. What they have is seen whole again.
bool Attempts::OnlyKeptRoomFits(GroupId g) {
  if (reserved_.bookings().empty()) return false;
  reserved_.KeepClosed(g);
  if (!FitsNow(g)) return false;
  KeepFrom(g);
  return true;
}

void Attempts::Try(GroupId g) {
  if (!backlog_.StillHasStep(g)) return;
  if (QueueClosed(g) || IsPutOff(g)) return;
  Backlog::Limit limit = LimitedBy(g);
  if (limit.valid()) {
    TakeLimit(g);
    limit = LimitedBy(g);
  }
  if (IsPinned(g)) {
    if (!CanReserve(g) || !TryPinned(g)) BlockPinned(g);
    return;
  }
  KeepFrom(g);
  if (!limit.valid() && (TryNext(g) || StartOnLoan(g))) return;
  std::optional<Time> lapse;
  const bool may_ask = NowAsksOthers(g, limit);
  if (may_ask && rooms_.Give(g, lapse)) return;
  KeepFrom(g);
  if (TryFewer(g) || (may_ask && moves_.Move(g, lapse))) return;
  if (reserved_.Wants(g)) reserved_.Reserve(g);
  Block(g, lapse);
}

// Whether `serves` is true in the room that somebody lends it, the first of them.
template <typename Serves>
bool Attempts::OnLoan(GroupId g, Serves serves) {
  const std::vector<WorkloadId> lenders = reserved_.LendersTo(g);
  const bool in_vain = backlog_[g].searched_in_vain;
  for (const WorkloadId lender : lenders) {
    reserved_.KeepFrom(g, lender);
    if (serves(lender)) return true;
  }
  backlog_[g].searched_in_vain = in_vain;
  if (!lenders.empty()) KeepFrom(g);
  return false;
}

bool Attempts::FitsOnLoan(GroupId g) {
  return OnLoan(g, [&](WorkloadId /*lender*/) { return FitsNow(g); });
}

bool Attempts::StartOnLoan(GroupId g) {
  return OnLoan(g, [&](WorkloadId lender) { return TryNext(g, lender); });
}

bool Attempts::TryNext(GroupId g, WorkloadId lender) {
  return backlog_[g].gang.valid() ? TryGang(g, lender) : TryPod(g, lender);
}

// Its time has come: it starts just where room is kept for it, whoever comes later and is put off
// as it comes late.
bool Attempts::StartInSeats(GroupId g) {
  reserved_.KeepClosed(g);
  const Booking* booking = reserved_.DueOf(g);
  if (booking == nullptr) return false;
  const bool waits = WaitsForLimit(cluster_, booking->workload, backlog_[g].request);
  state::Trial trial(cluster_);
  for (const Booking::Seat& seat : booking->seats) {
    if (!placer_.Fits(seat.shape, seat.node, state::When::kNow)) return false;
    TakeSeat(*booking, seat, state::When::kNow, trial);
  }
  if (backlog_[g].gang.valid()) {
    StartAsTried(g, waits, trial);
  } else {
    const Booking::Seat seat = booking->seats.front();
    trial.UndoTo(0);
    StartPod(g, seat.pod, seat.node);
  }
  return true;
}

// Whether all of it has room in sum, where nothing is kept for others: a bound, for which what is
// kept need not be known.
bool Attempts::MightStartReserved(GroupId g) {
  if (reserved_.DueOf(g) != nullptr) return true;
  Group& group = backlog_[g];
  if (!group.gang.valid()) return placer_.AnyFits(group.shape);
  std::vector<ShapeCount> counts;
  for (const GangPart& part : group.parts) AddPods(counts, part.shape, part.count());
  const bool may = std::ranges::all_of(counts, [this](const ShapeCount& each) {
    return placer_.RoomFor(each.shape, each.pods) >= each.pods;
  });
  if (!may) group.searched_in_vain = false;
  return may;
}

bool Attempts::StartReserved(GroupId g, bool might) {
  if (!TakesWork(cluster_.queues(), backlog_[g].queue)) return false;
  if (backlog_[g].not_before > round_.now || AwaitsLandings(g)) return false;
  if (LimitedBy(g).valid()) return false;
  if (might) KeepFrom(g);
  const bool was_ready = backlog_[g].wait == Group::Wait::kReady;
  backlog_.TakeOut(g);
  if (might) {
    if (TryNext(g) || StartInSeats(g)) return true;
  }
  if (was_ready) backlog_.MakeReady(g);
  return false;
}

// A queue that takes no new work.
bool Attempts::QueueClosed(GroupId g) {
  const Group& group = backlog_[g];
  const bool takes_work = TakesWork(cluster_.queues(), group.queue);
  if (!takes_work) {
    backlog_.Block(g, Group::Wait::kQueue, {.queue = group.queue, .account = {}});
  }
  return !takes_work;
}

// Whether the group is still to be left alone, after its pods did not come.
bool Attempts::IsPutOff(GroupId g) {
  const bool awaits = AwaitsLandings(g);
  if (backlog_[g].not_before <= round_.now && !awaits) return false;
  Block(g, awaits ? std::nullopt : std::optional(backlog_[g].not_before));
  return true;
}

// Those who moved for its next work are to have their places first.
bool Attempts::AwaitsLandings(GroupId g) const {
  return cluster_.workloads().any_landings() &&
         cluster_.workloads().landings(NextOf(cluster_, backlog_[g])) != nullptr;
}

Backlog::Limit Attempts::LimitedBy(GroupId g) const {
  const Group& group = backlog_[g];
  const auto breach = policy::FirstBreach(cluster_, NextOf(cluster_, group), group.request);
  if (!breach) return {};
  if (breach->by_user()) return {.queue = {}, .account = breach->account};
  // What is idle counts in all of the tree.
  return {.queue = breach->not_lent() ? state::QueueTree::Root() : breach->queue, .account = {}};
}

bool Attempts::FitsNow(GroupId g) {
  Group& group = backlog_[g];
  if (!group.gang.valid()) return placer_.AnyFits(group.shape);
  state::Trial trial(cluster_);
  const GangVerdict verdict = CouldPlaceGang(placer_, cluster_, group.gang, group.parts, trial);
  group.searched_in_vain = verdict == GangVerdict::kNotFound;
  return verdict == GangVerdict::kPlaced;
}

bool Attempts::TryPod(GroupId g, WorkloadId lender) {
  const PodId p = backlog_.Head(g);
  const state::NodeId n = placer_.Best(backlog_[g].shape);
  if (!n.valid()) return false;
  if (lender.valid()) reserved_.Lend(g, lender);
  StartPod(g, p, n);
  return true;
}

// REQUIRES: it is the group's next.
void Attempts::StartPod(GroupId g, PodId p, NodeId n) {
  const WorkloadId w = cluster_.pods()[p].workload;
  ++round_.steps;
  backlog_.PopHead(g);
  if (WaitsForLimit(cluster_, w, backlog_[g].request)) {
    cluster_.Claim(p, n);
    claims_.Give(w, {p});
  } else {
    cluster_.Place(p, n);
    cluster_.notes().SetStart(w, round_.now);
    placements_.Note(w);
    placements_.Bind(p);
  }
  backlog_.Continue(g);
}

bool Attempts::TryGang(GroupId g, WorkloadId lender) {
  const WorkloadId w = backlog_[g].gang;
  const bool waits = WaitsForLimit(cluster_, w, backlog_[g].request);
  state::Trial trial(cluster_);
  const GangVerdict verdict =
      PlaceGang(placer_, cluster_, w, backlog_[g].parts, state::When::kNow, trial);
  backlog_[g].searched_in_vain = verdict == GangVerdict::kNotFound;
  if (verdict != GangVerdict::kPlaced) return false;
  StartAsTried(g, waits, trial);
  if (lender.valid()) reserved_.Lend(g, lender);
  return true;
}

// Its pods stay where the trial has put them. `waits`: until others have left its limit.
void Attempts::StartAsTried(GroupId g, bool waits, state::Trial& trial) {
  const WorkloadId w = backlog_[g].gang;
  backlog_[g].waiting_since = 0;
  std::vector<PodId> pods;
  for (const state::Trial::Step& step : trial.steps()) pods.push_back(step.pod);
  trial.Commit();
  ++round_.steps;
  if (waits) {
    for (PodId p : pods) {
      const state::NodeId n = cluster_.pods()[p].node;
      cluster_.Unplace(p);
      cluster_.Claim(p, n);
    }
    claims_.Give(w, pods);
  } else {
    placements_.Give(w, pods);
  }
  backlog_.Continue(g);
}

// Whether it can; then the group's next step is that.
bool Attempts::StartsWithFewer(GroupId g) {
  Group& group = backlog_[g];
  if (group.fewer_after != round_.steps || group.fewer_in != round_.number) {
    group.fewer.clear();
    if (admission_.MayStartWithFewer(g)) {
      const RoomStep whole = backlog_.StepOf(g);
      FewerPods::AskOthers ask;
      if (rooms_.MayBeGiven(g, admission_.LeastRequest(g))) {
        ask = [this](const RoomStep& step) { return rooms_.AskOthers(step); };
      }
      group.fewer = FewerPods(cluster_, placer_, whole, std::move(ask)).Find();
    }
    group.fewer_after = round_.steps;
    group.fewer_in = round_.number;
  }
  return !group.fewer.empty();
}

bool Attempts::TryFewer(GroupId g) {
  if (!StartsWithFewer(g)) return false;
  Group& group = backlog_[g];
  const WorkloadId w = group.gang;
  const RoomStep whole = backlog_.StepOf(g);
  RoomStep step = StepWith(cluster_, whole, group.fewer);
  group.parts = std::move(step.parts);
  group.request = std::move(step.request);
  cluster_.SetCounts(w, group.fewer);
  std::optional<Time> lapse;
  const Backlog::Limit limit = LimitedBy(g);
  if (!limit.valid() && TryGang(g)) return true;
  if (!limit.account.valid() && rooms_.Give(g, lapse)) return true;
  admission_.RefreshCounts(w);
  backlog_.PrepareGang(g);
  return false;
}

void Attempts::Block(GroupId g, std::optional<Time> lapse) {
  Group& group = backlog_[g];
  group.refused_in = round_.number;
  group.refused_after = round_.steps;
  if (group.of_daemon_set && !group.gang.valid() && !cluster_.shapes()[group.shape].placeable) {
    unplaceable_pinned_.insert(g);
  }
  const Backlog::Limit limit = LimitedBy(g);
  if (group.gang.valid() && group.waiting_since == 0) group.waiting_since = placements_.count() + 1;
  const Group::Wait why = admission_.MayStartWithFewer(g) ? Group::Wait::kEither
                          : limit.account.valid()         ? Group::Wait::kUser
                          : limit.valid()                 ? Group::Wait::kQueue
                                                          : Group::Wait::kRoom;
  backlog_.Block(g, why, limit, lapse);
}

// DaemonSets' pods that have one node ----------------------------------------------------------

bool Attempts::IsPinned(GroupId g) {
  if (!backlog_[g].of_daemon_set) return false;
  const PodId p = backlog_.Head(g);
  return p.valid() && policy::PinnedTo(cluster_, p).valid();
}

bool Attempts::CanReserve(GroupId g) {
  const state::Shape& shape = cluster_.shapes()[backlog_[g].shape];
  return shape.placeable && !LimitedBy(g).valid() &&
         !policy::IsKeptOffForGood(cluster_, shape, policy::PinnedTo(cluster_, backlog_.Head(g)));
}

bool Attempts::TryPinned(GroupId g) {
  const PodId p = backlog_.Head(g);
  const NodeId n = policy::PinnedTo(cluster_, p);
  if (reservations_.FitsWithinLimits(p, n) && TryPod(g)) return true;
  backlog_.PopHead(g);
  ++round_.steps;
  reservations_.Reserve(p, n);
  backlog_.Continue(g);
  return true;
}

void Attempts::BlockPinned(GroupId g) {
  const PodId p = backlog_.Head(g);
  const NodeId n = policy::PinnedTo(cluster_, p);
  const state::Shape& shape = cluster_.shapes()[backlog_[g].shape];
  if (policy::IsKeptOffForGood(cluster_, shape, n)) {
    clashing_pinned_.insert({n, g});
    if (policy::DependsOnDomains(cluster_, shape)) kept_off_.insert(g);
  }
  Block(g, std::nullopt);
}

void Attempts::WakeClashing(const std::vector<NodeId>& touched) {
  if (!touched.empty() && !kept_off_.empty()) {
    for (GroupId g : std::exchange(kept_off_, {})) {
      if (backlog_[g].IsBlocked()) backlog_.MakeReady(g);
    }
  }
  if (clashing_pinned_.empty()) return;
  for (NodeId n : touched) {
    auto at = clashing_pinned_.lower_bound({n, GroupId(0U)});
    for (; at != clashing_pinned_.end() && at->first == n; at = clashing_pinned_.erase(at)) {
      if (backlog_[at->second].IsBlocked()) backlog_.MakeReady(at->second);
    }
  }
}

void Attempts::WakePinned() {
  for (GroupId g : std::exchange(unplaceable_pinned_, {})) {
    if (backlog_[g].wait == Group::Wait::kRoom) backlog_.MakeReady(g);
  }
}

// A limit that lower priorities use up ---------------------------------------------------------

// Whether lower priorities of its queue give their reservations up, so that a limit holds no more.
bool Attempts::LimitYields(GroupId g, state::Trial& trial) {
  if (!reservations_.AnyHolders()) return false;
  for (PodId p : reservations_.HoldersBelow(backlog_[g].queue, backlog_[g].priority)) {
    trial.Release(p);
    if (!LimitedBy(g).valid()) return true;
  }
  trial.UndoTo(0);
  return false;
}

// The same, where it could start then.
bool Attempts::CouldTakeLimit(GroupId g, state::Trial& trial) {
  if (!LimitYields(g, trial)) return false;
  if (IsPinned(g) ? CanReserve(g) : FitsNow(g)) return true;
  trial.UndoTo(0);
  return false;
}

void Attempts::TakeLimit(GroupId g) {
  std::vector<PodId> released;
  {
    state::Trial trial(cluster_);
    if (!CouldTakeLimit(g, trial)) return;
    for (const state::Trial::Step& step : trial.steps()) released.push_back(step.pod);
  }
  ++round_.steps;
  for (PodId p : released) {
    const NodeId n = cluster_.pods()[p].node;
    reservations_.Release(p);
    reservations_.nodes().StayRestless(n);
  }
}

}  // namespace fairlead::engine
