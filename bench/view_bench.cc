// What is published for the web page, at the size that docs/performance.md names: 5,000 nodes, and
// 50,000 pods in 100 queues, of which 40,000 run, 8 a node, and 10,000 wait in 20 shapes.

#include <algorithm>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "view/answer.h"
#include "view/view_builder.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kNodes = 5'000;
constexpr std::int64_t kRunning = 40'000;
constexpr std::int64_t kWaiting = 10'000;
constexpr std::int64_t kQueues = 100;
constexpr std::int64_t kGiB = 1LL << 30;

std::string QueueOf(std::int64_t i) { return fmt::format("queue-{:02}", i % kQueues); }

struct World {
  engine::Scheduler scheduler;
  std::vector<state::PodChange> running;

  World() {
    std::vector<state::Change> changes = EqualNodes(kNodes, 8);
    for (std::int64_t i = 0; i < kQueues; ++i) changes.emplace_back(Queue(QueueOf(i), ""));
    const state::NeedsPtr needs = Needs(4'000, 16 * kGiB, 1);
    for (std::int64_t i = 0; i < kRunning; ++i) {
      running.push_back(RunningPod(i, needs, QueueOf(i), i % kNodes));
      changes.emplace_back(running.back());
    }
    for (std::int64_t i = 0; i < kWaiting; ++i) {
      const state::NeedsPtr waiting = Needs(8'000 + i % 20 * 100, 16 * kGiB, 1);
      changes.emplace_back(WaitingPod(kRunning + i, waiting, QueueOf(i)));
    }
    scheduler.Apply(changes);
    scheduler.Round(kNow);
  }
};

std::shared_ptr<const view::View> Settled(view::ViewBuilder& builder) {
  auto view = builder.Publish(kNow, {});
  while (builder.reasons_due()) view = builder.Publish(kNow, {});
  return view;
}

// The first publication, without the search for reasons that goes on in the next ones.
void BM_ViewFirst(benchmark::State& state) {
  const World world;
  for (auto _ : state) {
    view::ViewBuilder builder(world.scheduler);
    benchmark::DoNotOptimize(builder.Publish(kNow, {}));
  }
}
BENCHMARK(BM_ViewFirst)->Unit(benchmark::kMillisecond);

// So many running pods, anywhere, begin to leave or stay after all.
void BM_ViewRefresh(benchmark::State& state) {
  World world;
  view::ViewBuilder builder(world.scheduler);
  auto view = Settled(builder);
  std::mt19937 random(1);
  Time now = kNow;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<state::Change> changes;
    std::shuffle(world.running.begin(), world.running.end(), random);
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      state::PodChange& pod = world.running[static_cast<std::size_t>(i)];
      pod.terminating = !pod.terminating;
      changes.emplace_back(pod);
    }
    now = now + Duration::Seconds(1);
    world.scheduler.Apply(changes);
    const engine::Plan plan = world.scheduler.Round(now);
    state.ResumeTiming();
    builder.OnChanges(changes);
    builder.OnRound(plan);
    view = builder.Publish(now, {});
  }
}
BENCHMARK(BM_ViewRefresh)->Arg(0)->Arg(100)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMicrosecond);

// What a reader's thread does.
void BM_ViewAnswer(benchmark::State& state, const view::Question& question) {
  const World world;
  view::ViewBuilder builder(world.scheduler);
  const auto view = Settled(builder);
  std::size_t bytes = 0;
  for (auto _ : state) {
    const auto answer = view::Answer(*view, question);
    if (!answer) {
      state.SkipWithError(answer.error().message.c_str());
      break;
    }
    bytes = answer->size();
  }
  state.counters["bytes"] = static_cast<double>(bytes);
}
using About = view::Question::About;
BENCHMARK_CAPTURE(BM_ViewAnswer, summary, view::Question{.about = About::kSummary})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_ViewAnswer, queues, view::Question{.about = About::kQueues})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_ViewAnswer, nodes, view::Question{.about = About::kNodes})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(BM_ViewAnswer, workloads,
                  view::Question{.about = About::kWorkloads,
                                 .parameters = {{"state", "Pending"}, {"q", "E-07"}}})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fairlead::bench
