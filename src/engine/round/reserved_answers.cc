#include "engine/round/reserved_answers.h"

#include <algorithm>

#include "base/random.h"
#include "base/sorted_set.h"

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
  add(booking.since.us);
  add(booking.is_due ? 1 : 0);
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

// Nothing but nodes may have changed since.
bool ReservedAnswers::IsOf(const Vain& vain, const RoomStep& step, std::uint64_t others,
                           Time until) const {
  const state::RunTime& run_time = cluster_.workloads().run_time(step.workload);
  return vain.until == until && vain.others == others && vain.asked == PodsOf(step, vain.shape) &&
         vain.runs == run_time.least() && vain.limit == run_time.limit &&
         nodes_.ChangedSince(vain.after).has_value();
}

bool ReservedAnswers::StillInVain(Vain& vain, Time until) {
  const auto changed = nodes_.ChangedSince(vain.after);
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

// Of those that changed. Those that hold one now are looked at, too, as what is kept there is to be
// seen.
void ReservedAnswers::FindOnly(const Vain& vain, Time now, Time until) {
  only_.clear();
  const auto changed = nodes_.ChangedSince(vain.after);
  for (const NodeId n : *changed) {
    const Time first = nodes_.FirstOn(vain.shape, n);
    if (first < until) only_.emplace_back(first, n);
  }
  if (only_.empty()) return;
  const auto now_holding = nodes_.Before(vain.shape, now + Duration{1});
  only_.insert(only_.end(), now_holding.begin(), now_holding.end());
  MakeSet(only_);
}

bool ReservedAnswers::InVain(const RoomStep& step, const Bookings& bookings, Time now, Time until) {
  nodes_.CatchUp();
  knows_only_ = false;
  const std::uint64_t others = MarkOf(bookings);
  const auto known = vain_.find(step.workload);
  if (known != vain_.end()) {
    Vain& vain = known->second;
    const bool holds = IsOf(vain, step, others, until);
    if (holds && vain.none) {
      FindOnly(vain, now, until);
      knows_only_ = !only_.empty();
      if (!knows_only_) vain.after = nodes_.changes();
      return !knows_only_;
    }
    if (holds && StillInVain(vain, until)) return true;
    vain_.erase(known);
  }
  const std::vector<TakenOn> taken = TakenBefore(cluster_, step, bookings, now, until);
  for (const GangPart& part : step.parts) {
    const std::int64_t asked = PodsOf(step, part.shape);
    std::int64_t most = 0;
    for (const auto& [first, n] : nodes_.Before(part.shape, until)) {
      most += std::min(asked, nodes_.MostOn(part.shape, n, until, taken));
      if (most >= asked) break;
    }
    if (most >= asked) continue;
    Vain vain = VainOf(step, part.shape, others, until);
    vain.most = most;
    vain_.emplace(step.workload, vain);
    return true;
  }
  return false;
}

ReservedAnswers::Vain ReservedAnswers::VainOf(const RoomStep& step, ShapeId shape,
                                              std::uint64_t others, Time until) const {
  return {.after = nodes_.changes(),
          .others = others,
          .runs = cluster_.workloads().run_time(step.workload).least(),
          .limit = cluster_.workloads().run_time(step.workload).limit,
          .until = until,
          .shape = shape,
          .asked = PodsOf(step, shape),
          .most = 0};
}

// However many the nodes hold at any of these moments, beside what is kept on them: it is one less
// than all, at most. A refusal that lapses changes no node.
void ReservedAnswers::KeepInVain(const RoomStep& step, const Bookings& others, Time until) {
  if (cluster_.refusals().NextEnd()) return;
  Vain vain = VainOf(step, step.parts.front().shape, MarkOf(others), until);
  vain.most = vain.asked - 1;
  vain.none = vain.most == 0;
  vain_.insert_or_assign(step.workload, vain);
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

void ReservedAnswers::Forget() {
  nodes_.Forget();
  vain_.clear();
  knows_only_ = false;
  only_.clear();
  seated_.clear();
}

void ReservedAnswers::KeepOf(const std::vector<WorkloadId>& workloads) {
  const auto gone = [&](const auto& known) {
    return std::ranges::find(workloads, known.first) == workloads.end();
  };
  std::erase_if(vain_, gone);
  std::erase_if(seated_, gone);
}

}  // namespace fairlead::engine
