#pragma once

#include "engine/place/placer.h"
#include "engine/room/contenders.h"
#include "engine/round/backlog.h"

namespace fairlead::engine {

// The contenders among the work that waits.
class WaitingContenders : public Contenders {
 public:
  WaitingContenders(state::Cluster& cluster, Placer& placer, Backlog& backlog)
      : cluster_(cluster), placer_(placer), backlog_(backlog) {}

  // Cost: nothing where the queue has no more than before; else a few comparisons for each waiting
  // group, and a search for free room for those entitled.
  bool WouldTakeBack(const RoomStep& step, state::Trial& trial) const override;

 private:
  bool GainsRight(const Group& group, const RoomStep& step, const state::Amounts& growth) const;
  bool GainsRoom(GroupId g, const RoomStep& step, state::Trial& trial) const;
  bool Fits(const Group& group, state::Trial& trial) const;

  state::Cluster& cluster_;
  Placer& placer_;
  Backlog& backlog_;
};

}  // namespace fairlead::engine
