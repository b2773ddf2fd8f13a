#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "policy/node_fit.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Which taints and labels keep a shape off nodes: by name, on how many nodes, and the line in the
// pod that it hangs on.
class Obstacles {
 public:
  Obstacles(const state::Cluster& cluster, const state::Shape& shape);

  // The node does not meet a demand that names labels or taints. `alone`: it would serve otherwise.
  void Add(policy::NodeDemand::Names names, state::NodeId n, bool alone);

  // " (nvidia.com/gpu:NoSchedule)", " (a=b on 3, c=d on 1)", the most frequent first; or nothing.
  std::string NamesText(policy::NodeDemand::Names names) const;

  // What most of the nodes hang on that would serve otherwise:
  //   tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]   to be added
  //   nodeSelector: {disktype: ssd}                                       what no such node has
  // Empty: nothing alone, or taints that say that a node is out of order.
  std::string Line() const;

 private:
  using Taints = std::vector<objects::Taint>;

  const state::Cluster& cluster_;
  const state::Shape& shape_;
  std::map<objects::Taint, std::int64_t> by_taint_;
  std::vector<std::int64_t> by_label_;              // as the shape's node selector
  std::map<Taints, std::int64_t> alone_by_taints_;  // of nodes that hang on nothing else
  std::map<std::vector<bool>, std::int64_t> alone_by_labels_;
};

}  // namespace fairlead::engine
