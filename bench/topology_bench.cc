// Gangs that are to be in one rack: 8 blocks of 8 racks of 128 nodes of 8 GPUs.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/rounds.h"
#include "bench/worlds.h"
#include "engine/place/placer.h"
#include "engine/scheduler.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kBlocks = 8, kRacks = 8, kHosts = 128, kGpus = 8;
constexpr std::int64_t kNodes = kBlocks * kRacks * kHosts;
constexpr std::int64_t kInRack = kHosts * kGpus;

std::vector<state::Change> RackedNodes() {
  std::vector<state::Change> nodes = EqualNodes(kNodes, kGpus);
  for (std::int64_t n = 0; n < kNodes; ++n) {
    auto& node = std::get<state::NodeChange>(nodes[static_cast<std::size_t>(n)]);
    node.labels = {{"block", fmt::format("b{}", n / (kRacks * kHosts))},
                   {"kubernetes.io/hostname", node.name},
                   {"rack", fmt::format("r{}", n / kHosts % kRacks)}};
  }
  nodes.emplace_back(Queue("default", ""));
  return nodes;
}

void InOneRack(state::WorkloadChange& gang) {
  gang.topology.push_back(
      {.levels = {"block", "rack", "kubernetes.io/hostname"}, .required = 1, .pod_sets = {0}});
}

std::vector<state::Change> RackGang(std::int64_t pods, std::int32_t priority) {
  std::vector<state::Change> gang;
  AddGang(gang, "default", pods, Needs(1000, 1LL << 30, 1));
  auto& workload = std::get<state::WorkloadChange>(gang.front());
  workload.traits.priority = priority;
  InOneRack(workload);
  std::int32_t index = 0;
  for (state::Change& change : gang) {
    if (auto* pod = std::get_if<state::PodChange>(&change)) pod->index = index++;
  }
  return gang;
}

// Single-GPU pods everywhere; `in_gang` of them, of one rack, are one gang.
std::vector<state::Change> FullRacks(std::int64_t in_gang) {
  std::vector<state::Change> changes = RackedNodes();
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  for (std::int64_t i = 0; i < kNodes * kGpus; ++i) {
    state::PodChange pod = RunningPod(i, one, "default", i / kGpus);
    if (in_gang > 1) {
      pod.workload = fmt::format("team/gang-{}", i / in_gang);
      if (i % in_gang == 0) {
        state::WorkloadChange gang{.name = pod.workload, .uid = pod.workload};
        gang.traits = *pod.solo;
        const auto count = static_cast<std::int32_t>(in_gang);
        gang.pod_sets.push_back({.name = "main", .count = count, .min_count = count});
        changes.emplace_back(gang);
      }
      pod.solo.reset();
    }
    changes.emplace_back(pod);
  }
  return changes;
}

void PlaceInRack(benchmark::State& state) {
  RunRounds(state, RackedNodes(), RackGang(kInRack, 0), true);
}
BENCHMARK(PlaceInRack)->Iterations(30)->Unit(benchmark::kMillisecond);

void MakeRoomInRack(benchmark::State& state) {
  RunRounds(state, FullRacks(state.range(0)), RackGang(kInRack, 1000));
}
BENCHMARK(MakeRoomInRack)
    ->ArgName("in_gang")
    ->Arg(1)
    ->Arg(16)
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond);

// One pod more than a rack holds; of a queue that is entitled to nothing; with all protected.
enum RackRefusal : std::int64_t { kTooMany, kNotEntitled, kAllProtected };
void RefuseRack(benchmark::State& state) {
  const std::int64_t why = state.range(0);
  std::vector<state::Change> running = FullRacks(1);
  std::vector<state::Change> arriving = RackGang(kInRack + (why == kTooMany ? 1 : 0), 1000);
  if (why == kNotEntitled) {
    state::QueueChange poor = Queue("poor", "");
    poor.weight.milli = 0;
    running.emplace_back(poor);
    std::get<state::WorkloadChange>(arriving.front()).traits.queue = "poor";
  }
  if (why == kAllProtected) {
    objects::SchedulerConfiguration configuration;
    configuration.preempt_min_runtime = Duration::Seconds(48 * 3600);
    running.emplace_back(state::ConfigurationChange{
        std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  }
  RunRounds(state, running, arriving, true);
}
BENCHMARK(RefuseRack)
    ->ArgName("why")
    ->Arg(kTooMany)
    ->Arg(kNotEntitled)
    ->Arg(kAllProtected)
    ->Iterations(10)
    ->Unit(benchmark::kMillisecond);

// All racks are full; 10,000 gangs of 100 shapes wait for one of them; a pod ends.
void OnePodEndsInRacks(benchmark::State& state) {
  engine::Scheduler scheduler;
  scheduler.Apply(FullRacks(1));
  std::vector<state::Change> changes;
  for (std::int64_t g = 0; g < 10'000; ++g) {
    const state::NeedsPtr needs = Needs(1000 + g % 100, 1LL << 30, 1);
    state::WorkloadChange gang{.name = fmt::format("team/waits-{}", g)};
    gang.uid = gang.name;
    gang.traits.queue = "default";
    gang.pod_sets.push_back({.name = "main", .count = 8, .min_count = 8});
    gang.pod_sets.back().expected_needs = needs;
    InOneRack(gang);
    changes.emplace_back(gang);
  }
  scheduler.Apply(changes);
  scheduler.Round(kNow);
  const state::NeedsPtr one = Needs(1000, 1LL << 30, 1);
  std::int64_t i = 0;
  RunEnds(state, scheduler, [&] {
    i = (i + 4099) % (kNodes * kGpus);
    return RunningPod(i, one, "default", i / kGpus);
  });
}
BENCHMARK(OnePodEndsInRacks)->Unit(benchmark::kMicrosecond);

// A node is touched; what the domains hold of each of 100 shapes is asked again.
void CountsOfDomains(benchmark::State& state) {
  constexpr std::int64_t kShapes = 100;
  state::Cluster cluster;
  engine::Placer placer(cluster);
  for (const state::Change& change : RackedNodes()) cluster.Apply(change);
  std::vector<state::ShapeId> shapes;
  for (std::int64_t s = 0; s < kShapes; ++s) {
    state::PodChange pod = WaitingPod(s, Needs(1000 + s, 1LL << 30, 1 + s % kGpus), "default");
    cluster.Apply(pod);
    shapes.push_back(cluster.pods()[cluster.pods().Find(pod.name)].shape);
  }
  state::WorkloadChange gang{.name = "team/gang"};
  InOneRack(gang);
  gang.pod_sets.push_back({.name = "main", .count = 1, .min_count = 1});
  cluster.Apply(gang);
  cluster.Settle();
  placer.CatchUp();
  const state::TreeId tree(0U);
  std::uint32_t n = 0;
  for (auto _ : state) {
    n = (n + 517) % kNodes;
    cluster.NoteTouched(state::NodeId(n));
    for (const state::ShapeId s : shapes) {
      benchmark::DoNotOptimize(placer.domain_rooms().Of(tree, s, state::When::kNow));
    }
  }
}
BENCHMARK(CountsOfDomains)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fairlead::bench
