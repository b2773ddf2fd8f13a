// Every set of a few units, cheapest first: the answer that the other ways must agree with.

#include <algorithm>

#include "engine/room/room_search.h"

namespace fairlead::engine {

using policy::Harm;
using state::PodId;
using state::Trial;

bool RoomSearch::CollectFew(const RoomField& field, const RoomStep& step,
                            std::vector<VictimUnit>& units) {
  const auto needs = field.Needs(step.preemptible);
  if (!needs) return true;
  const bool limited = std::any_of(needs->begin(), needs->end(),
                                   [](const RoomField::Need& need) { return need.of_limit; });
  field.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t giver) {
    std::vector<VictimUnit> of =
        limited ? victims_.UnitsOf(field, w, giver) : UsableUnits(field, step, w, giver);
    units.insert(units.end(), std::make_move_iterator(of.begin()),
                 std::make_move_iterator(of.end()));
    return units.size() <= kFewUnits;
  });
  if (units.size() > kFewUnits) return false;
  SortByGiving(units);
  return true;
}

FieldAnswer RoomSearch::SearchWhole(const RoomField& field, const RoomStep& step,
                                    const std::vector<VictimUnit>& units, Trial& trial) {
  struct Set {
    Harm harm;
    std::uint32_t members = 0;
  };
  std::vector<Set> sets;
  for (std::uint32_t members = 0; members < 1U << units.size(); ++members) {
    Set set{.harm = {}, .members = members};
    bool in_order = true;  // a workload's units leave one after the other
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((members >> i & 1U) == 0) continue;
      set.harm.Add(units[i].harm);
      const bool follows = i > 0 && units[i - 1].candidate.workload == units[i].candidate.workload;
      in_order &= !follows || (members >> (i - 1) & 1U) != 0;
    }
    if (in_order) sets.push_back(set);
  }
  // Of equal cost: the one whose members come first in the order of giving.
  std::sort(sets.begin(), sets.end(), [](const Set& a, const Set& b) {
    if (a.harm != b.harm) return a.harm < b.harm;
    const std::uint32_t differ = a.members ^ b.members;
    return (a.members & differ & (~differ + 1)) != 0;
  });
  FieldAnswer answer;
  for (const Set& set : sets) {
    std::vector<VictimUnit> chosen;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if ((set.members >> i & 1U) != 0) chosen.push_back(units[i]);
    }
    if (TrySet(field, step, std::move(chosen), trial, answer)) return answer;
  }
  return answer;
}

// The cheapest of the gangs that make enough room by themselves.
FieldAnswer RoomSearch::SearchOneGang(const RoomField& field, const RoomStep& step, Trial& trial) {
  const state::ShapeId s = step.parts.front().shape;
  const std::int64_t wanted = PodsOf(step);
  struct Leaving {
    Harm harm;
    std::vector<VictimUnit> units;
  };
  std::vector<Leaving> enough;
  field.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t giver) {
    if (cluster_.workloads()[w].solo()) return true;
    Trial without(cluster_);
    Leaving gang;
    for (VictimUnit& unit : victims_.UnitsOf(field, w, giver)) {
      for (PodId p : unit.pods) without.Evict(p);
      gang.harm.Add(unit.harm);
      gang.units.push_back(std::move(unit));
      if (placer_.RoomFor(s, wanted, state::When::kLater) < wanted) continue;
      enough.push_back(std::move(gang));
      break;
    }
    without.UndoTo(0);
    return true;
  });
  std::sort(enough.begin(), enough.end(), [this](const Leaving& a, const Leaving& b) {
    if (a.harm != b.harm) return a.harm < b.harm;
    return policy::GivesFirst(cluster_, a.units.front().candidate.workload,
                              b.units.front().candidate.workload);
  });
  FieldAnswer answer;
  for (Leaving& gang : enough) {
    if (TrySet(field, step, std::move(gang.units), trial, answer)) break;
  }
  return answer;
}

bool RoomSearch::TrySet(const RoomField& field, const RoomStep& step, std::vector<VictimUnit> units,
                        Trial& trial, FieldAnswer& answer) {
  const std::size_t mark = trial.Mark();
  for (const VictimUnit& unit : units) {
    for (PodId p : unit.pods) trial.Evict(p);
  }
  if (FiguresHold(field, units, step.request)) {
    const GangVerdict verdict =
        PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kLater, trial);
    if (verdict == GangVerdict::kNotFound) answer.proven = false;
    if (verdict == GangVerdict::kPlaced && Stands(field, units) &&
        !DropForRight(field, step, mark, trial, units)) {
      answer.found = true;
      answer.victims = std::move(units);
      return true;
    }
  }
  trial.UndoTo(mark);
  return false;
}

}  // namespace fairlead::engine
