#include "engine/round/usage_over_time.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/scheduler.h"
#include "state/cluster.h"

// Usage over time through rounds: two queues of equal weight after a week of one alone, and whoever
// takes over in between.

namespace fairlead::engine {
namespace {

using state::Figure;

constexpr std::int64_t kWeek = 604'800;
Time Seconds(std::int64_t s) { return Time{} + Duration::Seconds(s); }

// 8 GPUs, queues a and b; pods of so many GPUs, as the cluster shows them.
class TwoQueues {
 public:
  explicit TwoQueues(std::int32_t influence_milli) {
    objects::SchedulerConfiguration configuration;
    configuration.usage = {.half_life = Duration::Seconds(kWeek),
                           .influence_milli = influence_milli};
    all_.emplace_back(state::ConfigurationChange{
        .configuration = std::make_shared<const objects::SchedulerConfiguration>(configuration)});
    state::NodeChange node{.name = "n1"};
    node.allocatable = {{"nvidia.com/gpu", 8'000}, {"pods", 110}};
    all_.emplace_back(node);
  }

  state::QueueChange& Queue(const std::string& name) {
    state::QueueChange& queue = queues_[name];
    queue.name = name;
    return queue;
  }
  void Run(const std::string& name, const std::string& queue, int gpus, std::int64_t since) {
    state::PodChange pod = Pod(name, queue, gpus);
    pod.state = state::PodState::kBound;
    pod.node = "n1";
    pod.scheduled_time = Seconds(since);
    pods_[name] = pod;
  }
  void Wait(const std::string& name, const std::string& queue, int gpus) {
    pods_[name] = Pod(name, queue, gpus);
  }
  void End(const std::string& name) { pods_.erase(name); }

  // All that the cluster shows.
  std::vector<state::Change> All() const {
    std::vector<state::Change> all = all_;
    for (const auto& [name, queue] : queues_) all.emplace_back(queue);
    for (const auto& [name, pod] : pods_) all.emplace_back(pod);
    return all;
  }

 private:
  static state::PodChange Pod(const std::string& name, const std::string& queue, int gpus) {
    objects::PodNeeds needs;
    needs.request = {{"nvidia.com/gpu", 1000 * gpus}};
    state::PodChange pod{.name = "s/" + name, .uid = Uid(name)};
    pod.needs = std::make_shared<const objects::PodNeeds>(std::move(needs));
    pod.solo = state::WorkloadTraits{.queue = queue};
    return pod;
  }
  std::vector<state::Change> all_;
  std::map<std::string, state::QueueChange> queues_;
  std::map<std::string, state::PodChange> pods_;
};

WideInt UsedBy(const Scheduler& scheduler, std::string_view queue) {
  const state::QueueTree& queues = scheduler.cluster().queues();
  return queues.usage().Of(queues.Find(queue), state::kGpu);
}
std::int64_t ShareOf(const Scheduler& scheduler, std::string_view queue, Figure figure) {
  const state::QueueTree& queues = scheduler.cluster().queues();
  return queues.Get(queues.Find(queue), figure, state::kGpu);
}

// What a status would show.
objects::QueueUsage ShownOf(const Scheduler& scheduler, std::string_view queue) {
  return {.at = scheduler.cluster().queues().usage().at(),
          .resources = {{"nvidia.com/gpu", UsedBy(scheduler, queue)}}};
}

// a runs 8 GPUs for a week: u = 3,490,287,844 thousandths × s (state/usage_test.cc), b's is 0. Then
// both ask for all: w = 1/2, u = 1 and 0, influence 1/2: weights 1/4 and 3/4 of 8 GPUs.
TEST(UsageOverTime, AWeekOfOneAlone) {
  TwoQueues world(500);
  world.Queue("a");
  world.Queue("b");
  world.Run("p", "a", 8, 0);
  Scheduler scheduler;
  scheduler.Apply(world.All());
  scheduler.Round(Seconds(0));
  // Rounds in between make no difference.
  for (const std::int64_t at : {7, 3'601, 86'399, 400'000}) {
    world.Wait("x" + std::to_string(at), "a", 1);
    scheduler.Apply(world.All());
    scheduler.Round(Seconds(at));
  }
  world.End("p");
  for (const std::int64_t at : {7, 3'601, 86'399, 400'000}) world.End("x" + std::to_string(at));
  Scheduler second;  // has seen nothing of it, but the pod is still there
  world.Run("p", "a", 8, 0);
  world.Wait("q", "b", 8);
  world.Wait("r", "a", 8);
  second.Apply(world.All());
  second.Round(Seconds(kWeek));
  scheduler.Apply(world.All());
  scheduler.Round(Seconds(kWeek));
  for (const Scheduler* each : {&scheduler, &second}) {
    EXPECT_EQ(UsedBy(*each, "a"), WideInt{3'490'287'844});
    EXPECT_EQ(UsedBy(*each, "b"), WideInt{0});
    EXPECT_EQ(ShareOf(*each, "b", Figure::kFairShare), 6'000);
    EXPECT_EQ(ShareOf(*each, "a", Figure::kFairShare), 2'000);
    EXPECT_EQ(ShareOf(*each, "a", Figure::kPlainShare), 4'000);
  }
}

// Leadership is handed over at 10:00, after a pod has ended: the status tells of it.
TEST(UsageOverTime, WhoLeadsNextCountsOn) {
  TwoQueues world(500);
  world.Queue("a");
  world.Queue("b");
  world.Run("early", "a", 3, 100);
  world.Run("short", "b", 2, 200);
  Scheduler first;
  first.Apply(world.All());
  first.Round(Seconds(300));
  world.End("short");
  first.Apply(std::vector<state::Change>{state::Removal{state::RowKind::kPod, "s/short"}});
  first.Round(Seconds(20'000));
  world.Run("late", "b", 4, 30'000);
  first.Apply(world.All());
  first.Round(Seconds(30'000));
  first.Round(Seconds(35'990));
  world.Queue("a").usage = ShownOf(first, "a");
  world.Queue("b").usage = ShownOf(first, "b");

  Scheduler second;
  second.Apply(world.All());
  second.Round(Seconds(36'010));
  world.Wait("w", "b", 1);
  for (Scheduler* each : {&first, &second}) {
    each->Apply(world.All());
    each->Round(Seconds(90'000));
  }
  EXPECT_GT(UsedBy(first, "b"), WideInt{0});
  EXPECT_EQ(UsedBy(first, "a"), UsedBy(second, "a"));
  EXPECT_EQ(UsedBy(first, "b"), UsedBy(second, "b"));
  EXPECT_EQ(ShareOf(first, "b", Figure::kFairShare), ShareOf(second, "b", Figure::kFairShare));

  // After a kill, without the status, what ended is lost and no more.
  world.Queue("a").usage.reset();
  world.Queue("b").usage.reset();
  Scheduler killed;
  killed.Apply(world.All());
  killed.Round(Seconds(90'000));
  EXPECT_EQ(UsedBy(killed, "a"), UsedBy(first, "a"));
  EXPECT_LT(UsedBy(killed, "b"), UsedBy(first, "b"));
  EXPECT_GT(UsedBy(killed, "b"), WideInt{0});
}

TEST(UsageOverTime, WithoutTheSectionNothingIsKept) {
  TwoQueues world(500);
  world.Queue("a");
  world.Run("p", "a", 8, 0);
  std::vector<state::Change> all = world.All();
  Scheduler scheduler;
  scheduler.Apply(all);
  scheduler.Round(Seconds(3'600));
  EXPECT_GT(UsedBy(scheduler, "a"), WideInt{0});
  scheduler.Apply(std::vector<state::Change>{state::ConfigurationChange{
      .configuration = std::make_shared<const objects::SchedulerConfiguration>()}});
  scheduler.Round(Seconds(7'200));
  EXPECT_EQ(UsedBy(scheduler, "a"), WideInt{0});
  EXPECT_FALSE(scheduler.cluster().queues().usage().kept());
  EXPECT_EQ(ShareOf(scheduler, "a", Figure::kFairShare), 8'000);
}

// Minutes pass, and no round is due for that.
TEST(UsageOverTime, MinutesEnterNoNextRound) {
  TwoQueues world(500);
  world.Queue("a");
  world.Queue("b");
  world.Run("p", "a", 8, 0);
  world.Wait("q", "b", 8);
  Scheduler scheduler;
  scheduler.Apply(world.All());
  const Plan plan = scheduler.Round(Seconds(60));
  scheduler.Round(Seconds(60));
  const Plan later = scheduler.Round(Seconds(60'000));
  EXPECT_TRUE(later.decisions.empty());
  EXPECT_EQ(plan.next_round, later.next_round);
}

}  // namespace
}  // namespace fairlead::engine
