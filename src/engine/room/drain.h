#pragma once

#include <vector>

#include "engine/place/placer.h"
#include "engine/room/booking.h"
#include "engine/room/room_in_time.h"
#include "engine/room/room_step.h"
#include "state/cluster.h"

namespace fairlead::engine {

// All nodes in service, those first on which least is still to be run, where nobody knows when
// anybody ends: what runs has as much before it as it has run, unless it says how long it takes.
// Cost: every pod that runs.
std::vector<state::NodeId> ByWhatIsLeft(const state::Cluster& cluster, Time now);

// Where the step would stand once the first of these nodes are empty, as few of them as it takes
// (time.md §2.6). Nothing of the cluster stays changed. Empty: on no nodes; or it may not have
// these when what runs on them has left, and all else has stayed.
// Cost: O(log nodes) placements of the gang.
std::vector<Booking::Seat> SeatsByDraining(Placer& placer, state::Cluster& cluster,
                                           const RoomStep& step, const Bookings& bookings,
                                           const std::vector<state::NodeId>& nodes,
                                           const MayHaveThen& may);

// Whether so much may be held back for it: of each resource that it asks, at most that part of the
// cluster's capacity.
bool MayDrainFor(const state::Cluster& cluster, const RoomStep& step);

}  // namespace fairlead::engine
