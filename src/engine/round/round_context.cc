#include "engine/round/round_context.h"

#include "policy/fair_share.h"

namespace fairlead::engine {

void UpdateFairShares(RoundContext& round) {
  const state::Cluster& cluster = round.cluster;
  const bool changed = policy::UpdateFairShares(round.cluster.queues(), cluster.resources());
  if (!changed || !round.backlog.AnyBlocked()) return;
  ++round.steps;
  round.room.Start(round.now);
}

}  // namespace fairlead::engine
