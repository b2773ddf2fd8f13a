// What is known of the time to come is as of the first question since the start: whoever asks later
// in the round is told the same, whatever has been decided since.

#include "engine/round/reserved_places.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "engine/room/drain.h"
#include "engine/room/room_in_time.h"
#include "engine/room/topology_room.h"
#include "policy/entitlement.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;

void ReservedPlaces::Start(const std::vector<state::WorkloadId>& shown, bool anybody_waits) {
  ends_seen_ = false;
  to_drain_.clear();
  answers_.KeepOf(shown);
  if (!shown.empty() || anybody_waits) return;
  answers_.nodes().Forget();
  ends_.Forget();
}

void ReservedPlaces::Need(state::Journal::Positions& positions) const {
  const NodesInTime& nodes = answers_.nodes();
  const auto need = [](std::uint64_t& position, std::uint64_t needed) {
    position = std::min(position, needed);
  };
  need(positions.touched, nodes.touched_position());
  need(positions.reshaped, nodes.reshaped_position());
  need(positions.workloads, std::min(ends_.workloads_position(), nodes.workloads_position()));
  need(positions.timed, std::min(ends_.timed_position(), nodes.timed_position()));
}

const std::vector<policy::End>& ReservedPlaces::Ends() {
  if (!std::exchange(ends_seen_, true)) {
    ends_.CatchUp(round_.now);
    ended_sums_.Clear();
  }
  return ends_.all();
}

bool ReservedPlaces::NothingComes() {
  if (!NothingElseComes()) return false;
  ends_.CatchUp(round_.now);
  return ends_.all().empty();
}

Booking ReservedPlaces::BookingFor(const RoomStep& step, const objects::Reservation& reservation,
                                   std::vector<Booking::Seat> seats) const {
  const std::optional<Duration> runs = cluster_.workloads().run_time(step.workload).least();
  Booking booking{.workload = step.workload,
                  .queue = step.queue,
                  .priority = step.priority,
                  .within_guarantee = policy::IsEntitled(
                      cluster_.queues(), policy::Right::kGuarantee, step.queue, step.request),
                  .at = reservation.at,
                  .end = Time::Max(),
                  .since = reservation.since,
                  .seats = std::move(seats)};
  if (booking.at && runs) booking.end = *booking.at + *runs;
  return booking;
}

namespace {

// A node, and how many pods it is to take at most.
struct Seats {
  NodeId node;
  std::int32_t left = 0;
};

// As many of the parts' pods as the nodes hold, each filled before the next. Whether all are.
bool Fill(Placer& placer, const RoomStep& step, std::vector<Seats> nodes, state::Trial& trial) {
  const std::size_t mark = trial.Mark();
  for (const GangPart& part : step.parts) {
    std::int64_t placed = 0;
    for (Seats& each : nodes) {
      while (each.left > 0 && placed < part.count() &&
             placer.Fits(part.shape, each.node, state::When::kLater)) {
        PutPod(trial, step.workload, part, placed++, each.node, state::When::kLater);
        --each.left;
      }
    }
    if (placed == part.count()) continue;
    trial.UndoTo(mark);
    return false;
  }
  return true;
}

}  // namespace

// Where the step's pods stand on the nodes that are kept for it, once those have left who are told
// to by then, or nobody but those who leave already; empty: they find no place there any more.
std::vector<Booking::Seat> ReservedPlaces::SeatsOn(const RoomStep& step,
                                                   const objects::Reservation& reservation,
                                                   bool is_due) {
  const bool may_know = !is_due && !round_.windows.any();
  const std::vector<Booking::Seat>* known =
      may_know ? answers_.Seats(step, reservation, bookings_) : nullptr;
  if (known == nullptr) {
    std::vector<Booking::Seat> seats = FindSeats(step, reservation, is_due);
    if (may_know && !seats.empty()) answers_.KeepSeats(step, reservation, bookings_, seats);
    return seats;
  }
  DCHECK(*known == FindSeats(step, reservation, is_due));
  return *known;
}

std::vector<Booking::Seat> ReservedPlaces::FindSeats(const RoomStep& step,
                                                     const objects::Reservation& reservation,
                                                     bool is_due) {
  constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::max();
  const bool says_how_many = reservation.pods.size() == reservation.nodes.size();
  const Time at = std::max(round_.now, reservation.at.value_or(round_.now));
  const policy::Windows::Start start = policy::Windows::StartOf(cluster_, step.workload, at);
  std::vector<Seats> nodes;
  for (std::size_t i = 0; i < reservation.nodes.size(); ++i) {
    const NodeId n = cluster_.nodes().Find(reservation.nodes[i]);
    if (!n.valid() || !cluster_.nodes().exists(n) || round_.windows.IsClosed(n, start)) return {};
    nodes.push_back({n, says_how_many ? reservation.pods[i] : kAny});
  }
  state::Trial trial(cluster_);
  for (const auto& [n, left] : nodes) {
    if (is_due) break;
    for (const PodId p : std::vector<PodId>(cluster_.nodes().pods(n))) {
      if (LeavesBefore(cluster_, p, step.workload, reservation.at, reservation.since)) {
        trial.Evict(p);
      }
    }
  }
  const bool by_itself = answers_.StandsByItself(step);
  for (const Booking& booking : bookings_) {
    if (!booking.IsThereWhenBegins(reservation.at)) continue;
    for (const Booking::Seat& seat : booking.seats) {
      const bool matters =
          !by_itself || std::ranges::find(nodes, seat.node, &Seats::node) != nodes.end();
      if (matters) TakeSeat(booking, seat, state::When::kLater, trial);
    }
  }
  const std::size_t mark = trial.Mark();
  if (!Fill(placer_, step, nodes, trial)) {
    for (Seats& each : nodes) each.left = kAny;
    if (!says_how_many || !Fill(placer_, step, nodes, trial)) return {};
  }
  return SeatsOf(cluster_, trial, mark);
}

// Whether no moment lies ahead but by ends.
bool ReservedPlaces::NothingElseComes() const {
  return !round_.windows.any() &&
         std::ranges::none_of(bookings_, [](const Booking& b) { return b.at.has_value(); });
}

// Whether its queue stays within its guarantee or fair share with it, as the state is.
bool ReservedPlaces::MayHave(const RoomStep& step) const {
  using policy::Right;
  return policy::IsEntitled(cluster_.queues(), Right::kGuarantee, step.queue, step.request) ||
         policy::IsEntitled(cluster_.queues(), Right::kShare, step.queue, step.request);
}

// The same when all that its queue has has left.
bool ReservedPlaces::MightEverHave(const RoomStep& step) const {
  state::Amounts left;
  for (const state::Amount& a : step.request) {
    const std::int64_t has =
        cluster_.queues().Get(step.queue, state::Figure::kAllocated, a.resource);
    left.push_back({a.resource, -has});
  }
  state::KeptBack gone(cluster_);
  gone.Allocate(step.queue, left);
  return MayHave(step);
}

const std::vector<NodeId>& ReservedPlaces::NodesToDrain() {
  if (std::exchange(to_drain_after_, round_.steps) != round_.steps) to_drain_.clear();
  if (to_drain_.empty()) to_drain_ = ByWhatIsLeft(cluster_, round_.now);
  return to_drain_;
}

// The earliest time at which it has its room by what is known, where that is before `before`.
std::optional<Booking> ReservedPlaces::InTime(const RoomStep& step, Time since,
                                              std::optional<Time> before) {
  const std::vector<policy::End>& ends = Ends();
  const Time first = ends.empty() ? Time::Max() : ends.front().at;
  if (before && *before <= first && !round_.windows.any()) return std::nullopt;
  if (ends.empty() && NothingElseComes()) return std::nullopt;
  const bool in_vain = answers_.InVain(step, bookings_, round_.now, before.value_or(Time::Max()));
  const MayHaveThen within_its_share = [this](const RoomStep& asked) { return MayHave(asked); };
  // What is on loan from it and was to end by now gives way whenever it begins: that such work runs
  // longer than it said puts nobody off.
  state::Trial trial(cluster_);
  for (const state::WorkloadId w : DueTo(cluster_, step.workload, round_.now)) {
    LetGo(cluster_, w, trial);
  }
  const bool all_stays = trial.steps().empty();
  const Followed followed{
      .ends = ends_, .nodes = answers_.nodes(), .sums = ended_sums_, .only = answers_.Only()};
  const TimeToCome time{.ends = ends,
                        .bookings = bookings_,
                        .windows = round_.windows,
                        .now = round_.now,
                        .until = before.value_or(Time::Max()),
                        .followed = all_stays ? &followed : nullptr};
  if (in_vain && all_stays) {
    DCHECK(!FirstRoom(placer_, cluster_, step, time, within_its_share));
    return std::nullopt;
  }
  bool by_nodes = false;
  std::optional<RoomInTime> room =
      FirstRoom(placer_, cluster_, step, time, within_its_share, &by_nodes);
  trial.UndoTo(0);
  if (!room) {
    if (by_nodes && all_stays) answers_.KeepInVain(step, bookings_, time.until);
    return std::nullopt;
  }
  Booking booking = BookingFor(step, {.at = room->at, .nodes = {}, .pods = {}, .since = since},
                               std::move(room->seats));
  // As whoever starts anew finds it by the names of its nodes.
  std::vector<Booking::Seat> seats = SeatsOn(step, booking.AsShown(cluster_), false);
  if (!seats.empty()) booking.seats = std::move(seats);
  return booking;
}

std::optional<Booking> ReservedPlaces::ByDraining(const RoomStep& step, Time since,
                                                  Time waits_since) {
  const auto& backfill = cluster_.configuration().backfill;
  if (round_.now - waits_since < backfill.drain_after || !MayDrainFor(cluster_, step))
    return std::nullopt;
  const bool another = std::ranges::any_of(bookings_, [](const Booking& b) { return !b.at; });
  if (another || !MightEverHave(step) || !MightEverFit(cluster_, placer_, step)) {
    return std::nullopt;
  }
  const std::vector<NodeId>& nodes = NodesToDrain();
  state::KeptBack closed(cluster_);
  const policy::Windows::Start start =
      policy::Windows::StartOf(cluster_, step.workload, round_.now);
  round_.windows.Close(round_.windows.ClosedTo(start), closed);
  std::vector<Booking::Seat> seats =
      SeatsByDraining(placer_, cluster_, step, bookings_, nodes,
                      [this](const RoomStep& asked) { return MayHave(asked); });
  if (seats.empty()) return std::nullopt;
  return BookingFor(step, {.at = std::nullopt, .nodes = {}, .pods = {}, .since = since},
                    std::move(seats));
}

}  // namespace fairlead::engine
