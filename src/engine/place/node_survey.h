#pragma once

#include <string>

#include "state/cluster.h"

namespace fairlead::engine {

// How all nodes answer a shape, for people: how many lack what, and what comes closest.
struct NodeSurvey {
  std::string text;  // "of 40 nodes, 24 with too few free GPUs, 16 with taints that …"
  // The resource that most of the otherwise fitting nodes lack; invalid: it is not for want of
  // room.
  state::ResourceId scarcest;
  std::int64_t requested = 0;  // of it
  std::int64_t best = 0;       // the most of it on any node that meets the other demands
  std::string
      line;  // in the pod, on which most hangs (engine/place/obstacles.h); of Room::kWhenEmpty
};

enum class Room : std::uint8_t { kFreeNow, kWhenEmpty };
NodeSurvey Survey(const state::Cluster& cluster, state::ShapeId s, Room room);

}  // namespace fairlead::engine
