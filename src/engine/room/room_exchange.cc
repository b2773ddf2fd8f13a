#include "engine/room/room_exchange.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace fairlead::engine {

using policy::EvictionCost;

RoomExchange::RoomExchange(const state::Cluster& cluster, Placer& placer, const RoomStep& step,
                           std::vector<VictimUnit> candidates)
    : sums_(cluster, placer, step.parts.front().shape),
      wanted_(PodsOf(step)),
      candidates_(std::move(candidates)) {
  std::ranges::sort(candidates_, [&](const VictimUnit& a, const VictimUnit& b) {
    if (a.cost != b.cost) return a.cost < b.cost;
    return policy::GivesFirst(cluster, a.candidate.workload, b.candidate.workload);
  });
}

bool RoomExchange::Improve(std::vector<VictimUnit>& units) {
  for (const VictimUnit& unit : units) Leave(unit);
  bool any = false;
  for (int taken = 0; taken < kMostTaken && TakeOne(units); ++taken) any = true;
  for (const VictimUnit& unit : units) Return(unit);
  return any;
}

bool RoomExchange::TakeOne(std::vector<VictimUnit>& units) {
  return std::ranges::any_of(candidates_, [&](const VictimUnit& unit) {
    return !unit.IsIn(units) && TakeIn(unit, units);
  });
}

// Takes `unit` and puts back what is needless then, the dearest first; or nothing, where that is no
// cheaper.
bool RoomExchange::TakeIn(const VictimUnit& unit, std::vector<VictimUnit>& units) {
  const std::int64_t before = sums_.held();
  Leave(unit);
  std::vector<std::uint32_t> left_out;
  if (sums_.held() > before) {
    by_cost_.resize(units.size());
    std::iota(by_cost_.begin(), by_cost_.end(), 0U);
    std::ranges::stable_sort(
        by_cost_, [&](std::uint32_t a, std::uint32_t b) { return units[b].cost < units[a].cost; });
    for (const std::uint32_t i : by_cost_) {
      const bool alone = std::ranges::count_if(units, [&](const VictimUnit& other) {
                           return other.candidate.workload == units[i].candidate.workload;
                         }) == 1;
      if (!alone) continue;
      Return(units[i]);
      if (sums_.held() >= wanted_) {
        left_out.push_back(i);
      } else {
        Leave(units[i]);
      }
    }
  }
  EvictionCost gone;
  for (const std::uint32_t i : left_out) gone.Add(units[i].cost);
  if (left_out.empty() || !(unit.cost < gone)) {
    for (const std::uint32_t i : left_out) Leave(units[i]);
    Return(unit);
    return false;
  }
  std::ranges::sort(left_out, std::greater<>());
  for (const std::uint32_t i : left_out) {
    units.erase(units.begin() + static_cast<std::ptrdiff_t>(i));
  }
  units.push_back(unit);
  return true;
}

}  // namespace fairlead::engine
