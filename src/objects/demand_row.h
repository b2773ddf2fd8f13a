#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

namespace fairlead::objects {

// Pods that are counted by the domains of a node label, for the sake of those who demand something
// of that count. Equal demands share one row, as long as somebody carries them; pods that it
// selects say so in their needs (JoinedDemands::counted_by).
struct DemandRow {
  enum class Kind : std::uint8_t {
    kRepel,  // one term of an anti-affinity: whom it selects and who carries it share no domain
    // All terms of an affinity, on one key: a pod that all of them select must be there. Or one
    // term that is preferred: how many it selects are there, for and against.
    kAttract,
    kSpread,  // a spread constraint
  };
  // Which nodes count for a spread constraint; elsewhere nobody is counted.
  struct Scope {
    std::vector<std::string> keys;  // of all the pod's constraints: a node must have them all
    Labels node_selector;
    std::vector<NodeSelectorTerm> required_terms;
    bool has_required_terms = false;
    bool honors_taints = false;
    std::vector<Toleration> tolerations;
  };

  Kind kind = Kind::kRepel;
  std::uint64_t number = 0;  // made of all that it says: the same in every process
  std::string topology_key;
  std::string selects;                 // for people: "app=db", "app=db in team"
  std::string column;                  // which nodes are in which domain, as text: key and scope
  std::shared_ptr<const Scope> scope;  // null: all nodes count
};
using DemandRowPtr = std::shared_ptr<const DemandRow>;  // equal rows share one pointer
using DemandRows = std::vector<DemandRowPtr>;
using DemandRowsPtr = std::shared_ptr<const DemandRows>;  // null: none; equal ones share one

}  // namespace fairlead::objects
