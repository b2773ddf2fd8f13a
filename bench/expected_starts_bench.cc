// When all that waits is expected to start: 1,000 nodes of 8 GPUs, full of single pods that say
// nothing of how long they run, 10,000 jobs of 1 to 64 GPUs wait, and room is kept for 64 of them.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/worlds.h"
#include "host/expected_starts.h"
#include "host/saved_state.h"
#include "trace/jobs.h"
#include "virtual/run.h"

namespace fairlead::bench {
namespace {

constexpr Duration kLater = Duration::Seconds(60);

// What runs comes first, one GPU each; then what waits.
trace::JobList Jobs(std::int64_t waiting) {
  constexpr std::int64_t kSizes[] = {1, 1, 1, 2, 4, 8, 8, 16, 32, 64};
  trace::JobList list;
  list.machine = {.nodes = 1000, .per_node = 8};
  list.name_space = "lab";
  list.digits = 6;
  const std::uint32_t queue = list.QueueOf("lab");
  for (std::int64_t i = 0; i < list.machine.total() + waiting; ++i) {
    const bool runs = i < list.machine.total();
    list.jobs.push_back({.number = i,
                         .arrives = runs ? Duration{} : kLater,
                         .amount = runs ? 1 : kSizes[i % std::ssize(kSizes)],
                         .queue = queue});
  }
  list.Sort();
  return list;
}

std::vector<objects::Object> StateWith(std::int64_t waiting) {
  const trace::JobList jobs = Jobs(waiting);
  objects::Manifest world;
  trace::AppendNodes(jobs.machine, kNow, world.objects);
  trace::AppendJobs(jobs, world);
  for (objects::Object& object : world.objects) ForgetRun(object);
  objects::Queue queue;
  queue.meta.name = "lab";
  world.objects.emplace_back(std::move(queue));
  objects::SchedulerConfiguration configuration;
  configuration.backfill.reservations = 64;
  world.objects.emplace_back(std::move(configuration));
  std::vector<objects::Object> state;
  (void)virtual_cluster::Run(std::move(world.objects),
                             {.options = {.start = kNow},
                              .until = kNow + kLater,
                              .on_instant = [&](const virtual_cluster::VirtualCluster& cluster) {
                                state = host::CopyOf(cluster);
                                return cluster.Now() < kNow + kLater;
                              }});
  return state;
}

// As lists of what waits show it, for all of that. Arguments: how many wait, and threads.
void ExpectedStartsOfAll(benchmark::State& state) {
  const std::vector<objects::Object> objects = StateWith(state.range(0));
  std::vector<Duration> ran;
  for (std::int64_t i = 1; i <= 50; ++i) ran.push_back(Duration::Seconds(i * i * 30));
  std::size_t known = 0;
  for (auto _ : state) {
    known = 0;
    const auto starts = host::ExpectedStarts(
        objects, {.start = kNow + kLater},
        {.from = [&](std::string_view /*queue*/, std::string_view /*work*/) { return &ran; },
         .threads = static_cast<std::size_t>(state.range(1))});
    for (const auto& [name, start] : starts) known += start.at ? 1 : 0;
  }
  state.counters["known"] = static_cast<double>(known);
}
BENCHMARK(ExpectedStartsOfAll)
    ->ArgsProduct({{1'000, 10'000}, {1, 2}})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
