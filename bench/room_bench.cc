// Making room: reclaim and preempt through the engine's public entry. A run is one round over a
// cluster that is full and known; the time is the round's alone.

#include <algorithm>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/rounds.h"
#include "bench/worlds.h"
#include "engine/explain/what_if.h"
#include "engine/room/move_room.h"
#include "engine/scheduler.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kHour = 3600;

state::QueueChange Guaranteed(const std::string& name, const std::string& parent,
                              std::int64_t gpus) {
  state::QueueChange queue = Queue(name, parent);
  queue.guaranteed = {{"nvidia.com/gpu", gpus * 1000}};
  return queue;
}

// Two departments of two queues each, all guaranteed a quarter; three of them fill `nodes` nodes of
// 8 GPUs with single-GPU pods, node by node.
std::vector<state::Change> FullDepartments(std::int64_t nodes) {
  std::vector<state::Change> changes;
  const std::int64_t quarter = nodes * 2;
  for (const char* department : {"x", "y"}) {
    changes.emplace_back(Guaranteed(department, "", 2 * quarter));
    for (int i = 1; i <= 2; ++i) {
      changes.emplace_back(Guaranteed(fmt::format("{}{}", department, i), department, quarter));
    }
  }
  const auto more = EqualNodes(nodes, 8);
  changes.insert(changes.end(), more.begin(), more.end());
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  constexpr const char* kFull[] = {"x2", "y1", "y2"};
  for (std::int64_t i = 0; i < nodes * 8; ++i) {
    changes.emplace_back(RunningPod(i, one, kFull[(i / 8) % 3], i / 8));
  }
  return changes;
}

// x1 has nothing and is owed a quarter: it reclaims a tenth of the cluster for one job of whole
// nodes.
void ReclaimDistributedJob(benchmark::State& state) {
  const std::int64_t nodes = state.range(0);
  std::vector<state::Change> arriving;
  AddGang(arriving, "x1", nodes / 10, Needs(8000, 8LL << 30, 8));
  RunRounds(state, FullDepartments(nodes), arriving);
}
BENCHMARK(ReclaimDistributedJob)
    ->Arg(100)
    ->Arg(500)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);

// It cannot be had: too few nodes of its kind; more than is owed; all that could go is protected;
// all that runs are gangs that are not to be preempted.
enum Refusal : std::int64_t { kCapacity, kEntitlement, kProtection, kGangs };
void RefuseDistributedJob(benchmark::State& state) {
  const std::int64_t nodes = state.range(0);
  const std::int64_t why = state.range(1);
  std::vector<state::Change> running = FullDepartments(nodes);
  if (why == kProtection) {
    objects::SchedulerConfiguration configuration;
    configuration.reclaim_min_runtime = Duration::Seconds(48 * kHour);
    running.emplace_back(state::ConfigurationChange{
        std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  }
  std::int64_t new_nodes = std::min<std::int64_t>(99, nodes / 10 - 1);
  for (state::Change& change : running) {
    if (auto* pod = std::get_if<state::PodChange>(&change); pod && why == kGangs) {
      pod->solo->preemptible = false;
    }
    if (auto* node = std::get_if<state::NodeChange>(&change); node && new_nodes-- > 0) {
      node->labels = {{"pool", "new"}};
    }
    // A share so small that the job is not owed to it.
    if (auto* queue = std::get_if<state::QueueChange>(&change); queue && why == kEntitlement) {
      if (queue->name == "x1") queue->guaranteed = {{"nvidia.com/gpu", 8000}};
      if (queue->name == "x1") queue->weight.milli = 0;
    }
  }
  std::vector<state::Change> arriving;
  const std::int64_t pods = std::min<std::int64_t>(100, nodes / 10) * (why == kEntitlement ? 6 : 1);
  state::NeedsPtr needs = Needs(8000, 8LL << 30, 8);
  if (why == kCapacity) {
    auto of_pool = std::make_shared<objects::PodNeeds>(*needs);
    of_pool->node_selector = {{"pool", "new"}};
    needs = of_pool;
  }
  if (why == kEntitlement) needs = Needs(8000, 8LL << 30, nodes >= 1000 ? 8 : 6);
  AddGang(arriving, "x1", pods, needs);
  RunRounds(state, running, arriving, true);
}
// To make these clusters takes longer than the rounds, up to seconds: so often is enough.
void Refusals(benchmark::internal::Benchmark* bench, std::int64_t nodes, std::int64_t times) {
  for (const std::int64_t why : {kCapacity, kEntitlement, kProtection, kGangs}) {
    bench->Args({nodes, why});
  }
  bench->ArgNames({"nodes", "why"})->Iterations(times)->Unit(benchmark::kMillisecond);
}
BENCHMARK(RefuseDistributedJob)->Apply([](auto* bench) { Refusals(bench, 100, 200); });
BENCHMARK(RefuseDistributedJob)->Apply([](auto* bench) { Refusals(bench, 1000, 30); });
BENCHMARK(RefuseDistributedJob)->Apply([](auto* bench) { Refusals(bench, 100000, 3); });

// 5,000 nodes of four pods each; 5,000 preemptors that each need three of a node's four to go.
void PreemptThreeOfFour(benchmark::State& state) {
  constexpr std::int64_t kNodes = 5000;
  std::vector<state::Change> running = EqualNodes(kNodes, 8);
  running.emplace_back(Queue("default", ""));
  const state::NeedsPtr two = Needs(1000, 1LL << 30, 2);
  for (std::int64_t i = 0; i < kNodes * 4; ++i) {
    running.emplace_back(RunningPod(i, two, "default", i / 4));
  }
  const state::NeedsPtr six = Needs(1000, 1LL << 30, 6);
  std::vector<state::Change> arriving;
  for (std::int64_t i = 0; i < kNodes; ++i) {
    state::PodChange pod = WaitingPod(10'000'000 + i, six, "default");
    pod.solo->priority = 1000;
    arriving.emplace_back(pod);
  }
  RunRounds(state, running, arriving);
}
BENCHMARK(PreemptThreeOfFour)->Unit(benchmark::kMillisecond);

// 500 nodes, 4,000 single-GPU jobs of queue a running and as many of b to e waiting, minimum
// runtimes on every queue: those that ran long enough give way until every queue has its share.
void ReclaimSingles(benchmark::State& state) {
  constexpr std::int64_t kNodes = 500;
  std::vector<state::Change> running = EqualNodes(kNodes, 8);
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    state::QueueChange queue = Guaranteed(name, "", kNodes * 8 / 5);
    queue.reclaim_min_runtime = Duration::Seconds(kHour);
    queue.preempt_min_runtime = Duration::Seconds(kHour);
    running.emplace_back(queue);
  }
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  for (std::int64_t i = 0; i < kNodes * 8; ++i) {
    running.emplace_back(RunningPod(i, one, "a", i / 8));
  }
  std::vector<state::Change> arriving;
  constexpr const char* kWaiting[] = {"b", "c", "d", "e"};
  for (std::int64_t i = 0; i < kNodes * 8; ++i) {
    arriving.emplace_back(WaitingPod(10'000'000 + i, one, kWaiting[i % 4]));
  }
  RunRounds(state, running, arriving);
}
BENCHMARK(ReclaimSingles)->Unit(benchmark::kMillisecond);

// Nodes of 8 GPUs full of single pods and of gangs of 2 to 6, of three priorities; a gang of 16
// pods of 2 GPUs comes.
void RoomAmongGangs(benchmark::State& state) {
  constexpr std::int64_t kGpus = 8;
  const std::int64_t nodes = state.range(0);
  std::vector<state::Change> running = EqualNodes(nodes, kGpus);
  running.emplace_back(Queue("default", ""));
  std::uint64_t dice = 1;
  const auto roll = [&dice](std::uint64_t sides) {
    dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::int64_t>((dice >> 33U) % sides);
  };
  std::map<std::int64_t, state::NeedsPtr> needs;
  for (const std::int64_t gpus : {1, 2, 3, 4, 5, 6, 7, 8}) {
    needs[gpus] = Needs(1000, 1LL << 30, gpus);
  }
  std::int64_t pods = 0, gangs = 0, open = 0;
  std::int32_t priority = 0;
  for (std::int64_t node = 0; node < nodes; ++node) {
    for (std::int64_t left = kGpus; left > 0;) {
      const std::int64_t gpus = std::min(left, std::int64_t{1} << roll(4));
      left -= gpus;
      state::PodChange pod = RunningPod(pods++, needs[gpus], "default", node);
      pod.solo->priority = static_cast<std::int32_t>(roll(3));
      if (roll(10) < 4) {
        if (open == 0) {
          open = 2 + roll(5);
          priority = static_cast<std::int32_t>(roll(3));
          state::WorkloadChange gang{.name = fmt::format("team/gang-{}", ++gangs)};
          gang.uid = gang.name;
          gang.traits.queue = "default";
          gang.traits.priority = priority;
          const auto count = static_cast<std::int32_t>(open);
          gang.pod_sets.push_back({.name = "main", .count = count, .min_count = count});
          running.emplace_back(gang);
        }
        pod.solo.reset();
        pod.workload = fmt::format("team/gang-{}", gangs);
        --open;
      }
      running.emplace_back(pod);
    }
  }
  std::vector<state::Change> arriving;
  AddGang(arriving, "default", 16, needs[2]);
  std::get<state::WorkloadChange>(arriving.front()).traits.priority = 1000;
  RunRounds(state, running, arriving);
}
BENCHMARK(RoomAmongGangs)->ArgName("nodes")->Arg(400)->Arg(5000)->Unit(benchmark::kMillisecond);

// 200 nodes of 8 GPUs full of single-GPU pods of queues that borrow; `gangs` equal gangs of two
// whole nodes each come to a queue that is owed a quarter, and get room one after the other.
void ReclaimManyGangs(benchmark::State& state) {
  std::vector<state::Change> arriving;
  const state::NeedsPtr whole = Needs(8000, 8LL << 30, 8);
  for (std::int64_t g = 0; g < state.range(0); ++g) {
    state::WorkloadChange gang{.name = fmt::format("team/gang-{}", g)};
    gang.uid = gang.name;
    gang.traits.queue = "x1";
    gang.pod_sets.push_back({.name = "main", .count = 2, .min_count = 2});
    arriving.emplace_back(gang);
    for (std::int64_t i = 0; i < 2; ++i) {
      state::PodChange pod = WaitingPod(10'000'000 + 2 * g + i, whole, "x1");
      pod.solo.reset();
      pod.workload = gang.name;
      arriving.emplace_back(pod);
    }
  }
  RunRounds(state, FullDepartments(200), arriving);
}
BENCHMARK(ReclaimManyGangs)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);

// 1,000 nodes of 8 GPUs, nine tenths of them taken by single-GPU pods: 7 on four nodes of five, 8
// on the fifth. Who would have to move for a gang of so many whole nodes: the search alone. In vain
// for 101: that is more than what is free in sum.
void FindMoves(benchmark::State& state) {
  constexpr std::int64_t kNodes = 1000;
  std::vector<state::Change> changes = EqualNodes(kNodes, 8);
  changes.emplace_back(Queue("busy", ""));
  changes.emplace_back(Guaranteed("owed", "", kNodes));
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  std::int64_t pods = 0;
  for (std::int64_t node = 0; node < kNodes; ++node) {
    const std::int64_t there = node % 5 == 4 ? 8 : 7;
    for (std::int64_t i = 0; i < there; ++i) {
      changes.emplace_back(RunningPod(pods++, one, "busy", node));
    }
  }
  AddGang(changes, "owed", state.range(0), Needs(8000, 8LL << 30, 8));
  engine::Scheduler scheduler;
  scheduler.Apply(changes);
  scheduler.Settle();  // in a round it would reclaim
  const engine::WhatIf what_if(scheduler);
  const auto w = state::FindWorkload(what_if.cluster(), "team/big");
  const auto group = what_if.NextStep(w);
  if (!group) return state.SkipWithError("it does not wait");
  engine::MoveRoom moves(what_if.cluster(), what_if.placer());
  std::size_t movers = 0;
  for (auto _ : state) {
    state::Trial trial(what_if.cluster());
    const auto answer = moves.Find(
        engine::StepOfGang(*group), kNow, [](state::WorkloadId) { return std::nullopt; }, trial);
    movers = answer.movers.size();
  }
  state.counters["movers"] = static_cast<double>(movers);
}
BENCHMARK(FindMoves)->ArgName("nodes")->Arg(1)->Arg(8)->Arg(101)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
