// Every set of a few units, cheapest first: the answer that the other ways must agree with.

#include <algorithm>
#include <functional>

#include "engine/room/room_search.h"

namespace fairlead::engine {

using policy::EvictionCost;
using state::PodId;
using state::Trial;

bool RoomSearch::CollectFew(const VictimScope& scope, const RoomStep& step,
                            std::vector<VictimUnit>& units) {
  const auto needs = scope.Needs(step.preemptible);
  if (!needs) return true;
  const bool limited = std::any_of(needs->begin(), needs->end(),
                                   [](const VictimScope::Need& need) { return need.of_limit; });
  scope.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t donor) {
    std::vector<VictimUnit> of =
        limited ? victims_.UnitsOf(scope, w, donor) : UsableUnits(scope, step, w, donor);
    units.insert(units.end(), std::make_move_iterator(of.begin()),
                 std::make_move_iterator(of.end()));
    return units.size() <= kFewUnits;
  });
  if (units.size() > kFewUnits) return false;
  SortByGiving(units);
  return true;
}

FieldAnswer RoomSearch::SearchWhole(const VictimScope& scope, const RoomStep& step,
                                    const std::vector<VictimUnit>& units, Trial& trial) {
  struct Set {
    EvictionCost cost;
    std::uint32_t members = 0;
  };
  std::vector<Set> sets;
  for (std::uint32_t members = 0; members < 1U << units.size(); ++members) {
    Set set{.cost = {}, .members = members};
    bool in_order = true;  // a workload's units leave one after the other
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((members >> i & 1U) == 0) continue;
      set.cost.Add(units[i].cost);
      const bool follows = i > 0 && units[i - 1].candidate.workload == units[i].candidate.workload;
      in_order &= !follows || (members >> (i - 1) & 1U) != 0;
    }
    if (in_order) sets.push_back(set);
  }
  // Of equal cost: the one whose members come first in the order of giving.
  std::sort(sets.begin(), sets.end(), [](const Set& a, const Set& b) {
    if (a.cost != b.cost) return a.cost < b.cost;
    const std::uint32_t differ = a.members ^ b.members;
    return (a.members & differ & (~differ + 1)) != 0;
  });
  FieldAnswer answer;
  for (const Set& set : sets) {
    std::vector<VictimUnit> chosen;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((set.members >> i & 1U) != 0) chosen.push_back(units[i]);
    }
    if (TrySet(scope, step, std::move(chosen), trial, answer)) return answer;
  }
  return answer;
}

// The cheapest of the gangs that make enough room by themselves.
FieldAnswer RoomSearch::SearchOneGang(const VictimScope& scope, const RoomStep& step,
                                      Trial& trial) {
  const state::ShapeId s = step.parts.front().shape;
  const std::int64_t wanted = PodsOf(step);
  struct Leaving {
    EvictionCost cost;
    std::vector<VictimUnit> units;
  };
  std::vector<Leaving> enough;
  scope.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t donor) {
    if (cluster_.workloads()[w].solo()) return true;
    Trial without(cluster_);
    Leaving gang;
    for (VictimUnit& unit : victims_.UnitsOf(scope, w, donor)) {
      for (PodId p : unit.pods) without.Evict(p);
      gang.cost.Add(unit.cost);
      gang.units.push_back(std::move(unit));
      if (placer_.RoomFor(s, wanted, state::When::kLater) < wanted) continue;
      enough.push_back(std::move(gang));
      break;
    }
    without.UndoTo(0);
    return true;
  });
  std::sort(enough.begin(), enough.end(), [this](const Leaving& a, const Leaving& b) {
    if (a.cost != b.cost) return a.cost < b.cost;
    return policy::GivesFirst(cluster_, a.units.front().candidate.workload,
                              b.units.front().candidate.workload);
  });
  FieldAnswer answer;
  for (Leaving& gang : enough) {
    if (TrySet(scope, step, std::move(gang.units), trial, answer)) break;
  }
  return answer;
}

bool RoomSearch::TrySet(const VictimScope& scope, const RoomStep& step,
                        std::vector<VictimUnit> units, Trial& trial, FieldAnswer& answer) {
  const std::size_t mark = trial.Mark();
  for (const VictimUnit& unit : units) {
    for (PodId p : unit.pods) trial.Evict(p);
  }
  if (FiguresHold(scope, units, step.request)) {
    const GangVerdict verdict =
        PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kLater, trial);
    if (verdict == GangVerdict::kNotFound) answer.proven = false;
    const bool stands = verdict == GangVerdict::kPlaced &&
                        (scope.moves() ? StandsSomehow(scope, step, units, trial, answer.proven)
                                       : Stands(scope, units));
    if (stands && !DropForRight(scope, step, mark, trial, units)) {
      answer.found = true;
      answer.victims = std::move(units);
      return true;
    }
  }
  trial.UndoTo(mark);
  return false;
}

// Whether the movers stand, with the step's pods where they are or, of few, anywhere else: where
// these go decides who lands where. `proven` is set where that is not known for sure.
// REQUIRES: the step's pods are what was put last in the trial.
bool RoomSearch::StandsSomehow(const VictimScope& scope, const RoomStep& step,
                               const std::vector<VictimUnit>& units, Trial& trial, bool& proven) {
  landings_.Forget();
  if (Stands(scope, units)) return true;
  if (!landings_.stuck().valid()) return false;  // they lose too much, or budgets are in the way
  constexpr std::int64_t kFewPods = 4;
  constexpr std::int32_t kMostSteps = 200;
  const auto wanted = static_cast<std::size_t>(PodsOf(step));
  if (!landings_.proven() || PodsOf(step) > kFewPods || DependOnOthers(cluster_, step.parts) ||
      trial.Mark() < wanted) {
    proven = false;
    return false;
  }
  trial.UndoTo(trial.Mark() - wanted);
  std::int32_t steps = kMostSteps;
  bool sure = true;
  const std::function<bool(std::size_t, std::int64_t)> put = [&](std::size_t k, std::int64_t i) {
    if (k == step.parts.size()) {
      if (Stands(scope, units)) return true;
      sure = sure && landings_.proven();
      return false;
    }
    const GangPart& part = step.parts[k];
    if (i == part.count()) return put(k + 1, 0);
    for (std::uint32_t n = 0; n < cluster_.nodes().size() && --steps > 0; ++n) {
      const state::NodeId node(n);
      if (!cluster_.nodes().exists(node)) continue;
      if (!placer_.Fits(part.shape, node, state::When::kLater)) continue;
      const std::size_t mark = trial.Mark();
      PutPod(trial, step.workload, part, i, node, state::When::kLater);
      if (put(k, i + 1)) return true;
      trial.UndoTo(mark);
    }
    return false;
  };
  if (put(0, 0)) return true;
  proven = proven && sure && steps > 0;
  return false;
}

}  // namespace fairlead::engine
