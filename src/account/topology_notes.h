#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "account/ledger.h"
#include "objects/meta.h"
#include "objects/topology.h"
#include "state/change.h"

namespace fairlead::account {

// What a ledger has to know of where nodes are: their labels, and which levels work asks for. Fed
// with the changes that the engine is given. Cost: the labels of every node.
class TopologyNotes {
 public:
  void Note(std::span<const state::Change> changes);

  // One that counts, and where each node is in it: the last that was told of its labels.
  struct Level {
    std::string topology, key;
    std::vector<std::pair<std::string, std::string>> nodes;  // name, domain: "b1/r7"
  };
  // By topology, widest first; those that no node carries are left out, and what labels make where
  // no work asks for it. What work asks for and is none of `there` is called by its keys.
  std::vector<Level> LevelsOf(const std::vector<objects::KnownTopology>& there) const;

 private:
  std::map<std::string, objects::Labels> labels_;  // by node
  std::set<std::vector<std::string>> asked_;
};

}  // namespace fairlead::account
