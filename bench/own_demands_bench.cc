// Jobs come, run five minutes and go, one a second on a hundred nodes, and each asks something of
// its own: what a job costs must not depend on how many there were before it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "objects/read/reader.h"
#include "trace/run.h"
#include "virtual/world.h"

namespace fairlead::bench {
namespace {

enum Own : std::int64_t { kNothing, kAntiAffinity, kBudget, kToleration, kNodeAffinity, kKinds };

objects::Pod PodOf(std::int64_t i, Own own) {
  objects::Pod pod;
  pod.meta.name_space = "lab";
  pod.meta.name = fmt::format("job-{:06}", i);
  pod.meta.labels = {{"job", pod.meta.name}};
  pod.meta.annotations = {{std::string(virtual_cluster::kArrivesAt), fmt::format("{}s", i)},
                          {std::string(virtual_cluster::kRunDuration), "5m"}};
  pod.spec.scheduler_name = "fairlead";
  pod.spec.needs = *Needs(8000, std::int64_t{16} << 30, 0);
  const objects::LabelSelector selector{
      .requirements = {{.key = "job", .op = objects::Operator::kIn, .values = {pod.meta.name}}}};
  if (own == kAntiAffinity) {
    pod.spec.needs.rare.Edit().anti_affinity = {
        {.topology_key = "kubernetes.io/hostname", .selector = selector}};
  } else if (own == kToleration) {
    pod.spec.needs.tolerations = {{.key = pod.meta.name}};
  } else if (own == kNodeAffinity) {
    pod.spec.needs.has_required_terms = true;
    pod.spec.needs.required_terms = {
        {.labels = {{.key = pod.meta.name, .op = objects::Operator::kDoesNotExist}}, .fields = {}}};
  }
  return pod;
}

std::vector<objects::Object> World(std::int64_t jobs, Own own) {
  std::vector<objects::Object> objects;
  for (std::int64_t i = 0; i < 100; ++i) {
    objects::Node node;
    node.meta.name = fmt::format("node-{:03}", i);
    node.meta.labels = {{"kubernetes.io/hostname", node.meta.name}};
    node.allocatable = {{"cpu", 64'000}, {"memory", std::int64_t{256} << 30}, {"pods", 110}};
    objects.emplace_back(std::move(node));
  }
  for (std::int64_t i = 0; i < jobs; ++i) {
    objects::Pod pod = PodOf(i, own);
    if (own == kBudget) {
      objects::PodDisruptionBudget budget;
      budget.meta.name_space = "lab";
      budget.meta.name = pod.meta.name;
      budget.meta.annotations = {{std::string(virtual_cluster::kArrivesAt), fmt::format("{}s", i)}};
      budget.selector.requirements = {
          {.key = "job", .op = objects::Operator::kIn, .values = {pod.meta.name}}};
      budget.max_unavailable = objects::IntOrPercent{.value = 1};
      objects.emplace_back(std::move(budget));
    }
    objects.emplace_back(std::move(pod));
  }
  return objects;
}

void JobsOfTheirOwn(benchmark::State& state) {
  constexpr std::string_view kNames[] = {"nothing", "anti-affinity", "budget", "toleration",
                                         "node affinity"};
  std::int64_t finished = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<objects::Object> objects = World(state.range(1), static_cast<Own>(state.range(0)));
    state.ResumeTiming();
    const auto result = trace::Run(std::move(objects), {});
    finished = result ? result->metrics.finished : 0;
  }
  if (finished != state.range(1)) state.SkipWithError("not all have finished");
  state.SetItemsProcessed(state.iterations() * state.range(1));
  state.SetLabel(std::string(kNames[state.range(0)]));
}
BENCHMARK(JobsOfTheirOwn)
    ->ArgNames({"own", "jobs"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, kKinds - 1, 1), {5'000, 20'000}})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
