// What people have, and what queues used (time.md §7): usage of 10,000 queues brought to the next
// minute, and weights and shares by it; a limit by user judged for a pod, with 100,000 users.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "policy/fair_share.h"
#include "policy/limits.h"
#include "policy/usage_weight.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr Time kUsageNow{1'767'225'600'000'000};
constexpr std::int64_t kUsers = 100'000;
constexpr std::int64_t kPools = 100;
constexpr std::int64_t kLeavesOfAPool = 100;

std::string LeafName(std::int64_t i) { return fmt::format("leaf-{:05}", i); }

// 100 pools of 100 queues; a pod of a GPU runs in each, and another waits.
void TellPools(engine::Scheduler& scheduler) {
  std::vector<state::Change> changes = EqualNodes(kPools * kLeavesOfAPool / 8, 8);
  objects::SchedulerConfiguration configuration;
  configuration.usage = {.half_life = Duration::Seconds(604'800), .influence_milli = 500};
  changes.emplace_back(state::ConfigurationChange{
      .configuration = std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  const state::NeedsPtr needs = Needs(4'000, 16LL << 30, 1);
  for (std::int64_t p = 0; p < kPools; ++p) {
    changes.emplace_back(Queue(fmt::format("pool-{:03}", p), ""));
    for (std::int64_t l = 0; l < kLeavesOfAPool; ++l) {
      const std::int64_t i = p * kLeavesOfAPool + l;
      changes.emplace_back(Queue(LeafName(i), fmt::format("pool-{:03}", p)));
      state::PodChange pod = WaitingPod(2 * i, needs, LeafName(i));
      pod.state = state::PodState::kBound;
      pod.node = fmt::format("node-{:06}", i / 8);
      pod.scheduled_time = kUsageNow + Duration::Seconds(-(i * 37) % 86'400);
      changes.emplace_back(pod);
      changes.emplace_back(WaitingPod(2 * i + 1, needs, LeafName(i)));
    }
  }
  scheduler.Apply(changes);
  scheduler.Round(kUsageNow);
}

void UsageToTheNextMinute(benchmark::State& state) {
  engine::Scheduler scheduler;
  TellPools(scheduler);
  state::Usage usage = scheduler.cluster().queues().usage();
  Time now = kUsageNow;
  for (auto _ : state) {
    now = now + Duration::Seconds(60);
    usage.PassTo(now);
  }
  state.counters["queues"] = static_cast<double>(scheduler.cluster().queues().size());
}
BENCHMARK(UsageToTheNextMinute)->Unit(benchmark::kMicrosecond);

void WeightsByUsage(benchmark::State& state) {
  engine::Scheduler scheduler;
  TellPools(scheduler);
  const state::QueueTree& queues = scheduler.cluster().queues();
  for (auto _ : state) {
    for (const state::QueueId parent : queues.order()) {
      if (queues[parent].children.empty()) continue;
      for (const state::ResourceId r : {state::kCpu, state::kMemory, state::kGpu}) {
        benchmark::DoNotOptimize(policy::UsageWeights(policy::SharersOf(queues, parent, r),
                                                      queues.usage().influence_milli()));
      }
    }
  }
}
BENCHMARK(WeightsByUsage)->Unit(benchmark::kMicrosecond);

// All of it: the minute, and every share divided anew, with and without usage.
void SharesOfANewMinute(benchmark::State& state) {
  engine::Scheduler scheduler;
  TellPools(scheduler);
  Time now = kUsageNow;
  for (auto _ : state) {
    now = now + Duration::Seconds(60);
    scheduler.Settle(now);
  }
}
BENCHMARK(SharesOfANewMinute)->Unit(benchmark::kMicrosecond);

// Each user has two limits of his own and two of his group, and a pod that runs.
void UserLimitJudged(benchmark::State& state) {
  engine::Scheduler scheduler;
  std::vector<state::Change> changes = EqualNodes(kUsers / 32, 64);
  state::QueueChange parent = Queue("all", "");
  state::QueueChange leaf = Queue("q", "all");
  using Each = objects::UserLimit::Each;
  for (state::QueueChange* queue : {&parent, &leaf}) {
    for (const Each each : {Each::kUser, Each::kGroup}) {
      objects::UserLimit limit{.each = each, .users = {}, .groups = {}, .max = {}};
      limit.max = {{"cpu", 64'000'000}, {"nvidia.com/gpu", 1'000'000}};
      limit.max_running = 1'000'000;
      queue->user_limits.push_back(limit);
    }
    changes.emplace_back(*queue);
  }
  const state::NeedsPtr needs = Needs(1'000, 1LL << 30, 1);
  for (std::int64_t i = 0; i < kUsers; ++i) {
    state::PodChange pod = WaitingPod(i, needs, "q");
    pod.solo->submitter = std::make_shared<const objects::Submitter>(objects::Submitter{
        .user = fmt::format("user-{:06}", i), .groups = {fmt::format("group-{:03}", i % 500)}});
    pod.state = state::PodState::kBound;
    pod.node = fmt::format("node-{:06}", i / 32);
    pod.scheduled_time = kUsageNow;
    changes.emplace_back(pod);
  }
  scheduler.Apply(changes);
  scheduler.Round(kUsageNow);
  const state::Cluster& cluster = scheduler.cluster();
  const state::Amounts request = {
      {state::kCpu, 1'000}, {state::kMemory, 1LL << 30}, {state::kPods, 1}, {state::kGpu, 1'000}};
  std::uint32_t next = 0;
  std::int64_t broken = 0;
  for (auto _ : state) {
    broken += policy::FirstBreach(cluster, state::WorkloadId(next), request) ? 1 : 0;
    next = (next + 7'919) % static_cast<std::uint32_t>(kUsers);
  }
  if (broken > 0) state.SkipWithError("a limit was broken");
  state.counters["accounts"] = static_cast<double>(cluster.queues().accounts().size());
}
BENCHMARK(UserLimitJudged)->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace fairlead::bench
