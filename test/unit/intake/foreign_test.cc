#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/facts/foreign_asks.h"
#include "intake/facts/foreign_keys.h"
#include "intake/facts/gpu_share.h"
#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// The labels and annotations of other schedulers: none is passed over in silence.

namespace fairlead::intake {
namespace {

using objects::Labels;

TEST(ForeignKeys, EachRowIsFoundAndSaysEnough) {
  for (const ForeignKey& row : AllForeignKeys()) {
    SCOPED_TRACE(row.key);
    EXPECT_EQ(FindForeignKey(row.key), &row);
    EXPECT_TRUE(MayBeForeign(row.key) || row.key == "pod-group-name");
    EXPECT_TRUE(!row.what.empty() || row.asks == KeyAsks::kRecord);
    EXPECT_TRUE(!row.instead.empty() || row.asks != KeyAsks::kDemand);
  }
}

TEST(ForeignKeys, NamespacesAreThoseOfTheSystems) {
  for (const char* key : {"kai.scheduler/x", "kueue.x-k8s.io/x", "provreq.kueue.x-k8s.io/x",
                          "yunikorn.apache.org/x", "volcano.sh/x", "scheduling.volcano.sh/x",
                          "scheduling.x-k8s.io/x", "scheduling.k8s.io/x", "run.ai/x"}) {
    EXPECT_TRUE(IsInForeignNamespace(key)) << key;
    EXPECT_TRUE(MayBeForeign(key)) << key;
  }
  for (const char* key : {"queue", "kueue.x-k8s.io", "notvolcano.sh/x", "app.kubernetes.io/name",
                          "fairlead.dev/queue", "jobset.x-k8s.io/x"}) {
    EXPECT_FALSE(IsInForeignNamespace(key)) << key;
  }
}

TEST(ForeignAsks, MostPodsAskNothing) {
  const Labels labels = {{"app", "x"},
                         {"controller-uid", "u"},
                         {"kai.scheduler/queue", "q"},
                         {"kueue.x-k8s.io/managed", "true"},
                         {"kueue.x-k8s.io/queue-name", "q"},
                         {"pod-template-hash", "h"},
                         {"priorityClassName", "high"}};
  const Labels annotations = {{"gpu-type", "a100"},
                              {"kueue.x-k8s.io/pod-group-total-count", "2"},
                              {"pod-group-name", "g"},
                              {"queue", "an annotation is nobody's"}};
  const objects::PodNeeds needs;
  EXPECT_EQ(PackForeign(labels, annotations, "high", &needs), "");
  EXPECT_NE(PackForeign(labels, annotations, "low", &needs), "");
  // What is read of pods is said in vain of a job.
  EXPECT_NE(PackForeign({}, annotations, "high", nullptr), "");
}

// What differs from pod to pod and decides nothing would make a family of each (pod_traits.h).
TEST(ForeignAsks, ValuesCountWhereTheyDecide) {
  const auto pack = [](const char* key, const char* value) {
    return PackForeign({}, {{key, value}}, "", nullptr);
  };
  EXPECT_EQ(pack("yunikorn.apache.org/app-id", "1"), pack("yunikorn.apache.org/app-id", "2"));
  EXPECT_NE(pack("gpu-fraction", "0.5"), pack("gpu-fraction", "0.25"));
  EXPECT_EQ(pack("gpu-fraction", "0.5").find('\0', 14), std::string("Agpu-fraction").size() + 4);
}

struct ShareCase {
  const char* key;
  const char* value;
  std::int32_t milli;  // 0: it waits
};

TEST(GpuShare, ThousandthsAreExactAndRoundedUp) {
  DeviceMemory memory;
  memory.Count({{"nvidia.com/gpu.memory", "81559"}}, {{"nvidia.com/gpu", 8000}}, 1);
  const ShareCase cases[] = {
      {"gpu-fraction", "0.5", 500},
      {"gpu-fraction", ".25", 250},
      {"gpu-fraction", "1", 1000},
      {"gpu-fraction", "1.000", 1000},
      {"gpu-fraction", "0.1", 100},  // no binary fraction is 0.1
      {"gpu-fraction", "0.3333", 334},
      {"gpu-fraction", "0.0001", 1},
      {"gpu-fraction", "0", 0},
      {"gpu-fraction", "1.001", 0},
      {"gpu-fraction", "1.0001", 0},
      {"gpu-fraction", "-0.5", 0},
      {"gpu-fraction", "500m", 0},
      {"gpu-fraction", "5e-1", 0},
      {"gpu-fraction", "", 0},
      {"gpu-fraction", ".", 0},
      {"gpu-memory", "81559", 1000},
      {"gpu-memory", "40780", 501},  // 40780 · 1000 / 81559 = 500.006
      {"gpu-memory", "1", 1},
      {"gpu-memory", "81560", 0},
      {"gpu-memory", "0", 0},
      {"gpu-memory", "4Gi", 0},
      {"gpu-memory", "99999999999999999999", 0},
  };
  for (const ShareCase& c : cases) {
    const std::string packed = PackForeign({}, {{c.key, c.value}}, "", nullptr);
    const GpuShare share = GpuShareOf(packed, memory, "");
    EXPECT_EQ(share.milli, c.milli) << c.key << " " << c.value;
    EXPECT_EQ(share.hold.has_value(), c.milli == 0) << c.key << " " << c.value;
    // A pod that runs takes what it asks, a whole device where that is not known.
    EXPECT_EQ(share.taken_milli, c.milli == 0 ? 1000 : c.milli) << c.key << " " << c.value;
  }
}

TEST(GpuShare, MemoryIsThatOfAllNodesWithGpus) {
  const objects::ResourceList gpus = {{"nvidia.com/gpu", 8000}};
  const Labels small = {{"nvidia.com/gpu.memory", "40960"}};
  const Labels large = {{"nvidia.com/gpu.memory", "81920"}};
  DeviceMemory memory;
  EXPECT_FALSE(memory.mib());
  EXPECT_EQ(memory.Why(), "no node has GPUs");
  memory.Count(small, gpus, 1);
  EXPECT_TRUE(memory.TakeMoved());
  memory.Count(small, gpus, 1);
  memory.Count(large, {{"cpu", 8000}}, 1);  // it has none
  EXPECT_FALSE(memory.TakeMoved());
  EXPECT_EQ(memory.mib(), 40960);
  memory.Count(large, gpus, 1);
  EXPECT_TRUE(memory.TakeMoved());
  EXPECT_FALSE(memory.mib());
  EXPECT_EQ(memory.Why(),
            "the label nvidia.com/gpu.memory of the nodes with GPUs says 40960, 81920");
  memory.Count(large, gpus, -1);
  memory.Count({}, gpus, 1);
  EXPECT_FALSE(memory.mib());
  memory.Count({}, gpus, -1);
  EXPECT_EQ(memory.mib(), 40960);
}

class ForeignTest : public testing::TestWithParam<Row> {};

TEST_P(ForeignTest, ValidateSays) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Findings(), testing::ElementsAreArray(GetParam().expected));
}

const std::string kGangAdvice =
    "give its Job the label fairlead.dev/queue and `suspend: true`, or "
    "fairlead.dev/gang: \"true\"; or use a Workload and the label fairlead.dev/workload";

// As YuniKorn's users have them; that its webhook is to leave a namespace alone is no news.
TEST(ForeignNameSpaces, AreToldUntilTheySayNothing) {
  const auto says = [](std::string_view annotations) {
    return std::string("{apiVersion: v1, kind: Namespace, metadata: {name: b, annotations: {")
        .append(annotations)
        .append("}}}\n");
  };
  World world;
  world.Upsert(
      says("yunikorn.apache.org/namespace.max.cpu: \"2\", "
           "yunikorn.apache.org/namespace.enableYuniKorn: \"false\", "
           "yunikorn.apache.org/namespace.quotas: x, kueue.x-k8s.io/x: y"));
  EXPECT_THAT(
      world.Findings(),
      testing::ElementsAre(
          "Namespace b: NotKnown: annotation yunikorn.apache.org/namespace.quotas is not known, "
          "and passed over; did you mean yunikorn.apache.org/namespace.quota?",
          "Namespace b: NotSupported: annotation yunikorn.apache.org/namespace.max.cpu (a limit of "
          "its namespace) is passed over; write a Queue with that `limit`, and label the namespace "
          "`fairlead.dev/queue: QUEUE`"));
  world.Upsert(says(""));
  EXPECT_THAT(world.Findings(), testing::IsEmpty());
  world.Upsert(says("yunikorn.apache.org/parentqueue: root"));
  EXPECT_THAT(world.Findings(), testing::SizeIs(1));
  world.intake.Remove("Namespace", "", "b");
  EXPECT_THAT(world.Findings(), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Findings, ForeignTest,
    testing::Values(
        Row{"Group",
            Pod("p-0", "annotations: {yunikorn.apache.org/task-group-name: g}") +
                Pod("p-1", "annotations: {yunikorn.apache.org/task-group-name: g}"),
            {"Pod a/p-0: UnsupportedConstraint: annotation yunikorn.apache.org/task-group-name "
             "asks "
             "for a group of pods that starts together, which is not supported, so it waits; " +
             kGangAdvice + " (and 1 more pod like it)"}},
        Row{"MetByAGang",
            Workload("w", "podSets: [{count: 1}]") +
                Pod("p",
                    "annotations: {yunikorn.apache.org/task-group-name: g}, labels: "
                    "{fairlead.dev/workload: w}"),
            {"Pod a/p: NotSupported: annotation yunikorn.apache.org/task-group-name (a group of "
             "pods that starts together) is passed over; its Workload, PodGroup or Job decides "
             "that"}},
        Row{"Nothing",
            Pod("p", "annotations: {mps: \"true\"}, labels: {applicationId: a}"),
            {"Pod a/p: NotSupported: annotation mps (a device shared by MPS) is passed over",
             "Pod a/p: NotSupported: label applicationId (an application of YuniKorn) is passed "
             "over"}},
        Row{"NotKnown",
            Pod("p", "labels: {kueue.x-k8s.io/pod-grup-name: g}"),
            {"Pod a/p: NotKnown: label kueue.x-k8s.io/pod-grup-name is not known, and passed "
             "over; did you mean kueue.x-k8s.io/pod-group-name?"}},
        Row{"NotKnownNorNearAny",
            Pod("p", "labels: {kueue.x-k8s.io/colour: red}"),
            {"Pod a/p: NotKnown: label kueue.x-k8s.io/colour is not known, and passed over"}},
        Row{"Several",
            Pod("p",
                "labels: {yunikorn.apache.org/queue: g}, annotations: "
                "{yunikorn.apache.org/task-group-name: t, yunikorn.apache.org/task-groups: x}"),
            {"Pod a/p: UnsupportedConstraint: label yunikorn.apache.org/queue asks for a queue, "
             "which is not supported, so it waits; use the label fairlead.dev/queue; the same goes "
             "for annotation yunikorn.apache.org/task-group-name, annotation "
             "yunikorn.apache.org/task-groups: " +
             kGangAdvice}},
        Row{"SeveralServedAlike",
            Pod("p",
                "labels: {yunikorn.apache.org/queue: g}, annotations: "
                "{scheduling.volcano.sh/queue-name: g}"),
            {"Pod a/p: UnsupportedConstraint: label yunikorn.apache.org/queue asks for a queue, "
             "which is not supported, so it waits; use the label fairlead.dev/queue; the same goes "
             "for annotation scheduling.volcano.sh/queue-name"}},
        Row{"WrongPlace",
            Pod("p", "annotations: {kueue.x-k8s.io/queue-name: g}, labels: {gpu-fraction: x}"),
            {"Pod a/p: NotSupported: annotation kueue.x-k8s.io/queue-name is passed over: its "
             "place "
             "is among the labels"}},
        // "queue" alone is anybody's word.
        Row{"Queue",
            Pod("p", "labels: {queue: mail}") + Pod("q", "labels: {queue: a, applicationId: x}"),
            {"Pod a/p: NotSupported: label queue (a queue of YuniKorn) is passed over; use the "
             "label fairlead.dev/queue",
             "Pod a/q: NotSupported: label applicationId (an application of YuniKorn) is passed "
             "over",
             "Pod a/q: UnsupportedConstraint: label queue asks for a queue of YuniKorn, which is "
             "not supported, so it waits; use the label fairlead.dev/queue"}},
        Row{"ItsJob",
            Job("j", "annotations: {kai.scheduler/batch-min-member: \"2\"}", "parallelism: 2") +
                Pod("j-0", OfJob("j")),
            {"Job a/j: UnsupportedConstraint: annotation kai.scheduler/batch-min-member asks for a "
             "group of pods that starts together, which is not supported, so it waits; " +
                 kGangAdvice,
             "Pod a/j-0: UnsupportedConstraint: annotation kai.scheduler/batch-min-member asks for "
             "a group of pods that starts together, which is not supported, so it waits; " +
                 kGangAdvice}},
        Row{"OtherScheduler",
            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p, labels: "
            "{kueue.x-k8s.io/pod-group-name: g}}, spec: {containers: [{name: c}]}}",
            {}},
        Row{"NoTopology",
            "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {namespace: a, "
            "name: "
            "g}, spec: {topologyConstraint: {preferredTopologyLevel: rack}}}\n---\n" +
                Pod("p", "annotations: {pod-group-name: g}"),
            {"PodGroup a/g: TopologyNotFound: no Topology has the level rack"}},
        // Kueue reads it of templates.
        Row{"TopologyOfAJobItself",
            Job("j", "annotations: {kueue.x-k8s.io/podset-required-topology: rack}", ""),
            {"Job a/j: NotSupported: annotation kueue.x-k8s.io/podset-required-topology (all of "
             "its pods in one domain of a topology) is passed over: it is read of pods, and of "
             "their template"}},
        // A share is asked of a node with GPUs.
        Row{"NoNodeForAShare",
            Node("n1", "cpu: 8") + Pod("p", "annotations: {gpu-fraction: \"0.5\"}"),
            {"Pod a/p: NoNodeFits: it asks 0.5 GPUs, the largest node has 0"}}),
    RowName());

// A job's own keys come after its pods, or go.
TEST(Foreign, PodsAreJoinedAnewWhenTheirJobSaysOtherwise) {
  World world;
  world.Upsert(Pod("j-0", OfJob("j")));
  EXPECT_THAT(world.Picture(), testing::Contains("pod a/j-0 pending solo queue=default"));
  world.Upsert(
      Job("j", "uid: u, annotations: {kai.scheduler/min-member: \"2\"}", "parallelism: 2"));
  EXPECT_THAT(world.Picture(),
              testing::Contains(testing::HasSubstr("hold=UnsupportedConstraint(Job.metadata")));
  world.Upsert(Job("j", "uid: u", "parallelism: 2"));
  EXPECT_THAT(world.Picture(), testing::Contains("pod a/j-0 pending solo queue=default"));
}

}  // namespace
}  // namespace fairlead::intake
