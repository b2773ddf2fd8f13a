// What a reservation keeps of a node is not the room itself, which others use until it begins. It
// is what is left for those who would still be there then:
//
//   spare = free now + what is to end by then − what it keeps itself, and what others keep then
//
// Of who has come since it was kept a word on how long he takes is not enough for that: those whom
// he makes room for would put it off when he takes longer.
//
// Whoever ends in time sees all that is free; everybody else no more than the spare part.
//
// Worked: n2 has 8 GPUs, b runs on 4 of them until 12:00, G is to have all 8 at 12:00. Free are 4,
// spare 4 + 4 − 8 = 0: who runs beyond 12:00 finds nothing there, who ends by then finds 4.

#include "engine/room/booking.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "policy/run_time.h"

namespace fairlead::engine {

using state::NodeId;
using state::PodId;
using state::WorkloadId;

objects::Reservation Booking::AsShown(const state::Cluster& cluster) const {
  std::map<std::string_view, std::int32_t> pods;
  for (const Seat& seat : seats) ++pods[cluster.nodes().name(seat.node)];
  objects::Reservation shown{.at = at, .nodes = {}, .pods = {}, .since = since};
  for (const auto& [node, count] : pods) {
    shown.nodes.emplace_back(node);
    shown.pods.push_back(count);
  }
  // Of a pod by itself there is nothing to be told.
  if (seats.size() == 1) shown.pods.clear();
  return shown;
}

namespace {

bool GivesWayTo(const state::Cluster& cluster, WorkloadId w, WorkloadId holder, Time at) {
  const objects::Loan* loan = cluster.workloads().loan(w);
  return loan != nullptr && loan->until <= at && loan->holder == cluster.NameOf(holder);
}

}  // namespace

std::vector<WorkloadId> DueTo(const state::Cluster& cluster, WorkloadId holder, Time now) {
  std::vector<WorkloadId> due = cluster.workloads().OnLoan();
  std::erase_if(due, [&](WorkloadId w) { return !GivesWayTo(cluster, w, holder, now); });
  return due;
}

bool LeavesBefore(const state::Cluster& cluster, PodId p, WorkloadId holder, std::optional<Time> at,
                  Time since) {
  const state::Pod& pod = cluster.pods()[p];
  if (!pod.live() || pod.foreign || pod.of_daemon_set()) return false;
  if (!at) return cluster.workloads()[pod.workload].start < since;
  if (GivesWayTo(cluster, pod.workload, holder, *at)) return true;
  const std::optional<Time> end = policy::ToldEnd(cluster, pod.workload);
  return end && *end <= *at;
}

namespace {

// Amounts of a node, GPUs in whole devices beside the rest.
struct Room {
  std::vector<std::int64_t> of;  // by resource
  std::int64_t devices = 0;

  void Add(const state::Shape& shape, std::int64_t times) {
    for (const state::Amount& a : shape.request) of[a.resource.value()] += times * a.amount;
    devices += times * shape.whole_gpus;
  }
};

// A share of a device that is kept may come to stand on a device of its own.
void Keep(const state::Shape& shape, Room& room) {
  room.Add(shape, -1);
  if (shape.gpu_milli > 0) room.devices -= 1;
}

// The seats of a booking on a node.
struct SeatsThere {
  NodeId node;
  std::size_t booking = 0;
  std::span<const Booking::Seat> seats;
};

// Sorted by node, and by booking on each.
std::vector<SeatsThere> ByNode(const Bookings& bookings) {
  std::vector<SeatsThere> there;
  for (std::size_t i = 0; i < bookings.size(); ++i) {
    std::span<const Booking::Seat> rest = bookings[i].seats;
    while (!rest.empty()) {
      const NodeId n = rest.front().node;
      const auto next =
          std::ranges::find_if(rest, [n](const auto& seat) { return seat.node != n; });
      const auto count = static_cast<std::size_t>(next - rest.begin());
      there.push_back({n, i, rest.first(count)});
      rest = rest.subspan(count);
    }
  }
  std::ranges::stable_sort(there, {}, &SeatsThere::node);
  return there;
}

// As above, where others rely on it.
bool SurelyLeavesBefore(const state::Cluster& cluster, PodId p, const Booking& booking) {
  if (!LeavesBefore(cluster, p, booking.workload, booking.at, booking.since)) return false;
  const WorkloadId w = cluster.pods()[p].workload;
  const Time start = cluster.workloads()[w].start;
  if (start < booking.since || GivesWayTo(cluster, w, booking.workload, *booking.at)) return true;
  const std::optional<Duration>& limit = cluster.workloads().run_time(w).limit;
  return limit && start + *limit <= *booking.at;
}

// What is free on the node when the booking has begun, and others that have their room then.
Room SpareOn(const state::Cluster& cluster, const Bookings& bookings, std::size_t index,
             std::span<const SeatsThere> there) {
  const Booking& booking = bookings[index];
  const NodeId n = there.front().node;
  const std::int64_t* later = cluster.nodes().later(n);
  Room room{.of = {later, later + cluster.nodes().stride()},
            .devices = later[state::kGpuWhole.value()]};
  for (const PodId p : cluster.nodes().pods(n)) {
    if (booking.is_due || !SurelyLeavesBefore(cluster, p, booking)) continue;
    room.Add(cluster.shapes()[cluster.pods()[p].shape], +1);
  }
  for (const SeatsThere& of : there) {
    const Booking& other = bookings[of.booking];
    const bool is_there = of.booking == index || other.IsThereWhenBegins(booking.at);
    if (!is_there || !other.is_counted) continue;
    for (const Booking::Seat& seat : of.seats) Keep(cluster.shapes()[seat.shape], room);
  }
  return room;
}

state::Amounts WithheldOn(const state::Cluster& cluster, const Bookings& bookings,
                          const std::vector<bool>& binds, std::span<const SeatsThere> there) {
  const std::int64_t* later = cluster.nodes().later(there.front().node);
  std::vector<std::int64_t> withheld(cluster.nodes().stride(), 0);
  for (const SeatsThere& of : there) {
    if (!binds[of.booking]) continue;
    const Room spare = SpareOn(cluster, bookings, of.booking, there);
    const auto raise = [&](state::ResourceId r, std::int64_t free, std::int64_t left,
                           std::int64_t unit) {
      const std::int64_t more = std::max<std::int64_t>(0, free) - std::max<std::int64_t>(0, left);
      withheld[r.value()] = std::max(withheld[r.value()], more * unit);
    };
    for (std::uint32_t r = 0; r < withheld.size(); ++r) {
      const state::ResourceId resource(r);
      if (state::IsInternal(resource) || resource == state::kGpu) continue;
      raise(resource, later[r], spare.of[r], 1);
    }
    raise(state::kGpu, later[state::kGpuWhole.value()], spare.devices, 1000);
  }
  state::Amounts amounts;
  for (std::uint32_t r = 0; r < withheld.size(); ++r) {
    if (withheld[r] > 0) amounts.push_back({state::ResourceId(r), withheld[r]});
  }
  return amounts;
}

}  // namespace

void KeepFor(const state::Cluster& cluster, const Bookings& bookings,
             const std::vector<bool>& binds, state::KeptBack& kept) {
  const std::vector<SeatsThere> all = ByNode(bookings);
  for (auto at = all.begin(); at != all.end();) {
    const auto next = std::find_if(
        at, all.end(), [at](const SeatsThere& other) { return other.node != at->node; });
    const std::span<const SeatsThere> there(at, next);
    at = next;
    const bool binds_here =
        std::ranges::any_of(there, [&](const SeatsThere& of) { return binds[of.booking]; });
    if (binds_here) {
      kept.Keep(there.front().node, WithheldOn(cluster, bookings, binds, there));
    }
  }
}

void TakeSeat(const Booking& booking, const Booking::Seat& seat, state::When when,
              state::Trial& trial) {
  if (seat.pod.valid()) {
    trial.Put(seat.pod, seat.node, when);
  } else {
    trial.PutExpected(booking.workload, seat.pod_set, seat.node, when);
  }
}

void TakeSeats(const Booking& booking, state::Trial& trial) {
  for (const Booking::Seat& seat : booking.seats) {
    TakeSeat(booking, seat, state::When::kLater, trial);
  }
}

std::vector<Booking::Seat> SeatsFor(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    state::Trial& trial) {
  const std::size_t mark = trial.Mark();
  std::vector<Booking::Seat> seats;
  if (PlaceGang(placer, cluster, step.workload, step.parts, state::When::kLater, trial) ==
      GangVerdict::kPlaced) {
    seats = SeatsOf(cluster, trial, mark);
  }
  trial.UndoTo(mark);
  return seats;
}

std::vector<Booking::Seat> SeatsOf(const state::Cluster& cluster, const state::Trial& trial,
                                   std::size_t mark) {
  std::vector<Booking::Seat> seats;
  for (std::size_t i = mark; i < trial.steps().size(); ++i) {
    const state::Trial::Step& step = trial.steps()[i];
    const state::Pod& pod = cluster.pods()[step.pod];
    seats.push_back({.node = step.node,
                     .shape = pod.shape,
                     .pod_set = pod.pod_set,
                     .pod = pod.expected ? PodId() : step.pod});
  }
  std::ranges::stable_sort(seats, {}, &Booking::Seat::node);
  return seats;
}

void LetPodGo(const state::Cluster& cluster, PodId p, state::Trial& trial) {
  const state::Pod& pod = cluster.pods()[p];
  if (pod.claims()) {
    trial.Release(p);
  } else if (pod.live()) {
    trial.Evict(p);
  }
}

void LetGo(const state::Cluster& cluster, WorkloadId w, state::Trial& trial) {
  const state::Workload& workload = cluster.workloads()[w];
  if (workload.solo()) return LetPodGo(cluster, workload.only_pod, trial);
  for (const state::PodSet& set : cluster.workloads().gang(w).sets) {
    // By a copy: a claim that is given up leaves the list.
    for (const PodId p : std::vector<PodId>(set.pods)) LetPodGo(cluster, p, trial);
  }
}

}  // namespace fairlead::engine
