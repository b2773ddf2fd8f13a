#pragma once

// Clusters for benchmarks of what pods demand of their place: objects, through intake and engine.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "intake/intake.h"

namespace fairlead::bench {

inline constexpr std::int64_t kNodes = 5000;
inline constexpr std::int64_t kZones = 8;

inline objects::Object Node(std::int64_t i) {
  const std::string name = fmt::format("node-{:06}", i);
  return objects::Node{
      .meta = {.name = name,
               .labels = {{"kubernetes.io/hostname", name},
                          {"topology.kubernetes.io/zone", fmt::format("z{}", i % kZones)}}},
      .taints = {},
      .allocatable = {{"cpu", 32'000}, {"memory", 128LL << 30}}};
}

inline objects::LabelSelector Selecting(const std::string& app) {
  return {.requirements = {{.key = "app", .op = objects::Operator::kIn, .values = {app}}}};
}

inline objects::Pod Pod(std::int64_t i, const std::string& app) {
  objects::Pod pod;
  pod.meta = {.name = fmt::format("p{:07}", i), .name_space = "a", .labels = {{"app", app}}};
  pod.meta.creation_time = kNow;
  pod.spec.scheduler_name = "fairlead";
  pod.spec.needs.request = {{"cpu", 1000}, {"memory", 1LL << 30}};
  return pod;
}

// Times one round that places all of `pods` pods onto kNodes empty nodes, the plan included.
// `others` are there before.
template <typename Make, typename MakeNode = objects::Object (*)(std::int64_t)>
void PlaceAll(benchmark::State& state, std::int64_t pods, Make make, MakeNode make_node = Node,
              const std::vector<objects::Object>& others = {}) {
  std::int64_t placed = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto intake = std::make_unique<intake::Intake>();
    auto scheduler = std::make_unique<engine::Scheduler>();
    for (std::int64_t i = 0; i < kNodes; ++i) intake->Upsert(make_node(i), kNow);
    for (const objects::Object& each : others) intake->Upsert(objects::Object(each), kNow);
    for (std::int64_t i = 0; i < pods; ++i) intake->Upsert(objects::Object(make(i)), kNow);
    scheduler->Apply(intake->TakeChanges());
    state.ResumeTiming();
    const engine::Plan plan = scheduler->Round(kNow);
    placed = static_cast<std::int64_t>(plan.decisions.size());
    state.PauseTiming();
    scheduler.reset();
    intake.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * placed);
  state.counters["placed"] = static_cast<double>(placed);
}

}  // namespace fairlead::bench
