#include "engine/room/work_losses.h"

namespace fairlead::engine {

void WorkLosses::Start(Time now) {
  now_ = now;
  dominant_.assign(cluster_.shapes().size(), -1);
}

std::int64_t WorkLosses::DominantOf(state::ShapeId s) const {
  if (dominant_.size() <= s.value()) dominant_.resize(cluster_.shapes().size(), -1);
  std::int64_t& dominant = dominant_[s.value()];
  if (dominant < 0) dominant = policy::DominantPart(cluster_, s);
  return dominant;
}

policy::Work WorkLosses::LostBy(state::PodId p) const {
  return policy::WorkLost(cluster_, p, DominantOf(cluster_.pods()[p].shape), now_);
}

policy::EvictionCost WorkLosses::CostOf(std::span<const state::PodId> pods, bool stops) const {
  policy::EvictionCost cost;
  for (const state::PodId p : pods) {
    cost.Add({.highest_priority = cluster_.workloads()[cluster_.pods()[p].workload].priority,
              .workloads_stopped = 0,
              .work_lost = LostBy(p),
              .pods = 1});
  }
  cost.workloads_stopped = stops ? 1 : 0;
  return cost;
}

policy::Loss WorkLosses::Of(std::span<const state::PodId> pods) const {
  policy::Loss loss;
  for (const state::PodId p : pods) {
    loss.Add(policy::LossOf(cluster_, p, DominantOf(cluster_.pods()[p].shape), now_));
  }
  return loss;
}

}  // namespace fairlead::engine
