#pragma once

#include <cstddef>
#include <vector>

#include "base/number_set.h"
#include "engine/place/node_classes.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Of each shape one node that would hold a pod of it if it were empty: the shape is placeable
// (semantics.md §10) as long as there is one.
//
// Cost: of a new shape, a look at nodes until one would hold it; of a node that changed, of those
// whose witness it is, and of those that have none.
class Witnesses {
 public:
  Witnesses(state::Cluster& cluster, NodeClasses& classes) : cluster_(cluster), classes_(classes) {}

  // Whether shapes came since the last Update.
  bool HasNews() const { return made_seen_ < cluster_.shapes().made().size() || forgot_; }
  // `reshaped`: nodes that changed. `all`: whatever nodes suited may suit no longer. REQUIRES:
  // classes are up to date.
  void Update(const std::vector<state::NodeId>& reshaped, bool all);
  // Shapes have other numbers: the next Update looks for all anew.
  void Forget();

 private:
  void Look(state::ShapeId s, const std::vector<state::NodeId>* among);
  state::NodeId Find(state::ShapeId s, const std::vector<state::NodeId>* among);
  bool Holds(state::ShapeId s, state::NodeId n);

  state::Cluster& cluster_;
  NodeClasses& classes_;
  bool forgot_ = true;
  std::size_t made_seen_ = 0;                       // of shapes().made()
  std::vector<state::NodeId> of_;                   // by shape
  std::vector<std::vector<state::ShapeId>> shown_;  // by node: of whom it is, or was
  NumberSet without_;                               // shapes
};

}  // namespace fairlead::engine
