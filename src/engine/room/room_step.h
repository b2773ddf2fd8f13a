#pragma once

#include <cstdint>
#include <vector>

#include "engine/place/placer.h"

namespace fairlead::engine {

// What a pending workload wants to place at once.
struct RoomStep {
  state::WorkloadId workload;
  state::QueueId queue;
  std::int32_t priority = 0;
  bool preemptible = true;
  std::vector<GangPart> parts;
  state::Amounts request;  // of all parts
};

// The same workload's step with these parts alone.
RoomStep WithParts(const state::Cluster& cluster, const RoomStep& whole,
                   std::vector<GangPart> parts);
std::int64_t PodsOf(const RoomStep& step);
std::int64_t PodsOf(const RoomStep& step, state::ShapeId shape);
// Since when what it would place waits (policy/start_time.h); of one that runs the latest creation
// of the pods, Time::Max() where some are still to come.
Time WaitsSince(const state::Cluster& cluster, const RoomStep& step);
// Whether room is all that a pod of the shape asks, of whatever node its class suits: no share of a
// device, nothing of other pods or volumes, no node by its name.
inline bool AsksRoomAlone(const state::Shape& shape) {
  return shape.dynamic->empty() && shape.gpu_milli == 0 && !shape.by_node;
}

}  // namespace fairlead::engine
