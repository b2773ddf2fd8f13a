#pragma once

#include <vector>

#include "engine/round/round_context.h"

namespace fairlead::engine {

// Since when gangs run (semantics.md §1).
//
// A gang starts when its minimum is first placed, by our clock until the cluster shows all of it,
// then by the cluster's. It goes on while single pods are replaced, and has stopped when none is
// left. One that was given its minimum, and lost room of it before the cluster showed all of it,
// never had it: who starts anew would know of no start either. A single pod has stopped when its
// binding failed.
class GangStarts {
 public:
  explicit GangStarts(RoundContext& round) : round_(round), cluster_(round.cluster) {}

  // After anything happened to the workload's pods. Cost: the pods of a gang that has just come to
  // its minimum, or not yet; else a few comparisons.
  void Refresh(state::WorkloadId w);

 private:
  bool HadMinimum(state::WorkloadId w) const;
  void SetHadMinimum(state::WorkloadId w, bool had);

  const RoundContext& round_;
  state::Cluster& cluster_;
  std::vector<bool> had_minimum_;  // by workload: since its start, of bound pods
};

}  // namespace fairlead::engine
