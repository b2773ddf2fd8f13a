// Pods that demand something of other pods, through intake and engine: one round that places all of
// them onto 5,000 empty nodes in 8 zones, the plan included.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/demand_worlds.h"
#include "bench/memory.h"

namespace fairlead::bench {
namespace {

// 100 terms of 50 pods each, one of each on a host; 5,000 terms of 8, one of each in a zone.
void AntiAffinity(benchmark::State& state) {
  const bool by_zone = state.range(0) != 0;
  const std::int64_t each = by_zone ? kZones : 50;
  PlaceAll(state, (by_zone ? 5000 : 100) * each, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / each);
    objects::Pod pod = Pod(i, app);
    pod.spec.needs.rare.Edit().anti_affinity = {
        {.topology_key = by_zone ? "topology.kubernetes.io/zone" : "kubernetes.io/hostname",
         .selector = Selecting(app)}};
    return pod;
  });
}
BENCHMARK(AntiAffinity)->ArgName("by_zone")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// 1,000 terms of 20 pods each: each beside the others of its own, by zone.
void Affinity(benchmark::State& state) {
  PlaceAll(state, 20'000, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / 20);
    objects::Pod pod = Pod(i, app);
    pod.spec.needs.rare.Edit().affinity = {
        {.topology_key = "topology.kubernetes.io/zone", .selector = Selecting(app)}};
    return pod;
  });
}
BENCHMARK(Affinity)->Unit(benchmark::kMillisecond);

// 100 apps of 200 pods each, spread over zones, or over zones and hosts.
void Spread(benchmark::State& state) {
  const bool by_host = state.range(0) != 0;
  PlaceAll(state, 20'000, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / 200);
    objects::Pod pod = Pod(i, app);
    auto& spread = pod.spec.needs.rare.Edit().spread;
    spread.push_back({.topology_key = "topology.kubernetes.io/zone", .selector = Selecting(app)});
    if (by_host) {
      spread.push_back({.topology_key = "kubernetes.io/hostname", .selector = Selecting(app)});
    }
    return pod;
  });
}
BENCHMARK(Spread)->ArgName("by_host_too")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

objects::Preferences::OfPods Beside(const std::string& key, const std::string& app) {
  return {.weight = 100, .term = {.topology_key = key, .selector = Selecting(app)}};
}

// 1,000 apps of 20 pods each: rather beside the others of their own, by zone.
void PreferredAffinity(benchmark::State& state) {
  PlaceAll(state, 20'000, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / 20);
    objects::Pod pod = Pod(i, app);
    pod.spec.needs.rare.Edit().preferences.affinity = {Beside("topology.kubernetes.io/zone", app)};
    return pod;
  });
}
BENCHMARK(PreferredAffinity)->Unit(benchmark::kMillisecond);

// Rather apart from the others of their own, by host: 1,000 apps of 20 pods each, or one of 20,000.
void PreferredAntiAffinity(benchmark::State& state) {
  const std::int64_t each = state.range(0);
  PlaceAll(state, 20'000, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / each);
    objects::Pod pod = Pod(i, app);
    pod.spec.needs.rare.Edit().preferences.anti_affinity = {Beside("kubernetes.io/hostname", app)};
    return pod;
  });
}
BENCHMARK(PreferredAntiAffinity)
    ->ArgName("pods_an_app")
    ->Arg(20)
    ->Arg(20'000)
    ->Unit(benchmark::kMillisecond);

// 100 apps of 200 pods each, rather spread over zones, or over zones and hosts.
void PreferredSpread(benchmark::State& state) {
  const bool by_host = state.range(0) != 0;
  PlaceAll(state, 20'000, [&](std::int64_t i) {
    const std::string app = fmt::format("a{}", i / 200);
    objects::Pod pod = Pod(i, app);
    auto& spread = pod.spec.needs.rare.Edit().preferences.spread;
    spread.push_back({.topology_key = "topology.kubernetes.io/zone", .selector = Selecting(app)});
    if (by_host) {
      spread.push_back({.topology_key = "kubernetes.io/hostname", .selector = Selecting(app)});
    }
    return pod;
  });
}
BENCHMARK(PreferredSpread)->ArgName("by_host_too")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// Pods that prefer nothing, where every third node would rather have none, and where none would.
void PreferNoSchedule(benchmark::State& state) {
  const bool tainted = state.range(0) != 0;
  PlaceAll(
      state, 20'000, [&](std::int64_t i) { return Pod(i, "a"); },
      [&](std::int64_t i) {
        auto node = std::get<objects::Node>(Node(i));
        if (tainted && i % 3 == 0) {
          node.taints = {{.key = "a", .effect = objects::TaintEffect::kPreferNoSchedule}};
        }
        return objects::Object(node);
      });
}
BENCHMARK(PreferNoSchedule)->ArgName("tainted")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

// What placed pods take, in intake and engine: each apart by zone from those of ten of
// 1,000 apps, so that it carries one of 1,000 terms and ten select it; or none of that. By the
// pages of the process: each by itself (--benchmark_filter), as memory that was freed is used
// again.
void DemandMemory(benchmark::State& state) {
  constexpr std::int64_t kTerms = 1'000, kSelecting = 10;
  const bool demands = state.range(0) != 0;
  const std::int64_t pods = state.range(1);
  const auto app = [](std::int64_t i) { return fmt::format("a{}", i % kTerms); };
  std::vector<objects::LabelSelector> selectors;
  for (std::int64_t t = 0; t < kTerms; ++t) {
    std::vector<std::string> apps;
    for (std::int64_t i = 0; i < kSelecting; ++i) apps.push_back(app(t + i));
    selectors.push_back(
        {.requirements = {{.key = "app", .op = objects::Operator::kIn, .values = apps}}});
  }
  for (auto _ : state) {
    const double before = ResidentMib();
    intake::Intake intake;
    engine::Scheduler scheduler;
    for (std::int64_t i = 0; i < kNodes; ++i) intake.Upsert(Node(i), kNow);
    for (std::int64_t i = 0; i < pods; ++i) {
      objects::Pod pod = Pod(i, app(i));
      pod.spec.node_name = fmt::format("node-{:06}", i % kNodes);
      if (demands) {
        pod.spec.needs.rare.Edit().anti_affinity = {
            {.topology_key = "topology.kubernetes.io/zone",
             .selector = selectors[static_cast<std::size_t>(i % kTerms)]}};
      }
      intake.Upsert(objects::Object(std::move(pod)), kNow);
    }
    scheduler.Apply(intake.TakeChanges());
    benchmark::DoNotOptimize(scheduler.Round(kNow));
    state.counters["bytes_a_pod"] =
        (ResidentMib() - before) * 1024 * 1024 / static_cast<double>(pods);
  }
}
BENCHMARK(DemandMemory)
    ->ArgNames({"demands", "pods"})
    ->ArgsProduct({{0, 1}, {100'000, 400'000}})
    ->Iterations(1);

}  // namespace
}  // namespace fairlead::bench
