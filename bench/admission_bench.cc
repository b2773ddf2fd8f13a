// Admission of suspended jobs: many queues and jobs through their whole life, and single large
// reductions.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/worlds.h"
#include "engine/explain/what_if.h"
#include "engine/round/fewer_pods.h"
#include "engine/scheduler.h"
#include "jobs/job_kind.h"
#include "state/cluster.h"
#include "virtual/cluster.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kGibibyte = 1LL << 30;

objects::Node BigNode(std::int64_t i) {
  objects::Node node;
  node.meta.name = fmt::format("node-{:06}", i);
  node.allocatable = {{"cpu", 64'000}, {"memory", 256 * kGibibyte}, {"pods", 110}};
  return node;
}

objects::Queue QueueObject(const std::string& name, const std::string& parent) {
  objects::Queue queue;
  queue.meta.name = name;
  queue.parent = parent;
  return queue;
}

// A job of one pod of `cpus` that runs for `seconds`.
objects::Job QueuedJob(std::int64_t i, std::int64_t queue, std::int64_t cpus,
                       std::int64_t seconds) {
  objects::Job job;
  job.meta.name_space = "jobs";
  job.meta.name = fmt::format("job-{:06}", i);
  job.meta.labels = {{"fairlead.dev/queue", fmt::format("queue-{:04}", queue)}};
  job.suspend = true;
  job.parallelism = 1;
  job.completions = 1;
  job.pod_template.annotations = {{"fairlead.dev/run-duration", fmt::format("{}s", seconds)}};
  job.pod_template.spec.scheduler_name = "fairlead";
  job.pod_template.spec.needs.request = {{"cpu", cpus * 1000}};
  return job;
}

// The same as a JobSet of two replicated jobs, of a pod each; the second takes a CPU.
objects::JobObject QueuedJobSet(const objects::Job& job) {
  objects::JobObject set(*objects::FindJobRow("JobSet"));
  set.meta = job.meta;
  set.suspend = true;
  for (std::size_t i = 0; i < 2; ++i) {
    objects::JobObject::Replicas& replicas = set.pod_sets.emplace_back();
    replicas.row = &set.row->pod_sets.front();
    replicas.element = i;
    replicas.name = i == 0 ? "main" : "helper";
    replicas.counts = {1, 1, 1};
    replicas.pod_template = job.pod_template;
    if (i == 1) replicas.pod_template.spec.needs.request = {{"cpu", 1000}};
  }
  return set;
}

// 1,000 queues of 10 cohorts, each guaranteed 20 CPUs and borrowing up to 100; 50,000 jobs of 1, 5
// and 20 CPUs (70, 20, 10 %), 10 seconds to 10 minutes, on 2,000 nodes.
std::vector<objects::Object> Cohorts(bool job_sets) {
  constexpr std::int64_t kCohorts = 10;
  constexpr std::int64_t kQueues = 1000;
  constexpr std::int64_t kJobs = 50'000;
  std::vector<objects::Object> all;
  for (std::int64_t i = 0; i < 2000; ++i) all.emplace_back(BigNode(i));
  for (std::int64_t i = 0; i < kCohorts; ++i) {
    all.emplace_back(QueueObject(fmt::format("cohort-{}", i), ""));
  }
  for (std::int64_t i = 0; i < kQueues; ++i) {
    objects::Queue queue =
        QueueObject(fmt::format("queue-{:04}", i), fmt::format("cohort-{}", i % kCohorts));
    queue.guaranteed = {{"cpu", 20'000}};
    queue.limit = {{"cpu", 120'000}};
    all.emplace_back(queue);
  }
  for (std::int64_t i = 0; i < kJobs; ++i) {
    const std::int64_t kind = i * 7919 % 10;
    const std::int64_t cpus = kind < 7 ? 1 : kind < 9 ? 5 : 20;
    objects::Job job = QueuedJob(i, i % kQueues, cpus, 10 + (i * 104'729) % 591);
    if (job_sets) {
      all.emplace_back(QueuedJobSet(job));
    } else {
      all.emplace_back(std::move(job));
    }
  }
  return all;
}

// The time is of Submit and of the simulation to the last job.
void JobsOfCohorts(benchmark::State& state) {
  const bool job_sets = state.range(0) != 0;
  const std::vector<objects::Object> input = Cohorts(job_sets);
  std::int64_t finished = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<objects::Object> objects = input;
    auto cluster =
        std::make_unique<virtual_cluster::VirtualCluster>(virtual_cluster::Options{.start = kNow});
    state.ResumeTiming();
    if (!cluster->Submit(std::move(objects))) state.SkipWithError("refused");
    cluster->RunToIdle();
    state.PauseTiming();
    finished = 0;
    for (const objects::Object* job : cluster->List(job_sets ? "JobSet" : "Job")) {
      finished += jobs::KindOf(*job)->IsComplete(*job) ? 1 : 0;
    }
    state.counters["rounds"] = static_cast<double>(cluster->rounds());
    cluster.reset();
    state.ResumeTiming();
  }
  state.counters["finished"] = static_cast<double>(finished);
}
BENCHMARK(JobsOfCohorts)
    ->ArgName("job_sets")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// A job of 1,000 pod sets of 150 pods, at least 50 of each, of which two thirds have room: by a
// limit where nodes have plenty, or on nodes. The time is of finding the counts alone.
void LargeReduction(benchmark::State& state) {
  constexpr std::int64_t kSets = 1000;
  const bool by_nodes = state.range(0) != 0;
  const std::int64_t shapes = state.range(1);
  engine::Scheduler scheduler;
  std::vector<state::Change> changes = EqualNodes(by_nodes ? 1563 : 5000, 0);  // 64 CPUs each
  state::QueueChange queue = Queue("default", "");
  if (!by_nodes) queue.limit = {{"cpu", 100'000'000}};
  changes.emplace_back(queue);
  state::WorkloadChange job{.name = "team/job", .uid = "job"};
  job.traits.queue = "default";
  for (std::int64_t k = 0; k < kSets; ++k) {
    job.pod_sets.push_back({.name = fmt::format("set-{}", k),
                            .count = 150,
                            .min_count = 50,
                            .expected_needs = Needs(1000, kGibibyte + k % shapes, 0)});
  }
  changes.emplace_back(job);
  scheduler.Apply(changes);
  scheduler.Settle();
  const engine::WhatIf what_if(scheduler);
  const auto group = what_if.NextStep(state::FindWorkload(scheduler.cluster(), job.name));
  if (!group) {
    state.SkipWithError("nothing to place");
    return;
  }
  const engine::RoomStep step = engine::StepOfGang(*group);
  std::int64_t pods = 0;
  for (auto _ : state) {
    pods = 0;
    engine::FewerPods fewer(what_if.cluster(), what_if.placer(), step, nullptr);
    for (const std::int32_t count : fewer.Find()) pods += count;
  }
  state.counters["pods"] = static_cast<double>(pods);
}
BENCHMARK(LargeReduction)
    ->ArgNames({"nodes", "shapes"})
    ->Args({0, 1})
    ->Args({1, 1})
    ->Args({1, 4})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fairlead::bench
