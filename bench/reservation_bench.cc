// Reservations: what a round costs where room is kept for many, and how long work runs is known.

#include <algorithm>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "bench/rounds.h"
#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kNodes = 5'000;
constexpr std::int64_t kPodsOfNode = 4;
constexpr std::int64_t kPods = kNodes * kPodsOfNode;

// The i-th of the pods that run: it ends within two days.
state::PodChange Running(std::int64_t i) {
  static const state::NeedsPtr kQuarter = Needs(2000, 8LL << 30, 2);
  state::PodChange pod = RunningPod(i, kQuarter, "q", i / kPodsOfNode);
  Random random(static_cast<std::uint64_t>(i));
  pod.solo->run_time.Edit().limit =
      Duration::Seconds(static_cast<std::int64_t>(24 * 3600 + random.Below(48 * 3600)));
  return pod;
}

// 5,000 nodes are full with 20,000 pods whose ends are known, and `gangs` gangs of eight whole
// nodes wait: each has room kept for it. One pod ends, earlier than it said.
void OneEndsReservations(benchmark::State& state) {
  const std::int64_t gangs = state.range(0);
  engine::Scheduler scheduler;
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = static_cast<std::int32_t>(gangs);
  configuration.backfill.after = Duration{};
  std::vector<state::Change> changes = EqualNodes(kNodes, 8);
  changes.emplace_back(state::ConfigurationChange{
      std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  changes.emplace_back(Queue("q", ""));
  for (std::int64_t i = 0; i < kPods; ++i) changes.emplace_back(Running(i));
  for (std::int64_t g = 0; g < std::max<std::int64_t>(gangs, 1); ++g) {
    AddGang(changes, "q", 8, Needs(8000, 32LL << 30, 8), g);
  }
  scheduler.Apply(changes);
  scheduler.Round(kNow);
  state.counters["reserved"] =
      static_cast<double>(scheduler.cluster().workloads().WithReservation().size());
  Random random(1);
  RunEnds(state, scheduler,
          [&] { return Running(static_cast<std::int64_t>(random.Below(kPods))); });
}
BENCHMARK(OneEndsReservations)
    ->ArgName("reservations")
    ->Arg(0)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
