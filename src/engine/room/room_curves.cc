// The cheapest victims for several pods of one shape, on all nodes together.
//
// 1. A curve a node: with k = 1, 2, … pods on it, the least cost of victims there that make room
//    for k (NodeVictims::Curve). What is free costs nothing.
// 2. The cheapest sum, node by node: least[j] is what j pods cost on the nodes so far, and each
//    node's curve offers to take k of them. Costs are compared member by member and add up; the
//    highest priority is bounded before, so that their order is kept by adding.
// 3. A gang with pods on several nodes leaves all of them. Counted whole on each node, it looks
//    too dear where several of its nodes are taken; counted by its part there, too cheap where only
//    one is; counted beside the nodes, once, what it frees there counts for nobody else. All three
//    are asked for, and who asks takes the best. By parts no set costs more than it does: the least
//    sum is a bound on how many workloads stop.
//
// Cost: O(nodes × pods × the most that a node takes), beside the curves.
//
// Worked: four pods of 2 GPUs. Node a runs w (8 GPUs, 9 h), b runs x, y (1 GPU each, 1 h) beside 6
// that may not leave, c runs z (2 GPUs, 2 h), and likewise d to f. Curves, in workloads and GPU
// hours: a: 1 and 72 for 1 to 4 pods; b: 2 and 2 for one; c to f: 1 and 4 for one. Pod by pod c to
// f are cheapest, four workloads; the cheapest sum is w alone.

#include "engine/room/room_curves.h"

#include <algorithm>

#include "engine/room/room_sums.h"

namespace fairlead::engine {

using policy::EvictionCost;
using state::NodeId;

namespace {

constexpr std::int64_t kMostPods = 1024;
constexpr std::int64_t kMostCells = 4'000'000;

EvictionCost Sum(const EvictionCost& a, const EvictionCost& b) {
  EvictionCost sum = a;
  sum.Add(b);
  return sum;
}

EvictionCost InParts(EvictionCost cost) {
  cost.workloads_stopped *= GangParts::kAll;
  cost.work_lost *= static_cast<policy::Work>(GangParts::kAll);
  cost.pods *= GangParts::kAll;
  return cost;
}

// A gang may be offered by several nodes, an elastic one more of it by some than by others.
void AddOnce(const std::vector<VictimUnit>& offered, std::vector<VictimUnit>& units) {
  for (const VictimUnit& unit : offered) {
    if (!unit.IsIn(units)) units.push_back(unit);
  }
}

}  // namespace

bool RoomCurves::Suits(const RoomStep& step) const {
  const std::int64_t pods = PodsOf(step);
  if (pods < 2 || pods > kMostPods) return false;
  const state::Shape& shape = cluster_.shapes()[step.parts.front().shape];
  return AreOfOneShape(step.parts) && shape.dynamic->empty() && shape.gpu_milli == 0 &&
         pods * static_cast<std::int64_t>(cluster_.nodes().size()) <= kMostCells;
}

// False: the node takes none.
bool RoomCurves::MakeCurve(const VictimScope& scope, const RoomStep& step,
                           std::int32_t max_priority, NodeVictims::GangCost by, Curve& curve) {
  const state::ShapeId s = step.parts.front().shape;
  const std::int64_t most =
      std::min(PodsOf(step), victims_.Bound(scope, s, curve.node, max_priority));
  NodeOffer offer;
  const Outstanding outstanding{.request = step.request, .may_lose = scope.ceiling().most()};
  NodeVictims::Curve of_node(victims_, by, scope, s, curve.node, max_priority);
  for (std::int64_t k = 1; k <= most; ++k) {
    const bool solved = of_node.SolveFor(k, outstanding, offer);
    curve.has_gangs |= victims_.had_gangs();
    least_ &= !victims_.refused_by_right() && !victims_.refused_by_budget();
    if (!solved) break;
    least_ &= offer.exact;
    if (offer.units.empty()) {
      curve.free = k;
    } else {
      if (curve.costs.empty()) curve.first = offer.first;
      curve.costs.push_back(offer.cost);
    }
  }
  return curve.free > 0 || !curve.costs.empty();
}

std::vector<RoomCurves::Curve> RoomCurves::CurvesOf(const VictimScope& scope, const RoomStep& step,
                                                    std::int32_t max_priority,
                                                    NodeVictims::GangCost by) {
  std::vector<Curve> curves;
  if (by != NodeVictims::GangCost::kWhole) {
    for (const Curve& whole : whole_) {
      if (!whole.has_gangs) {
        curves.push_back(whole);
        if (by != NodeVictims::GangCost::kByPart) continue;
        for (EvictionCost& cost : curves.back().costs) cost = InParts(cost);
        continue;
      }
      if (by == NodeVictims::GangCost::kByPart) {
        const auto known = parted_.find(whole.node);
        if (known != parted_.end()) {
          curves.push_back(known->second);
          continue;
        }
      }
      Curve curve{.node = whole.node};
      if (!MakeCurve(scope, step, max_priority, by, curve)) continue;
      curves.push_back(std::move(curve));
      if (by == NodeVictims::GangCost::kByPart) parted_.emplace(whole.node, curves.back());
    }
    return curves;
  }
  least_ = true;
  gangs_ = false;
  parted_.clear();
  victims_.gang_parts().Clear();
  placer_.classes().ForEachInReach([&](NodeId n) {
    Curve curve{.node = n};
    if (MakeCurve(scope, step, max_priority, by, curve)) {
      gangs_ |= curve.has_gangs;
      curves.push_back(std::move(curve));
    }
    return true;
  });
  whole_ = curves;
  return curves;
}

void RoomCurves::AddGangs(const RoomStep& step, std::span<const VictimUnit> whole,
                          std::vector<Curve>& curves) {
  RoomSums sums(cluster_, placer_, step.parts.front().shape);
  for (const VictimUnit& unit : whole) {
    if (cluster_.workloads()[unit.candidate.workload].solo()) continue;
    const std::int64_t gain = sums.GainOf(unit.leaving());
    if (gain <= 0) continue;
    const auto pods = static_cast<std::size_t>(std::min(gain, PodsOf(step)));
    curves.push_back({.node = {}, .gang = &unit, .free = 0, .costs = std::vector(pods, unit.cost)});
  }
}

std::optional<RoomCurves::Choice> RoomCurves::Cheapest(const VictimScope& scope,
                                                       const RoomStep& step,
                                                       std::int32_t max_priority,
                                                       NodeVictims::GangCost by,
                                                       std::span<const VictimUnit> whole) {
  std::vector<Curve> curves = CurvesOf(scope, step, max_priority, by);
  if (by == NodeVictims::GangCost::kNoGangs) AddGangs(step, whole, curves);
  const auto pods = static_cast<std::size_t>(PodsOf(step));
  // least[j]: of j pods or more on the nodes so far; taken[c][j]: how many of them curve c takes.
  std::vector<std::optional<EvictionCost>> least(pods + 1);
  least[0] = EvictionCost{};
  std::vector<state::WorkloadId> first(pods + 1);  // of the curve that was taken last for so many
  std::vector<std::vector<std::uint16_t>> taken(curves.size(),
                                                std::vector<std::uint16_t>(pods + 1, 0));
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const Curve& curve = curves[c];
    const auto most = static_cast<std::size_t>(curve.free) + curve.costs.size();
    for (std::size_t j = pods; j > 0; --j) {
      for (std::size_t k = 1; k <= most; ++k) {
        const std::optional<EvictionCost>& rest = least[j - std::min(j, k)];
        if (!rest) continue;
        const auto free = static_cast<std::size_t>(curve.free);
        const EvictionCost with = k <= free ? *rest : Sum(*rest, curve.costs[k - free - 1]);
        const bool takes = !least[j] || with < *least[j] ||
                           (with == *least[j] && curve.first.valid() && first[j].valid() &&
                            policy::GivesFirst(cluster_, curve.first, first[j]));
        if (takes) {
          least[j] = with;
          first[j] = curve.first;
          taken[c][j] = static_cast<std::uint16_t>(k);
        }
        if (k >= j) break;
      }
    }
  }
  if (!least[pods]) return std::nullopt;

  Choice choice;
  choice.least = least_ && !gangs_;
  choice.gangs = gangs_;
  if (by == NodeVictims::GangCost::kByPart && least_) {
    choice.fewest = (least[pods]->workloads_stopped + GangParts::kAll - 1) / GangParts::kAll;
  }
  NodeOffer offer;
  const Outstanding outstanding{.request = step.request, .may_lose = scope.ceiling().most()};
  std::size_t left = pods;
  for (std::size_t c = curves.size(); c-- > 0 && left > 0;) {
    const std::size_t k = std::min<std::size_t>(taken[c][left], left);
    if (k == 0) continue;
    const Curve& curve = curves[c];
    left -= k;
    if (static_cast<std::int64_t>(k) <= curve.free) continue;
    if (curve.gang != nullptr) {
      AddOnce({*curve.gang}, choice.units);
      continue;
    }
    NodeVictims::Curve(victims_, by, scope, step.parts.front().shape, curve.node, max_priority)
        .SolveFor(static_cast<std::int64_t>(k), outstanding, offer);
    AddOnce(offer.units, choice.units);
    if (by != NodeVictims::GangCost::kByPart) continue;
    for (const VictimUnit& unit : offer.units) {
      if (unit.pods.size() > 1) choice.by_node.emplace_back(unit, curve.node);
    }
  }
  return choice;
}

std::int64_t RoomCurves::FewestWorkloads(const VictimScope& scope, const RoomStep& step,
                                         std::int32_t max_priority, Choice by_part,
                                         std::int64_t enough) {
  std::int64_t fewest = by_part.fewest;
  for (int i = 0; i < kMostMoves && fewest > 0 && fewest < enough && MoveParts(by_part); ++i) {
    auto next = Cheapest(scope, step, max_priority, NodeVictims::GangCost::kByPart);
    if (!next) break;
    fewest = std::max(fewest, next->fewest);
    by_part = *std::move(next);
  }
  return fewest;
}

// Whether any gang goes from some of its nodes, and is left alone on others.
bool RoomCurves::MoveParts(const Choice& by_part) {
  std::map<state::PodId, std::vector<NodeId>> taken;
  for (const auto& [unit, n] : by_part.by_node) taken[unit.pods.front()].push_back(n);
  std::vector<NodeId> changed;
  for (const auto& [unit, n] : by_part.by_node) {
    const auto of_unit = taken.find(unit.pods.front());
    if (of_unit == taken.end()) continue;
    victims_.gang_parts().Move(unit, of_unit->second, changed);
    taken.erase(of_unit);
  }
  for (const NodeId n : changed) parted_.erase(n);
  return !changed.empty();
}

}  // namespace fairlead::engine
