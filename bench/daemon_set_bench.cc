// A DaemonSet that arrives on a full cluster: one round decides who leaves each of its nodes.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kGibibyte = 1LL << 30;
constexpr std::int64_t kPodsOfNode = 40;

// 64 CPUs of a node, all taken by pods of 1 and 2 CPUs, three priorities.
std::vector<state::Change> FullNodes(std::int64_t nodes) {
  std::vector<state::Change> changes = EqualNodes(nodes, 0);
  changes.emplace_back(Queue("default", ""));
  const state::NeedsPtr one = Needs(1000, 8 * kGibibyte, 0);
  const state::NeedsPtr two = Needs(2000, 16 * kGibibyte, 0);
  for (std::int64_t i = 0; i < nodes * kPodsOfNode; ++i) {
    state::PodChange pod = RunningPod(i, i % 5 < 2 ? one : two, "default", i / kPodsOfNode);
    pod.priority = static_cast<std::int32_t>(i * 7 % 3);
    pod.solo->priority = pod.priority;
    changes.emplace_back(pod);
  }
  return changes;
}

// As the DaemonSet controller makes them: one for each node, pinned to it.
std::vector<state::Change> DaemonSetPods(std::int64_t nodes, std::int64_t cpu_milli) {
  std::vector<state::Change> changes;
  for (std::int64_t i = 0; i < nodes; ++i) {
    auto needs = std::make_shared<objects::PodNeeds>(*Needs(cpu_milli, kGibibyte, 0));
    needs->has_required_terms = true;
    needs->required_terms.push_back({.fields = {{.key = "metadata.name",
                                                 .op = objects::Operator::kIn,
                                                 .values = {fmt::format("node-{:06}", i)}}}});
    state::PodChange pod = WaitingPod(10'000'000 + i, needs, "default");
    pod.of_daemon_set = state::OfDaemonSet::kTrusted;
    pod.priority = 1000;
    pod.solo->priority = 1000;
    pod.created = kNow + Duration::Seconds(-60);
    changes.emplace_back(pod);
  }
  return changes;
}

// The time is the round's: it takes the new pods up, reserves their nodes and chooses all victims.
void DaemonSetArrives(benchmark::State& state) {
  const std::int64_t nodes = state.range(0);
  const std::vector<state::Change> running = FullNodes(nodes);
  const std::vector<state::Change> arriving = DaemonSetPods(nodes, state.range(1));
  std::int64_t evicted = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scheduler = std::make_unique<engine::Scheduler>();
    scheduler->Apply(running);
    scheduler->Round(kNow);
    scheduler->Apply(arriving);
    state.ResumeTiming();
    const engine::Plan plan = scheduler->Round(kNow);
    state.PauseTiming();
    evicted = 0;
    for (const engine::Decision& decision : plan.decisions) {
      evicted += decision.type == engine::DecisionType::kEvict ? 1 : 0;
    }
    scheduler.reset();
    state.ResumeTiming();
  }
  state.counters["evicted"] = static_cast<double>(evicted);
}
BENCHMARK(DaemonSetArrives)
    ->ArgNames({"nodes", "cpu"})
    ->Args({1000, 500})
    ->Args({10'000, 500})
    ->Args({10'000, 5000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
