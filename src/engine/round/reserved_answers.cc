#include "engine/round/reserved_answers.h"

#include <algorithm>

#include "base/random.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;
using state::WorkloadId;

namespace {

std::uint64_t MarkOf(const Booking& booking) {
  std::uint64_t mark = Stir(booking.workload.value());
  const auto add = [&mark](std::int64_t more) {
    mark = Stir(mark) + static_cast<std::uint64_t>(more);
  };
  add(booking.at ? booking.at->us : -1);
  add(booking.end.us);
  for (const Booking::Seat& seat : booking.seats) {
    add(seat.node.value());
    add(seat.shape.value());
  }
  return Stir(mark);
}

// In whatever order they stand.
std::uint64_t MarkOf(const Bookings& bookings) {
  std::uint64_t mark = 0;
  for (const Booking& booking : bookings) mark += MarkOf(booking);
  return mark;
}

bool SameParts(const std::vector<GangPart>& a, const std::vector<GangPart>& b) {
  return std::ranges::equal(a, b, [](const GangPart& x, const GangPart& y) {
    return x.pod_set == y.pod_set && x.shape == y.shape && x.pods == y.pods &&
           x.expected == y.expected;
  });
}

}  // namespace

bool ReservedAnswers::StillInVain(Vain& vain, const RoomStep& step, std::uint64_t others,
                                  Time until) {
  if (vain.until != until || vain.others != others || vain.asked != PodsOf(step, vain.shape) ||
      vain.runs != cluster_.workloads().run_time(step.workload).least()) {
    return false;
  }
  const auto changed = nodes_.ChangedSince(vain.after);
  if (!changed) return false;
  // What these held before may be counted already: that leaves an upper bound.
  for (const NodeId n : *changed) {
    if (nodes_.FirstOn(vain.shape, n) < until) {
      vain.most += std::min(vain.asked, nodes_.MostOn(vain.shape, n, until));
    }
    if (vain.most >= vain.asked) return false;
  }
  vain.after = nodes_.changes();
  return true;
}

bool ReservedAnswers::InVain(const RoomStep& step, const Bookings& bookings, Time now, Time until) {
  nodes_.CatchUp();
  const std::uint64_t others = MarkOf(bookings);
  const auto known = vain_.find(step.workload);
  if (known != vain_.end()) {
    if (StillInVain(known->second, step, others, until)) return true;
    vain_.erase(known);
  }
  const std::vector<TakenOn> taken = TakenBefore(cluster_, step, bookings, now, until);
  for (const GangPart& part : step.parts) {
    const std::int64_t asked = PodsOf(step, part.shape);
    std::int64_t most = 0;
    for (const NodeId n : nodes_.Before(part.shape, until)) {
      most += std::min(asked, nodes_.MostOn(part.shape, n, until, taken));
      if (most >= asked) break;
    }
    if (most >= asked) continue;
    vain_.emplace(step.workload, Vain{.after = nodes_.changes(),
                                      .others = others,
                                      .runs = cluster_.workloads().run_time(step.workload).least(),
                                      .until = until,
                                      .shape = part.shape,
                                      .asked = asked,
                                      .most = most});
    return true;
  }
  return false;
}

bool ReservedAnswers::StandsByItself(const RoomStep& step) const {
  return std::ranges::all_of(step.parts, [this](const GangPart& part) {
    return AsksRoomAlone(cluster_.shapes()[part.shape]);
  });
}

// Of those who have their room when it begins: where they stand on its nodes.
std::uint64_t ReservedAnswers::ThereWhenBegins(const std::vector<Booking::Seat>& seats,
                                               const objects::Reservation& reservation,
                                               const Bookings& others) const {
  std::uint64_t mark = 0;
  for (const Booking& other : others) {
    if (!other.IsThereWhenBegins(reservation.at)) continue;
    for (const Booking::Seat& seat : other.seats) {
      if (!std::ranges::binary_search(seats, seat.node, {}, &Booking::Seat::node)) continue;
      mark += Stir(Stir(Stir(other.workload.value()) + seat.node.value()) + seat.shape.value());
    }
  }
  return mark;
}

const std::vector<Booking::Seat>* ReservedAnswers::Seats(const RoomStep& step,
                                                         const objects::Reservation& reservation,
                                                         const Bookings& others) {
  const auto known = seated_.find(step.workload);
  if (known == seated_.end() || cluster_.refusals().NextEnd()) return nullptr;
  nodes_.CatchUp();
  const Seated& seated = known->second;
  const bool same_nodes = std::ranges::all_of(seated.seats, [&](const Booking::Seat& seat) {
    return nodes_.ChangedAt(seat.node) <= seated.after;
  });
  const bool holds = same_nodes && seated.reservation == reservation &&
                     SameParts(seated.parts, step.parts) &&
                     seated.others == ThereWhenBegins(seated.seats, reservation, others);
  return holds ? &seated.seats : nullptr;
}

void ReservedAnswers::KeepSeats(const RoomStep& step, const objects::Reservation& reservation,
                                const Bookings& others, const std::vector<Booking::Seat>& seats) {
  seated_.erase(step.workload);
  if (!StandsByItself(step) || cluster_.refusals().NextEnd()) return;
  // On further nodes there is room that it does not take.
  std::size_t nodes = 0;
  NodeId last;
  for (const Booking::Seat& seat : seats) {
    if (seat.node != last) ++nodes;
    last = seat.node;
  }
  if (nodes != reservation.nodes.size()) return;
  nodes_.CatchUp();
  seated_.emplace(step.workload, Seated{.after = nodes_.changes(),
                                        .others = ThereWhenBegins(seats, reservation, others),
                                        .parts = step.parts,
                                        .reservation = reservation,
                                        .seats = seats});
}

void ReservedAnswers::KeepOf(const std::vector<WorkloadId>& workloads) {
  const auto gone = [&](const auto& known) {
    return std::ranges::find(workloads, known.first) == workloads.end();
  };
  std::erase_if(vain_, gone);
  std::erase_if(seated_, gone);
}

}  // namespace fairlead::engine
