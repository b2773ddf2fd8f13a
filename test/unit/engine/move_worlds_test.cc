// Small worlds in which others may have to move: very many of them, each decided by the search for
// movers and by a reference that tries every set of them in every place. What is found must stand;
// what is called proven must be the cheapest there is, or nothing where there is none.
//
// The worlds are those of room_worlds_test.cc, with more room on their nodes, and without limits of
// queues, which moving never helps. They have no demands on other pods and no topologies: work with
// any of these does not move.

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <gmock/gmock.h>

#include "engine/explain/what_if.h"
#include "engine/room/move_room.h"
#include "state/cluster.h"
#include "unit/base/at.h"
#include "unit/engine/room_world.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

struct MoveCost {
  int highest_priority = -1;
  int stopped = 0;
  std::int64_t lost = 0;
  int pods = 0;
  auto operator<=>(const MoveCost&) const = default;
};

// time.md §6 read word by word.
class MoveReference {
 public:
  explicit MoveReference(const RoomWorld& world) : world_(world) {
    for (const Two& node : world.nodes) capacity_ = capacity_ + node;
    free_ = world.nodes;
    for (std::size_t v = 0; v < world.victims.size(); ++v) {
      const RoomVictim& victim = world.victims[v];
      if (victim.terminating) continue;
      for (const auto& pod : victim.pods) {
        free_[pod.node] = free_[pod.node] - pod.size;
        worst_ |= free_[pod.node][0] < 0 || free_[pod.node][1] < 0;
      }
      if (victim.preemptible) AddUnits(v);
    }
  }

  bool is_overfull() const { return worst_; }
  std::size_t unit_count() const { return units_.size(); }

  std::optional<MoveCost> Cheapest() const {
    std::optional<MoveCost> cheapest;
    for (std::uint32_t set = 0; set < 1U << units_.size(); ++set) {
      const auto cost = CostOf(set);
      if (!cost || (cheapest && *cheapest <= *cost)) continue;
      if (Serves(set)) cheapest = cost;
    }
    return cheapest;
  }

  // Of the pods of these names, sorted; empty: they are no whole units, or do not serve.
  std::optional<MoveCost> CostOf(const std::vector<std::string>& names) const {
    std::uint32_t set = 0;
    std::vector<std::string> of_set;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const std::vector<std::string> pods = NamesOf(units_[u]);
      const bool in = std::ranges::all_of(
          pods, [&](const std::string& name) { return std::ranges::binary_search(names, name); });
      if (!in) continue;
      set |= 1U << u;
      of_set.insert(of_set.end(), pods.begin(), pods.end());
    }
    std::ranges::sort(of_set);
    if (of_set != names || !Serves(set)) return std::nullopt;
    return CostOf(set);
  }

 private:
  struct MoveUnit {
    std::size_t victim = 0;
    std::vector<std::size_t> pods;
    bool stops = false;
    bool follows = false;  // the unit before it leaves first
  };

  void AddUnits(std::size_t v) {
    const RoomVictim& victim = world_.victims[v];
    std::vector<std::size_t> by_age(victim.pods.size());  // the youngest first
    for (std::size_t p = 0; p < by_age.size(); ++p) by_age[p] = p;
    std::ranges::stable_sort(by_age, [&](std::size_t a, std::size_t b) {
      if (victim.pods[a].age_s != victim.pods[b].age_s) {
        return victim.pods[a].age_s < victim.pods[b].age_s;
      }
      return VictimPodName(world_, v, a) < VictimPodName(world_, v, b);
    });
    const auto surplus = static_cast<std::size_t>(victim.surplus);
    for (std::size_t i = 0; i < surplus; ++i) {
      units_.push_back({.victim = v, .pods = {by_age[i]}, .stops = false, .follows = i > 0});
    }
    // The start: when its minimum was there first, as the ages of its pods tell.
    std::vector<int> ages;
    for (const auto& pod : victim.pods) ages.push_back(pod.age_s);
    std::ranges::sort(ages, std::greater<>());
    const std::size_t minimum = victim.pods.size() - surplus;
    if (minimum == 0 || ages[minimum - 1] < MinRuntimeOf(victim.queue)) return;
    MoveUnit rest{.victim = v, .stops = true, .follows = surplus > 0};
    for (std::size_t i = surplus; i < by_age.size(); ++i) rest.pods.push_back(by_age[i]);
    units_.push_back(rest);
  }

  int MinRuntimeOf(int queue) const {
    for (int q = queue; q != kUnset; q = world_.queues[q].parent) {
      if (world_.queues[q].preempt_min_s != kUnset) return world_.queues[q].preempt_min_s;
    }
    return 0;
  }

  std::vector<std::string> NamesOf(const MoveUnit& unit) const {
    std::vector<std::string> names;
    for (const std::size_t p : unit.pods) names.push_back(VictimPodName(world_, unit.victim, p));
    return names;
  }

  std::int64_t DominantOf(const Two& size) const {
    std::int64_t most = 0;
    for (std::size_t r = 0; r < 2; ++r) {
      if (size[r] == 0) continue;
      const std::int64_t capacity = capacity_[r];
      most = std::max(most, (size[r] * std::int64_t{1'000'000'000} + capacity - 1) / capacity);
    }
    return most;
  }

  std::optional<MoveCost> CostOf(std::uint32_t set) const {
    MoveCost cost;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if ((set >> u & 1U) == 0) continue;
      if (units_[u].follows && (set >> (u - 1) & 1U) == 0) return std::nullopt;
      const RoomVictim& victim = world_.victims[units_[u].victim];
      cost.highest_priority = std::max(cost.highest_priority, victim.priority);
      cost.stopped += units_[u].stops ? 1 : 0;
      for (const std::size_t p : units_[u].pods) {
        cost.lost += DominantOf(victim.pods[p].size) * victim.pods[p].age_s;
        ++cost.pods;
      }
    }
    return cost;
  }

  bool Serves(std::uint32_t set) const {
    std::vector<Two> free = free_;
    std::vector<Two> pods = world_.pods;
    int of_budget = 0;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if ((set >> u & 1U) == 0) continue;
      const RoomVictim& victim = world_.victims[units_[u].victim];
      for (const std::size_t p : units_[u].pods) {
        free[victim.pods[p].node] = free[victim.pods[p].node] + victim.pods[p].size;
        pods.push_back(victim.pods[p].size);
        of_budget += victim.budget ? 1 : 0;
      }
    }
    if (world_.budget_allows != kUnset && of_budget > world_.budget_allows) return false;
    return Arrange(pods, 0, free);
  }

  static bool Arrange(const std::vector<Two>& pods, std::size_t at, std::vector<Two>& free) {
    if (at == pods.size()) return true;
    for (std::size_t n = 0; n < free.size(); ++n) {
      const Two left = free[n] - pods[at];
      if (left[0] < 0 || left[1] < 0) continue;
      const Two before = std::exchange(free[n], left);
      const bool fits = Arrange(pods, at + 1, free);
      free[n] = before;
      if (fits) return true;
    }
    return false;
  }

  const RoomWorld& world_;
  Two capacity_{};
  std::vector<Two> free_;  // once what leaves has left
  std::vector<MoveUnit> units_;
  bool worst_ = false;
};

struct MoveTally {
  int asked = 0, found = 0, with_many = 0, none = 0, by_slots = 0, unproven = 0;
};

// What is wrong with where they land: nothing, where all pods have a place together.
std::string LandingFault(const state::Cluster& cluster, const MoveAnswer& answer) {
  std::size_t movers = 0;
  for (const VictimUnit& unit : answer.movers) movers += unit.pods.size();
  if (answer.landings.size() != movers) return "not all of them land";
  std::map<std::uint32_t, std::map<std::uint32_t, std::int64_t>> taken;  // by node and resource
  for (const Landing& landing : answer.landings) {
    for (const state::Amount& a : cluster.shapes()[cluster.pods()[landing.mover].shape].request) {
      taken[landing.node.value()][a.resource.value()] += a.amount;
    }
  }
  for (const auto& [node, amounts] : taken) {
    const std::int64_t* later = cluster.nodes().later(state::NodeId(node));
    for (const auto& [resource, amount] : amounts) {
      if (amount > later[resource]) return "they land where there is no room";
    }
  }
  return "";
}

std::string JudgeMoves(const RoomWorld& world, MoveTally& tally) {
  const MoveReference reference(world);
  if (reference.is_overfull() || reference.unit_count() > 10) return "";
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world));
  scheduler.Settle();
  const WhatIf what_if(scheduler);
  state::Cluster& cluster = what_if.cluster();
  const RoomStep step = StepOf(cluster, world);
  const bool entitled =
      policy::IsEntitled(cluster.queues(), policy::Right::kGuarantee, step.queue, step.request) ||
      policy::IsEntitled(cluster.queues(), policy::Right::kShare, step.queue, step.request);
  const auto expected = reference.Cheapest();
  if (expected && expected->pods == 0) return "";  // it has room anyway
  MoveRoom moves(cluster, what_if.placer());
  const auto stays = [](state::WorkloadId) { return std::nullopt; };
  const MoveRoom::Movers movers = moves.WhoMayMove(stays);
  state::Trial trial(cluster);
  const MoveAnswer answer = moves.Find(step, At(kNow), stays, trial, &movers);
  std::string got = "\n  moved:";
  std::vector<std::string> moved;
  for (const VictimUnit& unit : answer.movers) {
    for (const state::PodId p : unit.pods) moved.emplace_back(cluster.pods().name(p));
  }
  std::ranges::sort(moved);
  for (const std::string& name : moved) got += " " + name;
  const auto wrong = [&](const std::string& what) { return what + got + Tell(world); };
  if (!entitled) return answer.found ? wrong("it is not entitled to any") : "";
  ++tally.asked;
  if (!answer.found) {
    tally.none += answer.proven ? 1 : 0;
    tally.by_slots += movers.slots.MayDo(step) ? 0 : 1;
    tally.unproven += answer.proven ? 0 : 1;
    if (!trial.steps().empty()) return wrong("something is left of it in the trial");
    return answer.proven && expected ? wrong("some could move") : "";
  }
  ++tally.found;
  tally.with_many += moved.size() > 1 ? 1 : 0;
  const auto cost = reference.CostOf(moved);
  if (!cost) return wrong("these cannot move, or it does not help");
  if (std::string fault = LandingFault(cluster, answer); !fault.empty()) return wrong(fault);
  tally.unproven += answer.least_proven ? 0 : 1;
  if (answer.least_proven && *expected < *cost) return wrong("cheaper ones could move");
  return "";
}

// With room to move to, and with no limits.
RoomWorld MoveWorldOf(std::uint64_t number, bool large) {
  RoomWorld world = RoomWorldOf(number, large);
  world.preemptible = true;
  for (RoomQueue& queue : world.queues) queue.limit = {kUnset, kUnset};
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    world.nodes[n] = world.nodes[n] + Two{static_cast<int>((number + n) % 3),
                                          static_cast<int>((number / 3 + n) % 2)};
  }
  return world;
}

void JudgeAll(std::uint64_t worlds, bool large, int least_found) {
  MoveTally tally;
  int wrong = 0;
  for (std::uint64_t number = 1; number <= Soaked(worlds) && wrong < 5; ++number) {
    const std::string fault = JudgeMoves(MoveWorldOf(number, large), tally);
    if (fault.empty()) continue;
    ++wrong;
    ADD_FAILURE() << "world " << number << ": " << fault;
  }
  testing::Test::RecordProperty("asked", tally.asked);
  testing::Test::RecordProperty("found", tally.found);
  testing::Test::RecordProperty("by slots", tally.by_slots);
  testing::Test::RecordProperty("unproven", tally.unproven);
  EXPECT_GE(tally.found, Enough(least_found));
  EXPECT_GE(tally.with_many, Enough(least_found / 3));
  EXPECT_GE(tally.none, Enough(least_found / 2));
  EXPECT_GE(tally.by_slots, Enough(least_found / 8));
  // Small ones are tried whole.
  EXPECT_LE(tally.unproven, large ? tally.asked / 10 : tally.asked / 500);
}

TEST(MoveWorlds, SmallOnesAreSolved) { JudgeAll(100'000, false, 4000); }

TEST(MoveWorlds, LargerOnesAreHonest) { JudgeAll(10'000, true, 300); }

}  // namespace
}  // namespace fairlead::engine
