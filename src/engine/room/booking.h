#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"
#include "state/kept_back.h"
#include "state/trial.h"

namespace fairlead::engine {

// A reservation with its places: which pods of a workload that waits are to stand where, and from
// when until when they keep the room (time.md §2).
struct Booking {
  struct Seat {
    state::NodeId node;
    state::ShapeId shape;
    std::uint16_t pod_set = 0;
    state::PodId pod;  // invalid: one that is yet to be made
    bool operator==(const Seat&) const = default;
  };
  state::WorkloadId workload;
  state::QueueId queue;
  std::int32_t priority = 0;
  bool within_guarantee = false;  // its queue is, with it
  std::optional<Time> at;         // absent: a drain, nobody knows when it starts
  Time end = Time::Max();         // as it is expected
  Time since;                     // it is kept
  std::vector<Seat> seats;        // sorted by node
  bool is_due = false;            // only those who are leaving already are still in its way
  // Beside what is free: not where its pods stand there in the trial at hand.
  bool is_counted = true;

  bool IsActiveAt(Time t) const { return at && *at <= t && t < end; }
  // Whether it has its room when another begins; when a drain does nobody knows, and each that will
  // have its some day counts.
  bool IsThereWhenBegins(std::optional<Time> other) const {
    return other ? IsActiveAt(*other) : at.has_value();
  }
  // Its nodes by name, and how many of its pods stand on each.
  objects::Reservation AsShown(const state::Cluster& cluster) const;
};

// Those that are kept, the oldest first.
using Bookings = std::vector<Booking>;

// Who runs in room that is kept for the workload, and gives way to it by now, whether or not it
// ends: by number.
std::vector<state::WorkloadId> DueTo(const state::Cluster& cluster, state::WorkloadId holder,
                                     Time now);

// Whether the pod, which runs, is to have left when the reservation of the workload begins: by what
// is said of its end, or since it is on loan from there; of what nobody knows when it begins, all
// that ran before it was kept.
bool LeavesBefore(const state::Cluster& cluster, state::PodId p, state::WorkloadId holder,
                  std::optional<Time> at, Time since);

// Keeps back what nobody may take who still runs when these begin, so that they find their room
// then: on each of their nodes the most that any of those in `binds` needs, beside what is not free
// as the state stands.
// Cost: the pods of these nodes × the bookings.
void KeepFor(const state::Cluster& cluster, const Bookings& bookings,
             const std::vector<bool>& binds, state::KeptBack& kept);

// A pod of a booking stands in its seat. REQUIRES: it waits.
void TakeSeat(const Booking& booking, const Booking::Seat& seat, state::When when,
              state::Trial& trial);
// All of them once what leaves has left, as if it began.
void TakeSeats(const Booking& booking, state::Trial& trial);

// Where the step's pods would stand once what leaves has left, sorted by node; empty: they have no
// room. Nothing stays of it in the trial.
std::vector<Booking::Seat> SeatsFor(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    state::Trial& trial);
// The places that were taken since `mark`, sorted by node.
std::vector<Booking::Seat> SeatsOf(const state::Cluster& cluster, const state::Trial& trial,
                                   std::size_t mark);

// The pod leaves, where it is there or claims room; all of the workload's pods do.
void LetPodGo(const state::Cluster& cluster, state::PodId p, state::Trial& trial);
void LetGo(const state::Cluster& cluster, state::WorkloadId w, state::Trial& trial);

}  // namespace fairlead::engine
