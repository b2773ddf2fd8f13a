#pragma once

#include <optional>

#include "engine/place/placer.h"
#include "engine/room/room_step.h"
#include "engine/room/victim_scope.h"
#include "engine/room/work_losses.h"

namespace fairlead::engine {

// What room for a step costs at least, before any victim is looked for: whoever leaves makes room
// for no more pods than its request has room for, and the cheapest of them leave first.
class CostBound {
 public:
  CostBound(const state::Cluster& cluster, Placer& placer, const WorkLosses& losses)
      : cluster_(cluster), placer_(placer), losses_(losses) {}

  // Of the nodes that may be looked at. Empty: it cannot tell (several shapes, or pods that demand
  // something of others). Cost: a look at each pod.
  std::optional<policy::EvictionCost> Least(const VictimScope& scope, const RoomStep& step);

 private:
  const state::Cluster& cluster_;
  Placer& placer_;
  const WorkLosses& losses_;
};

}  // namespace fairlead::engine
