#include "engine/round/reserved_starts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/room/waits_for.h"
#include "engine/round/fewer_pods.h"
#include "policy/limits.h"
#include "policy/queue_order.h"
#include "policy/start_time.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::QueueId;
using state::WorkloadId;

std::optional<Time> ReservedStarts::NextBegin() const {
  std::optional<Time> next;
  for (const Booking& booking : bookings_) {
    if (!booking.at || *booking.at <= asked_at_) continue;
    next = std::min(next.value_or(*booking.at), *booking.at);
  }
  return next;
}

bool ReservedStarts::IsDue(Time now) const {
  return NextBegin().value_or(Time::Max()) <= now || (!IsFull() && next_to_wait_ <= now);
}

bool ReservedStarts::IsFull() const {
  return std::cmp_greater_equal(bookings_.size(), cluster_.configuration().backfill.reservations);
}

std::vector<WorkloadId> ReservedStarts::Start() {
  others_.KeepNothing();
  asked_at_ = round_.now;
  bookings_.clear();
  wants_.clear();
  leaves_with_.clear();
  std::vector<WorkloadId> shown = cluster_.workloads().WithReservation();
  std::sort(shown.begin(), shown.end(), [this](WorkloadId a, WorkloadId b) {
    const Time since_a = cluster_.workloads().reservation(a)->since;
    const Time since_b = cluster_.workloads().reservation(b)->since;
    return since_a != since_b ? since_a < since_b : cluster_.NameOf(a) < cluster_.NameOf(b);
  });
  places_.Start(shown, anybody_waits_);
  for (const WorkloadId w : shown) {
    const RoomStep step = StepOfShown(w);
    if (IsBarred(step)) continue;
    const objects::Reservation& reservation = *cluster_.workloads().reservation(w);
    bool is_due = reservation.at && *reservation.at <= round_.now;
    std::vector<Booking::Seat> seats = places_.SeatsOn(step, reservation, is_due);
    // It may have been put off by others than those that are on loan.
    if (seats.empty() || !is_due) {
      if (std::vector<Booking::Seat> now = CallLoansIn(step, reservation); !now.empty()) {
        seats = std::move(now);
        is_due = true;
      }
    }
    if (seats.empty()) continue;
    Booking booking = places_.BookingFor(step, reservation, std::move(seats));
    booking.is_due = is_due;
    Book(std::move(booking));
  }
  return shown;
}

// Who may have one --------------------------------------------------------------------------------

// REQUIRES: it has work.
WorkloadId ReservedStarts::NextOf(GroupId g) {
  const Group& group = backlog_[g];
  return group.gang.valid() ? group.gang : cluster_.pods()[backlog_.Head(g)].workload;
}

Time ReservedStarts::SinceOf(GroupId g) { return policy::WaitsSince(cluster_, NextOf(g)); }

// Work that could start as far as it itself and its queues are concerned.
bool ReservedStarts::MayHave(GroupId g) {
  const Group& group = backlog_[g];
  if (group.above_minimum || group.of_daemon_set || group.not_before > round_.now) return false;
  if (!group.gang.valid()) {
    return backlog_.Head(g).valid() && TakesWork(cluster_.queues(), group.queue);
  }
  // A gang that is gone leaves its group behind, and its number to another.
  const state::Workload& workload = cluster_.workloads()[group.gang];
  const bool is_there = workload.in_use && !workload.solo() && !workload.started();
  return is_there && backlog_.GroupOfGang(group.gang) == g &&
         (group.outdated ? backlog_.PrepareGang(g) : !group.parts.empty()) &&
         TakesWork(cluster_.queues(), group.queue);
}

bool ReservedStarts::IsEligible(GroupId g) {
  if (!MayHave(g) || cluster_.workloads().reservation(NextOf(g)) != nullptr) return false;
  const auto& backfill = cluster_.configuration().backfill;
  const Time since = SinceOf(g);
  const bool waited = round_.now - since >= backfill.after;
  for (const Duration& wait : {backfill.after, backfill.drain_after}) {
    if (round_.now - since >= wait) continue;
    next_to_wait_ = std::min(next_to_wait_, since + wait);
  }
  return waited;
}

// Of those that are new, or were woken: whether any of them has waited for long enough, and when
// the next will have.
void ReservedStarts::NoteReady() {
  backlog_.ForEachReady([this](GroupId g) { anybody_waits_ = IsEligible(g) || anybody_waits_; });
}

void ReservedStarts::ChooseCandidates() {
  if (cluster_.configuration().backfill.reservations == 0) return;
  NoteReady();
  if (IsFull() || (!anybody_waits_ && round_.now < next_to_wait_)) return;
  if (round_.now < next_to_wait_ && NobodyMayHaveOne()) return;
  anybody_waits_ = false;
  next_to_wait_ = Time::Max();
  std::map<QueueId, std::vector<GroupId>> of_leaf;
  backlog_.AnyWaiting([&](GroupId g) {
    if (!IsEligible(g)) return false;
    anybody_waits_ = true;
    of_leaf[backlog_[g].queue].push_back(g);
    return false;
  });
  for (const Booking& booking : bookings_) leaves_with_.insert(booking.queue);
  std::vector<GroupId> chosen;
  for (const bool with_one : {false, true}) {
    for (auto& [leaf, groups] : of_leaf) {
      if (leaves_with_.contains(leaf) != with_one) continue;
      for (const GroupId g : FirstOf(std::move(groups))) chosen.push_back(g);
    }
    all_leaves_have_ = chosen.empty() || with_one;
    if (!chosen.empty()) break;
  }
  for (const GroupId g : chosen) {
    wants_.insert(g);
    if (backlog_.IsBlocked(g)) backlog_.MakeReady(g);
  }
}

// A drain is there, no moment lies ahead at which there is more room, and nobody has a turn by
// which that could change.
bool ReservedStarts::NobodyMayHaveOne() {
  if (backlog_.HasReady() || !round_.notices.given_up.empty()) return false;
  const bool drains = std::ranges::any_of(bookings_, [](const Booking& b) { return !b.at; });
  return drains && places_.NothingComes();
}

// Those of a leaf that are served first, and not barred by a limit.
std::vector<GroupId> ReservedStarts::FirstOf(std::vector<GroupId> groups) {
  const auto later = [this](GroupId a, GroupId b) {
    return policy::IsServedFirst(cluster_, NextOf(b), NextOf(a));
  };
  // Where a limit is full that is most of them, and they need not be put in order.
  std::erase_if(groups, [this](GroupId g) {
    return !admission_.MayStartWithFewer(g) &&
           policy::FirstBreach(cluster_, NextOf(g), backlog_[g].request).has_value();
  });
  std::make_heap(groups.begin(), groups.end(), later);
  std::vector<GroupId> first;
  while (!groups.empty() && first.size() < kTriesOfALeaf) {
    std::pop_heap(groups.begin(), groups.end(), later);
    const GroupId g = groups.back();
    groups.pop_back();
    if (!IsBarred(LeastStep(g))) first.push_back(g);
  }
  return first;
}

bool ReservedStarts::Wants(GroupId g) const {
  return wants_.contains(g) && !IsFull() &&
         (all_leaves_have_ || !leaves_with_.contains(backlog_[g].queue));
}

// The fewest pods with which it starts; without parts: there is nothing to start.
RoomStep ReservedStarts::LeastStep(GroupId g) {
  const Group& group = backlog_[g];
  if (!group.gang.valid() && !backlog_.Head(g).valid()) return {};
  if (group.gang.valid() && group.parts.empty()) return {};
  if (!admission_.MayStartWithFewer(g)) return backlog_.StepOf(g);
  const RoomStep whole = backlog_.StepOf(g);
  std::vector<std::int32_t> counts;
  for (const state::PodSet& set : cluster_.workloads().gang(group.gang).sets) {
    counts.push_back(set.min_asked);
  }
  return StepWith(cluster_, whole, counts);
}

// Whether it is none, or a limit of its queues keeps it from all room.
bool ReservedStarts::IsBarred(const RoomStep& step) const {
  return step.parts.empty() || policy::FirstBreach(cluster_, step.workload, step.request);
}

// Looking at them ---------------------------------------------------------------------------------

namespace {

// Whether it is told that nothing is kept for it any more: a pod that is to go is not.
bool IsTold(const state::Cluster& cluster, WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  return !workload.solo() || !cluster.pods()[workload.only_pod].leaves();
}

}  // namespace

void ReservedStarts::Decide(WorkloadId w, const Booking* booking) {
  const objects::Reservation* was = cluster_.workloads().reservation(w);
  std::optional<objects::Reservation> is;
  if (booking != nullptr) is = booking->AsShown(cluster_);
  if (was != nullptr && is && *was == *is) return;
  if (was != nullptr) LetGoNodes(*was);
  if (was == nullptr && !is) return;
  std::vector<NodeId> nodes;
  if (booking != nullptr) {
    for (const Booking::Seat& seat : booking->seats) nodes.push_back(seat.node);
  }
  if (is || IsTold(cluster_, w)) {
    ++round_.steps;
    plan_.Reserve(w, is ? is->at : std::nullopt, nodes, is ? is->since : round_.now);
  }
  cluster_.notes().SetReservation(w, is ? &*is : nullptr);
}

// Others, who were refused for its sake, may have room there.
void ReservedStarts::LetGoNodes(const objects::Reservation& reservation) {
  for (const std::string& name : reservation.nodes) {
    const NodeId n = cluster_.nodes().Find(name);
    if (n.valid()) round_.notices.given_up.push_back(n);
  }
}

void ReservedStarts::End(WorkloadId w) {
  TakeOut(w);
  LetGoNodes(*cluster_.workloads().reservation(w));
  cluster_.notes().SetReservation(w, nullptr);
  ended_.push_back(w);
}

// Who has a node shows that nothing else is kept for it. Who only claims room, or had to leave it
// to others in this very plan, has to say so.
void ReservedStarts::Close() {
  for (const WorkloadId w : std::exchange(ended_, {})) {
    const state::Workload& workload = cluster_.workloads()[w];
    if (workload.started() || cluster_.workloads().reservation(w) != nullptr) continue;
    if (IsTold(cluster_, w)) plan_.Reserve(w, std::nullopt, {}, round_.now);
  }
  loans_.FollowHolders();
}

// What of the workload is to have room; without parts: nothing any more.
RoomStep ReservedStarts::StepOfShown(WorkloadId w) {
  const GroupId g = backlog_.GroupOf(w);
  return g.valid() && MayHave(g) ? LeastStep(g) : RoomStep{};
}

void ReservedStarts::Book(Booking booking) {
  const auto at =
      std::upper_bound(bookings_.begin(), bookings_.end(), booking.since,
                       [](Time since, const Booking& other) { return since < other.since; });
  bookings_.insert(at, std::move(booking));
}

Bookings::const_iterator ReservedStarts::BookingOf(WorkloadId w) const {
  return std::ranges::find(bookings_, w, &Booking::workload);
}

std::optional<Booking> ReservedStarts::TakeOut(WorkloadId w) {
  others_.KeepNothing();
  const auto at = BookingOf(w);
  if (at == bookings_.end()) return std::nullopt;
  Booking booking = *at;
  bookings_.erase(at);
  return booking;
}

// Where it has room by now as soon as those leave who were to by now, and are on loan from it: as
// many of them go as it takes. Where its pods stand then; empty: on no nodes, or nobody is due.
std::vector<Booking::Seat> ReservedStarts::CallLoansIn(const RoomStep& step,
                                                       const objects::Reservation& reservation) {
  std::vector<WorkloadId> due = loans_.Due(step.workload);
  const auto seats_without = [&](const std::vector<WorkloadId>& gone) {
    state::Trial trial(cluster_);
    for (const WorkloadId w : gone) LetGo(cluster_, w, trial);
    return places_.SeatsOn(step, reservation, true);
  };
  if (due.empty() || seats_without(due).empty()) return {};
  for (std::size_t i = due.size(); i-- > 0;) {
    std::vector<WorkloadId> fewer = due;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (!seats_without(fewer).empty()) due = std::move(fewer);
  }
  for (const WorkloadId w : due) loans_.CallIn(w, step.workload);
  return places_.SeatsOn(step, reservation, true);
}

// They found room at their turn: what is kept for them is told to be over when they are looked at.
void ReservedStarts::DropStarted() {
  if (std::exchange(dropped_after_, round_.steps) == round_.steps) return;
  std::erase_if(bookings_, [this](const Booking& booking) {
    return cluster_.workloads()[booking.workload].started() ||
           state::HasPlace(cluster_, booking.workload);
  });
}

void ReservedStarts::Renew(WorkloadId w) {
  const std::optional<Booking> as_before = TakeOut(w);
  if (cluster_.workloads()[w].started()) return End(w);
  const Time since = cluster_.workloads().reservation(w)->since;
  const RoomStep step = StepOfShown(w);
  if (IsBarred(step) || IsFull()) return Decide(w, nullptr);
  std::optional<Booking> kept =
      places_.InTime(step, since, as_before ? as_before->at : std::nullopt);
  if (!kept) kept = as_before;
  if (!kept) kept = places_.ByDraining(step, since, SinceOf(backlog_.GroupOf(w)));
  Decide(w, kept ? &*kept : nullptr);
  if (kept) Book(std::move(*kept));
}

void ReservedStarts::Reserve(GroupId g) {
  others_.KeepNothing();
  DropStarted();
  places_.NotePlaced();
  const RoomStep step = LeastStep(g);
  if (step.parts.empty()) return;
  // Of one instant each is later than those before it: whoever reads them keeps their order.
  Time since = round_.now;
  for (const Booking& other : bookings_) since = std::max(since, other.since + Duration{1});
  std::optional<Booking> booking = places_.InTime(step, since, std::nullopt);
  if (!booking) booking = places_.ByDraining(step, since, SinceOf(g));
  wants_.erase(g);
  if (!booking) return;
  Decide(step.workload, &*booking);
  leaves_with_.insert(booking->queue);
  Book(std::move(*booking));
}

const Booking* ReservedStarts::DueOf(GroupId g) {
  const auto at = BookingOf(NextOf(g));
  return at != bookings_.end() && at->is_due ? &*at : nullptr;
}

// What others see ---------------------------------------------------------------------------------

std::vector<bool> ReservedStarts::BindsOn(const Group& group, WorkloadId w) const {
  std::vector<bool> binds;
  binds.reserve(bookings_.size());
  const std::optional<Duration>& limit = cluster_.workloads().run_time(w).limit;
  for (const Booking& booking : bookings_) binds.push_back(others_.Binds(booking, group, w, limit));
  return binds;
}

bool ReservedStarts::KeepClosed(GroupId g) { return others_.KeepClosed(backlog_[g], NextOf(g)); }

std::vector<WorkloadId> ReservedStarts::LendersTo(GroupId g) {
  std::vector<WorkloadId> lenders;
  if (bookings_.empty()) return lenders;
  const Group& group = backlog_[g];
  const WorkloadId w = NextOf(g);
  const std::optional<Duration>& limit = cluster_.workloads().run_time(w).limit;
  for (const Booking& booking : bookings_) {
    const bool lends = loans_.MayHave(group, w, booking) && others_.Binds(booking, group, w, limit);
    if (lends) lenders.push_back(booking.workload);
  }
  if (!lenders.empty() && WaitsForLimit(cluster_, w, group.request)) lenders.clear();
  return lenders;
}

void ReservedStarts::Lend(GroupId g, WorkloadId lender) {
  loans_.Lend(NextOf(g), lender, *BookingOf(lender)->at);
}

bool ReservedStarts::KeepFrom(GroupId g, WorkloadId lender) {
  DropStarted();
  if (bookings_.empty()) return KeepClosed(g);
  std::vector<bool> binds = BindsOn(backlog_[g], NextOf(g));
  for (std::size_t i = 0; i < binds.size(); ++i) {
    if (bookings_[i].workload == lender) binds[i] = false;
  }
  return others_.Keep(backlog_[g], NextOf(g), std::move(binds));
}

bool ReservedStarts::KeepFromLater(GroupId g) {
  DropStarted();
  if (bookings_.empty()) return KeepClosed(g);
  std::vector<bool> binds;
  for (const Booking& booking : bookings_) {
    binds.push_back(others_.Binds(booking, backlog_[g], NextOf(g), std::nullopt));
  }
  return others_.Keep(backlog_[g], NextOf(g), std::move(binds));
}

void ReservedStarts::KeepAllFrom(GroupId g) {
  DropStarted();
  if (bookings_.empty()) {
    KeepClosed(g);
    return;
  }
  const WorkloadId w = NextOf(g);
  std::vector<bool> binds;
  for (const Booking& booking : bookings_) binds.push_back(booking.workload != w);
  others_.Keep(backlog_[g], w, std::move(binds));
}

}  // namespace fairlead::engine
