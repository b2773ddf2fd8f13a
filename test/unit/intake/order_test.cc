#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Objects may come in any order, all at once or one by one: the engine ends up knowing the same.

namespace fairlead::intake {
namespace {

// Small enough that all its orders can be tried: a bound namespace, a class, a Workload with two
// pods in two sets, one of them surplus.
std::vector<objects::Object> SmallWorld() {
  const std::string meta = "creationTimestamp: 2026-01-01T00:00:00Z";
  return Read(
      NameSpace("a", "team") + Queue("team") + Class("high", 1000) +
      Workload("w", "priorityClassName: high, podSets: [{name: x, count: 1}, {name: z, count: 1}]",
               "{admission: {podSetAssignments: [{name: x, count: 1}]}}") +
      Pod("p0", meta + ", labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: x}") +
      Pod("p1", meta + ", labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: z}"));
}

std::vector<std::string> PictureOf(const std::vector<objects::Object>& objects,
                                   const std::vector<int>& order, int take_every) {
  World world;
  int count = 0;
  for (int i : order) {
    world.Upsert(objects[i]);
    if (++count % take_every == 0) world.Take();
  }
  return world.Picture();
}

TEST(OrderTest, AllOrdersOfASmallWorldGiveOnePicture) {
  const std::vector<objects::Object> objects = SmallWorld();
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::string> expected = PictureOf(objects, order, 100);
  EXPECT_THAT(expected,
              testing::ElementsAre("pod a/p0 pending workload=a/w[0] priority=1000",
                                   "pod a/p1 pending workload=a/w[1] priority=1000 "
                                   "hold=NotInAdmittedCount",
                                   "queue team",
                                   "workload a/w queue=team priority=1000 x=1/1 admitted=1 z=1/1"));
  int tried = 0;
  do {
    for (int take_every : {1, 2, 100}) {
      ASSERT_EQ(PictureOf(objects, order, take_every), expected)
          << testing::PrintToString(order) << " taken every " << take_every;
      ++tried;
    }
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(tried, 3 * 720);
}

// A RayJob's pods are a RayCluster's, which is the RayJob's, and say nothing of the RayJob.
TEST(OrderTest, PodsFindTheJobThatMadeTheirsInAnyOrder) {
  const std::string templates =
      "headGroupSpec: {template: {spec: {schedulerName: fairlead, containers: [{name: c}]}}}";
  const auto owned_by = [](std::string_view kind, std::string_view name) {
    return fmt::format(
        "ownerReferences: [{{apiVersion: ray.io/v1, kind: {}, name: {}, uid: {}, controller: "
        "true}}]",
        kind, name, name);
  };
  const auto ray = [&](std::string_view kind, std::string_view meta, const std::string& spec) {
    return fmt::format(
        "{{apiVersion: ray.io/v1, kind: {}, metadata: {{namespace: a, {}}}, spec: "
        "{{{}}}}}\n---\n",
        kind, meta, spec);
  };
  const std::vector<objects::Object> objects =
      Read(Queue("team") +
           ray("RayJob", "name: j, uid: j, labels: {fairlead.dev/queue: team}",
               "suspend: true, shutdownAfterJobFinishes: true, activeDeadlineSeconds: 60, "
               "rayClusterSpec: {" +
                   templates + "}") +
           ray("RayCluster", "name: c, uid: c, " + owned_by("RayJob", "j"), templates) +
           Pod("mine", "labels: {ray.io/group: headgroup}, " + owned_by("RayCluster", "c")) +
           Pod("other", "labels: {ray.io/group: headgroup}, " + owned_by("RayCluster", "d")));
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    for (int take_every : {1, 2, 100}) {
      ASSERT_THAT(PictureOf(objects, order, take_every),
                  testing::ElementsAre("pod a/mine pending workload=a/j[0]",
                                       "pod a/other pending solo queue=default", "queue default",
                                       "queue team", "workload a/j queue=team head=1/1 expects="))
          << testing::PrintToString(order) << " taken every " << take_every;
    }
  } while (std::ranges::next_permutation(order).found);
}

TEST(OrderTest, PodsOfAJobWhoseMakerGoesAreTheirOwn) {
  World world;
  const std::string templates =
      "headGroupSpec: {template: {spec: {schedulerName: fairlead, containers: [{name: c}]}}}";
  for (const objects::Object& object :
       Read(Queue("team") +
            "{apiVersion: ray.io/v1, kind: RayJob, metadata: {namespace: a, name: j, labels: "
            "{fairlead.dev/queue: team}}, spec: {suspend: true, shutdownAfterJobFinishes: true, "
            "rayClusterSpec: {" +
            templates +
            "}}}\n---\n"
            "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {namespace: a, name: c, "
            "ownerReferences: [{apiVersion: ray.io/v1, kind: RayJob, name: j, controller: true}]}, "
            "spec: {" +
            templates + "}}\n---\n" +
            Pod("p",
                "labels: {ray.io/group: headgroup}, ownerReferences: [{apiVersion: ray.io/v1, "
                "kind: RayCluster, name: c, controller: true}]"))) {
    world.Upsert(object);
  }
  world.Take();
  EXPECT_THAT(world.Picture(), testing::Contains("pod a/p pending workload=a/j[0]"));
  EXPECT_TRUE(world.intake.Remove("RayCluster", "a", "c"));
  EXPECT_THAT(world.Take(), testing::Contains("pod a/p pending solo queue=default"));
  EXPECT_TRUE(world.intake.Remove("Pod", "a", "p"));
  EXPECT_TRUE(world.intake.Remove("RayJob", "a", "j"));
  world.Take();
  EXPECT_THAT(world.Picture(), testing::ElementsAre("queue team"));
}

// Everything that is joined, in orders drawn by a fixed seed.
std::vector<objects::Object> LargeWorld() {
  const std::string born = "creationTimestamp: 2026-01-01T00:00:00Z";
  const std::string memory = "nvidia.com/gpu.memory: \"1024\"}";
  std::string yaml =
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, nodeSelector: {pool: b}, "
      "defaultQueue: all}\n---\n" +
      NameSpace("a", "team") + Queue("team", "parent: top") + Queue("top") + Queue("rich") +
      Class("high", 1000) + Class("usual", 5, "globalDefault: true") +
      Node("n1", "cpu: 8", "labels: {pool: b}") + Node("n2", "cpu: 8") +
      Workload("w", "resize: Anytime, podSets: [{count: 3, minCount: 1}]") +
      Job("gang", "uid: u, annotations: {fairlead.dev/gang: \"true\"}",
          "parallelism: 2, completions: 3", "{succeeded: 1}") +
      Job("plain", "uid: u2, labels: {fairlead.dev/queue: rich}", "parallelism: 2") +
      Job("queued", "labels: {fairlead.dev/queue: team}", "suspend: true, parallelism: 2") +
      "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {namespace: a, name: g}, "
      "spec: {minMember: 1, queue: rich}}\n---\n"
      "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: PodGroup, metadata: {namespace: a, name: "
      "g}, "
      "spec: {minMember: 1}}\n---\n"
      "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {namespace: a, name: "
      "native}, spec: {schedulingPolicy: {gang: {minCount: 2}}}}\n---\n" +
      Budget("all", "selector: {}, maxUnavailable: 1") +
      Budget("some", "selector: {matchLabels: {fairlead.dev/workload: w}}, minAvailable: 1") +
      Pod("solo", born) + Pod("rich", born + ", labels: {fairlead.dev/queue: rich}") +
      Class("kept", 0, "", "labels: {fairlead.dev/allow-preemption: \"false\"}") +
      Pod("kept", born, "priorityClassName: kept") + Pod("driver", born + ", uid: d") +
      Quota("a", "min: {cpu: 7}") + Quota("b", "min: {cpu: 3}, max: {cpu: 2}") +
      Quota("b", "min: {memory: 3}", "later", "2026-01-02T00:00:00Z") + Hard("h", "cpu: 1") +
      Pod("b", born + ", labels: {fairlead.dev/queue: b}") + Queue("below", "parent: b") +
      Pod("lost", born, "priorityClassName: lost") + Pod("outside", born, "nodeName: n2") +
      Pod("inside", born, "nodeName: n1") + Claim("data", "v") + Volume("v", "a/data") +
      Claim("early", "lost") + Node("g1", "nvidia.com/gpu: 1", "labels: {pool: b, " + memory) +
      Node("g2", "nvidia.com/gpu: 1", "labels: {pool: b, " + memory) +
      Node("g3", "nvidia.com/gpu: 1", "labels: {nvidia.com/gpu.memory: \"1\"}") +
      Pod("bound", born, "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]") +
      Pod("early", born, "volumes: [{name: v, persistentVolumeClaim: {claimName: early}}]") +
      Pod("share", born + ", annotations: {gpu-memory: \"512\"}") +
      Job("kai", "uid: u3, annotations: {kai.scheduler/batch-min-member: \"2\"}",
          "parallelism: 2") +
      Pod("kai", born + ", " + OfJob("kai", "u3")) +
      Job("claims", "labels: {fairlead.dev/queue: team}", "suspend: true, parallelism: 2", "",
          "volumes: [{name: v, persistentVolumeClaim: {claimName: early}}]") +
      "{apiVersion: fairlead.dev/v1alpha1, kind: Topology, metadata: {name: t}, spec: {levels: "
      "[x/block, x/rack]}}\n---\n" +
      Workload("near",
               "podSets: [{name: x, count: 2, topology: {name: t, required: rack}}, {name: z, "
               "count: 2, topology: {name: topograph, required: tier-1}}]") +
      Node("t1", "cpu: 8", "labels: {pool: b, fabric.topograph.run/tier-1: s}") +
      Pod("near-7", born + ", labels: {fairlead.dev/workload: near, fairlead.dev/pod-set: x}") +
      Pod("near", born +
                      ", annotations: {fairlead.dev/topology: t, fairlead.dev/topology-required: "
                      "rack}") +
      DaemonSet("there", "there") + DaemonSet("other", "other") +
      Pod("of-there", born + ", " + OfDaemonSet("there", "there")) +
      Pod("of-gone", born + ", " + OfDaemonSet("gone", "gone"));
  for (int i = 0; i < 4; ++i) {
    const std::string name = "-" + std::to_string(i);
    yaml += Pod("w" + name, born + ", labels: {fairlead.dev/workload: w}");
    yaml += Pod("gang" + name, born + ", " + OfJob("gang"));
    yaml += Pod("plain" + name, born + ", " + OfJob("plain", "u2"));
    yaml += Pod("group" + name, born + ", annotations: {pod-group-name: g}");
    yaml += Pod("taken" + name, born + ", labels: {scheduling.x-k8s.io/pod-group: g}");
    yaml += Pod("native" + name,
                born + ", labels: {fairlead.dev/queue: " + (i % 2 == 0 ? "rich" : "team") + "}",
                std::string("schedulingGroup: {podGroupName: native}, priorityClassName: ") +
                    (i == 2 ? "high" : "usual"));
    yaml += Pod("kueue" + name,
                "creationTimestamp: 2026-01-0" + std::to_string(4 - i) +
                    "T00:00:00Z, labels: {kueue.x-k8s.io/pod-group-name: k}, annotations: "
                    "{kueue.x-k8s.io/pod-group-total-count: \"" +
                    (i == 3 ? "4" : "3") + "\"}");
    yaml += Pod("inner" + name,
                born + ", labels: {scheduling.x-k8s.io/pod-group: inner}, " + OfJob("gang"));
    yaml += Pod("executor" + name, born + ", " + OfPod("driver", i % 2 == 0 ? "d" : ""));
    yaml += Pod("missing" + name, born + ", labels: {fairlead.dev/workload: missing}");
  }
  return Read(yaml);
}

TEST(OrderTest, SomeOrdersOfALargeWorldGiveOnePicture) {
  const std::vector<objects::Object> objects = LargeWorld();
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::string> expected = PictureOf(objects, order, 1000);
  EXPECT_EQ(expected.size(), 80u) << testing::PrintToString(expected);
  EXPECT_THAT(expected, testing::Contains(testing::HasSubstr("pod a/share pending gpu-milli=500")));
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::ranges::shuffle(order, random);
    ASSERT_THAT(PictureOf(objects, order, 1 + round % 9), testing::ElementsAreArray(expected))
        << testing::PrintToString(order);
  }
}

// Whatever came and went before: what is held counts.
TEST(OrderTest, RemovedAndMadeAgainGivesThePictureOfMadeOnce) {
  const std::vector<objects::Object> objects = LargeWorld();
  std::vector<int> order(objects.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::string> expected = PictureOf(objects, order, 1000);
  std::mt19937 random(7);
  World world;
  for (const objects::Object& object : objects) world.Upsert(object);
  for (int round = 0; round < 100; ++round) {
    std::ranges::shuffle(order, random);
    const auto some = std::span(order).first(1 + round % order.size());
    for (int i : some) {
      const objects::Meta& meta = objects::MetaOf(objects[i]);
      world.intake.Remove(objects::QualifiedKindOf(objects[i]), meta.name_space, meta.name);
      if (round % 3 == 0) world.Take();
    }
    std::ranges::shuffle(some, random);
    for (int i : some) {
      world.Upsert(objects[i]);
      if (round % 3 == 1) world.Take();
    }
    ASSERT_EQ(world.Picture(), expected) << round;
  }
}

TEST(OrderTest, NothingIsLeftOfWhatIsRemoved) {
  World world;
  const std::vector<objects::Object> objects = LargeWorld();
  for (const objects::Object& object : objects) world.Upsert(object);
  world.Take();
  for (const objects::Object& object : objects) {
    const objects::Meta& meta = objects::MetaOf(object);
    world.intake.Remove(objects::KindOf(object), meta.name_space, meta.name);
  }
  EXPECT_THAT(world.Picture(), testing::ElementsAre("configuration fairlead"));
}

}  // namespace
}  // namespace fairlead::intake
