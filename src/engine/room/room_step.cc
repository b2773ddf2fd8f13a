#include "engine/room/room_step.h"

#include <algorithm>
#include <utility>

#include "policy/start_time.h"

namespace fairlead::engine {

RoomStep WithParts(const state::Cluster& cluster, const RoomStep& whole,
                   std::vector<GangPart> parts) {
  RoomStep step{.workload = whole.workload,
                .queue = whole.queue,
                .priority = whole.priority,
                .preemptible = whole.preemptible,
                .parts = std::move(parts)};
  for (const GangPart& part : step.parts) {
    state::AddTo(step.request, cluster.shapes()[part.shape].request, part.count());
  }
  return step;
}

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
  const state::Workload& workload = cluster.workloads()[step.workload];
  if (!workload.started()) return policy::WaitsSince(cluster, step.workload);
  Time latest = workload.created;
  for (const GangPart& part : step.parts) {
    if (part.expected > 0) return Time::Max();
    for (const state::PodId p : part.pods) latest = std::max(latest, cluster.pods()[p].created);
  }
  return latest;
}

}  // namespace fairlead::engine
