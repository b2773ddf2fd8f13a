// Jobs that start with fewer pods: very many small clusters, each decided by the engine and by a
// reference that tries every arrangement of every count (semantics.md §8).

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/scheduler.h"
#include "state/cluster.h"
#include "unit/engine/soak.h"

namespace fairlead::engine {
namespace {

struct AskedSet {
  int count = 1, min_count = 1;
  int cpu = 1, memory = 0;  // of each pod
};

struct PodsWorld {
  std::vector<std::pair<int, int>> nodes;  // CPUs, gigabytes
  std::vector<AskedSet> sets;
  int limit = 1000;  // of the queue, CPUs
  bool ordered = false, fill = true;
};

using Counts = std::vector<int>;

PodsWorld RandomPodsWorld(std::mt19937& random) {
  auto roll = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  PodsWorld world;
  for (int n = 1 + roll(3); n > 0; --n) world.nodes.emplace_back(1 + roll(6), roll(7));
  for (int s = 1 + roll(3); s > 0; --s) {
    AskedSet set{.count = 1 + roll(5), .cpu = 1 + roll(3), .memory = roll(3)};
    set.min_count = 1 + roll(set.count);
    world.sets.push_back(set);
  }
  if (roll(3) == 0) world.limit = 1 + roll(12);
  world.ordered = roll(2) == 0;
  world.fill = roll(4) != 0;
  return world;
}

// Every pod on every node, one after the other.
bool Place(const PodsWorld& world, std::vector<std::pair<int, int>>& free, const Counts& counts,
           std::size_t set, int placed) {
  while (set < counts.size() && placed == counts[set]) {
    ++set;
    placed = 0;
  }
  if (set == counts.size()) return true;
  const AskedSet& asks = world.sets[set];
  for (auto& [cpu, memory] : free) {
    if (cpu < asks.cpu || memory < asks.memory) continue;
    cpu -= asks.cpu;
    memory -= asks.memory;
    const bool rest = Place(world, free, counts, set, placed + 1);
    cpu += asks.cpu;
    memory += asks.memory;
    if (rest) return true;
  }
  return false;
}

bool Fits(const PodsWorld& world, const Counts& counts) {
  int cpus = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) cpus += counts[k] * world.sets[k].cpu;
  if (cpus > world.limit) return false;
  std::vector<std::pair<int, int>> free = world.nodes;
  return Place(world, free, counts, 0, 0);
}

// All counts after `cut` of the cuts, by the words of §8.
Counts After(const PodsWorld& world, int cut) {
  int all = 0;
  for (const AskedSet& set : world.sets) all += set.count - set.min_count;
  Counts counts;
  for (const AskedSet& set : world.sets) {
    const int lost = all == 0 ? 0 : (set.count - set.min_count) * cut / all;
    counts.push_back(set.count - lost);
  }
  if (!world.ordered) return counts;
  for (std::size_t k = 0; k < counts.size(); ++k) counts[k] = world.sets[k].count;
  for (std::size_t k = counts.size(); k-- > 0;) {
    while (cut > 0 && counts[k] > world.sets[k].min_count) {
      --counts[k];
      --cut;
    }
  }
  return counts;
}

Counts Expected(const PodsWorld& world) {
  int all = 0;
  for (const AskedSet& set : world.sets) all += set.count - set.min_count;
  for (int cut = 0; cut <= all; ++cut) {
    Counts counts = After(world, cut);
    if (!Fits(world, counts)) continue;
    for (std::size_t k = 0; (world.fill || world.ordered) && k < counts.size(); ++k) {
      while (counts[k] < world.sets[k].count) {
        ++counts[k];
        if (Fits(world, counts)) continue;
        --counts[k];
        break;
      }
    }
    return counts;
  }
  return {};
}

std::vector<state::Change> ChangesOf(const PodsWorld& world) {
  std::vector<state::Change> changes;
  auto configuration = std::make_shared<objects::SchedulerConfiguration>();
  configuration->partial_admission.fill = world.fill;
  configuration->partial_admission.reduce =
      world.ordered ? objects::Reduction::kOrdered : objects::Reduction::kProportional;
  changes.emplace_back(state::ConfigurationChange{configuration});
  for (std::size_t n = 0; n < world.nodes.size(); ++n) {
    state::NodeChange node{.name = fmt::format("n{}", n)};
    node.allocatable = {
        {"cpu", world.nodes[n].first * 1000}, {"memory", world.nodes[n].second}, {"pods", 110}};
    changes.emplace_back(node);
  }
  state::QueueChange queue{.name = "q"};
  queue.limit = {{"cpu", world.limit * 1000}};
  changes.emplace_back(queue);
  state::WorkloadChange job{.name = "a/job", .uid = "job"};
  job.traits.queue = "q";
  for (std::size_t k = 0; k < world.sets.size(); ++k) {
    const AskedSet& set = world.sets[k];
    auto needs = std::make_shared<objects::PodNeeds>();
    needs->request = {{"cpu", set.cpu * 1000}};
    if (set.memory > 0) needs->request.emplace_back("memory", set.memory);
    job.pod_sets.push_back({.name = fmt::format("s{}", k),
                            .count = set.count,
                            .min_count = set.min_count,
                            .expected_needs = needs});
  }
  changes.emplace_back(job);
  return changes;
}

Counts CountsDecided(const PodsWorld& world) {
  Scheduler scheduler;
  scheduler.Apply(ChangesOf(world));
  const Plan plan = scheduler.Round(Time{1'000'000});
  for (const Decision& decision : plan.decisions) {
    if (decision.type != DecisionType::kAdmit) continue;
    const auto first = plan.counts.begin() + decision.first_count;
    return {first, first + static_cast<std::ptrdiff_t>(world.sets.size())};
  }
  return {};
}

std::string Text(const PodsWorld& world) {
  std::string text = fmt::format("limit {}{}{}; nodes", world.limit,
                                 world.ordered ? ", ordered" : "", world.fill ? ", fill" : "");
  for (const auto& [cpu, memory] : world.nodes) text += fmt::format(" {}/{}", cpu, memory);
  text += "; sets";
  for (const AskedSet& set : world.sets) {
    text += fmt::format(" {}..{} of {}/{}", set.min_count, set.count, set.cpu, set.memory);
  }
  return text;
}

TEST(FewerPods, AsManyAsEveryArrangementAllows) {
  std::mt19937 random(20);
  int reduced = 0;
  int refused = 0;
  for (std::uint64_t i = 0; i < Soaked(20'000); ++i) {
    const PodsWorld world = RandomPodsWorld(random);
    const Counts expected = Expected(world);
    const Counts decided = CountsDecided(world);
    ASSERT_EQ(decided, expected) << "world " << i << ": " << Text(world);
    refused += expected.empty() ? 1 : 0;
    reduced += !expected.empty() && expected != After(world, 0) ? 1 : 0;
  }
  EXPECT_GT(reduced, Enough(100));
  EXPECT_GT(refused, Enough(100));
}

}  // namespace
}  // namespace fairlead::engine
