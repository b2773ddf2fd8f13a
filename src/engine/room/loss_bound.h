#pragma once

#include <optional>

#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "engine/room/victim_scope.h"
#include "engine/room/work_losses.h"

namespace fairlead::engine {

// How little others can lose for a step, before any victim is looked for: most of what the ceiling
// (policy/max_loss.h) forbids is refused here, at a look at each pod.
class LossBound {
 public:
  LossBound(const state::Cluster& cluster, Placer& placer, const WorkLosses& losses)
      : cluster_(cluster), placer_(placer), losses_(losses) {}

  // Whether for each part some node might hold a pod for what others may lose: no is a proof, and
  // the scope has noted from when on it might be yes.
  bool MightServe(const VictimScope& scope, const RoomStep& step);

 private:
  std::optional<policy::Loss> LeastLoss(const VictimScope& scope, state::ShapeId s,
                                        state::NodeId n);

  const state::Cluster& cluster_;
  Placer& placer_;
  const WorkLosses& losses_;
};

}  // namespace fairlead::engine
