#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "intake/intake.h"

// What intake costs a pod: when it comes first, when its phase changes, when it comes again as it
// is (as after a watch that fell silent), and when a change elsewhere has it joined anew.

namespace fairlead::bench {
namespace {

constexpr int kPods = 100'000;
constexpr int kNodes = 1'000;
constexpr Time kStart{1'767'225'600'000'000};  // 2026-01-01

std::vector<objects::Object> Nodes() {
  std::vector<objects::Object> nodes;
  for (int i = 0; i < kNodes; ++i) {
    objects::Node node;
    node.meta.name = fmt::format("n{}", i);
    node.meta.labels = {{"host", node.meta.name}};
    node.allocatable = {{"cpu", 64'000}, {"memory", 1LL << 38}};
    nodes.emplace_back(std::move(node));
  }
  return nodes;
}

// A tenth of them in gangs of eight; twenty namespaces, a hundred sets of labels.
std::vector<objects::Object> Pods(bool bound) {
  std::vector<objects::Object> pods;
  for (int i = 0; i < kPods; ++i) {
    objects::Pod pod;
    pod.meta.name_space = fmt::format("team-{}", i % 20);
    pod.meta.name = fmt::format("train-{}-x7k2p", i);
    pod.meta.uid = fmt::format("{:08x}-aaaa-4bbb-8ccc-{:012x}", i, i);
    pod.meta.creation_time = kStart;
    pod.meta.labels = {{"app", fmt::format("app-{}", i % 100)}, {"fairlead.dev/queue", "vision"}};
    if (i % 10 == 0) {
      pod.meta.labels.emplace_back("fairlead.dev/workload", fmt::format("w{}", i / 80));
    }
    pod.spec.scheduler_name = "fairlead";
    pod.spec.needs.request = {{"cpu", 1'000 * (1 + i % 4)}, {"memory", 1LL << 30}};
    if (bound) {
      pod.spec.node_name = fmt::format("n{}", i % kNodes);
      pod.scheduled_time = kStart;
    }
    pods.emplace_back(std::move(pod));
  }
  return pods;
}

void UpsertAll(intake::Intake& intake, const std::vector<objects::Object>& objects) {
  for (const objects::Object& object : objects) intake.Upsert(object, kStart);
}

void PerPod(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kPods); }

void IntakeFirst(benchmark::State& state) {
  const std::vector<objects::Object> nodes = Nodes(), pods = Pods(false);
  for (auto _ : state) {
    intake::Intake intake;
    UpsertAll(intake, nodes);
    UpsertAll(intake, pods);
    benchmark::DoNotOptimize(intake.TakeChanges());
  }
  PerPod(state);
}
BENCHMARK(IntakeFirst)->Unit(benchmark::kMillisecond);

void IntakeBound(benchmark::State& state) {
  const std::vector<objects::Object> pending = Pods(false), bound = Pods(true);
  intake::Intake intake;
  UpsertAll(intake, Nodes());
  bool turn = false;
  for (auto _ : state) {
    UpsertAll(intake, (turn = !turn) ? pending : bound);
    benchmark::DoNotOptimize(intake.TakeChanges());
  }
  PerPod(state);
}
BENCHMARK(IntakeBound)->Unit(benchmark::kMillisecond);

void IntakeAsBefore(benchmark::State& state) {
  const std::vector<objects::Object> pods = Pods(true);
  intake::Intake intake;
  UpsertAll(intake, pods);
  intake.TakeChanges();
  for (auto _ : state) {
    UpsertAll(intake, pods);
    benchmark::DoNotOptimize(intake.TakeChanges());
  }
  PerPod(state);
}
BENCHMARK(IntakeAsBefore)->Unit(benchmark::kMillisecond);

// A namespace that is bound to a queue, and bound no more, has its pods joined anew.
void IntakeRejoin(benchmark::State& state) {
  intake::Intake intake;
  UpsertAll(intake, Pods(false));
  objects::Namespace name_space;
  name_space.meta.name = "team-1";
  bool turn = false;
  for (auto _ : state) {
    name_space.meta.labels.clear();
    if ((turn = !turn)) name_space.meta.labels = {{"fairlead.dev/queue", "speech"}};
    intake.Upsert(name_space, kStart);
    benchmark::DoNotOptimize(intake.TakeChanges());
  }
}
BENCHMARK(IntakeRejoin)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace fairlead::bench
