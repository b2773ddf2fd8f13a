// The engine through its public entry: Apply and Round. `pods/s` of Round includes the plan; the
// time of Apply stands beside it in a row of its own.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/memory.h"
#include "bench/rounds.h"
#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "objects/keys.h"
#include "policy/fair_share.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr Time kNow{1'767'225'600'000'000};

// One run places `pods` into empty `nodes` in one round.
void PlaceAll(benchmark::State& state, const std::vector<state::Change>& nodes,
              const std::vector<state::Change>& pods, bool time_apply) {
  std::int64_t placed = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scheduler = std::make_unique<engine::Scheduler>();
    const std::vector<state::Change> queue = {Queue("default", "")};
    scheduler->Apply(queue);
    scheduler->Apply(nodes);
    scheduler->Round(kNow);
    if (time_apply) state.ResumeTiming();
    scheduler->Apply(pods);
    if (!time_apply) state.ResumeTiming();
    const engine::Plan plan = scheduler->Round(kNow);
    placed = static_cast<std::int64_t>(plan.decisions.size());
    state.PauseTiming();
    scheduler.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * placed);
  state.counters["placed"] = static_cast<double>(placed);
}

void OpenbMixRound(benchmark::State& state) {
  const std::vector<MixEntry> mix = OpenbMix();
  if (mix.empty()) return state.SkipWithError("the openb trace is not there");
  // As many pods as openb has for as many nodes: the cluster ends about 98 % full.
  PlaceAll(state, OpenbNodes(5000), PodsOfMix(mix, 8152 * 5000 / 1523), state.range(0) != 0);
}
BENCHMARK(OpenbMixRound)->ArgName("apply_too")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// As many pods as openb has, one after the other in one round; typical are the mix's kinds.
void PlaceByChoice(benchmark::State& state) {
  const std::vector<MixEntry> mix = OpenbMix();
  if (mix.empty()) return state.SkipWithError("the openb trace is not there");
  auto configuration = std::make_shared<objects::SchedulerConfiguration>();
  configuration->gpu_placement = configuration->cpu_placement =
      static_cast<objects::NodeChoice>(state.range(0));
  for (const MixEntry& entry : mix) {
    configuration->typical_pods.push_back(
        {.count = entry.pods,
         .cpu_milli = objects::AmountOf(entry.needs->request, "cpu"),
         .gpus = static_cast<std::int32_t>(
             objects::AmountOf(entry.needs->request, objects::kGpuResource) / 1000),
         .gpu_milli = entry.needs->gpu_milli,
         .node_labels = {}});
  }
  std::vector<state::Change> world = {state::ConfigurationChange{configuration}};
  for (state::Change& node : OpenbNodes(1523)) world.push_back(std::move(node));
  state.SetLabel(std::string(objects::ToString(configuration->gpu_placement)));
  PlaceAll(state, world, PodsOfMix(mix, 8152), false);
}
BENCHMARK(PlaceByChoice)
    ->ArgName("choice")
    ->Arg(static_cast<std::int64_t>(objects::NodeChoice::kBestFit))
    ->Arg(static_cast<std::int64_t>(objects::NodeChoice::kFgd))
    ->Arg(static_cast<std::int64_t>(objects::NodeChoice::kFragmentation))
    ->Unit(benchmark::kMillisecond);

void IdenticalPodsRound(benchmark::State& state) {
  const state::NeedsPtr needs = Needs(1000, 4LL << 30, 1);
  std::vector<state::Change> pods;
  for (std::int64_t i = 0; i < 5000 * 8; ++i) pods.emplace_back(WaitingPod(i, needs, "default"));
  PlaceAll(state, EqualNodes(5000, 8), pods, state.range(0) != 0);
}
BENCHMARK(IdenticalPodsRound)->ArgName("apply_too")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Queues in four levels of ten, every leaf asking for more than its share.
struct QueueWorld {
  std::vector<state::Change> changes;
  std::vector<std::string> leaves;
};
QueueWorld FourLevels() {
  QueueWorld world;
  std::vector<std::string> level = {""};
  for (int depth = 0; depth < 4; ++depth) {
    std::vector<std::string> next;
    for (const std::string& parent : level) {
      for (int i = 0; i < 10; ++i) {
        next.push_back(parent.empty() ? fmt::format("q{}", i) : fmt::format("{}-{}", parent, i));
        state::QueueChange queue = Queue(next.back(), parent);
        queue.guaranteed = {{"cpu", 1000}, {"nvidia.com/gpu", 1000}};
        queue.weight.milli = 1000 + i * 250;
        world.changes.emplace_back(queue);
      }
    }
    level = std::move(next);
  }
  world.leaves = std::move(level);
  return world;
}

void FairShareFromNothing(benchmark::State& state) {
  const QueueWorld world = FourLevels();
  engine::Scheduler scheduler;
  scheduler.Apply(world.changes);
  std::vector<state::Change> changes = EqualNodes(1000, 8);
  for (std::size_t i = 0; i < world.leaves.size(); ++i) {
    for (std::int64_t k = 0; k < 3; ++k) {
      const auto number = static_cast<std::int64_t>(i) * 3 + k;
      changes.emplace_back(WaitingPod(number, Needs(60'000, 1LL << 30, 8), world.leaves[i]));
    }
  }
  scheduler.Apply(changes);
  scheduler.Settle();
  auto& queues = const_cast<state::Cluster&>(scheduler.cluster()).queues();
  for (auto _ : state) {
    queues.AddCapacity(state::kCpu, 0);  // asks for a division from nothing
    policy::UpdateFairShares(queues, scheduler.cluster().resources());
  }
}
BENCHMARK(FairShareFromNothing)->Unit(benchmark::kMillisecond);

// One more pod in a queue that asks for more CPU and GPUs than it gets; there is memory for all.
void FairShareOnePod(benchmark::State& state) {
  const QueueWorld world = FourLevels();
  engine::Scheduler scheduler;
  scheduler.Apply(world.changes);
  std::vector<state::Change> changes = EqualNodes(100, 8);
  const state::NeedsPtr needs = Needs(60'000, 1LL << 20, 8);
  for (std::size_t i = 0; i < world.leaves.size(); ++i) {
    changes.emplace_back(WaitingPod(static_cast<std::int64_t>(i), needs, world.leaves[i]));
  }
  scheduler.Apply(changes);
  scheduler.Settle();
  std::int64_t next = 1'000'000;
  for (auto _ : state) {
    state.PauseTiming();
    const std::vector<state::Change> one = {WaitingPod(
        next, needs, world.leaves[static_cast<std::size_t>(next) % world.leaves.size()])};
    ++next;
    state.ResumeTiming();
    scheduler.Apply(one);
    scheduler.Settle();
  }
}
BENCHMARK(FairShareOnePod)->Unit(benchmark::kMicrosecond);

state::PodChange RunningPod(std::int64_t i, std::int64_t nodes, const state::NeedsPtr& needs) {
  state::PodChange pod = WaitingPod(i, needs, "default");
  pod.state = state::PodState::kBound;
  pod.node = fmt::format("node-{:06}", i % nodes);
  pod.scheduled_time = kNow;
  return pod;
}

// 100,000 nodes and 1,000,000 running pods; nothing happens.
void QuietRound(benchmark::State& state) {
  constexpr std::int64_t kNodes = 100'000;
  constexpr std::int64_t kPods = 1'000'000;
  const double before = ResidentMib();
  engine::Scheduler scheduler;
  const std::vector<state::Change> queue = {Queue("default", "")};
  scheduler.Apply(queue);
  scheduler.Apply(EqualNodes(kNodes, 8));
  const state::NeedsPtr needs = Needs(1000, 4LL << 30, 0);
  std::vector<state::Change> batch;
  for (std::int64_t i = 0; i < kPods; ++i) {
    batch.emplace_back(RunningPod(i, kNodes, needs));
    if (batch.size() == 1000) {
      scheduler.Apply(batch);
      batch.clear();
    }
  }
  scheduler.Round(kNow);
  state.counters["MiB"] = ResidentMib() - before;
  for (auto _ : state) benchmark::DoNotOptimize(scheduler.Round(kNow));
}
BENCHMARK(QuietRound)->Unit(benchmark::kMicrosecond);

// Room is kept for so many of those who wait.
state::ConfigurationChange WithReservations(std::int64_t count) {
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = static_cast<std::int32_t>(count);
  return {std::make_shared<const objects::SchedulerConfiguration>(configuration)};
}

// A full cluster of 5,000 nodes; 10,000 pods that do not fit wait (of one shape, or each of its
// own); one pod ends.
void OnePodEnds(benchmark::State& state) {
  constexpr std::int64_t kNodes = 5000;
  engine::Scheduler scheduler;
  const std::vector<state::Change> queue = {Queue("default", ""), WithReservations(state.range(1))};
  scheduler.Apply(queue);
  scheduler.Apply(EqualNodes(kNodes, 8));
  const state::NeedsPtr running = Needs(16'000, 4LL << 30, 2);
  std::vector<state::Change> changes;
  for (std::int64_t i = 0; i < kNodes * 4; ++i)
    changes.emplace_back(RunningPod(i, kNodes, running));
  const bool own_shapes = state.range(0) != 0;
  const state::NeedsPtr waiting = Needs(20'000, 4LL << 30, 4);
  for (std::int64_t i = 0; i < 10'000; ++i) {
    changes.emplace_back(WaitingPod(
        1'000'000 + i, own_shapes ? Needs(20'000 + i, 4LL << 30, 4) : waiting, "default"));
  }
  scheduler.Apply(changes);
  scheduler.Round(kNow);
  std::int64_t i = 0;
  RunEnds(state, scheduler, [&] { return RunningPod(i++ % (kNodes * 4), kNodes, running); });
}
BENCHMARK(OnePodEnds)
    ->ArgNames({"own_shapes", "kept"})
    ->ArgsProduct({{0, 1}, {0, 8}})
    ->Unit(benchmark::kMicrosecond);

// A full cluster of 1,000 nodes; 10,000 gangs of 8 pods wait, of one shape or of a hundred; a pod
// ends, whose room holds one pod of each of them. With room kept for eight, or for nobody.
void OnePodEndsBeforeGangs(benchmark::State& state) {
  constexpr std::int64_t kNodes = 1000;
  constexpr std::int64_t kOnEach = 8;
  engine::Scheduler scheduler;
  std::vector<state::Change> changes = EqualNodes(kNodes, kOnEach);
  changes.emplace_back(Queue("default", ""));
  changes.emplace_back(WithReservations(state.range(1)));
  const state::NeedsPtr running = Needs(8'000, 4LL << 30, 1);
  for (std::int64_t i = 0; i < kNodes * kOnEach; ++i) {
    changes.emplace_back(RunningPod(i, kNodes, running));
  }
  for (std::int64_t g = 0; g < 10'000; ++g) {
    AddGang(changes, "default", 8, Needs(1000 + g % state.range(0), 1LL << 30, 1), g);
  }
  scheduler.Apply(changes);
  scheduler.Round(kNow);
  std::int64_t i = 0;
  RunEnds(state, scheduler, [&] {
    i = (i + 4099) % (kNodes * kOnEach);
    return RunningPod(i, kNodes, running);
  });
}
BENCHMARK(OnePodEndsBeforeGangs)
    ->ArgNames({"shapes", "kept"})
    ->ArgsProduct({{1, 100}, {0, 8}})
    ->Iterations(1000)
    ->Unit(benchmark::kMicrosecond);

// The same with a second queue, which has a right to half of it and nothing of it: its gangs wait
// in vain, as all that run are protected for days, or as a gang asks for more than the right is.
enum Bar : std::int64_t { kProtected, kRight };
void OnePodEndsBeforeTheBarred(benchmark::State& state) {
  constexpr std::int64_t kNodes = 1000;
  constexpr std::int64_t kOnEach = 8;
  const std::int64_t bar = state.range(0), shapes = state.range(1);
  engine::Scheduler scheduler;
  std::vector<state::Change> changes = EqualNodes(kNodes, kOnEach);
  const std::int64_t right = bar == kRight ? 7 : kNodes * kOnEach / 2;
  state::QueueChange holds = Queue("holds", ""), waits = Queue("waits", "");
  holds.guaranteed = {{"nvidia.com/gpu", (kNodes * kOnEach - right) * 1000}};
  waits.guaranteed = {{"nvidia.com/gpu", right * 1000}};
  waits.weight.milli = 0;
  changes.insert(changes.end(), {holds, waits});
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = 0;
  if (bar == kProtected) configuration.reclaim_min_runtime = Duration::Seconds(48 * 3600);
  changes.emplace_back(state::ConfigurationChange{
      std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  const state::NeedsPtr running = Needs(8'000, 4LL << 30, 1);
  const auto runs = [&](std::int64_t i) {
    return bench::RunningPod(i, running, "holds", i % kNodes);
  };
  for (std::int64_t i = 0; i < kNodes * kOnEach; ++i) changes.emplace_back(runs(i));
  for (std::int64_t g = 0; g < 10'000; ++g) {
    AddGang(changes, "waits", 8, Needs(1000 + g % shapes, 1LL << 30, 1), g);
  }
  scheduler.Apply(changes);
  scheduler.Round(kNow);
  std::int64_t i = 0;
  RunEnds(state, scheduler, [&] {
    i = (i + 4099) % (kNodes * kOnEach);
    return runs(i);
  });
}
BENCHMARK(OnePodEndsBeforeTheBarred)
    ->ArgNames({"bar", "shapes"})
    ->ArgsProduct({{kProtected, kRight}, {1, 100, 10'000}})
    ->Iterations(300)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fairlead::bench
