#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/room_step.h"
#include "policy/run_time.h"
#include "policy/windows.h"
#include "state/cluster.h"

namespace fairlead::engine {

// The first moment at which there is room.
struct RoomInTime {
  Time at;
  std::vector<state::WorkloadId> ended;  // by which it comes: those that end just then
  std::vector<Booking::Seat> seats;      // where the step's pods stand then, sorted by node
};

// What is known of the time to come: when work that runs ends, what is kept for whom, and when
// nodes are closed.
struct TimeToCome {
  const std::vector<policy::Release>& releases;
  const Bookings& bookings;
  const policy::Windows& windows;
  Time now;
  Time until = Time::Max();  // from then on nobody asks
};
// Whether the step may have its room, asked in the state as it is when it would: whatever its
// queue's limits say is asked beside it.
using MayHaveThen = std::function<bool(const RoomStep&)>;

// When `step` first has room on nodes within the limits of its queues, as what runs ends, what is
// kept for others is theirs from when on it is kept, nodes are closed by windows, and nothing else
// comes or goes but for what is leaving already. Nothing of the cluster stays changed. Empty: not
// by those ends. Cost: a trial that lets go everything that ends by then; the gang is placed O(log
// n) times where it demands nothing of other pods and nothing is kept for others, else once an end,
// at most kMostMoments times.
inline constexpr std::size_t kMostMoments = 256;
std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const TimeToCome& time, const MayHaveThen& may = nullptr);

}  // namespace fairlead::engine
