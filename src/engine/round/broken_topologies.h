#pragma once

#include <map>
#include <optional>
#include <set>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Gangs that are to start anew where pods that they lost cannot come back near those that run
// (demands.md §7, `onTopologyBroken: Restart`): once that has been so for `staleGang.grace`, those
// that run are stopped.
//
// - Since when it is so is what the cluster shows, else the first round that found it.
// - Budgets hold: what they keep is stopped in a later round, as soon as they let it go. Minimum
//   runtimes do not: it goes for its own sake.
// - A gang that lacks pods for another reason, such as a limit, is none of them.
class BrokenTopologies {
 public:
  BrokenTopologies(RoundContext& round, GangStarts& starts)
      : round_(round), cluster_(round.cluster), starts_(starts) {}

  // After anything happened to the workload. Cost: a few comparisons; the sets of a gang that is to
  // start anew.
  void Note(state::WorkloadId w);
  // When the next one is to be stopped.
  std::optional<Time> NextDue() const;
  // Stops those that are due, unless there is room for their pods by now. Whether any was.
  // REQUIRES: nothing is decided in this round yet.
  bool Serve();
  // Who is one of them after all had their turns.
  void Look();

  // Of each since when, as of the last round.
  const std::map<state::WorkloadId, Time>& since() const { return since_; }
  // When it is to be stopped; absent: it is none of them.
  std::optional<Time> DueOf(state::WorkloadId w) const;

 private:
  bool LacksPods(state::WorkloadId w) const;
  bool IsBroken(state::WorkloadId w) const;
  bool HasRoomNow(state::WorkloadId w) const;
  Duration grace() const { return cluster_.configuration().stale_gang_grace; }

  RoundContext& round_;
  state::Cluster& cluster_;
  GangStarts& starts_;
  std::set<state::WorkloadId> lacking_;  // that may be broken: they run, and lack pods
  std::map<state::WorkloadId, Time> since_;
  Time served_at_;  // the last round
};

}  // namespace fairlead::engine
