#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"
#include "policy/room_action.h"

namespace fairlead::engine {

// Running gangs below their minimum whose missing pods cannot be placed (time.md §6): once that has
// been so for `staleGang.grace`, those that run are stopped, and all of it waits again. They hold
// their room for work that does not go on.
//
// - Where pods are to come back near those that run and cannot (demands.md §7), its
//   `onTopologyBroken` decides: it waits for them, or is stopped by that action.
// - Since when it is so is what the cluster shows, else the first round that found it.
// - Budgets hold: what they keep is stopped in a later round, as soon as they let it go. Minimum
//   runtimes do not: it goes for its own sake.
// - A gang whose pods are still to be made by others is none of them, nor is one that is put off
//   for a while, such as after a node refused a pod.
class BrokenGangs {
 public:
  struct Broken {
    Time since;
    policy::RoomAction action = policy::RoomAction::kStaleGang;  // by which it will be stopped
  };

  BrokenGangs(RoundContext& round, GangStarts& starts)
      : round_(round), cluster_(round.cluster), starts_(starts) {}

  // After anything happened to the workload. Cost: its pods, where it is a running gang.
  void Note(state::WorkloadId w);
  // When the next one is to be stopped.
  std::optional<Time> NextDue() const;
  // Stops those that are due, unless their pods could be placed by now. Whether any was.
  // REQUIRES: nothing is decided in this round yet.
  bool Serve();
  // Who is one of them after all had their turns.
  void Look();

  // As of the last round.
  const std::map<state::WorkloadId, Broken>& all() const { return broken_; }
  // When it is to be stopped; absent: it is none of them.
  std::optional<Time> DueOf(state::WorkloadId w) const;

 private:
  bool LacksPods(state::WorkloadId w) const;
  // By which action it is to be stopped; absent: it is not broken.
  std::optional<policy::RoomAction> ActionFor(state::WorkloadId w) const;
  bool CouldGoOn(state::WorkloadId w) const;
  Duration grace() const { return cluster_.configuration().stale_gang_grace; }

  RoundContext& round_;
  state::Cluster& cluster_;
  GangStarts& starts_;
  std::set<state::WorkloadId> lacking_;  // that may be broken: they run, and lack pods
  std::map<state::WorkloadId, Broken> broken_;
  Time served_at_;  // the last round
};

}  // namespace fairlead::engine
