#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/round/gang_starts.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Work that has run as long as it may is stopped, all of it (time.md §1): once its start is as long
// ago as its own limit says (state::OwnLimit). What Kubernetes ends by a deadline is left to it.
//
// - All of its pods leave, whether others could have them leave or not, and whatever budgets say.
//   Room held for pods of it to come is let go.
// - A gang that is to be kept out is so at once, before its object says it: what is decided is
//   assumed. One that waits again does so as its object says.
//
// Invariant: of each workload that has a moment at which it is to be stopped that moment is in
// `due_`, or an earlier one; one that is too early is put right when it is the first. So nothing is
// looked at that neither changed nor is due. Cost: O(log of those with a limit) a change.
class RunTimeLimits {
 public:
  RunTimeLimits(RoundContext& round, GangStarts& starts)
      : round_(round), cluster_(round.cluster), starts_(starts) {}

  // When the next one is to be stopped.
  std::optional<Time> NextDue();
  // Stops those that are due. False: none is. REQUIRES: nothing is decided in this round yet.
  bool Serve();

  // What stands before in the log of those with a limit is known.
  std::uint64_t position() const { return timed_.position(); }

 private:
  Time DueOf(state::WorkloadId w) const;  // Max(): never, as it stands
  void Refresh(state::WorkloadId w);
  void Stop(state::WorkloadId w);

  RoundContext& round_;
  state::Cluster& cluster_;
  GangStarts& starts_;
  state::LogReader<state::WorkloadId> timed_{cluster_.journal().timed};
  std::set<std::pair<Time, state::WorkloadId>> due_;
  std::vector<Time> due_of_;  // by workload: where it stands in `due_`; Max(): it does not
};

}  // namespace fairlead::engine
