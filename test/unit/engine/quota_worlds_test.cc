// What namespaces with elastic quotas may rely on (semantics.md §5), in very many small worlds,
// each checked by trying everything:
//
//   1. nobody within its min is made to give, and nobody gives to whom is above its own;
//   2. a demand within min is met, in this round or once the victims have left, wherever any set of
//      borrowers' leaving and any arrangement on the nodes can hold it; else nobody is evicted.
//
// The worlds are those of room_world.h with the tree that quotas make: elastic-quotas, guaranteed
// and limited to Σ min, and a queue a namespace.

#include <algorithm>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "engine/scheduler.h"
#include "state/cluster.h"
#include "unit/base/at.h"
#include "unit/engine/room_world.h"
#include "unit/engine/soak.h"
#include "unit/engine/tell.h"

namespace fairlead::engine {
namespace {

constexpr std::size_t kResourceCount = 2;  // CPUs, GPUs

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  int Below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937_64 random_;
};

Two SizeOf(Dice& dice) { return {dice.Between(1, 2), dice.OneIn(2) ? dice.Between(1, 2) : 0}; }

// Puts pods of `victim` where they have room; false: nowhere.
bool Place(RoomWorld& world, std::vector<Two>& free, RoomVictim victim, Dice& dice) {
  std::vector<Two> left = free;
  for (RoomVictim::Pod& pod : victim.pods) {
    const int first = dice.Below(static_cast<int>(left.size()));
    bool placed = false;
    for (std::size_t i = 0; i < left.size() && !placed; ++i) {
      const std::size_t n = (static_cast<std::size_t>(first) + i) % left.size();
      const Two after = left[n] - pod.size;
      if (after[0] < 0 || after[1] < 0) continue;
      left[n] = after;
      pod.node = static_cast<int>(n);
      placed = true;
    }
    if (!placed) return false;
  }
  free = left;
  world.victims.push_back(std::move(victim));
  return true;
}

RoomWorld QuotaWorldOf(std::uint64_t seed) {
  Dice dice(seed);
  RoomWorld world;
  const int nodes = dice.Between(1, 3);
  for (int n = 0; n < nodes; ++n) world.nodes.push_back({dice.Between(2, 4), dice.Between(0, 4)});
  RoomQueue& parent = world.queues.emplace_back();
  parent.name = "elastic-quotas";
  parent.weight = 0;
  Two sum = {kUnset, kUnset};
  const int quotas = dice.Between(2, 4);
  for (int q = 0; q < quotas; ++q) {
    RoomQueue quota{.name = std::string(1, static_cast<char>('a' + q)), .parent = 0, .weight = 0};
    for (std::size_t r = 0; r < kResourceCount; ++r) {
      if (!dice.OneIn(5)) {
        quota.guaranteed[r] = dice.Below(5);
        sum[r] = std::max(sum[r], 0) + quota.guaranteed[r];
      }
      if (dice.OneIn(3)) quota.limit[r] = std::max(quota.guaranteed[r], 0) + dice.Below(3);
    }
    world.queues.push_back(quota);
  }
  world.queues[0].guaranteed = world.queues[0].limit = sum;
  world.queue = 1;
  std::vector<Two> free = world.nodes;
  for (int v = dice.Between(1, 7); v > 0; --v) {
    RoomVictim victim{.queue = dice.Between(1, quotas), .priority = dice.Below(2)};
    if (victim.queue == world.queue) victim.priority = 1;  // it has no lower one to preempt
    victim.pods.resize(dice.OneIn(4) ? 2 : 1);
    const Two size = SizeOf(dice);
    for (RoomVictim::Pod& pod : victim.pods) pod = {.size = size, .age_s = 10 * dice.Below(9)};
    Place(world, free, std::move(victim), dice);
  }
  world.pods.assign(dice.OneIn(3) ? 2 : 1, SizeOf(dice));
  return world;
}

// The quotas of a world, and what is used in it, counted anew from the pods.
class QuotaReference {
 public:
  explicit QuotaReference(const RoomWorld& world) : world_(world) {
    for (const Two& pod : world.pods) request_ = request_ + pod;
    for (std::size_t r = 0; r < kResourceCount; ++r) {
      if (request_[r] > 0 && world.queues[0].guaranteed[r] != kUnset) looks_at_.push_back(r);
    }
  }

  bool WithinMin() const {
    const Two used = UsedBy(world_.queue, 0);
    for (std::size_t r : looks_at_) {
      if (used[r] + request_[r] > Min(world_.queue, r)) return false;
    }
    return !looks_at_.empty();
  }

  // Whether the victim's namespace is above its min once those of `gone` have left.
  bool MayLeave(std::size_t v, std::uint32_t gone) const {
    const int queue = world_.victims[v].queue;
    const Two used = UsedBy(queue, gone);
    return queue != world_.queue && std::any_of(looks_at_.begin(), looks_at_.end(),
                                                [&](auto r) { return used[r] > Min(queue, r); });
  }

  // Whether some set of borrowers makes room for all of the demand. They leave one after the other
  // in the order of giving (§4): priority ascending, start descending, name.
  bool CanBeMet() const {
    std::vector<std::size_t> order(world_.victims.size());
    for (std::size_t v = 0; v < order.size(); ++v) order[v] = v;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const RoomVictim& x = world_.victims[a];
      const RoomVictim& y = world_.victims[b];
      return x.priority != y.priority ? x.priority < y.priority : AgeOf(x) < AgeOf(y);
    });
    for (std::uint32_t wanted = 0; wanted < 1U << order.size(); ++wanted) {
      std::uint32_t gone = 0;
      for (std::size_t v : order) {
        if ((wanted >> v & 1) != 0 && MayLeave(v, gone)) gone |= 1U << v;
      }
      if (gone == wanted && Serves(gone)) return true;
    }
    return false;
  }

 private:
  // It started when the last pod of its minimum was placed.
  static int AgeOf(const RoomVictim& victim) {
    int age = victim.pods[0].age_s;
    for (const RoomVictim::Pod& pod : victim.pods) age = std::min(age, pod.age_s);
    return age;
  }

  int Min(int queue, std::size_t r) const {
    return std::max(0, world_.queues[queue].guaranteed[r]);
  }

  Two UsedBy(int queue, std::uint32_t gone) const {
    Two used{};
    for (std::size_t v = 0; v < world_.victims.size(); ++v) {
      const RoomVictim& victim = world_.victims[v];
      if ((gone >> v & 1) != 0 || (queue != 0 && victim.queue != queue)) continue;
      for (const RoomVictim::Pod& pod : victim.pods) used = used + pod.size;
    }
    return used;
  }

  // used + request ≤ max and Σ used + request ≤ Σ min, and the nodes hold it.
  bool Serves(std::uint32_t gone) const {
    for (int queue : {world_.queue, 0}) {
      const Two used = UsedBy(queue, gone);
      for (std::size_t r = 0; r < kResourceCount; ++r) {
        const int limit = world_.queues[queue].limit[r];
        if (request_[r] > 0 && limit != kUnset && used[r] + request_[r] > limit) return false;
      }
    }
    std::vector<Two> free = world_.nodes;
    for (std::size_t v = 0; v < world_.victims.size(); ++v) {
      if ((gone >> v & 1) != 0) continue;
      for (const RoomVictim::Pod& pod : world_.victims[v].pods) {
        free[pod.node] = free[pod.node] - pod.size;
      }
    }
    return Holds(free, 0);
  }

  bool Holds(std::vector<Two>& free, std::size_t pod) const {
    if (pod == world_.pods.size()) return true;
    for (Two& node : free) {
      const Two after = node - world_.pods[pod];
      if (after[0] < 0 || after[1] < 0) continue;
      const Two before = std::exchange(node, after);
      if (Holds(free, pod + 1)) return true;
      node = before;
    }
    return false;
  }

  const RoomWorld& world_;
  Two request_{};
  std::vector<std::size_t> looks_at_;
};

struct QuotaTally {
  int met = 0, refused = 0, above = 0, evicted = 0;
};

// What is wrong with the engine's decisions; empty: nothing.
std::string Fault(const RoomWorld& world, QuotaTally& counts) {
  const QuotaReference reference(world);
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world));
  const Plan plan = scheduler.Round(At(kNow));
  const state::Cluster& cluster = scheduler.cluster();
  std::uint32_t gone = 0;
  std::vector<state::Change> left;
  std::size_t placed = 0;
  for (const Decision& decision : plan.decisions) {
    placed += decision.type == DecisionType::kBind ? 1 : 0;
    if (decision.type != DecisionType::kEvict) continue;
    const std::string name(cluster.NameOf(decision.workload));
    std::size_t v = 0;
    while (VictimName(v) != name && VictimPodName(world, v, 0) != name) ++v;
    if (decision.action != policy::RoomAction::kReclaim) return name + " is no reclaim";
    if ((gone >> v & 1) == 0 && !reference.MayLeave(v, gone)) return name + " is within its min";
    gone |= 1U << v;
    left.emplace_back(state::Removal{.kind = state::RowKind::kPod,
                                     .name = std::string(cluster.pods().name(decision.pod))});
  }
  counts.evicted += gone != 0 ? 1 : 0;
  if (!reference.WithinMin()) {
    ++counts.above;
    return gone == 0 ? "" : "somebody gives to a demand above min";
  }
  if (!reference.CanBeMet()) {
    ++counts.refused;
    return gone == 0 && placed == 0 ? "" : "decided, where nothing can be had";
  }
  ++counts.met;
  if (placed < world.pods.size()) {
    if (gone == 0) return "a demand within min is not met";
    scheduler.Apply(left);
    for (const Decision& decision : scheduler.Round(At(kNow)).decisions) {
      placed += decision.type == DecisionType::kBind ? 1 : 0;
    }
  }
  return placed == world.pods.size() ? "" : "not all of it is placed once the victims have left";
}

TEST(QuotaWorlds, NobodyWithinItsMinGivesAndADemandWithinMinIsMet) {
  QuotaTally counts;
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= Soaked(10'000) && wrong < 5; ++seed) {
    const RoomWorld world = QuotaWorldOf(seed);
    const std::string fault = Fault(world, counts);
    if (fault.empty()) continue;
    ++wrong;
    Scheduler scheduler;
    scheduler.Apply(ChangesOf(world));
    const Plan plan = scheduler.Round(At(kNow));
    std::string text;
    for (const std::string& line : Decided(scheduler, plan)) text += line + "; ";
    ADD_FAILURE() << "world " << seed << ": " << fault << "\n  " << text << Tell(world);
  }
  // The generator makes all kinds.
  EXPECT_GT(counts.met, Enough(50));
  EXPECT_GT(counts.refused, Enough(50));
  EXPECT_GT(counts.above, Enough(50));
  EXPECT_GT(counts.evicted, Enough(50));
  RecordProperty("evicted", counts.evicted);
}

}  // namespace
}  // namespace fairlead::engine
