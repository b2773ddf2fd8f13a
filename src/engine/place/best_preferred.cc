// The best node for a shape that has preferences: by preference, placement and name (demands.md
// §6), or by placement first.
//
// Points are compared over all nodes that fit, so no node is the best by itself. But nodes of one
// group (preference_orders.h) get the same points, so each group needs its best node by placement
// only: these few give the scale, and one of them is the answer.
//
// Rules that judge a node by what the pod asks, or draw it, have no order to take groups from: all
// nodes that fit are compared.

#include <algorithm>

#include "base/random.h"
#include "engine/place/placer.h"
#include "policy/preference.h"

namespace fairlead::engine {

using objects::NodeChoice;
using objects::PreferenceOrder;
using policy::NodePlace;
using policy::RawPreference;
using state::NodeId;
using state::ShapeId;
using state::When;

// One node that fits of all that speaks the same for, the best of these by placement.
std::vector<Placer::Contender> Placer::ContendersFor(ShapeId s, When when) {
  const state::Shape& shape = cluster_.shapes()[s];
  std::vector<Contender> contenders;
  const auto add = [&](NodeId n) {
    if (n.valid() && Fits(s, n, when, asked_)) {
      contenders.push_back({n, policy::PreferenceOf(cluster_, shape, n, when)});
    }
  };
  const NodeChoice choice = policy::ChoiceFor(cluster_, shape);
  if (!shape.only_nodes.empty()) {
    for (const NodeId n : NodesNamedBy(cluster_, cluster_.shapes()[s])) add(n);
  } else if (choice == NodeChoice::kRandom || policy::DependsOnShape(choice)) {
    for (const NodeId n : cluster_.nodes().by_name()) add(n);
  } else {
    const std::uint64_t mask = MaskOf(s, when);
    const std::uint64_t from = std::uint64_t{policy::LeastUsefulScore(cluster_, shape)} << 32;
    preference_orders_.ForEachGroup(s, when, [&](NodeBlocks& nodes, const RawPreference& raw) {
      const NodeId n = nodes.First(shape.fit, mask, from,
                                   [&](NodeId each) { return Suits(s, each, when, mask); });
      if (n.valid()) contenders.push_back({n, raw});
    });
  }
  return contenders;
}

NodeId Placer::BestPreferred(ShapeId s, When when) {
  const std::vector<Contender> contenders = ContendersFor(s, when);
  policy::PreferenceScale scale;
  for (const Contender& each : contenders) scale.Add(each.raw);
  const PreferenceOrder order = cluster_.configuration().preferences;
  const bool draws = policy::ChoiceFor(cluster_, cluster_.shapes()[s]) == NodeChoice::kRandom;
  std::vector<NodeId> best;  // of these any, where nodes are drawn
  NodePlace best_place = 0;
  for (const Contender& each : contenders) {
    const NodePlace place =
        policy::PlaceOf(order, scale.Of(each.raw), draws ? 0 : ScoreOf(s, each.node, when),
                        draws ? 0 : cluster_.nodes().rank(each.node));
    if (!best.empty() && place > best_place) continue;
    if (place < best_place) best.clear();
    best.push_back(each.node);
    best_place = place;
  }
  if (best.size() <= 1) return best.empty() ? NodeId() : best.front();
  std::sort(best.begin(), best.end(), [&](NodeId a, NodeId b) {
    return cluster_.nodes().rank(a) < cluster_.nodes().rank(b);
  });
  return best[static_cast<std::size_t>(Random(Draw()).Below(best.size()))];
}

std::vector<NodePlace> Placer::PlacesOf(ShapeId s, When when,
                                        const std::vector<NodeId>& fitting) const {
  const state::Shape& shape = cluster_.shapes()[s];
  const bool prefers = policy::HasPreferences(cluster_, shape);
  std::vector<RawPreference> raw;
  policy::PreferenceScale scale;
  for (const NodeId n : fitting) {
    if (prefers) scale.Add(raw.emplace_back(policy::PreferenceOf(cluster_, shape, n, when)));
  }
  std::vector<NodePlace> places;
  places.reserve(fitting.size());
  for (std::size_t i = 0; i < fitting.size(); ++i) {
    places.push_back(policy::PlaceOf(
        cluster_.configuration().preferences, prefers ? scale.Of(raw[i]) : policy::kMostPreferred,
        ScoreOf(s, fitting[i], when), cluster_.nodes().rank(fitting[i])));
  }
  return places;
}

void Placer::SortByPlace(ShapeId s, When when, std::vector<NodeId>& fitting) const {
  const std::vector<NodePlace> places = PlacesOf(s, when, fitting);
  std::vector<std::pair<NodePlace, NodeId>> sorted;
  for (std::size_t i = 0; i < fitting.size(); ++i) sorted.emplace_back(places[i], fitting[i]);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < fitting.size(); ++i) fitting[i] = sorted[i].second;
}

}  // namespace fairlead::engine
