#pragma once

#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "policy/run_time.h"
#include "state/cluster.h"

namespace fairlead::engine {

// The first moment at which there is room.
struct RoomInTime {
  Time at;
  std::vector<state::WorkloadId> ended;  // by which it comes: those that end just then
};

// When `step` first has room on nodes within the limits of its queues, as what runs ends by
// `releases` and nothing else comes or goes, but for what is leaving already. Nothing of the
// cluster stays changed. Empty: not by those ends.
// Cost: a trial that lets go everything that ends by then; the gang is placed O(log n) times where
// it demands nothing of other pods, else once an end.
std::optional<RoomInTime> FirstRoom(Placer& placer, state::Cluster& cluster, const RoomStep& step,
                                    const std::vector<policy::Release>& releases);

}  // namespace fairlead::engine
