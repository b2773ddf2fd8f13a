#include "engine/round/reserved_starts.h"

#include <algorithm>
#include <utility>

#include "engine/room/waits_for.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
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
  return NextBegin().value_or(Time::Max()) <= now || candidates_.IsDue(now);
}

std::vector<WorkloadId> ReservedStarts::Start() {
  others_.KeepNothing();
  asked_at_ = round_.now;
  bookings_.clear();
  candidates_.Start();
  std::vector<WorkloadId> shown = cluster_.workloads().WithReservation();
  std::sort(shown.begin(), shown.end(), [this](WorkloadId a, WorkloadId b) {
    const Time since_a = cluster_.workloads().reservation(a)->since;
    const Time since_b = cluster_.workloads().reservation(b)->since;
    return since_a != since_b ? since_a < since_b : cluster_.NameOf(a) < cluster_.NameOf(b);
  });
  places_.Start(shown, candidates_.AnybodyWaits());
  for (const WorkloadId w : shown) {
    const RoomStep step = StepOfShown(w);
    if (candidates_.IsBarred(step)) continue;
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

std::vector<state::ShapeId> ReservedStarts::ShapesOfSeats() const {
  std::vector<state::ShapeId> shapes;
  for (const Booking& booking : bookings_) {
    for (const Booking::Seat& seat : booking.seats) shapes.push_back(seat.shape);
  }
  return shapes;
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
  return g.valid() && candidates_.MayHave(g) ? candidates_.LeastStep(g) : RoomStep{};
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
  if (candidates_.IsBarred(step) || candidates_.IsFull()) return Decide(w, nullptr);
  std::optional<Booking> kept =
      places_.InTime(step, since, as_before ? as_before->at : std::nullopt);
  if (!kept) kept = as_before;
  if (!kept) kept = places_.ByDraining(step, since, candidates_.SinceOf(backlog_.GroupOf(w)));
  Decide(w, kept ? &*kept : nullptr);
  if (kept) Book(std::move(*kept));
}

void ReservedStarts::Reserve(GroupId g) {
  others_.KeepNothing();
  DropStarted();
  places_.NotePlaced();
  const RoomStep step = candidates_.LeastStep(g);
  if (step.parts.empty()) return;
  // Of one instant each is later than those before it: whoever reads them keeps their order.
  Time since = round_.now;
  for (const Booking& other : bookings_) since = std::max(since, other.since + Duration{1});
  std::optional<Booking> booking = places_.InTime(step, since, std::nullopt);
  if (!booking) booking = places_.ByDraining(step, since, candidates_.SinceOf(g));
  candidates_.Serve(g, booking.has_value());
  if (!booking) return;
  Decide(step.workload, &*booking);
  Book(std::move(*booking));
}

const Booking* ReservedStarts::DueOf(GroupId g) {
  const auto at = BookingOf(NextOf(cluster_, backlog_, g));
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

bool ReservedStarts::KeepClosed(GroupId g) {
  return others_.KeepClosed(backlog_[g], NextOf(cluster_, backlog_, g));
}

std::vector<WorkloadId> ReservedStarts::LendersTo(GroupId g) {
  std::vector<WorkloadId> lenders;
  if (bookings_.empty()) return lenders;
  const Group& group = backlog_[g];
  const WorkloadId w = NextOf(cluster_, backlog_, g);
  const std::optional<Duration>& limit = cluster_.workloads().run_time(w).limit;
  for (const Booking& booking : bookings_) {
    const bool lends = loans_.MayHave(group, w, booking) && others_.Binds(booking, group, w, limit);
    if (lends) lenders.push_back(booking.workload);
  }
  if (!lenders.empty() && WaitsForLimit(cluster_, w, group.request)) lenders.clear();
  return lenders;
}

void ReservedStarts::Lend(GroupId g, WorkloadId lender) {
  loans_.Lend(NextOf(cluster_, backlog_, g), lender, *BookingOf(lender)->at);
}

bool ReservedStarts::KeepFrom(GroupId g, WorkloadId lender) {
  DropStarted();
  if (bookings_.empty()) return KeepClosed(g);
  const WorkloadId w = NextOf(cluster_, backlog_, g);
  std::vector<bool> binds = BindsOn(backlog_[g], w);
  for (std::size_t i = 0; i < binds.size(); ++i) {
    if (bookings_[i].workload == lender) binds[i] = false;
  }
  return others_.Keep(backlog_[g], w, std::move(binds));
}

bool ReservedStarts::KeepFromLater(GroupId g) {
  DropStarted();
  const WorkloadId w = NextOf(cluster_, backlog_, g);
  std::vector<bool> binds;
  for (const Booking& booking : bookings_) {
    binds.push_back(others_.Binds(booking, backlog_[g], w, std::nullopt));
  }
  const bool binds_others = std::exchange(asked_with_, binds) != binds;
  const bool others_closed = bookings_.empty() ? others_.KeepClosed(backlog_[g], w)
                                               : others_.Keep(backlog_[g], w, std::move(binds));
  return binds_others || others_closed;
}

void ReservedStarts::KeepAllFrom(GroupId g) {
  DropStarted();
  if (bookings_.empty()) {
    KeepClosed(g);
    return;
  }
  const WorkloadId w = NextOf(cluster_, backlog_, g);
  std::vector<bool> binds;
  for (const Booking& booking : bookings_) binds.push_back(booking.workload != w);
  others_.Keep(backlog_[g], w, std::move(binds));
}

}  // namespace fairlead::engine
