#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// ElasticQuotas: the queues that stand for them, whose pods go there, and what changes move.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A pod of namespace a that names `queue`.
std::string Naming(std::string_view name, std::string_view queue) {
  return Pod(name, std::string("labels: {fairlead.dev/queue: ").append(queue).append("}"));
}

TEST(Quotas, AreQueuesUnderOneParent) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2, nvidia.com/gpu: 1}, max: {cpu: 4}") +
               Quota("b", "min: {cpu: 1}") + Quota("c", "max: {memory: 1Gi}"));
  EXPECT_THAT(
      world.Take(),
      ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:2,nvidia.com/gpu:1 limit=cpu:4 "
                  "weight=0m",
                  "queue b parent=elastic-quotas guaranteed=cpu:1 weight=0m",
                  "queue c parent=elastic-quotas limit=memory:1Gi weight=0m",
                  // Memory is named by no min: it is outside the sum.
                  "queue elastic-quotas guaranteed=cpu:3,nvidia.com/gpu:1 "
                  "limit=cpu:3,nvidia.com/gpu:1 weight=0m",
                  "quota a/q queue=a cpu nvidia.com/gpu", "quota b/q queue=b cpu",
                  "quota c/q queue=c memory"));
}

TEST(Quotas, AMinOfZeroIsNamed) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 0}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:0 weight=0m",
                          "queue elastic-quotas guaranteed=cpu:0 limit=cpu:0 weight=0m",
                          "quota a/q queue=a cpu"));
}

TEST(Quotas, SumsBeyondAllNumbersStopThere) {
  World world;
  world.Upsert(Quota("a", "min: {memory: 8000000000000000000}") +
               Quota("b", "min: {memory: 8000000000000000000}"));
  EXPECT_EQ(world.Take()[2],
            "queue elastic-quotas guaranteed=memory:9223372036854775807 "
            "limit=memory:9223372036854775807 weight=0m");
}

TEST(Quotas, TakeTheWorkOfTheirNamespace) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + Queue("sub", "parent: a") + Queue("other") +
               Pod("p0") + Naming("p1", "a") + Naming("p2", "sub") + Naming("p3", "other") +
               Naming("p4", "lost") + Workload("w", "podSets: [{count: 1}]") +
               Job("j", "annotations: {fairlead.dev/gang: \"true\"}", "parallelism: 2"));
  EXPECT_THAT(
      world.Take(),
      testing::IsSupersetOf({"pod a/p0 pending solo queue=a", "pod a/p1 pending solo queue=a",
                             "pod a/p2 pending solo queue=sub",
                             "pod a/p3 pending solo queue=other hold=QueueNotAllowed",
                             "pod a/p4 pending solo queue=lost", "workload a/w queue=a main=1/1",
                             "workload a/j queue=a silent main=2/2"}));
}

TEST(Quotas, TheNamespacesLabelGoesFirst) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + NameSpace("a", "team") + Queue("team") + Pod("p0") +
               Naming("p1", "a"));
  EXPECT_THAT(world.Take(),
              testing::IsSupersetOf({"pod a/p0 pending solo queue=team",
                                     "pod a/p1 pending solo queue=a hold=QueueNotAllowed",
                                     "quota a/q queue=a cpu problem=QueueLabelCounts"}));
  world.Upsert(NameSpace("a"));
  EXPECT_THAT(world.Take(), ElementsAre("quota a/q queue=a cpu", "pod a/p0 pending solo queue=a",
                                        "pod a/p1 pending solo queue=a"));
}

TEST(Quotas, OthersMayNotNameTheirQueues) {
  World world;
  world.Upsert(Queue("sub", "parent: b") + Naming("p0", "b") + Naming("p1", "sub"));
  EXPECT_THAT(world.Take(), testing::IsSupersetOf({"pod a/p0 pending solo queue=b",
                                                   "pod a/p1 pending solo queue=sub"}));
  world.Upsert(Quota("b", "min: {cpu: 2}"));
  world.Take();
  EXPECT_THAT(world.Picture(),
              testing::IsSupersetOf({"pod a/p0 pending solo queue=b hold=QueueNotAllowed",
                                     "pod a/p1 pending solo queue=sub hold=QueueNotAllowed"}));
  // But where their own namespace's label says so.
  world.Upsert(NameSpace("a", "b"));
  EXPECT_THAT(world.Take(),
              ElementsAre("pod a/p0 pending solo queue=b", "pod a/p1 pending solo queue=sub"));
  world.Upsert(NameSpace("a") + Queue("sub"));
  world.intake.Remove("ElasticQuota", "b", "q");
  EXPECT_THAT(world.Picture(), ElementsAre("pod a/p0 pending solo queue=b",
                                           "pod a/p1 pending solo queue=sub", "queue sub"));
}

TEST(Quotas, OfSeveralTheFirstCounts) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}", "y", "2026-01-02T00:00:00Z") +
               Quota("a", "min: {cpu: 7, memory: 1}", "z", "2026-01-01T00:00:00Z") +
               Quota("a", "min: {cpu: 9}", "x", "2026-01-02T00:00:00Z"));
  EXPECT_THAT(world.Picture(),
              ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:7,memory:1 weight=0m",
                          "queue elastic-quotas guaranteed=cpu:7,memory:1 limit=cpu:7,memory:1 "
                          "weight=0m",
                          "quota a/x cpu problem=SeveralQuotas",
                          "quota a/y cpu problem=SeveralQuotas", "quota a/z queue=a cpu memory"));
  world.intake.Remove("ElasticQuota", "a", "z");
  EXPECT_THAT(world.Picture(),
              ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:9 weight=0m",
                          "queue elastic-quotas guaranteed=cpu:9 limit=cpu:9 weight=0m",
                          "quota a/x queue=a cpu", "quota a/y cpu problem=SeveralQuotas"));
}

TEST(Quotas, AChangedAmountJoinsNothing) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}, max: {cpu: 3}") + Quota("b", "min: {cpu: 1}") +
               Pod("p0") + Workload("w", "podSets: [{count: 1}]"));
  world.Take();
  world.Upsert(Quota("a", "min: {cpu: 5}, max: {cpu: 3}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:5 limit=cpu:3 weight=0m",
                          "queue elastic-quotas guaranteed=cpu:6 limit=cpu:6 weight=0m",
                          "quota a/q queue=a cpu problem=MinAboveMax"));
  world.Upsert(Quota("a", "min: {cpu: 5}, max: {cpu: 8}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("queue a parent=elastic-quotas guaranteed=cpu:5 limit=cpu:8 weight=0m",
                          "quota a/q queue=a cpu"));
  world.Upsert(Quota("a", "min: {cpu: 5}, max: {cpu: 8}"));
  EXPECT_THAT(world.Take(), IsEmpty());
}

TEST(Quotas, WorkOfARemovedOneIsTheDefaultQueues) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + Quota("b", "min: {cpu: 1}") + Pod("p0") +
               Pod("p1", "", "nodeName: n1", "{phase: Running}"));
  world.Take();
  EXPECT_TRUE(world.intake.Remove("ElasticQuota", "a", "q"));
  EXPECT_FALSE(world.intake.Remove("ElasticQuota", "a", "q"));
  EXPECT_THAT(
      world.Take(),
      ElementsAre("gone queue a", "gone quota a/q", "queue default",
                  "queue elastic-quotas guaranteed=cpu:1 limit=cpu:1 weight=0m",
                  "pod a/p0 pending solo queue=default", "pod a/p1 bound=n1 solo queue=default"));
}

TEST(Quotas, HaveAQueueWhereTheirNameIsTaken) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + Pod("p0") + Naming("p1", "a"));
  world.Take();
  world.Upsert(Queue("a", "guaranteed: {cpu: 1}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("queue a guaranteed=cpu:1",
                          "queue elastic-quotas/a parent=elastic-quotas guaranteed=cpu:2 weight=0m",
                          "quota a/q queue=elastic-quotas/a cpu problem=NameTaken",
                          "pod a/p0 pending solo queue=elastic-quotas/a",
                          "pod a/p1 pending solo queue=a hold=QueueNotAllowed"));
  world.intake.Remove("Queue", "", "a");
  EXPECT_THAT(world.Take(), ElementsAre("gone queue elastic-quotas/a",
                                        "queue a parent=elastic-quotas guaranteed=cpu:2 weight=0m",
                                        "quota a/q queue=a cpu", "pod a/p0 pending solo queue=a",
                                        "pod a/p1 pending solo queue=a"));
}

TEST(Quotas, DoNotTakeTheNameOfTheDefaultQueueOrTheirParent) {
  World world;
  world.Upsert(Quota("default", "min: {cpu: 2}") + Quota("elastic-quotas", "min: {cpu: 1}") +
               Pod("p0"));
  EXPECT_THAT(
      world.Picture(),
      ElementsAre("pod a/p0 pending solo queue=default", "queue default",
                  "queue elastic-quotas guaranteed=cpu:3 limit=cpu:3 weight=0m",
                  "queue elastic-quotas/default parent=elastic-quotas guaranteed=cpu:2 weight=0m",
                  "queue elastic-quotas/elastic-quotas parent=elastic-quotas guaranteed=cpu:1 "
                  "weight=0m",
                  "quota default/q queue=elastic-quotas/default cpu",
                  "quota elastic-quotas/q queue=elastic-quotas/elastic-quotas cpu"));
  world.Upsert(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, "
      "defaultQueue: rest}");
  EXPECT_THAT(world.Picture(),
              testing::IsSupersetOf({"pod a/p0 pending solo queue=rest",
                                     "queue default parent=elastic-quotas guaranteed=cpu:2 "
                                     "weight=0m",
                                     "quota default/q queue=default cpu"}));
}

TEST(Quotas, AQueueMayStandForTheirParent) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") +
               Queue("elastic-quotas", "parent: top, reclaimMinRuntime: 60s, weight: 3") +
               Queue("top"));
  EXPECT_THAT(world.Take(),
              testing::Contains("queue elastic-quotas parent=top guaranteed=cpu:2 limit=cpu:2 "
                                "weight=3000m reclaim=60s"));
  world.Upsert(Queue("elastic-quotas", "guaranteed: {cpu: 1}, limit: {cpu: 9}"));
  EXPECT_THAT(world.Take(), ElementsAre("queue elastic-quotas guaranteed=cpu:1 limit=cpu:9"));
  world.intake.Remove("Queue", "", "elastic-quotas");
  EXPECT_THAT(world.Take(),
              ElementsAre("queue elastic-quotas guaranteed=cpu:2 limit=cpu:2 weight=0m"));
}

TEST(Quotas, AreToldWhenTheClusterIsTooSmall) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + Quota("b", "min: {memory: 1}") +
               Quota("c", "min: {cpu: 2}"));
  world.Take();
  world.Upsert(Node("n1", "cpu: 3, memory: 8"));
  EXPECT_THAT(world.Take(),
              ElementsAre("node n1 cpu:3,memory:8", "quota a/q queue=a cpu problem=MinAboveCluster",
                          "quota c/q queue=c cpu problem=MinAboveCluster"));
  world.Upsert(Node("n1", "cpu: 3, memory: 9"));
  EXPECT_THAT(world.Take(), ElementsAre("node n1 cpu:3,memory:9"));
  world.Upsert(Node("n2", "cpu: 1"));
  EXPECT_THAT(world.Take(),
              ElementsAre("node n2 cpu:1", "quota a/q queue=a cpu", "quota c/q queue=c cpu"));
  world.intake.Remove("Node", "", "n2");
  EXPECT_THAT(world.Take(),
              ElementsAre("gone node n2", "quota a/q queue=a cpu problem=MinAboveCluster",
                          "quota c/q queue=c cpu problem=MinAboveCluster"));
  world.intake.Remove("Node", "", "n1");  // none is known: they may come from elsewhere
  EXPECT_THAT(world.Take(),
              ElementsAre("gone node n1", "quota a/q queue=a cpu", "quota c/q queue=c cpu"));
}

TEST(Quotas, AreToldOfResourceQuotas) {
  World world;
  world.Upsert(Quota("a", "min: {memory: 9, pods: 3}, max: {cpu: 4}") +
               Hard("x", "requests.cpu: 8, cpu: 3, requests.memory: 9") +
               Hard("y", "requests.memory: 8, pods: 2") +
               Hard("z", "cpu: 1", ", scopes: [BestEffort]"));
  EXPECT_THAT(
      world.Findings(),
      ElementsAre("ElasticQuota a/q: MaxAboveResourceQuota: its max of cpu is 4, above the 3 that "
                  "the ResourceQuota a/x, a/y allows",
                  "ElasticQuota a/q: MinAboveResourceQuota: its min of memory is 9, above the 8 "
                  "that the ResourceQuota a/x, a/y allows",
                  "ElasticQuota a/q: MinAboveResourceQuota: its min of pods is 3, above the 2 that "
                  "the ResourceQuota a/x, a/y allows"));
  EXPECT_TRUE(world.intake.Remove("ResourceQuota", "a", "y"));
  EXPECT_FALSE(world.intake.Remove("ResourceQuota", "a", "z"));
  EXPECT_THAT(world.Take(),
              ElementsAre("quota a/q queue=a cpu memory pods problem=MaxAboveResourceQuota"));
}

TEST(Quotas, Findings) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 6}, max: {cpu: 4}") + Quota("b", "min: {cpu: 2}") +
               Quota("b", "min: {cpu: 2}", "late", "2026-01-02T00:00:00Z") + Queue("b") +
               Queue("top", "guaranteed: {cpu: 1}") + NameSpace("a", "top") + Node("n1", "cpu: 7"));
  EXPECT_THAT(
      world.Findings(),
      ElementsAre(
          "Cluster: GuaranteedAboveCluster: the top queues guarantee cpu 9 together "
          "(elastic-quotas 8, top 1); the 1 nodes have 7",
          "Cluster: MinAboveCluster: the ElasticQuotas' min of cpu are 8 together (a 6, b 2); the "
          "1 nodes have 7",
          "ElasticQuota a/q: MinAboveMax: its min of cpu is 6, above its max of 4",
          "ElasticQuota a/q: QueueLabelCounts: the label fairlead.dev/queue of namespace a names "
          "the queue top, which counts before it",
          "ElasticQuota b/late: SeveralQuotas: the ElasticQuota q counts for namespace b, as the "
          "first by creation and name; this one does nothing",
          "ElasticQuota b/q: NameTaken: a Queue b is there too; the queue of this quota is "
          "elastic-quotas/b"));
}

TEST(Quotas, ACycleThroughTheirQueuesIsFound) {
  World world;
  world.Upsert(Quota("a", "min: {cpu: 2}") + Queue("elastic-quotas", "parent: a"));
  EXPECT_THAT(world.Findings(),
              ElementsAre("Queue a: ParentCycle: its parents are a cycle: a -> elastic-quotas -> a",
                          "Queue elastic-quotas: ParentCycle: its parents are a cycle: a -> "
                          "elastic-quotas -> a"));
}

// Every order, taken after every one, two or all, gives one picture.
TEST(Quotas, ComeInAnyOrder) {
  const std::vector<objects::Object> objects =
      Read(Quota("a", "min: {cpu: 2}", "q1", "2026-01-02T00:00:00Z") +
           Quota("a", "min: {cpu: 3}", "q0") + Quota("b", "min: {cpu: 4}") + Queue("a") +
           Pod("p", "creationTimestamp: 2026-01-01T00:00:00Z") +
           Pod("r", "creationTimestamp: 2026-01-01T00:00:00Z, labels: {fairlead.dev/queue: b}"));
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  const auto picture = [&](int take_every) {
    World world;
    int count = 0;
    for (int i : order) {
      world.Upsert(objects[i]);
      if (++count % take_every == 0) world.Take();
    }
    return world.Picture();
  };
  const std::vector<std::string> expected = picture(100);
  EXPECT_THAT(expected, testing::Contains("pod a/p pending solo queue=elastic-quotas/a"));
  do {
    for (int take_every : {1, 2, 100}) {
      ASSERT_EQ(picture(take_every), expected) << testing::PrintToString(order);
    }
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace
}  // namespace fairlead::intake
