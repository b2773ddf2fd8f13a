#include "policy/dynamic_demand.h"

#include <algorithm>

namespace fairlead::policy {

using state::Cluster;
using state::NodeId;
using state::Shape;
using state::TermId;

bool OthersAllow(const Cluster& cluster, const Shape& shape, NodeId n, state::When when) {
  const auto& refused_by = shape.dynamic.refused_by;
  return std::all_of(refused_by.begin(), refused_by.end(),
                     [&](TermId term) { return cluster.demands().Holders(term, n, when) == 0; });
}

bool OthersAllow(const Cluster& cluster, const Shape& shape, NodeId n, state::When when,
                 state::TermKind kind) {
  const auto& refused_by = shape.dynamic.refused_by;
  return std::all_of(refused_by.begin(), refused_by.end(), [&](TermId term) {
    return cluster.terms()[term].kind != kind || cluster.demands().Holders(term, n, when) == 0;
  });
}

bool Exclude(const Shape& a, const Shape& b) {
  return state::Meet(a.dynamic.refused_by, b.dynamic.holds) ||
         state::Meet(b.dynamic.refused_by, a.dynamic.holds);
}

bool IsExcludedByForeign(const Cluster& cluster, const Shape& shape, NodeId n) {
  if (shape.dynamic.empty() || !cluster.nodes().exists(n)) return false;
  bool found = false;
  ForEachInTheWay(cluster, shape, n,
                  [&](state::PodId p) { found = found || cluster.pods()[p].foreign; });
  return found;
}

}  // namespace fairlead::policy
