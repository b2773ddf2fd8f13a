// A gang of 100 that want a host each reclaims its room on 1,000 full nodes in 8 zones; the same
// where in every zone somebody refuses them beside him.

#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/demand_worlds.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kFullNodes = 1000;
constexpr std::int64_t kMembers = 100;

objects::Pod RunningIn(const std::string& queue, std::int64_t i, std::int64_t node,
                       std::int64_t cpu) {
  objects::Pod pod = Pod(i, "other");
  pod.meta.labels = {{"app", "other"}, {"fairlead.dev/queue", queue}};
  pod.spec.needs.request = {{"cpu", cpu}};
  pod.spec.node_name = fmt::format("node-{:06}", node);
  pod.phase = objects::PodPhase::kRunning;
  pod.ready = true;
  pod.scheduled_time = kNow;
  pod.start_time = kNow;
  return pod;
}

void GangApartReclaims(benchmark::State& state) {
  const bool refused_by_zone = state.range(0) != 0;
  std::int64_t victims = 0;
  for (auto _ : state) {
    state.PauseTiming();
    intake::Intake intake;
    engine::Scheduler scheduler;
    for (std::int64_t i = 0; i < kFullNodes; ++i) intake.Upsert(Node(i), kNow);
    objects::Queue taker, giver;
    taker.meta.name = "taker";
    taker.guaranteed = {{"cpu", kMembers * 31'000}};
    giver.meta.name = "giver";
    intake.Upsert(taker, kNow);
    intake.Upsert(giver, kNow);
    for (std::int64_t i = 0; i < kFullNodes; ++i) {
      intake.Upsert(RunningIn("giver", i, i, 31'000), kNow);
    }
    for (std::int64_t zone = 0; refused_by_zone && zone < kZones; ++zone) {
      objects::Pod pod = RunningIn("giver", kFullNodes + zone, zone, 1000);
      pod.spec.needs.rare.Edit().anti_affinity = {
          {.topology_key = "topology.kubernetes.io/zone", .selector = Selecting("gang")}};
      intake.Upsert(pod, kNow);
    }
    scheduler.Apply(intake.TakeChanges());
    scheduler.Round(kNow);
    objects::Workload gang;
    gang.meta = {.name = "gang", .name_space = "a"};
    gang.meta.creation_time = kNow;
    gang.queue_name = "taker";
    gang.pod_sets = {{.name = "main", .count = static_cast<std::int32_t>(kMembers)}};
    intake.Upsert(gang, kNow);
    for (std::int64_t i = 0; i < kMembers; ++i) {
      objects::Pod pod = Pod(10'000 + i, "gang");
      pod.meta.labels = {{"app", "gang"}, {"fairlead.dev/workload", "gang"}};
      pod.spec.needs.request = {{"cpu", 31'000}};
      pod.spec.needs.rare.Edit().anti_affinity = {
          {.topology_key = "kubernetes.io/hostname", .selector = Selecting("gang")}};
      intake.Upsert(pod, kNow);
    }
    scheduler.Apply(intake.TakeChanges());
    state.ResumeTiming();
    const engine::Plan plan = scheduler.Round(kNow);
    state.PauseTiming();
    victims = 0;
    for (const engine::Decision& each : plan.decisions) {
      victims += each.type == engine::DecisionType::kEvict ? 1 : 0;
    }
    state.ResumeTiming();
  }
  state.counters["victims"] = static_cast<double>(victims);
}
BENCHMARK(GangApartReclaims)
    ->ArgName("refused_by_zone")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
