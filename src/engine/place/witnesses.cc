#include "engine/place/witnesses.h"

#include <algorithm>
#include <utility>

#include "engine/place/placer.h"

namespace fairlead::engine {

using state::NodeId;
using state::ShapeId;

void Witnesses::Forget() {
  forgot_ = true;
  made_seen_ = 0;
}

void Witnesses::Update(const std::vector<NodeId>& reshaped, bool all) {
  const state::ShapeTable& shapes = cluster_.shapes();
  all |= std::exchange(forgot_, false);
  if (all) {
    of_.clear();
    shown_.clear();
    without_ = NumberSet();
  }
  of_.resize(shapes.size());
  shown_.resize(cluster_.nodes().size());
  if (all) {
    made_seen_ = shapes.made().size();
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
      if (!shapes.IsUnused(ShapeId(i))) Look(ShapeId(i), nullptr);
    }
    return;
  }
  // Whoever has none can only have got one among the nodes that changed.
  std::vector<ShapeId> without;
  if (!reshaped.empty()) {
    without_.Any([&](std::uint32_t i) {
      without.emplace_back(i);
      return false;
    });
  }
  for (const ShapeId s : without) Look(s, &reshaped);
  for (const NodeId n : reshaped) {
    for (const ShapeId s : std::exchange(shown_[n.value()], {})) {
      if (of_[s.value()] == n) Look(s, nullptr);
    }
  }
  for (; made_seen_ < shapes.made().size(); ++made_seen_) {
    Look(shapes.made()[made_seen_], nullptr);
  }
}

// What a pod that runs there takes of it is no matter of the node's.
bool Witnesses::Holds(ShapeId s, NodeId n) {
  return cluster_.nodes().exists(n) &&
         state::Holds(cluster_.nodes().allocatable(n), cluster_.shapes()[s].request) &&
         classes_.SuitsWhenEmpty(s, n);
}

// `among`: null: all nodes.
void Witnesses::Look(ShapeId s, const std::vector<NodeId>* among) {
  NodeId& witness = of_[s.value()];
  const bool supported = cluster_.shapes()[s].needs->rare->unsupported_field.empty();
  if (!witness.valid() || !Holds(s, witness)) witness = Find(s, among);
  if (witness.valid()) {
    shown_[witness.value()].push_back(s);
    without_.Drop(s.value());
  } else {
    without_.Add(s.value());
  }
  cluster_.SetPlaceable(s, supported && witness.valid());
}

NodeId Witnesses::Find(ShapeId s, const std::vector<NodeId>* among) {
  const auto first_of = [&](const std::vector<NodeId>& nodes) {
    const auto found = std::ranges::find_if(nodes, [&](NodeId n) { return Holds(s, n); });
    return found == nodes.end() ? NodeId() : *found;
  };
  const state::Shape& shape = cluster_.shapes()[s];
  if (!shape.only_nodes.empty()) return first_of(NodesNamedBy(cluster_, shape));
  if (among != nullptr) return first_of(*among);
  for (std::uint32_t n = 0; n < cluster_.nodes().size(); ++n) {
    if (Holds(s, NodeId(n))) return NodeId(n);
  }
  return NodeId();
}

}  // namespace fairlead::engine
