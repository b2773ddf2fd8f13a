// Moves through the engine's public entry: a round that has others move for a gang, and rounds in
// which much waits and asks them in vain. Beside each the same with consolidation off.

#include <memory>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/rounds.h"
#include "bench/worlds.h"
#include "engine/scheduler.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kNodes = 1000, kGpus = 8;

state::Change Consolidating(bool enabled) {
  auto configuration = std::make_shared<objects::SchedulerConfiguration>();
  configuration->consolidation.enabled = enabled;
  configuration->backfill.reservations = 0;  // room that is kept is measured elsewhere
  return state::ConfigurationChange{configuration};
}

// Of a ReplicaSet: another is made in its place.
state::PodChange Replaceable(std::int64_t i, const state::NeedsPtr& needs, std::int64_t node) {
  state::PodChange pod = RunningPod(i, needs, "default", node);
  pod.solo->preemptible = true;
  pod.may_move = true;
  pod.made_by = fmt::format("ReplicaSet/team/rs-{}", i);
  return pod;
}

// Nodes of 8 GPUs, nine tenths of them taken by single-GPU pods: 7 on four of five, 8 on the fifth.
std::vector<state::Change> SmallWork(bool enabled, bool may_move) {
  std::vector<state::Change> changes = EqualNodes(kNodes, kGpus);
  changes.push_back(Consolidating(enabled));
  changes.emplace_back(Queue("default", ""));
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  std::int64_t pods = 0;
  for (std::int64_t node = 0; node < kNodes; ++node) {
    const std::int64_t there = node % 5 == 4 ? 8 : 7;
    for (std::int64_t i = 0; i < there; ++i) {
      state::PodChange pod = Replaceable(pods++, one, node);
      pod.may_move = may_move;
      changes.emplace_back(pod);
    }
  }
  return changes;
}

// The whole round: a gang of so many whole nodes comes. 101 are more than what is free in sum.
void GangByMoves(benchmark::State& state) {
  std::vector<state::Change> arriving;
  AddGang(arriving, "default", state.range(1), Needs(8000, 8LL << 30, kGpus));
  RunRounds(state, SmallWork(state.range(0) != 0, true), arriving);
}
BENCHMARK(GangByMoves)
    ->ArgNames({"moves", "nodes"})
    ->ArgsProduct({{0, 1}, {8, 101}})
    ->Unit(benchmark::kMillisecond);

// 2,000 groups wait for whole nodes, each a pod of its own shape or gangs that ask the same, and
// one small pod ends. In vain: nobody may move; or whoever would move finds no place, since each
// node has one pod of 7 GPUs.
enum InVain : std::int64_t { kNobodyMoves, kSameAsk, kNoPlace };
void OnePodEndsBesideMoves(benchmark::State& state) {
  const bool enabled = state.range(0) != 0;
  const std::int64_t why = state.range(1);
  constexpr std::int64_t kGroups = 2000;
  std::vector<state::Change> changes;
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  if (why == kNoPlace) {
    changes = EqualNodes(kNodes, kGpus);
    changes.push_back(Consolidating(enabled));
    changes.emplace_back(Queue("default", ""));
    const state::NeedsPtr seven = Needs(7000, 7LL << 30, 7);
    for (std::int64_t node = 0; node < kNodes; ++node) {
      changes.emplace_back(Replaceable(node, seven, node));
    }
    changes.emplace_back(Replaceable(kNodes * kGpus, one, 0));
  } else {
    changes = SmallWork(enabled, false);
  }
  for (std::int64_t i = 0; i < kGroups; ++i) {
    if (why == kSameAsk) {
      AddGang(changes, "default", 2, Needs(8000, 8LL << 30, kGpus), 1 + i);
    } else {
      changes.emplace_back(WaitingPod(1'000'000 + i, Needs(8000 + i, 8LL << 30, kGpus), "default"));
    }
  }
  engine::Scheduler scheduler;
  scheduler.Apply(changes);
  const engine::Plan plan = scheduler.Round(kNow);
  if (!plan.decisions.empty()) return state.SkipWithError("it is not in vain");
  const std::int64_t small = why == kNoPlace ? kNodes * kGpus : 0;
  RunEnds(state, scheduler, [&] {
    state::PodChange pod = Replaceable(small, one, 0);
    pod.may_move = why == kNoPlace;
    return pod;
  });
}
BENCHMARK(OnePodEndsBesideMoves)
    ->ArgNames({"moves", "why"})
    ->ArgsProduct({{0, 1}, {kNobodyMoves, kSameAsk, kNoPlace}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
