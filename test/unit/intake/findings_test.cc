#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// What `validate` says: each finding with its object and its numbers.

namespace fairlead::intake {
namespace {

class FindingsTest : public testing::TestWithParam<Row> {};

TEST_P(FindingsTest, Says) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Findings(), testing::ElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Queues, FindingsTest,
    testing::Values(
        Row{"Nothing",
            Node("n1", "cpu: 8") + Queue("top", "guaranteed: {cpu: 8}") +
                Queue("low", "parent: top, guaranteed: {cpu: 8}, limit: {cpu: 8}") +
                Pod("p", "labels: {fairlead.dev/queue: low}", "nodeName: n1"),
            {}},
        Row{"Parent",
            Queue("q", "parent: lost"),
            {"Queue q: ParentNotFound: its parent lost is not there"}},
        // d hangs below the cycle and is not on it.
        Row{"Cycle",
            Queue("a", "parent: c") + Queue("b", "parent: a") + Queue("c", "parent: b") +
                Queue("d", "parent: a"),
            {"Queue a: ParentCycle: its parents are a cycle: a -> c -> b -> a",
             "Queue b: ParentCycle: its parents are a cycle: a -> c -> b -> a",
             "Queue c: ParentCycle: its parents are a cycle: a -> c -> b -> a"}},
        Row{"OwnParent",
            Queue("a", "parent: a"),
            {"Queue a: ParentCycle: its parents are a cycle: a -> a"}},
        Row{"AboveLimit",
            Queue("q", "guaranteed: {cpu: 3, memory: 1Gi}, limit: {cpu: 2}"),
            {"Queue q: GuaranteedAboveLimit: cpu 3 is guaranteed, above the limit of 2"}},
        // 64 + 32 = 96 of 90; memory is guaranteed by one child and not by the parent.
        Row{"AboveParent",
            Queue("top", "guaranteed: {cpu: 90}") +
                Queue("x", "parent: top, guaranteed: {cpu: 64}") +
                Queue("z", "parent: top, guaranteed: {cpu: 32, memory: 1Gi}"),
            {"Queue top: GuaranteedAboveParent: its children guarantee cpu 96 together (x 64, z "
             "32); it guarantees 90",
             "Queue top: GuaranteedAboveParent: its children guarantee memory 1Gi together (z "
             "1Gi); "
             "it guarantees 0"}},
        Row{"AboveCluster",
            Node("n1", "cpu: 8") + Node("n2", "cpu: 8") + Queue("x", "guaranteed: {cpu: 10}") +
                Queue("z", "guaranteed: {cpu: 7}"),
            {"Cluster: GuaranteedAboveCluster: the top queues guarantee cpu 17 together (x 10, z "
             "7); "
             "the 2 nodes have 16"}},
        Row{"NoNodesNoCluster", Queue("x", "guaranteed: {cpu: 10}"), {}},
        Row{"KaiLimit",
            "{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: k}, spec: "
            "{resources: "
            "{gpu: {quota: 1, limit: -1}}}}",
            {"Queue k: LimitIsZero: the limit of cpu, memory is 0 or absent, which allows nothing; "
             "-1 is no limit"}},
        Row{"OurLimitIsMeant", Queue("q", "limit: {nvidia.com/gpu: 0}"), {}},
        Row{"BoundNamespace",
            NameSpace("a", "lost"),
            {"Namespace a: QueueNotFound: its label fairlead.dev/queue names the queue lost, which "
             "is not there"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Workloads, FindingsTest,
    testing::Values(
        Row{"NoSuchQueue",
            Workload("w", "queueName: lost, podSets: [{count: 1}]"),
            {"Workload a/w: QueueNotFound: its queue lost is not there"}},
        Row{"NotALeaf",
            Queue("top") + Queue("low", "parent: top") +
                Workload("w", "queueName: top, podSets: [{count: 1}]"),
            {"Workload a/w: QueueNotReady: its queue top holds queues (low); only those without "
             "any "
             "hold workloads"}},
        Row{"NotAllowed",
            NameSpace("a", "team") + Queue("team") + Queue("rich") +
                Workload("w", "queueName: rich, podSets: [{count: 1}]"),
            {"Workload a/w: QueueNotAllowed: queue rich is neither team nor below it: namespace a "
             "is "
             "bound to team by its label fairlead.dev/queue"}},
        Row{"NoMinimum",
            Workload("w", "podSets: [{count: 2, minCount: 0}]"),
            {"Workload a/w: MinimumInvalid: its minCount is 0, expected 1 at least; it is admitted "
             "whole or not at all"}},
        Row{"NoMinimumOfKueue",
            "{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {namespace: a, "
            "name: w}, spec: {podSets: [{name: main, count: 2, minCount: 0}]}}\n",
            {"Workload a/w: MinimumInvalid: its minCount is 0, expected 1 at least; it is admitted "
             "whole or not at all"}},
        // One pod starts, or it grows from none.
        Row{"NoMinimumOfAPart",
            Workload("w", "podSets: [{name: x, count: 1}, {name: z, count: 2, minCount: 0}]") +
                Workload("v", "resize: Anytime, podSets: [{count: 2, minCount: 0}]") +
                Workload("u", "podSets: [{count: 0, minCount: 0}]"),
            {}},
        Row{"UnknownClass",
            Workload("w", "priorityClassName: lost, podSets: [{count: 1}]"),
            {"Workload a/w: PriorityClassNotFound: the priority class lost is not there"}},
        Row{"TemplateTooLarge",
            Node("n1", "cpu: 8, memory: 4Gi") +
                Workload("w",
                         "podSets: [{count: 1, template: {spec: {containers: [{name: c, "
                         "resources: {requests: {cpu: 9, memory: 1Gi}}}]}}}]"),
            {"Workload a/w: NoNodeFits: it asks 9 cores, the largest node has 8 (pod set main)"}},
        Row{"TwoDefaults",
            Class("x", 1, "globalDefault: true") + Class("z", 2, "globalDefault: true"),
            {"PriorityClass x: SeveralDefaults: x, z are all globalDefault; the one of the "
             "smallest "
             "value counts",
             "PriorityClass z: SeveralDefaults: x, z are all globalDefault; the one of the "
             "smallest "
             "value counts"}},
        Row{"NameTaken",
            Workload("g", "podSets: [{count: 1}]") +
                "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {namespace: a, "
                "name: g}, spec: {}}",
            {"PodGroup a/g: NameTaken: a Workload of the same name is there, and counts"}}),
    RowName());

const std::string kQueued = "labels: {fairlead.dev/queue: default}";

std::string Minimum(std::string_view annotations, std::string_view spec) {
  return Job("j", std::string("annotations: {").append(annotations).append("}"), spec);
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, FindingsTest,
    testing::Values(
        Row{"SuspendedOfAnother",
            "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: j, " + kQueued +
                "}, spec: {suspend: true, template: {spec: {containers: [{name: c}]}}}}",
            {"Job a/j: OtherScheduler: the job's pods name the scheduler default-scheduler; add "
             "`schedulerName: fairlead` to spec.template.spec"}},
        Row{"Minimum", Minimum("fairlead.dev/min-parallelism: \"2\"", "parallelism: 3"), {}},
        Row{"MinimumIsNoNumber",
            Minimum("fairlead.dev/min-parallelism: \"2x\"", "parallelism: 3"),
            {"Job a/j: MinimumInvalid: its minimum is \"2x\", expected a whole number above 0 and "
             "below its 3 pods; it is admitted whole or not at all"}},
        Row{"MinimumIsAll",
            Minimum("kueue.x-k8s.io/job-min-parallelism: \"3\"", "parallelism: 8, completions: 3"),
            {"Job a/j: MinimumInvalid: its minimum is \"3\", expected a whole number above 0 and "
             "below its 3 pods; it is admitted whole or not at all"}},
        Row{"CompletionsEqual",
            Minimum("fairlead.dev/completions-equal-parallelism: \"true\"",
                    "parallelism: 3, completions: 3, completionMode: Indexed"),
            {}},
        Row{"CompletionsEqualNotIndexed",
            Minimum("fairlead.dev/completions-equal-parallelism: \"true\"",
                    "parallelism: 3, completions: 3"),
            {"Job a/j: MinimumInvalid: completions-equal-parallelism needs an Indexed job whose "
             "completions are its parallelism; this one is NonIndexed, parallelism 3, completions "
             "3; it is admitted whole or not at all"}},
        Row{"CompletionsEqualNoBoolean",
            Minimum("fairlead.dev/completions-equal-parallelism: \"yes\"", "parallelism: 3"),
            {"Job a/j: MinimumInvalid: completions-equal-parallelism is \"yes\", expected true or "
             "false; it is admitted whole or not at all"}},
        Row{"TooLarge",
            Node("n1", "cpu: 1") + Job("j", "", "parallelism: 3"),
            {"Job a/j: NoNodeFits: it asks 2 cores, the largest node has 1"}}),
    RowName());

const std::string kGpuPod =
    "containers: [{name: d, resources: {requests: {cpu: 4, nvidia.com/gpu: 2}}}]";
std::string GpuPod(std::string_view name) {
  return std::string("{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: ").append(name) +
         "}, spec: {schedulerName: fairlead, " + kGpuPod + "}}\n---\n";
}

INSTANTIATE_TEST_SUITE_P(
    Pods, FindingsTest,
    testing::Values(
        Row{"MissingWorkload",
            Pod("p1", "labels: {fairlead.dev/workload: w}") +
                Pod("p0", "labels: {fairlead.dev/workload: w}"),
            {"Pod a/p0: WorkloadNotFound: the Workload a/w that the pod names is not there (and 1 "
             "more pod like it)"}},
        Row{"MissingPodSet",
            Workload("w", "podSets: [{name: x, count: 1}, {name: z, count: 1}]") +
                Pod("p0", "labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: u}") +
                Pod("p1", "labels: {fairlead.dev/workload: w}"),
            {"Pod a/p0: WorkloadNotFound: the Workload a/w has no pod set u; it has x, z",
             "Pod a/p1: WorkloadNotFound: the Workload a/w has several pod sets (x, z) and the pod "
             "names none of them"}},
        Row{"GatedByKueue",
            Pod("p0", "", "schedulingGates: [{name: own}]") +
                Pod("p1", "", "schedulingGates: [{name: own}, {name: kueue.x-k8s.io/admission}]") +
                Pod("p2", "", "schedulingGates: [{name: kueue.x-k8s.io/admission}]"),
            {"Pod a/p1: Gated: its scheduling gate kueue.x-k8s.io/admission keeps it out until "
             "Kueue takes it away; leave its namespace out of Kueue's pod integration, and make "
             "the pod anew (and 1 more pod like it)"}},
        Row{"MissingNode",
            Pod("p", "", "nodeName: n1"),
            {"Pod a/p: NodeNotFound: it is bound to the node n1, which is not there"}},
        Row{"UnknownClass",
            Pod("p", "", "priorityClassName: lost"),
            {"Pod a/p: PriorityClassNotFound: the priority class lost is not there"}},
        Row{"UnknownQueue",
            Pod("p", "labels: {fairlead.dev/queue: lost}"),
            {"Pod a/p: QueueNotFound: its queue lost is not there"}},
        Row{"TooLarge",
            Node("n1", "cpu: 8, nvidia.com/gpu: 1") + GpuPod("p0") + GpuPod("p1"),
            {"Pod a/p0: NoNodeFits: it asks 2 GPUs, the largest node has 1 (and 1 more "
             "pod like it)"}},
        Row{"NoSingleNode",
            Node("n1", "cpu: 8") + Node("n2", "cpu: 1, nvidia.com/gpu: 2") + GpuPod("p"),
            {"Pod a/p: NoNodeFits: no single node has all that it asks: 4 cores, 2 GPUs"}},
        Row{"BoundPodsFit", Node("n1", "cpu: 1") + Pod("p", "", "nodeName: n1"), {}},
        Row{"Unsupported",
            Pod("p", "", "resourceClaims: [{name: a}]"),
            {"Pod a/p: UnsupportedConstraint: spec.resourceClaims is not supported yet"}},
        Row{"AnotherScheduler",
            Workload("w", "podSets: [{count: 1}]") +
                "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p, labels: "
                "{fairlead.dev/workload: w}}, spec: {containers: [{name: c}]}}",
            {"Pod a/p: OtherScheduler: it names the Workload a/w, but its scheduler is "
             "default-scheduler; add `schedulerName: fairlead`"}},
        Row{"FinishedPodsAreFine",
            Pod("p", "labels: {fairlead.dev/workload: w}", "nodeName: n1", "{phase: Failed}"),
            {}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    QueueLabels, FindingsTest,
    testing::Values(
        // One gang, two queues by label, neither of which is the Workload's; the last names it.
        Row{"OfAGang",
            Queue("q") + Queue("x") + Queue("y") +
                Workload("w", "queueName: q, podSets: [{count: 4}]") +
                Pod("w-0", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: x}") +
                Pod("w-1", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: x}") +
                Pod("w-2", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: y}") +
                Pod("w-3", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: q}"),
            {"Pod a/w-0: QueueDiffers: its label names the queue x, but it is of the Workload a/w, "
             "whose queue q counts (and 1 more pod like it)",
             "Pod a/w-2: QueueDiffers: its label names the queue y, but it is of the Workload a/w, "
             "whose queue q counts"}},
        Row{"OfAPodGroup",
            Queue("q") + Queue("x") +
                "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {namespace: a, "
                "name: g}, spec: {minMember: 1, queue: q}}\n---\n" +
                Pod("p", "annotations: {pod-group-name: g}, labels: {kai.scheduler/queue: x}"),
            {"Pod a/p: QueueDiffers: its label names the queue x, but it is of the PodGroup a/g, "
             "whose queue q counts"}},
        // Of a Workload that names none, whose namespace does.
        Row{"OfTheNamespace",
            NameSpace("a", "q") + Queue("q") + Workload("w", "podSets: [{count: 1}]") +
                Pod("w-0", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: q}"),
            {}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    AllowPreemption, FindingsTest,
    testing::Values(
        Row{"ThatSaysNeither",
            Class("odd", 1, "", "annotations: {yunikorn.apache.org/allow-preemption: \"no\"}") +
                Pod("p-0", "labels: {fairlead.dev/allow-preemption: \"False\"}") +
                Pod("p-1", "labels: {fairlead.dev/allow-preemption: \"False\"}") +
                Pod("q", "annotations: {fairlead.dev/allow-preemption: \"0\"}"),
            {"Pod a/p-0: AllowPreemptionInvalid: its allow-preemption is \"False\", expected true "
             "or "
             "false; it is passed over (and 1 more pod like it)",
             "Pod a/q: AllowPreemptionInvalid: its allow-preemption is \"0\", expected true or "
             "false; it is passed over",
             "PriorityClass odd: AllowPreemptionInvalid: its allow-preemption is \"no\", expected "
             "true or false; it is passed over"}},
        Row{"ThatIsFine",
            Class("kept", 1, "", "labels: {fairlead.dev/allow-preemption: \"false\"}") +
                Pod("p", "annotations: {yunikorn.apache.org/allow-preemption: \"true\"}") +
                Pod("q", "labels: {fairlead.dev/allow-preemption: \"false\"}"),
            {}},
        // Whether another scheduler's pod gives way is not ours to say.
        Row{"OfAnotherScheduler",
            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p, labels: "
            "{fairlead.dev/allow-preemption: x}}, spec: {containers: [{name: c}]}}",
            {}}),
    RowName());

std::string Configuration(std::string_view says) {
  return fmt::format(
      "{{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, {}}}\n---\n", says);
}

INSTANTIATE_TEST_SUITE_P(
    Moves, FindingsTest,
    testing::Values(
        Row{"ThatAreAskedInVain",
            Workload("w, annotations: {fairlead.dev/move: \"no\"}", "podSets: [{count: 1}]") +
                Pod("p-0", "annotations: {fairlead.dev/move: \"False\"}") +
                Pod("p-1", "annotations: {fairlead.dev/move: \"False\"}"),
            {"Pod a/p-0: MoveInvalid: its fairlead.dev/move is \"False\", expected \"true\" or "
             "\"false\"; it is passed over, and it may be moved (and 1 more pod like it)",
             "Workload a/w: MoveInvalid: its fairlead.dev/move is \"no\", expected \"true\" or "
             "\"false\"; it is passed over, and it may be moved"}},
        Row{"ThatAreFine",
            Configuration("consolidation: {enabled: true}") +
                Workload("w, annotations: {fairlead.dev/move: \"true\"}", "podSets: [{count: 1}]") +
                Pod("p", "annotations: {fairlead.dev/move: \"false\"}"),
            {}},
        Row{"WithoutCooldown",
            Configuration("consolidation: {enabled: true, cooldown: 0s}"),
            {"SchedulerConfiguration: CooldownTooShort: consolidation.cooldown is 0: who has just "
             "started or moved may have to move again at once, and loses what it has done each "
             "time"}},
        Row{"WithLessThanLandingsMayTake",
            Configuration("consolidation: {enabled: true, cooldown: 4m}"),
            {"SchedulerConfiguration: CooldownTooShort: consolidation.cooldown is 240s, less than "
             "admission.podsTimeout, 300s: who has landed may have to move again while the work "
             "for "
             "which it moved still waits for others to land"}},
        Row{"ThatAreOff", Configuration("consolidation: {enabled: false, cooldown: 0s}"), {}},
        Row{"ThatLandSooner",
            Configuration("consolidation: {enabled: true, cooldown: 4m}, admission: {podsTimeout: "
                          "4m}"),
            {}}),
    RowName());

TEST(FindingSourceTest, IsWhereTheObjectStands) {
  World world;
  world.Upsert(Queue("fine") + Queue("q", "parent: lost") +
               Pod("p", "labels: {fairlead.dev/workload: w}"));
  world.Take();
  std::vector<std::string> sources;
  for (const Finding& finding : world.intake.Findings()) sources.push_back(finding.source);
  EXPECT_THAT(sources, testing::ElementsAre("test.yaml:6", "test.yaml:4"));
}

}  // namespace
}  // namespace fairlead::intake
