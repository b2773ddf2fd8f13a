#include "engine/room/room_step.h"

#include <algorithm>

#include "policy/max_loss.h"

namespace fairlead::engine {

std::int64_t PodsOf(const RoomStep& step) {
  std::int64_t pods = 0;
  for (const GangPart& part : step.parts) pods += part.count();
  return pods;
}

std::int64_t PodsOf(const RoomStep& step, state::ShapeId shape) {
  std::int64_t pods = 0;
  for (const GangPart& part : step.parts) pods += part.shape == shape ? part.count() : 0;
  return pods;
}

Time WaitsSince(const state::Cluster& cluster, const RoomStep& step) {
  std::vector<state::PodId> pods;
  bool all_exist = true;
  for (const GangPart& part : step.parts) {
    pods.insert(pods.end(), part.pods.begin(), part.pods.end());
    all_exist &= part.expected == 0;
  }
  if (!all_exist) pods.clear();
  return policy::WaitsSince(cluster, step.workload, pods);
}

bool OneShape(const RoomStep& step) {
  return std::ranges::all_of(
      step.parts, [&](const GangPart& part) { return part.shape == step.parts.front().shape; });
}

}  // namespace fairlead::engine
