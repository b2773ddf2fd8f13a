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
  std::vector<state::NodeId> Nodes() const;  // each once
  // Its nodes by name, and how many of its pods stand on each.
  objects::Reservation AsShown(const state::Cluster& cluster) const;
};

// How long it is expected to run: the least of what it says; empty: nobody knows.
std::optional<Duration> ToldDuration(const state::Cluster& cluster, state::WorkloadId w);
// Of a workload that runs: when it ends by that, which may be over.
std::optional<Time> ToldEnd(const state::Cluster& cluster, state::WorkloadId w);

// Those that are kept, the oldest first.
using Bookings = std::vector<Booking>;

// How much of the node nobody may take who still runs when these start, so that they find their
// room there, on top of what is not free now: the most that any of those in `binds` needs. Empty:
// nothing. `now` is the moment as which the state stands: in the middle of a trial a later one.
// Cost: the node's pods × the bookings on it.
state::Amounts WithheldOn(const state::Cluster& cluster, const Bookings& bookings,
                          const std::vector<bool>& binds, state::NodeId n);

// The pods of a booking stand in their seats, as if it began; REQUIRES: they wait.
void TakeSeats(const Booking& booking, state::Trial& trial);

// All of the workload's pods that are there, or claim room, leave.
void LetGo(const state::Cluster& cluster, state::WorkloadId w, state::Trial& trial);

}  // namespace fairlead::engine
