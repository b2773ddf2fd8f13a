#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/round/round_context.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Limits of how many workloads of a user (or group) may wait at once (time.md §7): the first of
// them in the order of the queue do; those beyond are not open, so that they neither start nor
// count as requested, until one before them has started or gone.
//
// A workload that counts under several such limits waits where all of them let it; one that one of
// them puts beyond takes no place of the others. So it is as if they were gone through in their
// order, each once: that order is all that decides.
//
// Cost: O(log waiting) for one that comes or goes, and as much for each that it moves.
class WaitingLines {
 public:
  explicit WaitingLines(state::Cluster& cluster) : cluster_(cluster) {}

  // The accounts are others. REQUIRES: all workloads that count in one have changed (the journal).
  void Clear();
  // Whether anything changed that may concern them, since Advance.
  bool HasNews() const;
  // Brings the cluster's workloads (Workload::beyond_line) up to date with what changed, and with
  // what began or ceased to run. Those that wait by that now, and did not before.
  std::vector<state::WorkloadId> Advance();
  // What stands before in the log of workloads is known.
  std::uint64_t position() const { return changed_.position(); }

 private:
  // Its place in the order of the queue.
  struct Place {
    std::int32_t priority = 0;
    Time served_at;
    std::string name;
    state::WorkloadId workload;
    bool operator<(const Place& other) const;
  };
  struct Line {
    std::set<Place> waits, beyond;
  };
  struct Member {
    Place place;
    state::AccountsId accounts;
    bool waits = false;
  };
  using AccountIds = std::vector<state::AccountId>;

  void Note(state::WorkloadId w);
  bool IsToWait(state::WorkloadId w) const;
  AccountIds LimitsOf(state::AccountsId accounts) const;
  bool HasPlaceFor(const Place& place, state::AccountId a) const;
  void Leave(state::WorkloadId w);
  void Move(const Member& member, bool waits);
  void LetWait(const Place& place);
  void PutBeyond(const Place& place);

  state::Cluster& cluster_;
  state::LogReader<state::WorkloadId> changed_{cluster_.journal().workloads};
  boost::unordered_flat_map<std::uint32_t, Member> members_;  // by workload
  std::map<state::AccountId, Line> lines_;
  std::set<std::pair<Place, state::AccountId>> open_;  // from there on there may be a place
  std::set<state::WorkloadId> moved_;                  // since the last Advance
};

}  // namespace fairlead::engine
