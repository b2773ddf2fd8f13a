// Semantics §6 on the trees of the designs (seeds 000, 001).

#include "policy/min_runtime.h"

#include <gmock/gmock.h>

namespace fairlead::policy {
namespace {

using state::QueueId;
using state::WorkloadId;
using ::testing::Optional;

std::optional<Duration> Seconds(std::optional<std::int64_t> seconds) {
  return seconds ? std::optional(Duration::Seconds(*seconds)) : std::nullopt;
}
Time At(std::int64_t seconds) { return Time{} + Duration::Seconds(seconds); }

class World {
 public:
  World() { Configure({}); }

  struct Set {
    std::optional<std::int64_t> preempt, reclaim;  // seconds
  };
  void Queue(std::string name, std::string parent, Set set = {}) {
    state::QueueChange change;
    change.name = std::move(name);
    change.parent = std::move(parent);
    change.preempt_min_runtime = Seconds(set.preempt);
    change.reclaim_min_runtime = Seconds(set.reclaim);
    cluster.Apply(change);
    cluster.Settle();
  }
  void Configure(const objects::SchedulerConfiguration& configuration) {
    cluster.Apply(state::ConfigurationChange{
        std::make_shared<const objects::SchedulerConfiguration>(configuration)});
  }
  WorkloadId Workload(const std::string& queue, Time start) {
    state::WorkloadChange change;
    change.name = "ns/" + queue;
    change.traits.queue = queue;
    change.pod_sets.emplace_back();
    cluster.Apply(change);
    cluster.Settle();
    const WorkloadId w = state::FindWorkload(cluster, change.name);
    cluster.notes().SetStart(w, start);
    return w;
  }
  QueueId Id(std::string_view name) const { return cluster.queues().Find(name); }

  // "60s from D".
  std::string Resolved(RoomAction action, std::string_view victim,
                       std::string_view preemptor) const {
    const MinRuntime runtime = ResolveMinRuntime(cluster, action, Id(victim), Id(preemptor));
    return FormatDuration(runtime.value) + " from " +
           (runtime.from.valid() ? cluster.queues()[runtime.from].name : "default");
  }
  std::string Reclaim(std::string_view preemptor, std::string_view victim) const {
    return Resolved(RoomAction::kReclaim, victim, preemptor);
  }
  std::string Preempt(std::string_view queue) const {
    return Resolved(RoomAction::kPreempt, queue, "");
  }

  state::Cluster cluster;
};

// A over B 600s; B over C (unset) and D 60s; C over leaf1 0s and leaf2 180s; D over leaf3 (unset).
void ReclaimTree(World& world) {
  world.Queue("A", "");
  world.Queue("B", "A", {.preempt = {}, .reclaim = 600});
  world.Queue("C", "B");
  world.Queue("D", "B", {.preempt = {}, .reclaim = 60});
  world.Queue("leaf1", "C", {.preempt = {}, .reclaim = 0});
  world.Queue("leaf2", "C", {.preempt = {}, .reclaim = 180});
  world.Queue("leaf3", "D");
}

// B 600s over C (unset) over leaf1 300s and leaf2 (unset).
void PreemptTree(World& world) {
  world.Queue("A", "");
  world.Queue("B", "A", {.preempt = 600, .reclaim = {}});
  world.Queue("C", "B");
  world.Queue("leaf1", "C", {.preempt = 300, .reclaim = {}});
  world.Queue("leaf2", "C");
}

TEST(ResolveMinRuntime, ReclaimByLcaAsInTheDesign) {
  World world;
  ReclaimTree(world);
  EXPECT_EQ(world.Reclaim("leaf1", "leaf3"), "60s from D");
  EXPECT_EQ(world.Reclaim("leaf1", "leaf2"), "180s from leaf2");
  EXPECT_EQ(world.Reclaim("leaf3", "leaf1"), "600s from B");
  // They meet at C: leaf1's own 0s is set, and nothing above it is asked.
  EXPECT_EQ(world.Reclaim("leaf2", "leaf1"), "0s from leaf1");
}

TEST(ResolveMinRuntime, ReclaimByQueueAsksTheVictimsQueueWhoeverTakes) {
  World world;
  ReclaimTree(world);
  objects::SchedulerConfiguration configuration;
  configuration.reclaim_resolve = objects::ReclaimResolve::kQueue;
  world.Configure(configuration);
  for (std::string_view preemptor : {"leaf2", "leaf3", "leaf1", "B", ""}) {
    EXPECT_EQ(world.Reclaim(preemptor, "leaf1"), "0s from leaf1") << preemptor;
    EXPECT_EQ(world.Reclaim(preemptor, "leaf3"), "60s from D") << preemptor;
  }
}

TEST(ResolveMinRuntime, PreemptAsInTheDesign) {
  World world;
  PreemptTree(world);
  EXPECT_EQ(world.Preempt("leaf1"), "300s from leaf1");
  EXPECT_EQ(world.Preempt("leaf2"), "600s from B");
  EXPECT_EQ(world.Preempt("A"), "0s from default");
  // The actions do not borrow from each other.
  EXPECT_EQ(world.Reclaim("leaf1", "leaf2"), "0s from default");
}

TEST(ResolveMinRuntime, ExplicitZeroEndsTheWalk) {
  World world;
  world.Queue("top", "", {.preempt = 600, .reclaim = 600});
  world.Queue("open", "top", {.preempt = 0, .reclaim = 0});
  world.Queue("leaf", "open");
  world.Queue("other", "top");
  objects::SchedulerConfiguration configuration;
  configuration.preempt_min_runtime = configuration.reclaim_min_runtime = Duration::Seconds(9);
  world.Configure(configuration);
  EXPECT_EQ(world.Preempt("leaf"), "0s from open");
  EXPECT_EQ(world.Reclaim("other", "leaf"), "0s from open");
}

TEST(ResolveMinRuntime, TopLevelQueuesMeetAtTheRoot) {
  World world;
  world.Queue("x", "", {.preempt = {}, .reclaim = 30});
  world.Queue("x-leaf", "x", {.preempt = {}, .reclaim = 5});
  world.Queue("y", "");
  world.Queue("y-leaf", "y", {.preempt = {}, .reclaim = 7});
  EXPECT_EQ(world.Reclaim("y", "x"), "30s from x");
  EXPECT_EQ(world.Reclaim("y-leaf", "x-leaf"), "30s from x");  // not x-leaf's own
  EXPECT_EQ(world.Reclaim("x-leaf", "y-leaf"), "0s from default");
  // Nobody named: as from another top-level queue.
  EXPECT_EQ(world.Reclaim("", "x-leaf"), "30s from x");
}

TEST(ResolveMinRuntime, VictimAboveBelowOrBesideThePreemptor) {
  World world;
  ReclaimTree(world);
  EXPECT_EQ(world.Reclaim("leaf3", "B"), "600s from B");          // the victim's queue is above
  EXPECT_EQ(world.Reclaim("leaf1", "C"), "600s from B");          // and says nothing itself
  EXPECT_EQ(world.Reclaim("B", "leaf3"), "60s from D");           // the preemptor's queue is above
  EXPECT_EQ(world.Reclaim("leaf2", "leaf2"), "180s from leaf2");  // the same
  EXPECT_EQ(world.Reclaim("leaf3", "leaf3"), "60s from D");
}

TEST(ResolveMinRuntime, DefaultFromTheConfiguration) {
  World world;
  world.Queue("x", "");
  world.Queue("y", "");
  objects::SchedulerConfiguration configuration;
  configuration.preempt_min_runtime = Duration::Seconds(11);
  configuration.reclaim_min_runtime = Duration::Seconds(22);
  world.Configure(configuration);
  EXPECT_EQ(world.Preempt("x"), "11s from default");
  EXPECT_EQ(world.Reclaim("y", "x"), "22s from default");
}

TEST(ResolveMinRuntime, BrokenTreesEndTheWalkAndDeletedQueuesSayNothing) {
  World world;
  world.Queue("a", "b", {.preempt = {}, .reclaim = 1});
  world.Queue("b", "a", {.preempt = {}, .reclaim = 2});
  world.Queue("leaf", "a");
  world.Queue("orphan", "gone");
  EXPECT_EQ(world.Reclaim("orphan", "leaf"), "1s from a");
  EXPECT_EQ(world.Reclaim("leaf", "orphan"), "0s from default");
  world.Queue("p", "", {.preempt = {}, .reclaim = 3});
  world.Queue("q", "p", {.preempt = {}, .reclaim = 4});
  const QueueId q = world.Id("q");
  world.cluster.Apply(state::Removal{.kind = state::RowKind::kQueue, .name = "q"});
  world.cluster.Settle();
  EXPECT_EQ(ResolveMinRuntime(world.cluster, RoomAction::kReclaim, q, world.Id("leaf")),
            (MinRuntime{.value = Duration::Seconds(3), .from = world.Id("p")}));
}

TEST(ProtectedUntil, EndsAtTheVeryMoment) {
  World world;
  ReclaimTree(world);
  const WorkloadId victim = world.Workload("leaf3", At(100));  // 60s towards leaf1
  auto until = [&](Time now) {
    return ProtectedUntil(world.cluster, victim, RoomAction::kReclaim, world.Id("leaf1"), now);
  };
  EXPECT_THAT(until(At(100)), Optional(At(160)));
  EXPECT_THAT(until(Time{At(160).us - 1}), Optional(At(160)));
  EXPECT_EQ(until(At(160)), std::nullopt);
  EXPECT_EQ(until(At(161)), std::nullopt);
  // The clock may be behind that of whoever wrote the start: it protects all the same.
  EXPECT_THAT(until(Time{At(100).us - 1}), Optional(At(160)));
}

TEST(ProtectedUntil, NotWithoutAStartNorAMinRuntime) {
  World world;
  ReclaimTree(world);
  const WorkloadId waiting = world.Workload("leaf3", Time::Max());
  EXPECT_EQ(ProtectedUntil(world.cluster, waiting, RoomAction::kReclaim, world.Id("leaf1"), At(1)),
            std::nullopt);
  const WorkloadId open = world.Workload("leaf1", At(1));
  EXPECT_EQ(ProtectedUntil(world.cluster, open, RoomAction::kReclaim, world.Id("leaf2"), At(1)),
            std::nullopt);
  EXPECT_EQ(ProtectedUntil(world.cluster, open, RoomAction::kPreempt, QueueId(), At(1)),
            std::nullopt);
}

TEST(ProtectedUntil, ForEverIsForEver) {
  World world;
  world.Queue("x", "");
  objects::SchedulerConfiguration configuration;
  configuration.preempt_min_runtime = Duration::Max();
  world.Configure(configuration);
  const WorkloadId victim = world.Workload("x", At(1));
  EXPECT_THAT(ProtectedUntil(world.cluster, victim, RoomAction::kPreempt, QueueId(), At(9'000'000)),
              Optional(Time::Max()));
}

TEST(LatestProtection, TheLongestOfAllWhoCouldAsk) {
  World world;
  ReclaimTree(world);
  // From leaf1: 0s. From C or B: B's 600s. From A: the default, 0s.
  const Protection by_lca = LatestProtection(world.cluster, world.Workload("leaf1", At(100)));
  EXPECT_EQ(by_lca.preempt, std::nullopt);
  EXPECT_EQ(by_lca.reclaim, At(700));
  EXPECT_EQ(by_lca.reclaim_by.from, world.cluster.queues().Find("B"));
  // From leaf3 or D: 60s; from B: 600s.
  EXPECT_EQ(LatestProtection(world.cluster, world.Workload("leaf3", At(100))).reclaim, At(700));
  EXPECT_EQ(LatestProtection(world.cluster, world.Workload("leaf2", Time::Max())).reclaim,
            std::nullopt);

  objects::SchedulerConfiguration configuration;
  configuration.preempt_min_runtime = Duration::Seconds(5);
  configuration.reclaim_min_runtime = Duration::Seconds(1000);  // counts from A
  world.Configure(configuration);
  const Protection by_queue = LatestProtection(world.cluster, world.Workload("leaf1", At(100)));
  EXPECT_EQ(by_queue.preempt, At(105));
  EXPECT_EQ(by_queue.reclaim, At(1100));
  configuration.reclaim_resolve = objects::ReclaimResolve::kQueue;
  world.Configure(configuration);
  EXPECT_EQ(LatestProtection(world.cluster, world.Workload("leaf1", At(100))).reclaim,
            std::nullopt);
  EXPECT_EQ(LatestProtection(world.cluster, world.Workload("leaf3", At(100))).reclaim, At(160));
}

}  // namespace
}  // namespace fairlead::policy
