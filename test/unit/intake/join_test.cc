#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// What objects become, one table row a rule: the objects, and all that comes out of them.

namespace fairlead::intake {
namespace {

class JoinTest : public testing::TestWithParam<Row> {};

TEST_P(JoinTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Picture(), testing::ElementsAreArray(GetParam().expected));
}

const std::string kBoundNameSpace = NameSpace("a", "team");

INSTANTIATE_TEST_SUITE_P(
    Pods, JoinTest,
    testing::Values(
        Row{"OwnWorkloadInTheDefaultQueue",
            Pod("p"),
            {"pod a/p pending solo queue=default", "queue default"}},
        Row{"QueueByLabel",
            Queue("q") + Pod("p", "labels: {fairlead.dev/queue: q}"),
            {"pod a/p pending solo queue=q", "queue q"}},
        Row{"QueueByKaiLabel",
            Pod("p", "labels: {kai.scheduler/queue: q}"),
            {"pod a/p pending solo queue=q"}},
        Row{"QueueByNamespace", kBoundNameSpace + Pod("p"), {"pod a/p pending solo queue=team"}},
        Row{"NotPreemptible",
            Pod("p", "labels: {fairlead.dev/preemptible: \"false\"}"),
            {"pod a/p pending solo queue=default non-preemptible", "queue default"}},
        Row{"Gated",
            Pod("p", "", "schedulingGates: [{name: g}]"),
            {"pod a/p pending gated solo queue=default", "queue default"}},
        Row{"Terminating",
            Pod("p", "deletionTimestamp: 2026-01-01T00:00:00Z", "nodeName: n1"),
            {"pod a/p bound=n1 terminating solo queue=default", "queue default"}},
        Row{"ScheduledByCondition",
            Pod("p", "", "nodeName: n1",
                "{phase: Running, startTime: 2026-01-01T00:00:09Z, conditions: [{type: "
                "PodScheduled, status: \"True\", lastTransitionTime: 2026-01-01T00:00:01Z}]}"),
            {"pod a/p bound=n1 scheduled=2026-01-01T00:00:01Z solo queue=default",
             "queue default"}},
        Row{"ScheduledByStart",
            Pod("p", "", "nodeName: n1", "{phase: Running, startTime: 2026-01-01T00:00:09Z}"),
            {"pod a/p bound=n1 scheduled=2026-01-01T00:00:09Z solo queue=default",
             "queue default"}},
        Row{"Finished",
            Pod("p", "", "nodeName: n1", "{phase: Succeeded}"),
            {"pod a/p finished solo queue=default", "queue default"}},
        Row{"OfDaemonSet",
            Pod("p",
                "ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, "
                "controller: true}]"),
            {"pod a/p pending of-untrusted-daemon-set solo queue=default", "queue default"}},
        // What another scheduler has bound takes room; what it has not is no business of ours.
        Row{"Foreign",
            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p}, spec: {nodeName: n1, "
            "containers: [{name: c}]}}",
            {"pod a/p bound=n1 foreign"}},
        Row{"ForeignPending",
            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p}, spec: {"
            "containers: [{name: c}]}}",
            {}},
        Row{"ForeignFinished",
            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p}, spec: {nodeName: n1, "
            "containers: [{name: c}]}, status: {phase: Failed}}",
            {}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Priorities, JoinTest,
    testing::Values(
        Row{"Class",
            Class("high", 1000) + Pod("p", "", "priorityClassName: high"),
            {"pod a/p pending solo queue=default priority=1000", "queue default"}},
        Row{"BuiltIn",
            Pod("p", "", "priorityClassName: system-node-critical"),
            {"pod a/p pending solo queue=default priority=2000001000", "queue default"}},
        Row{"ClusterCritical",
            Pod("p", "", "priorityClassName: system-cluster-critical"),
            {"pod a/p pending solo queue=default priority=2000000000", "queue default"}},
        Row{"UnknownClassHolds",
            Pod("p", "", "priorityClassName: lost"),
            {"pod a/p pending solo queue=default "
             "hold=UnsupportedConstraint(spec.priorityClassName)",
             "queue default"}},
        // The API server resolved it when the pod came; the class may be gone since.
        Row{"UnknownClassResolved",
            Pod("p", "", "priorityClassName: lost, priority: 7"),
            {"pod a/p pending solo queue=default priority=7", "queue default"}},
        Row{"ClassContradictsNumber",
            Class("high", 1000) + Pod("p", "", "priorityClassName: high, priority: 7"),
            {"pod a/p pending solo queue=default priority=1000", "queue default"}},
        Row{"NumberAlone",
            Pod("p", "", "priority: 7"),
            {"pod a/p pending solo queue=default priority=7", "queue default"}},
        Row{"GlobalDefault",
            Class("usual", 5, "globalDefault: true") + Pod("p"),
            {"pod a/p pending solo queue=default priority=5", "queue default"}},
        Row{"SmallestGlobalDefault",
            Class("usual", 5, "globalDefault: true") + Class("other", 3, "globalDefault: true") +
                Pod("p"),
            {"pod a/p pending solo queue=default priority=3", "queue default"}},
        // Filled before the default class came.
        Row{"NumberBeatsGlobalDefault",
            Class("usual", 5, "globalDefault: true") + Pod("p", "", "priority: 0"),
            {"pod a/p pending solo queue=default", "queue default"}},
        Row{"NeverByPod",
            Pod("p", "", "preemptionPolicy: Never"),
            {"pod a/p pending solo queue=default never-preempts", "queue default"}},
        Row{"NeverByClass",
            Class("kind", 5, "preemptionPolicy: Never") + Pod("p", "", "priorityClassName: kind"),
            {"pod a/p pending solo queue=default priority=5 never-preempts", "queue default"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Workloads, JoinTest,
    testing::Values(
        Row{"OnlyPodSet",
            Workload("w", "queueName: q, podSets: [{name: x, count: 2}]") + Pod("p", kMember),
            {"pod a/p pending workload=a/w[0]", "workload a/w queue=q x=2/2"}},
        Row{"NamedPodSet",
            Workload("w",
                     "queueName: q, resize: Anytime, podSets: [{name: x, count: 1}, {name: "
                     "z, count: 4, minCount: 2}]") +
                Pod("p", "labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: z}"),
            {"pod a/p pending workload=a/w[1]", "workload a/w queue=q anytime x=1/1 z=2/4"}},
        Row{"NoSuchPodSet",
            Workload("w", "queueName: q, podSets: [{name: x, count: 1}]") +
                Pod("p", "labels: {fairlead.dev/workload: w, fairlead.dev/pod-set: other}"),
            {"pod a/p pending solo queue=default hold=WorkloadNotFound", "queue default",
             "workload a/w queue=q x=1/1"}},
        Row{"WhichPodSet",
            Workload("w", "queueName: q, podSets: [{name: x, count: 1}, {name: z, count: 1}]") +
                Pod("p", kMember),
            {"pod a/p pending solo queue=default hold=WorkloadNotFound", "queue default",
             "workload a/w queue=q x=1/1 z=1/1"}},
        Row{"Missing",
            Pod("p", kMember),
            {"pod a/p pending solo queue=default hold=WorkloadNotFound", "queue default"}},
        // The Workload's priority and queue count, not the pod's.
        Row{"WorkloadCounts",
            Class("high", 1000) + Class("low", 1) +
                Workload("w",
                         "queueName: q, priorityClassName: high, preemptible: false, "
                         "podSets: [{name: x, count: 1}]") +
                Pod("p", "labels: {fairlead.dev/workload: w, fairlead.dev/queue: other}",
                    "priorityClassName: low"),
            {"pod a/p pending workload=a/w[0] priority=1000",
             "workload a/w queue=q priority=1000 non-preemptible x=1/1"}},
        Row{"Number",
            Workload("w", "queueName: q, priority: 30, active: false, podSets: [{count: 1}]"),
            {"workload a/w queue=q priority=30 inactive main=1/1"}},
        Row{"UnknownClass",
            Workload("w", "queueName: q, priorityClassName: lost, podSets: [{count: 1}]"),
            {"workload a/w queue=q hold=UnsupportedConstraint(spec.priorityClassName) main=1/1"}},
        Row{"Template",
            Workload("w",
                     "queueName: q, podSets: [{count: 3, minCount: 2, template: {spec: "
                     "{containers: [{name: c, resources: {requests: {cpu: 2}}}]}}}]",
                     "{admission: {queue: q, podSetAssignments: [{name: main, count: 2}]}, "
                     "startTime: 2026-01-01T00:00:05Z}"),
            {"workload a/w queue=q start=2026-01-01T00:00:05Z main=2/3 admitted=2 expects=cpu:2"}},
        Row{"SucceededPodsCount",
            Workload("w", "queueName: q, podSets: [{count: 3}]") +
                Pod("p0", kMember, "nodeName: n1", "{phase: Succeeded}") +
                Pod("p1", kMember, "nodeName: n1", "{phase: Failed}") +
                Pod("p2", kMember, "nodeName: n1", "{phase: Running}"),
            {"pod a/p0 finished workload=a/w[0]", "pod a/p1 finished workload=a/w[0]",
             "pod a/p2 bound=n1 workload=a/w[0]", "workload a/w queue=q main=3/3 succeeded=1"}}),
    RowName());

const std::string kAdmittedTwo =
    Workload("w", "queueName: q, podSets: [{count: 3, minCount: 1}]",
             "{admission: {queue: q, podSetAssignments: [{name: main, count: 2}]}}");

INSTANTIATE_TEST_SUITE_P(
    AdmittedCount, JoinTest,
    testing::Values(
        Row{"FirstByNameBelong",
            kAdmittedTwo + Pod("p2", kMember) + Pod("p0", kMember) + Pod("p1", kMember),
            {"pod a/p0 pending workload=a/w[0]", "pod a/p1 pending workload=a/w[0]",
             "pod a/p2 pending workload=a/w[0] hold=NotInAdmittedCount",
             "workload a/w queue=q main=1/3 admitted=2"}},
        // A pod that runs does not wait: it has its place, whatever its name.
        Row{"RunningPodsBelong",
            kAdmittedTwo + Pod("p0", kMember) + Pod("p1", kMember) +
                Pod("p2", kMember, "nodeName: n1"),
            {"pod a/p0 pending workload=a/w[0]",
             "pod a/p1 pending workload=a/w[0] hold=NotInAdmittedCount",
             "pod a/p2 bound=n1 workload=a/w[0]", "workload a/w queue=q main=1/3 admitted=2"}},
        // What is on its way out, or has ended, leaves its place to what comes in its stead.
        Row{"EndedPodsMakeRoom",
            kAdmittedTwo + Pod("p0", kMember, "nodeName: n1", "{phase: Failed}") +
                Pod("p1", kMember + ", deletionTimestamp: 2026-01-01T00:00:00Z", "nodeName: n1") +
                Pod("p2", kMember) + Pod("p3", kMember),
            {"pod a/p0 finished workload=a/w[0]", "pod a/p1 bound=n1 terminating workload=a/w[0]",
             "pod a/p2 pending workload=a/w[0]", "pod a/p3 pending workload=a/w[0]",
             "workload a/w queue=q main=1/3 admitted=2"}},
        Row{"CountWhereNothingIsAdmitted",
            Workload("w", "queueName: q, podSets: [{count: 1}]") + Pod("p0", kMember) +
                Pod("p1", kMember),
            {"pod a/p0 pending workload=a/w[0]",
             "pod a/p1 pending workload=a/w[0] hold=NotInAdmittedCount",
             "workload a/w queue=q main=1/1"}},
        // An elastic one may take all that it asks, whatever was admitted first.
        Row{"AnytimeTakesItsCount",
            Workload("w", "queueName: q, resize: Anytime, podSets: [{count: 2, minCount: 1}]",
                     "{admission: {podSetAssignments: [{name: main, count: 1}]}}") +
                Pod("p0", kMember) + Pod("p1", kMember),
            {"pod a/p0 pending workload=a/w[0]", "pod a/p1 pending workload=a/w[0]",
             "workload a/w queue=q anytime main=1/2 admitted=1"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    BoundNamespaces, JoinTest,
    testing::Values(
        Row{"QueueBelow",
            kBoundNameSpace + Queue("team") + Queue("mid", "parent: team") +
                Queue("low", "parent: mid") + Pod("p", "labels: {fairlead.dev/queue: low}"),
            {"pod a/p pending solo queue=low", "queue low parent=mid", "queue mid parent=team",
             "queue team"}},
        Row{"QueueElsewhere",
            kBoundNameSpace + Queue("team") + Queue("rich") +
                Pod("p", "labels: {fairlead.dev/queue: rich}"),
            {"pod a/p pending solo queue=rich hold=QueueNotAllowed", "queue rich", "queue team"}},
        Row{"QueueAbove",
            kBoundNameSpace + Queue("top") + Queue("team", "parent: top") +
                Pod("p", "labels: {fairlead.dev/queue: top}"),
            {"pod a/p pending solo queue=top hold=QueueNotAllowed", "queue team parent=top",
             "queue top"}},
        // The default queue is there for all who are not bound.
        Row{"DefaultQueue",
            kBoundNameSpace + Queue("team") + Pod("p", "labels: {fairlead.dev/queue: default}"),
            {"pod a/p pending solo queue=default hold=QueueNotAllowed", "queue default",
             "queue team"}},
        // The engine says QueueNotFound; nothing is got by it.
        Row{"QueueThatIsNotThere",
            kBoundNameSpace + Queue("team") + Pod("p", "labels: {fairlead.dev/queue: lost}"),
            {"pod a/p pending solo queue=lost", "queue team"}},
        Row{"Workload",
            kBoundNameSpace + Queue("team") + Queue("rich") +
                Workload("w", "queueName: rich, podSets: [{count: 1}]"),
            {"queue rich", "queue team", "workload a/w queue=rich hold=QueueNotAllowed main=1/1"}},
        Row{"WorkloadWithoutQueue",
            kBoundNameSpace + Workload("w", "podSets: [{count: 1}]"),
            {"workload a/w queue=team main=1/1"}},
        Row{"CycleEnds",
            kBoundNameSpace + Queue("x", "parent: z") + Queue("z", "parent: x") +
                Pod("p", "labels: {fairlead.dev/queue: x}"),
            {"pod a/p pending solo queue=x hold=QueueNotAllowed", "queue x parent=z",
             "queue z parent=x"}}),
    RowName());

const std::string kPool =
    "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, schedulerName: mine, "
    "defaultQueue: all, nodeSelector: {pool: batch}}\n---\n";
const std::string kNodes =
    Node("n1", "cpu: 4", "labels: {pool: batch}") +
    "{apiVersion: v1, kind: Node, metadata: {name: n2}, spec: {unschedulable: true}, status: "
    "{allocatable: {cpu: 8}}}\n---\n";

INSTANTIATE_TEST_SUITE_P(
    Configuration, JoinTest,
    testing::Values(Row{"NoPool", kNodes, {"node n1 cpu:4", "node n2 cpu:8 cordoned"}},
                    Row{"Pool",
                        kPool + kNodes + Pod("p1", "", "nodeName: n1") +
                            Pod("p2", "", "nodeName: n2") + Pod("p3", "", "nodeName: n3"),
                        {"configuration mine", "node n1 cpu:4", "pod a/p1 bound=n1 foreign",
                         "pod a/p3 bound=n3 foreign"}},
                    Row{"OtherNames",
                        kPool +
                            "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: p}, spec: "
                            "{schedulerName: mine, containers: [{name: c}]}}",
                        {"configuration mine", "pod a/p pending solo queue=all", "queue all"}}),
    RowName());

}  // namespace
}  // namespace fairlead::intake
