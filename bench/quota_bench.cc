// Elastic quotas at the size that docs/performance.md names: 5,000 nodes of 8 GPUs, 5,000
// namespaces that are sure of one node's worth each, 100,000 pods. Every second namespace uses half
// of what it is sure of, and the other half is lent to the next.

#include <algorithm>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/scheduler.h"
#include "policy/limits.h"
#include "state/cluster.h"

namespace fairlead::bench {
namespace {

constexpr Time kNow{1'767'225'600'000'000};
constexpr std::int64_t kSpaces = 5'000;
constexpr std::int64_t kGiB = 1LL << 30;

std::string Space(std::int64_t i) { return fmt::format("ns-{:05}", i); }

state::QueueChange QuotaQueue(std::int64_t i, std::int64_t cpu_milli, std::int64_t max_gpus) {
  state::QueueChange queue = Queue(Space(i), "elastic-quotas");
  queue.guaranteed = {{"cpu", cpu_milli}, {"nvidia.com/gpu", 8'000}};
  queue.limit = {{"nvidia.com/gpu", max_gpus * 1000}};
  queue.weight.milli = 0;
  queue.derived_from = "ElasticQuota " + Space(i) + "/quota";
  return queue;
}

// The shapes that run: eight with a GPU and twelve without on every node.
struct Shapes {
  state::NeedsPtr gpu = Needs(4'000, 16 * kGiB, 1);
  state::NeedsPtr cpu = Needs(2'000, 8 * kGiB, 0);
};

std::vector<state::Change> World(const Shapes& shapes, std::int64_t gpus_a_node = 8) {
  std::vector<state::Change> changes = EqualNodes(kSpaces, gpus_a_node);
  state::QueueChange parent = Queue("elastic-quotas", "");
  parent.guaranteed = {{"cpu", kSpaces * 64'000}, {"nvidia.com/gpu", kSpaces * 8'000}};
  parent.limit = parent.guaranteed;
  parent.weight.milli = 0;
  parent.derived_from = "ElasticQuotas";
  changes.emplace_back(parent);
  for (std::int64_t i = 0; i < kSpaces; ++i) changes.emplace_back(QuotaQueue(i, 64'000, 16));
  std::int64_t made = 0;
  for (std::int64_t node = 0; node < kSpaces; ++node) {
    for (std::int64_t k = 0; k < 20; ++k) {
      // Of the two nodes of a pair, a quarter of the pods is the lender's.
      const std::int64_t pair = node / 2 * 2;
      const std::int64_t space = k % 4 == 0 ? pair : pair + 1;
      state::PodChange pod = WaitingPod(made, k < 8 ? shapes.gpu : shapes.cpu, Space(space));
      pod.name = fmt::format("{}/pod-{:06}", Space(space), made++);
      pod.state = state::PodState::kBound;
      pod.node = fmt::format("node-{:06}", node);
      pod.created = kNow + Duration::Seconds(-3600 - (made * 7919) % 80'000);
      pod.scheduled_time = pod.created;
      changes.emplace_back(pod);
    }
  }
  return changes;
}

// `used + request ≤ max` and `Σ used + request ≤ Σ min`, namespace after namespace.
void QuotaCheck(benchmark::State& state) {
  const Shapes shapes;
  engine::Scheduler scheduler;
  scheduler.Apply(World(shapes));
  scheduler.Round(kNow);
  const state::Cluster& cluster = scheduler.cluster();
  std::vector<state::WorkloadId> workloads;  // the first of each
  for (std::int64_t i = 0; i < kSpaces; ++i) {
    const state::QueueId leaf = cluster.queues().Find(Space(i * 7 % kSpaces));
    workloads.push_back(cluster.workloads().OfQueue(leaf).front());
  }
  const state::Amounts request = {
      {state::kCpu, 4'000}, {state::kMemory, 16 * kGiB}, {state::kPods, 1}, {state::kGpu, 1'000}};
  std::size_t next = 0;
  std::int64_t broken = 0;
  for (auto _ : state) {
    broken += policy::FirstBreach(cluster, workloads[next], request) ? 1 : 0;
    next = next + 1 == workloads.size() ? 0 : next + 1;
  }
  benchmark::DoNotOptimize(broken);
}
BENCHMARK(QuotaCheck)->Unit(benchmark::kNanosecond);

// A lender asks one GPU more, a borrower gives it: one round. The next time another lender does,
// with all that was decided before carried out. With more GPUs on the nodes than all are sure of,
// only the sum of all min stands in the way.
void QuotaReclaim(benchmark::State& state) {
  const Shapes shapes;
  engine::Scheduler scheduler;
  scheduler.Apply(World(shapes, state.range(0)));
  scheduler.Round(kNow);
  std::int64_t asked = 0;
  std::int64_t evicted = 0;
  std::int64_t unproven = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const std::string space = Space(asked * 2 % kSpaces);
    state::PodChange pod = WaitingPod(1'000'000 + asked, shapes.gpu, space);
    pod.name = fmt::format("{}/more-{:06}", space, asked++);
    pod.created = kNow;
    const std::vector<state::Change> arrival = {pod};
    state.ResumeTiming();
    scheduler.Apply(arrival);
    const engine::Plan plan = scheduler.Round(kNow);
    state.PauseTiming();
    std::vector<state::Change> gone;
    for (const engine::Decision& decision : plan.decisions) {
      if (decision.type != engine::DecisionType::kEvict) continue;
      ++evicted;
      unproven += decision.least_proven ? 0 : 1;
      gone.emplace_back(
          state::Removal{.kind = state::RowKind::kPod,
                         .name = std::string(scheduler.cluster().pods().name(decision.pod))});
    }
    scheduler.Apply(gone);
    scheduler.Round(kNow);
    state.ResumeTiming();
  }
  state.counters["evicted_each"] =
      static_cast<double>(evicted) / static_cast<double>(std::max<std::int64_t>(1, asked));
  state.counters["unproven"] = static_cast<double>(unproven);
}
// Lenders have four GPUs each to take back: 10,000 times somebody can.
BENCHMARK(QuotaReclaim)
    ->ArgName("gpus_a_node")
    ->Arg(8)
    ->Arg(10)
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(2'000);

// The min of one quota changes: its queue, the parent's sums, and the round after.
void QuotaChange(benchmark::State& state) {
  const Shapes shapes;
  engine::Scheduler scheduler;
  scheduler.Apply(World(shapes));
  scheduler.Round(kNow);
  std::int64_t changed = 0;
  for (auto _ : state) {
    const std::int64_t i = changed++ % kSpaces;
    const std::vector<state::Change> change = {QuotaQueue(i, 64'000, 16 + changed % 2)};
    scheduler.Apply(change);
    benchmark::DoNotOptimize(scheduler.Round(kNow).decisions.size());
  }
}
BENCHMARK(QuotaChange)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fairlead::bench
