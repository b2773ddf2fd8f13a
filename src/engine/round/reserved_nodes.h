#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "state/cluster.h"

namespace fairlead::engine {

// Nodes that are reserved for DaemonSets' pods (semantics.md §7.2): for which pods, which nodes are
// to be looked at again, and when.
//
// A pod that is gone stays listed until its node is looked at: its number may be another pod's by
// then, which the one who looks has to see.
class ReservedNodes {
 public:
  bool empty() const { return by_node_.empty(); }

  // `n` is to be looked at, too.
  void Add(state::NodeId n, state::PodId p);
  // Replaces the pods of the node, and says when it is to be looked at without any change.
  void Set(state::NodeId n, std::vector<state::PodId> pods, std::optional<Time> lapse);
  // By number.
  const std::vector<state::PodId>& On(state::NodeId n) const;
  std::vector<state::NodeId> Nodes() const;  // by number

  // Something on the node changed; of no effect where nothing is reserved.
  void Touch(state::NodeId n);
  void TouchAll();
  void TouchLapsed(Time now);
  // Something far from the node may help (a limit, a budget): looked at with every change.
  void StayRestless(state::NodeId n) { restless_.push_back(n); }
  void TouchRestless();
  bool HasTouched() const { return !touched_.empty(); }
  std::vector<state::NodeId> TakeTouched();  // by number, each once
  std::optional<Time> NextLapse() const;

 private:
  struct Entry {
    std::vector<state::PodId> pods;  // by number
    Time lapse = Time::Max();
    bool touched = false;
  };
  void SetLapse(state::NodeId n, Entry& entry, Time lapse);
  boost::unordered_flat_map<std::uint32_t, Entry> by_node_;
  std::vector<state::NodeId> touched_, restless_;
  std::set<std::pair<Time, state::NodeId>> lapses_;
};

}  // namespace fairlead::engine
