#pragma once

#include <vector>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Where the step would stand once whoever has least still to run has left, where nobody knows when
// anybody ends: what runs has as much before it as it has run, unless it says how long it takes
// (time.md §2.6). Nothing of the cluster stays changed. Empty: on no nodes.
// Cost: every pod that runs, and O(log nodes) placements of the gang.
std::vector<Booking::Seat> SeatsByDraining(Placer& placer, state::Cluster& cluster,
                                           const RoomStep& step, const Bookings& bookings,
                                           Time now);

// Whether so much may be held back for it: of each resource that it asks, at most that part of the
// cluster's capacity.
bool MayDrainFor(const state::Cluster& cluster, const RoomStep& step);

}  // namespace fairlead::engine
