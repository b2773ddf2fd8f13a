#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "state/cluster.h"

namespace fairlead::policy {

// A demand that a pod makes of a node apart from room. `tells_classes`: the answer is the same for
// all nodes of one class (engine/place/node_classes.h), except for shapes that are judged node by
// node.
struct NodeDemand {
  enum class Names : std::uint8_t { kNothing, kLabels, kTaints };
  const char* name;   // for people: "node selector"
  const char* nodes;  // that fail, for people: "without the labels of its node selector"
  bool (*met)(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);
  // Whether the shape makes it: of others each node meets it. Null: of every one.
  bool (*made_by)(const state::Shape& shape) = nullptr;
  bool tells_classes = true;
  Names names = Names::kNothing;  // what of a node that fails can be named
  bool by_others = false;         // pods that run there make it: when the node is empty nobody does
  // Of a node that fails: what stands in the way there, for people. Null: `nodes` says all.
  std::string (*what)(const state::Cluster& cluster, const state::Shape& shape,
                      state::NodeId n) = nullptr;
  std::string (*nodes_of)(const state::Shape& shape) = nullptr;  // `nodes`, of the shape's own
};

inline bool IsMadeBy(const NodeDemand& demand, const state::Shape& shape) {
  return demand.made_by == nullptr || demand.made_by(shape);
}

// Every demand that is honoured, in the order in which they are asked. A new one is one line here.
std::span<const NodeDemand> NodeDemands();

// Whether the pod may run on a node in spite of that taint.
bool IsTolerated(const state::Shape& shape, const objects::Taint& taint);

// Whether pods like it were refused there, by its kubelet or for want of a volume, and the node is
// not to be asked again yet.
bool IsRefusedBy(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);
inline bool AvoidsNode(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n) {
  return shape.avoids_nodes && IsRefusedBy(cluster, shape, n);
}

// Whether the node could ever be the pod's: all demands that do not depend on what runs there.
bool FitsClass(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);

// FitsClass, without what other pods demand there.
bool SuitsWhenEmpty(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);

// SuitsWhenEmpty, and the request within the node's allocatable.
bool FitsWhenEmpty(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);

}  // namespace fairlead::policy
