#include "account/metrics.h"

#include <gmock/gmock.h>

#include "unit/base/at.h"

namespace fairlead::account {
namespace {

using state::Change;
using state::PodState;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Change Node(std::string name, std::int64_t cpus, bool schedulable = true) {
  state::NodeChange change;
  change.name = std::move(name);
  change.allocatable = {{"cpu", cpus * 1000}, {"memory", std::int64_t{64} << 30}};
  change.schedulable = schedulable;
  return change;
}

state::NeedsPtr Needs(std::int64_t cpus, std::int32_t gpu_milli = 0) {
  auto needs = std::make_shared<objects::PodNeeds>();
  needs->request = {{"cpu", cpus * 1000}};
  needs->gpu_milli = gpu_milli;
  return needs;
}

// A pod that is a workload of its own, in queue "q", created at `created`.
struct Solo {
  std::string name;
  state::NeedsPtr needs;
  std::int64_t created = 0;

  Change As(PodState pod_state, std::int64_t scheduled = -1) const {
    state::PodChange change;
    change.name = name;
    change.uid = Uid(name);
    change.needs = needs;
    change.state = pod_state;
    change.created = At(created);
    if (scheduled >= 0) change.scheduled_time = At(scheduled);
    change.solo.emplace();
    change.solo->queue = "q";
    change.solo->created = At(created);
    return change;
  }
};

void Tell(Fold& fold, std::int64_t now, std::vector<Change> changes) {
  fold.OnChanges(At(now), changes);
}

const Use& UseOf(const MetricsReport& report, std::string_view resource) {
  for (const Use& use : report.utilisation) {
    if (use.resource == resource) return use;
  }
  ADD_FAILURE() << resource;
  return report.utilisation.front();
}

TEST(Metrics, IntegratesWhatIsAllocated) {
  // 4 CPUs for 10 s; a takes 2 of them from 2 s to 7 s: 10 of 40 CPU-seconds.
  Fold fold;
  Metrics metrics(fold, At(0));
  const Solo a{.name = "a", .needs = Needs(2), .created = 1};
  Tell(fold, 0, {Node("n1", 4)});
  Tell(fold, 1, {a.As(PodState::kPending)});
  Tell(fold, 2, {a.As(PodState::kBound, 2)});
  Tell(fold, 7, {a.As(PodState::kFinished, 2)});
  const MetricsReport report = metrics.Report(At(10));
  EXPECT_EQ(UseOf(report, "cpu").Percent(), 25.0);
  EXPECT_EQ(UseOf(report, "cpu").peak_allocated, 2000);
  EXPECT_EQ(UseOf(report, "memory").Percent(), 0.0);
  EXPECT_EQ(report.gpu, std::nullopt);
  EXPECT_EQ(report.makespan, Duration::Seconds(6));  // 1 s to 7 s
  EXPECT_EQ(report.completion.p50, Duration::Seconds(6));
  EXPECT_EQ(report.waiting.p50, Duration::Seconds(1));
  EXPECT_EQ(report.pods, 1);
  EXPECT_EQ(report.bound, 1);
  EXPECT_EQ(report.finished, 1);
  EXPECT_EQ(report.pending, 0);
}

TEST(Metrics, FollowsTheCapacity) {
  // 4 CPUs for 5 s, 8 for 5 s, then n2 is cordoned for 10 s: 20 + 40 + 40 = 100 CPU-seconds; a pod
  // of 1 CPU all the time: 20 %.
  Fold fold;
  Metrics metrics(fold, At(0));
  const Solo a{.name = "a", .needs = Needs(1)};
  Tell(fold, 0, {Node("n1", 4), a.As(PodState::kBound, 0)});
  Tell(fold, 5, {Node("n2", 4)});
  Tell(fold, 10, {Node("n2", 4, false)});
  EXPECT_EQ(UseOf(metrics.Report(At(20)), "cpu").Percent(), 20.0);
}

TEST(Metrics, CountsSharesAndWholeGpusTogether) {
  Fold fold;
  Metrics metrics(fold, At(0));
  state::NodeChange node;
  node.name = "n1";
  node.allocatable = {{"nvidia.com/gpu", 2000}};
  Tell(fold, 0, {node, Solo{.name = "a", .needs = Needs(0, 500)}.As(PodState::kBound, 0)});
  const MetricsReport report = metrics.Report(At(10));
  ASSERT_TRUE(report.gpu.has_value());
  EXPECT_EQ(report.gpu->Percent(), 25.0);
}

TEST(Metrics, SpreadsAreNearestRanks) {
  // Waiting 1 s … 100 s.
  Fold fold;
  Metrics metrics(fold, At(0));
  for (int i = 1; i <= 100; ++i) {
    const Solo pod{.name = "p" + std::to_string(i), .needs = Needs(1)};
    Tell(fold, 0, {pod.As(PodState::kPending)});
  }
  for (int i = 1; i <= 100; ++i) {
    const Solo pod{.name = "p" + std::to_string(i), .needs = Needs(1)};
    Tell(fold, i, {pod.As(PodState::kBound, i)});
  }
  const MetricsReport report = metrics.Report(At(100));
  EXPECT_EQ(report.waiting.count, 100);
  EXPECT_EQ(report.waiting.mean.us, 50'500'000);
  EXPECT_EQ(report.waiting.p50, Duration::Seconds(50));
  EXPECT_EQ(report.waiting.p95, Duration::Seconds(95));
  EXPECT_EQ(report.waiting.p99, Duration::Seconds(99));
  EXPECT_EQ(report.waiting.max, Duration::Seconds(100));
  ASSERT_EQ(report.queues.size(), 1u);
  EXPECT_EQ(report.queues[0].queue, "q");
  EXPECT_EQ(report.queues[0].pending, 0);
}

TEST(Metrics, CountsAGangOnce) {
  Fold fold;
  Metrics metrics(fold, At(0));
  state::WorkloadChange gang;
  gang.name = "a/w";
  gang.traits.queue = "q";
  gang.traits.created = At(0);
  gang.pod_sets.push_back({.name = "main", .count = 3, .min_count = 2, .expected_needs = nullptr});
  const auto member = [](std::string name, PodState pod_state, std::int64_t scheduled) {
    state::PodChange change;
    change.name = std::move(name);
    change.needs = Needs(1);
    change.workload = "a/w";
    change.state = pod_state;
    if (scheduled >= 0) change.scheduled_time = At(scheduled);
    return change;
  };
  Tell(fold, 0, {gang, member("a/1", PodState::kPending, -1)});
  Tell(fold, 4, {member("a/1", PodState::kBound, 4)});
  EXPECT_EQ(metrics.Report(At(4)).waiting.count, 0);
  EXPECT_EQ(metrics.Report(At(4)).queues[0].pending, 1);
  Tell(fold, 9, {member("a/2", PodState::kBound, 9)});
  Tell(fold, 12, {member("a/3", PodState::kBound, 12)});
  fold.OnEvent(
      {.time = At(30), .type = drive::EventType::kComplete, .kind = "Workload", .object = "a/w"});
  const MetricsReport report = metrics.Report(At(30));
  EXPECT_EQ(report.waiting.count, 1);
  EXPECT_EQ(report.waiting.max, Duration::Seconds(9));
  EXPECT_EQ(report.completion.max, Duration::Seconds(30));
}

TEST(Metrics, WeighsWhatEvictionsLose) {
  // Evicted after 7 s with 2 of 4 CPUs: 14 CPU-seconds; asked again to go, it counts once.
  Fold fold;
  Metrics metrics(fold, At(0));
  const Solo a{.name = "a", .needs = Needs(2)};
  Tell(fold, 0, {Node("n1", 4), a.As(PodState::kPending)});
  Tell(fold, 1, {a.As(PodState::kBound, 1)});
  const drive::Event evict{.time = At(8), .type = drive::EventType::kEvict, .pod = "a"};
  fold.OnEvent(evict);
  fold.OnEvent(evict);
  const MetricsReport report = metrics.Report(At(8));
  EXPECT_EQ(report.evictions, 1);
  EXPECT_THAT(report.lost_seconds, ElementsAre(Pair("cpu", 14)));
  EXPECT_THAT(report.lost_by_dominant, ElementsAre(Pair("cpu", Duration::Seconds(7))));
}

TEST(Metrics, LeavesOutWhatItDidNotSeeBegin) {
  Fold fold;
  Metrics metrics(fold, At(100));
  const Solo a{.name = "a", .needs = Needs(2)};
  Tell(fold, 100, {Node("n1", 4), a.As(PodState::kBound, 50)});
  const MetricsReport report = metrics.Report(At(110));
  EXPECT_EQ(report.waiting.count, 0);
  EXPECT_EQ(report.running, 1);
  EXPECT_EQ(report.makespan, Duration::Seconds(10));
  EXPECT_THAT(report.lost_seconds, IsEmpty());
}

TEST(Metrics, CountsOtherSchedulersPodsAsMissingCapacity) {
  Fold fold;
  Metrics metrics(fold, At(0));
  state::PodChange foreign;
  foreign.name = "a/f";
  foreign.needs = Needs(2);
  foreign.state = PodState::kBound;
  foreign.foreign = true;
  const Solo a{.name = "a", .needs = Needs(1)};
  Tell(fold, 0, {Node("n1", 4), foreign, a.As(PodState::kBound, 0)});
  const MetricsReport report = metrics.Report(At(10));
  EXPECT_EQ(UseOf(report, "cpu").Percent(), 50.0);  // 1 of 4 − 2
  EXPECT_EQ(report.pods, 1);
}

}  // namespace
}  // namespace fairlead::account
