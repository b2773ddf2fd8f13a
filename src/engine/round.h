#pragma once

#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/backlog.h"
#include "engine/placer.h"
#include "engine/plan.h"
#include "engine/turns.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What the engine keeps between rounds, and the round itself: catch up with what changed, then let
// one queue after the other start its best work until nothing more can start.
//
// That work which could not start before is passed over until something it waits for changes is no
// shortcut in the answer: within a round room only shrinks and what is allocated only grows.
class RoundState {
 public:
  RoundState();

  state::Cluster& cluster() { return cluster_; }
  Placer& placer() { return placer_; }
  Backlog& backlog() { return backlog_; }
  std::uint32_t workloads_placed() const { return workloads_placed_; }
  // The number (workloads_placed) at which a workload was first placed; 0: not by this engine.
  std::uint32_t PlacedAt(state::WorkloadId w) const;

  Plan Run(Time now);

  // Brings every figure up to date with what was applied, and decides nothing.
  void CatchUp();

 private:
  bool NothingChanged() const;
  void GiveUpLostRoom();
  void RefreshStart(state::WorkloadId w);
  void GiveAdopted();
  const state::Amounts* BestRequest(state::QueueId q) const;

  // Tries the group's next step; whatever comes of it, the group is where it belongs afterwards.
  void Try(GroupId g);
  bool QueueBars(GroupId g);
  bool CanStart(GroupId g);
  void BlockGang(GroupId g, GangVerdict verdict);
  void TryPod(GroupId g);
  void TryGang(GroupId g);
  void GiveBind(state::PodId p);
  void GiveAdmit(state::WorkloadId w, bool starts);
  void NotePlaced(state::WorkloadId w);

  state::Cluster cluster_;
  Placer placer_{cluster_};
  Backlog backlog_{cluster_};
  Turns turns_{cluster_};
  Time now_;
  Plan plan_;
  boost::unordered_flat_map<std::uint32_t, std::size_t> admits_;  // this round's, by workload
  std::vector<std::uint32_t> placed_at_;                          // by workload
  std::uint32_t workloads_placed_ = 0;
};

}  // namespace fairlead::engine
