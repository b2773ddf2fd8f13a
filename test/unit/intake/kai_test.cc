#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// KAI Scheduler's objects, read as they are (interface.md §1).

namespace fairlead::intake {
namespace {

class KaiTest : public testing::TestWithParam<Row> {};

TEST_P(KaiTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Picture(), testing::ElementsAreArray(GetParam().expected));
}

std::string KaiQueue(std::string_view spec) {
  return std::string("{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: k}, spec: {")
             .append(spec) +
         "}}\n---\n";
}

std::string PodGroup(std::string_view spec, std::string_view meta = "") {
  std::string text =
      "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {namespace: a, name: g";
  return text.append(meta)
             .append("}, spec: {queue: q")
             .append(spec.empty() ? "" : ", ")
             .append(spec) +
         "}}\n---\n";
}

const std::string kGrouped = "annotations: {pod-group-name: g}";

INSTANTIATE_TEST_SUITE_P(
    Queues, KaiTest,
    testing::Values(
        // 2500 millicores, 4096 · 10^6 bytes = 4000000Ki, one and a half devices.
        Row{"Units",
            KaiQueue("parentQueue: p, priority: 7, preemptMinRuntime: 1m, reclaimMinRuntime: 0s, "
                     "resources: {cpu: {quota: 2500, limit: 4000, overQuotaWeight: 1}, "
                     "memory: {quota: 4096, limit: 8192.5, overQuotaWeight: 0.5}, "
                     "gpu: {quota: 1.5, limit: 2, overQuotaWeight: 3}}"),
            {"queue k parent=p guaranteed=cpu:2500m,memory:4000000Ki,nvidia.com/gpu:1500m "
             "limit=cpu:4,memory:8192500000,nvidia.com/gpu:2 weight.cpu=1000m weight.memory=500m "
             "weight.nvidia.com/gpu=3000m priority=7 preempt=60s reclaim=0s"}},
        Row{"Unlimited",
            KaiQueue("resources: {cpu: {quota: -1, limit: -1, overQuotaWeight: 1}, memory: {quota: "
                     "-1, limit: -1, overQuotaWeight: 1}, gpu: {quota: 0, limit: -1, "
                     "overQuotaWeight: 1}}"),
            {"queue k guaranteed-all=cpu guaranteed-all=memory weight.cpu=1000m "
             "weight.memory=1000m weight.nvidia.com/gpu=1000m priority=100"}},
        // As in KAI: a limit that is not there is 0, and 0 allows nothing.
        Row{"Absent",
            KaiQueue("resources: {gpu: {quota: 1, limit: 1, overQuotaWeight: 1}}"),
            {"queue k guaranteed=nvidia.com/gpu:1 limit=cpu:0,memory:0,nvidia.com/gpu:1 "
             "weight.cpu=0m weight.memory=0m weight.nvidia.com/gpu=1000m priority=100"}},
        Row{"Empty",
            KaiQueue(""),
            {"queue k limit=cpu:0,memory:0,nvidia.com/gpu:0 weight.cpu=0m weight.memory=0m "
             "weight.nvidia.com/gpu=0m priority=100"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    PodGroups, KaiTest,
    testing::Values(
        Row{"Gang",
            PodGroup("minMember: 2") + Pod("p0", kGrouped) + Pod("p1", kGrouped),
            {"pod a/p0 pending workload=a/g[0] priority=50",
             "pod a/p1 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 silent main=2/2"}},
        Row{"Elastic",
            PodGroup("minMember: 1") + Pod("p0", kGrouped) + Pod("p1", kGrouped),
            {"pod a/p0 pending workload=a/g[0] priority=50",
             "pod a/p1 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 anytime silent main=1/2"}},
        // It waits for its pods to come.
        Row{"PodsAreMissing",
            PodGroup("minMember: 3") + Pod("p0", kGrouped),
            {"pod a/p0 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 silent main=3/3"}},
        Row{"NoMinimum",
            PodGroup("") + Pod("p0", kGrouped),
            {"pod a/p0 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 silent main=1/1"}},
        // Pods that ended well count; what is on its way out is no pod more.
        Row{"Counts",
            PodGroup("minMember: 2") + Pod("p0", kGrouped, "nodeName: n1", "{phase: Succeeded}") +
                Pod("p1", kGrouped, "nodeName: n1", "{phase: Failed}") +
                Pod("p2", kGrouped + ", deletionTimestamp: 2026-01-01T00:00:00Z", "nodeName: n1") +
                Pod("p3", kGrouped),
            {"pod a/p0 finished workload=a/g[0] priority=50",
             "pod a/p1 finished workload=a/g[0] priority=50",
             "pod a/p2 bound=n1 terminating workload=a/g[0] priority=50",
             "pod a/p3 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 silent main=2/2 succeeded=1"}},
        Row{"Missing",
            Pod("p", kGrouped + ", labels: {kai.scheduler/queue: q}"),
            {"pod a/p pending solo queue=q hold=WorkloadNotFound"}},
        Row{"Start",
            PodGroup("",
                     ", annotations: {kai.scheduler/last-start-timestamp: "
                     "\"2026-01-01T00:00:05Z\"}"),
            {"workload a/g queue=q priority=50 silent start=2026-01-01T00:00:05Z main=1/1"}},
        Row{"PreemptibleBelow100",
            Class("train", 99) + PodGroup("priorityClassName: train"),
            {"workload a/g queue=q priority=99 silent main=1/1"}},
        Row{"NotPreemptibleFrom100",
            Class("build", 100) + PodGroup("priorityClassName: build"),
            {"workload a/g queue=q priority=100 non-preemptible silent main=1/1"}},
        Row{"SaidPreemptible",
            Class("build", 100) + PodGroup("priorityClassName: build, preemptibility: preemptible"),
            {"workload a/g queue=q priority=100 silent main=1/1"}},
        Row{"SaidNotPreemptible",
            PodGroup("preemptibility: non-preemptible"),
            {"workload a/g queue=q priority=50 non-preemptible silent main=1/1"}},
        Row{"UnknownClass",
            PodGroup("priorityClassName: lost"),
            {"workload a/g queue=q hold=UnsupportedConstraint(spec.priorityClassName) silent "
             "main=1/1"}},
        Row{"SubGroups",
            PodGroup("minMember: 2, subGroups: [{name: s, minMember: 1}]"),
            {"workload a/g queue=q priority=50 hold=UnsupportedConstraint(spec.minMember) "
             "silent s=1/1"}},
        Row{"Topology",
            PodGroup("topologyConstraint: {topology: zone, requiredTopologyLevel: "
                     "topology.kubernetes.io/zone}"),
            {"workload a/g queue=q priority=50 silent main=1/1 near(0: required "
             "topology.kubernetes.io/zone of topology.kubernetes.io/zone)"}},
        Row{"PreferredTopology",
            PodGroup("topologyConstraint: {preferredTopologyLevel: topology.kubernetes.io/zone}"),
            {"workload a/g queue=q priority=50 silent main=1/1 near(0: preferred "
             "topology.kubernetes.io/zone of topology.kubernetes.io/zone)"}},
        // Our label is the stronger one.
        Row{"LabelAndAnnotation",
            Workload("w", "queueName: q, podSets: [{count: 1}]") + PodGroup("") +
                Pod("p", kGrouped + ", labels: {fairlead.dev/workload: w}"),
            {"pod a/p pending workload=a/w[0]", "workload a/g queue=q priority=50 silent main=1/1",
             "workload a/w queue=q main=1/1"}},
        Row{"WorkloadOfTheSameName",
            Workload("g", "queueName: r, podSets: [{count: 1}]") + PodGroup("") +
                Pod("p", kGrouped),
            {"pod a/p pending workload=a/g[0]", "workload a/g queue=r main=1/1"}}),
    RowName());

class KaiFaultTest : public testing::TestWithParam<FaultRow> {};

TEST_P(KaiFaultTest, Says) {
  objects::Manifest manifest;
  objects::ReadText("---\n" + GetParam().yaml, "f.yaml", AllDecoders(), manifest);
  ASSERT_EQ(manifest.faults.size(), 1u);
  EXPECT_EQ(manifest.faults[0].ToString(), GetParam().expected);
  EXPECT_TRUE(manifest.objects.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Faults, KaiFaultTest,
    testing::Values(
        FaultRow{"Negative", KaiQueue("resources: {cpu: {quota: -2}}"),
                 "f.yaml:2: Queue k: spec.resources.cpu.quota: found number -2, expected a number "
                 "that is not negative, or -1: unlimited"},
        // -1 thousandth of 10^6 bytes is not "unlimited".
        FaultRow{"AlmostUnlimited", KaiQueue("resources: {memory: {limit: -0.001}}"),
                 "f.yaml:2: Queue k: spec.resources.memory.limit: found number -0.001, expected a "
                 "number that is not negative, or -1: unlimited"},
        FaultRow{"Quantity", KaiQueue("resources: {memory: {quota: 4Gi}}"),
                 "f.yaml:2: Queue k: spec.resources.memory.quota: found \"4Gi\", expected a "
                 "number that is not negative, or -1: unlimited"},
        FaultRow{"Weight", KaiQueue("resources: {gpu: {overQuotaWeight: -1}}"),
                 "f.yaml:2: Queue k: spec.resources.gpu.overQuotaWeight: found number -1, expected "
                 "a number that is not negative"},
        FaultRow{"TooLarge", KaiQueue("resources: {memory: {quota: 9000000000000000}}"),
                 "f.yaml:2: Queue k: spec.resources.memory.quota: found number 9000000000000000, "
                 "expected a number below 2^63 in the resource's own unit"},
        FaultRow{"Preemptibility", PodGroup("preemptibility: maybe"),
                 "f.yaml:2: PodGroup a/g: spec.preemptibility: found \"maybe\", expected "
                 "preemptible or non-preemptible"},
        FaultRow{
            "Start", PodGroup("", ", annotations: {kai.scheduler/last-start-timestamp: soon}"),
            "f.yaml:2: PodGroup a/g: "
            "metadata.annotations.kai.scheduler/last-start-timestamp: found \"soon\", expected "
            "a time such as 2026-01-31T12:00:00Z"}),
    RowName());

}  // namespace
}  // namespace fairlead::intake
