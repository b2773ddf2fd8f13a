#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/read/reader.h"
#include "objects/write/writer.h"
#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Groups of pods in the words of five systems (docs/manifests.md, "Groups of pods"): what becomes
// of their objects and pods, what is told of them, and that they are written back as they were
// read.

namespace fairlead::intake {
namespace {

std::string Group(std::string_view api_version, std::string_view spec, std::string_view meta = "") {
  return std::string("{apiVersion: ")
             .append(api_version)
             .append(", kind: PodGroup, metadata: {namespace: a, name: g")
             .append(meta.empty() ? "" : ", ")
             .append(meta)
             .append("}, spec: {")
             .append(spec) +
         "}}\n---\n";
}

constexpr std::string_view kNative = "scheduling.k8s.io/v1beta1";
constexpr std::string_view kFirst = "scheduling.k8s.io/v1alpha2";
constexpr std::string_view kKai = "scheduling.run.ai/v2alpha2";
constexpr std::string_view kCoscheduling = "scheduling.x-k8s.io/v1alpha1";
constexpr std::string_view kVolcano = "scheduling.volcano.sh/v1beta1";
constexpr std::string_view kGangOfTwo = "schedulingPolicy: {gang: {minCount: 2}}";

std::string NativePod(std::string_view name, std::string_view meta = "",
                      std::string_view spec = "") {
  return Pod(name, meta,
             std::string("schedulingGroup: {podGroupName: g}")
                 .append(spec.empty() ? "" : ", ")
                 .append(spec));
}

std::string KueuePod(std::string_view name, std::string_view total, std::string_view labels = "") {
  std::string meta =
      "creationTimestamp: 2026-01-01T00:00:00Z, labels: "
      "{kueue.x-k8s.io/pod-group-name: g";
  meta.append(labels.empty() ? "" : ", ").append(labels).append("}");
  if (!total.empty()) {
    meta.append(", annotations: {kueue.x-k8s.io/pod-group-total-count: \"").append(total);
    meta.append("\"}");
  }
  return Pod(name, meta);
}

// But for queues.
std::vector<std::string> WorkIn(World& world) {
  std::vector<std::string> lines = world.Picture();
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("queue "); });
  return lines;
}

// A pod of kube-scheduler that names the group g of KAI.
std::string OthersPod(std::string_view name) {
  return std::string("{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: ").append(name) +
         ", annotations: {pod-group-name: g}}, spec: {containers: [{name: c}]}}\n---\n";
}

class PodGroupsTest : public testing::TestWithParam<Row> {};
TEST_P(PodGroupsTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(WorkIn(world), testing::ElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Native, PodGroupsTest,
    testing::Values(
        Row{"Gang",
            Group(kNative, kGangOfTwo) + NativePod("p0") + NativePod("p1"),
            {"pod a/p0 pending workload=a/g[0]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=default silent main=2/2"}},
        // A basic one goes pod by pod: its minimum is one.
        Row{"Basic",
            Group(kNative, "schedulingPolicy: {basic: {}}") + NativePod("p0") + NativePod("p1"),
            {"pod a/p0 pending workload=a/g[0]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=default anytime silent main=1/2"}},
        // The queue whose name comes first, the highest priority.
        Row{"AsItsPodsSay",
            Group(kNative, "schedulingPolicy: {gang: {minCount: 1}}") + Queue("q") + Queue("r") +
                Class("low", 3) + Class("high", 7) +
                NativePod("p0", "labels: {fairlead.dev/queue: r}", "priorityClassName: high") +
                NativePod("p1", "labels: {fairlead.dev/queue: q}", "priorityClassName: low"),
            {"pod a/p0 pending workload=a/g[0] priority=7",
             "pod a/p1 pending workload=a/g[0] priority=7",
             "workload a/g queue=q priority=7 anytime silent main=1/2"}},
        Row{"AsItsObjectSays",
            Group(kNative, std::string(kGangOfTwo) + ", priority: 9, preemptionPolicy: Never",
                  "labels: {fairlead.dev/queue: q, fairlead.dev/preemptible: \"false\"}") +
                Class("low", 3) +
                NativePod("p0", "labels: {fairlead.dev/queue: r}", "priorityClassName: low"),
            {"pod a/p0 pending workload=a/g[0] priority=9",
             "workload a/g queue=q priority=9 non-preemptible never-preempts silent main=2/2"}},
        Row{"Topology",
            Group(kNative,
                  std::string(kGangOfTwo) + ", schedulingConstraints: {topology: [{key: rack}]}"),
            {"workload a/g queue=default silent main=2/2 near(0: required rack of rack)"}},
        Row{"TwoTopologies",
            Group(kNative, std::string(kGangOfTwo) +
                               ", schedulingConstraints: {topology: [{key: rack}, {key: zone}]}"),
            {"workload a/g queue=default "
             "hold=UnsupportedConstraint(spec.schedulingConstraints.topology[1]) silent "
             "main=2/2"}},
        Row{"Claims",
            Group(kNative, std::string(kGangOfTwo) + ", resourceClaims: [{name: c}]"),
            {"workload a/g queue=default hold=UnsupportedConstraint(spec.resourceClaims) silent "
             "main=2/2"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Coscheduling, PodGroupsTest,
    testing::Values(
        Row{"BothLabels",
            Group(kCoscheduling, "minMember: 1") +
                Pod("p0", "labels: {scheduling.x-k8s.io/pod-group: g}") +
                Pod("p1", "labels: {pod-group.scheduling.sigs.k8s.io: g}"),
            {"pod a/p0 pending workload=a/g[0]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=default anytime silent main=1/2"}},
        Row{"ItsObjectIsMissing",
            Pod("p0", "labels: {scheduling.x-k8s.io/pod-group: g}"),
            {"pod a/p0 pending solo queue=default hold=WorkloadNotFound"}},
        // KAI's counts: whose pods name the other wait.
        Row{"OneNameOfTwo",
            Group(kCoscheduling, "minMember: 1") + Group(kKai, "queue: q, minMember: 1") +
                Pod("p0", "labels: {scheduling.x-k8s.io/pod-group: g}") +
                Pod("p1", "annotations: {pod-group-name: g}"),
            {"pod a/p0 pending solo queue=default hold=WorkloadNotFound",
             "pod a/p1 pending workload=a/g[0] priority=50",
             "workload a/g queue=q priority=50 silent main=1/1"}},
        Row{"OfAJobThatIsOneWorkload",
            Group(kCoscheduling, "minMember: 5") +
                Job("j", "uid: u, annotations: {fairlead.dev/gang: \"true\"}", "parallelism: 1") +
                Pod("p", "labels: {scheduling.x-k8s.io/pod-group: g}, " + OfJob("j")),
            {"pod a/p pending workload=a/j[0]", "workload a/g queue=default silent main=5/5",
             "workload a/j queue=default silent main=1/1"}},
        Row{"OfAJobThatIsNone",
            Group(kCoscheduling, "minMember: 1") + Job("j", "uid: u", "parallelism: 1") +
                Pod("p", "labels: {scheduling.x-k8s.io/pod-group: g}, " + OfJob("j")),
            {"pod a/p pending workload=a/g[0]", "workload a/g queue=default silent main=1/1"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Volcano, PodGroupsTest,
    testing::Values(
        Row{"Tasks",
            Group(kVolcano, "queue: q, minMember: 3, minTaskMember: {worker: 2, ps: 1}") +
                Pod("p0",
                    "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: "
                    "worker}") +
                Pod("p1",
                    "annotations: {scheduling.volcano.sh/group-name: g}, labels: "
                    "{volcano.sh/task-spec: ps}"),
            {"pod a/p0 pending workload=a/g[1]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=q silent ps=1/1 worker=2/2"}},
        // As in Volcano, the tasks' minima are put aside.
        Row{"ATotalBelowTheTasks",
            Group(kVolcano, "minMember: 1, minTaskMember: {worker: 2, ps: 1}") +
                Pod("p0",
                    "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: "
                    "worker}"),
            {"pod a/p0 pending workload=a/g[0]", "workload a/g queue=default silent main=1/1"}},
        Row{"ATotalAboveTheTasks",
            Group(kVolcano, "minMember: 4, minTaskMember: {worker: 2, ps: 1}"),
            {"workload a/g queue=default hold=UnsupportedConstraint(spec.minMember) silent ps=1/1 "
             "worker=2/2"}},
        Row{"Network",
            Group(kVolcano, "minMember: 1, networkTopology: {mode: hard, highestTierAllowed: 2}"),
            {"workload a/g queue=default hold=TopologyNotFound silent main=1/1"}},
        Row{"NetworkOfNoMode",
            Group(kVolcano, "minMember: 1, networkTopology: {}"),
            {"workload a/g queue=default hold=TopologyNotFound silent main=1/1"}},
        Row{"NetworkIfItCanBe",
            Group(kVolcano, "minMember: 1, networkTopology: {mode: soft}"),
            {"workload a/g queue=default silent main=1/1"}},
        Row{"NoSuchTask",
            Group(kVolcano, "minMember: 3, minTaskMember: {worker: 2, ps: 1}") +
                Pod("p0",
                    "annotations: {scheduling.k8s.io/group-name: g, volcano.sh/task-spec: "
                    "driver}"),
            {"pod a/p0 pending solo queue=default hold=WorkloadNotFound",
             "workload a/g queue=default silent ps=1/1 worker=2/2"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    SubGroups, PodGroupsTest,
    testing::Values(
        Row{"Flat",
            Group(kKai,
                  "queue: q, minMember: 3, subGroups: [{name: one, minMember: 1}, {name: two, "
                  "minMember: 2}]") +
                Pod("p0",
                    "annotations: {pod-group-name: g}, labels: {kai.scheduler/subgroup-name: "
                    "two}"),
            {"pod a/p0 pending workload=a/g[1] priority=50",
             "workload a/g queue=q priority=50 silent one=1/1 two=2/2"}},
        // All of a parent's are needed, as of the group's.
        Row{"Nested",
            Group(kKai,
                  "minSubGroup: 1, subGroups: [{name: all, minSubGroup: 2}, {name: one, "
                  "parent: all}, {name: two, parent: all, minMember: 2}]"),
            {"workload a/g queue=default priority=50 silent one=1/1 two=2/2"}},
        Row{"SomeOfThem",
            Group(kKai,
                  "subGroups: [{name: all, minSubGroup: 1}, {name: one, parent: all}, {name: "
                  "two, parent: all}]"),
            {"workload a/g queue=default priority=50 "
             "hold=UnsupportedConstraint(spec.subGroups[0].minSubGroup) silent one=1/1 two=1/1"}},
        Row{"ATotalOfAParent",
            Group(kKai, "subGroups: [{name: all, minMember: 3}, {name: one, parent: all}]"),
            {"workload a/g queue=default priority=50 "
             "hold=UnsupportedConstraint(spec.subGroups[0].minMember) silent one=1/1"}},
        Row{"TopologyOfOne",
            Group(kKai,
                  "subGroups: [{name: one, topologyConstraint: {requiredTopologyLevel: "
                  "topology.kubernetes.io/zone}}, {name: two}]"),
            {"workload a/g queue=default priority=50 silent one=1/1 two=1/1 near(0: required "
             "topology.kubernetes.io/zone of topology.kubernetes.io/zone)"}},
        Row{"TopologyOfSeveralTogether",
            Group(kKai,
                  "topologyConstraint: {topology: zone, preferredTopologyLevel: zone}, subGroups: "
                  "[{name: all, topologyConstraint: {topology: nvidia, requiredTopologyLevel: "
                  "leaf}}, {name: one, parent: all}, {name: two}, {name: three, parent: all}]"),
            {"workload a/g queue=default priority=50 silent one=1/1 two=1/1 three=1/1 near(0,1,2: "
             "preferred topology.kubernetes.io/zone of topology.kubernetes.io/zone) near(0,2: "
             "required network.topology.nvidia.com/leaf of network.topology.nvidia.com/core,"
             "network.topology.nvidia.com/spine,network.topology.nvidia.com/leaf)"}},
        Row{"TopologyWithinAnother",
            Group(kKai,
                  "subGroups: [{name: all, topologyConstraint: {requiredTopologyLevel: r}}, {name: "
                  "one, parent: all, topologyConstraint: {requiredTopologyLevel: r}}]"),
            {"workload a/g queue=default priority=50 "
             "hold=UnsupportedConstraint(spec.subGroups[1].topologyConstraint) silent one=1/1"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Kueue, PodGroupsTest,
    testing::Values(
        Row{"All",
            KueuePod("p0", "2") + KueuePod("p1", "2"),
            {"pod a/p0 pending workload=a/g[0]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=default silent main=2/2"}},
        Row{"SomeAreMissing",
            KueuePod("p0", "3", "kueue.x-k8s.io/queue-name: q"),
            {"pod a/p0 pending workload=a/g[0]", "workload a/g queue=q silent main=3/3"}},
        Row{"OneTooMany",
            KueuePod("p0", "1") + KueuePod("p1", "1"),
            {"pod a/p0 pending workload=a/g[0]",
             "pod a/p1 pending workload=a/g[0] hold=NotInAdmittedCount",
             "workload a/g queue=default silent main=1/1"}},
        Row{"TheyDisagree",
            KueuePod("p0", "2") + KueuePod("p1", "3"),
            {"pod a/p0 pending workload=a/g[0]", "pod a/p1 pending workload=a/g[0]",
             "workload a/g queue=default "
             "hold=GroupInvalid(metadata.annotations['kueue.x-k8s.io/pod-group-total-count']) "
             "silent main=3/3"}},
        Row{"AnObjectHasItsName",
            Group(kCoscheduling, "minMember: 1") + KueuePod("p0", "1"),
            {"pod a/p0 pending solo queue=default hold=WorkloadNotFound",
             "workload a/g queue=default silent main=1/1"}}),
    RowName());

class GroupFindingsTest : public testing::TestWithParam<Row> {};
TEST_P(GroupFindingsTest, AreTold) {
  World world;
  world.Upsert(GetParam().yaml);
  world.Take();
  EXPECT_THAT(world.Findings(), testing::ElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Of, GroupFindingsTest,
    testing::Values(
        Row{"SeveralGroups",
            Group(kCoscheduling, "minMember: 1") +
                Pod("p",
                    "labels: {scheduling.x-k8s.io/pod-group: g, kueue.x-k8s.io/pod-group-name: "
                    "h}, annotations: {scheduling.k8s.io/group-name: g}"),
            {"Pod a/p: GroupPassedOver: it names other groups besides g, which counts: annotation "
             "scheduling.k8s.io/group-name (g), label kueue.x-k8s.io/pod-group-name (h)"}},
        Row{"Elsewhere",
            Group(kCoscheduling, "minMember: 1") +
                "{apiVersion: v1, kind: Pod, metadata: {namespace: b, name: p, labels: "
                "{scheduling.x-k8s.io/pod-group: g}}, spec: {schedulerName: fairlead, containers: "
                "[{name: c}]}}\n",
            {"Pod b/p: GroupElsewhere: a group g is in a, but a pod is only of groups of its own "
             "namespace",
             "Pod b/p: WorkloadNotFound: the PodGroup (scheduling.x-k8s.io) b/g that the pod names "
             "is not there"}},
        Row{"OneNameOfTwo",
            Group(kCoscheduling, "minMember: 1") + Group(kVolcano, "minMember: 1"),
            {"PodGroup a/g: NameTaken: it is of scheduling.volcano.sh, and one of "
             "scheduling.x-k8s.io has the same name, and counts"}},
        Row{"OfAJob",
            Job("j", "uid: u, annotations: {fairlead.dev/gang: \"true\"}", "parallelism: 1") +
                Group(kCoscheduling, "minMember: 1") +
                Pod("p", "labels: {scheduling.x-k8s.io/pod-group: g}, " + OfJob("j")),
            {"Pod a/p: GroupPassedOver: it names the group g, but is of the Job a/j, which "
             "counts"}},
        // A pod does, and a template of pods.
        Row{"OnAJobItself",
            Job("j", "labels: {kueue.x-k8s.io/pod-group-name: g}", "parallelism: 1"),
            {"Job a/j: NotSupported: label kueue.x-k8s.io/pod-group-name (a group of pods that "
             "starts together) is passed over: it is read of pods, and of their template"}},
        Row{"NoNumber",
            KueuePod("p", "many"),
            {"PodGroup a/g: GroupInvalid: annotation kueue.x-k8s.io/pod-group-total-count is "
             "\"many\", expected a whole number from 1 to 10000000"}},
        Row{"TooLarge",
            KueuePod("p", "1000000000"),
            {"PodGroup a/g: GroupInvalid: annotation kueue.x-k8s.io/pod-group-total-count is "
             "\"1000000000\", expected a whole number from 1 to 10000000"}}),
    RowName());

TEST(PodGroupsOfOthers, AreLeftToTheirSchedulerUntilAPodOfOursComes) {
  World world;
  const auto is_there = testing::Contains(testing::StartsWith("workload a/g "));
  world.Upsert(Group(kKai, "minMember: 1"));
  EXPECT_THAT(WorkIn(world), is_there);  // whose it is nobody has said yet
  world.Upsert(OthersPod("theirs-0"));
  EXPECT_THAT(WorkIn(world), testing::Not(is_there));
  world.Upsert(Pod("ours", "annotations: {pod-group-name: g}"));
  EXPECT_THAT(WorkIn(world), is_there);
  EXPECT_THAT(WorkIn(world), testing::Contains("pod a/ours pending workload=a/g[0] priority=50"));
  world.intake.Remove("Pod", "a", "ours");
  EXPECT_THAT(WorkIn(world), testing::Not(is_there));
  world.intake.Remove("Pod", "a", "theirs-0");
  EXPECT_THAT(WorkIn(world), is_there);
}

TEST(PodGroupsOfOthers, TakeNoNameFromAJobOfOurs) {
  World world;
  world.Upsert(Queue("q") + Group(kKai, "queue: lost, minMember: 1") + OthersPod("theirs-0") +
               Job("g", "labels: {fairlead.dev/queue: q}", "suspend: true, parallelism: 2"));
  EXPECT_THAT(WorkIn(world), testing::Contains("workload a/g queue=q main=2/2 expects=cpu:2"));
  EXPECT_THAT(world.Findings(), testing::IsEmpty());
}

class GroupFaultTest : public testing::TestWithParam<FaultRow> {};
TEST_P(GroupFaultTest, IsNamed) {
  objects::Manifest manifest;
  objects::ReadText(GetParam().yaml, "f.yaml", AllDecoders(), manifest);
  ASSERT_EQ(manifest.faults.size(), 1u);
  EXPECT_EQ(manifest.faults.front().ToString(), GetParam().expected);
  EXPECT_TRUE(manifest.objects.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Of, GroupFaultTest,
    testing::Values(
        FaultRow{"Negative", Group(kCoscheduling, "minMember: -1"),
                 "f.yaml:1: PodGroup a/g: spec.minMember: found number -1, expected a whole number "
                 "from 0 "
                 "to 10000000"},
        FaultRow{"TooMany", Group(kVolcano, "minMember: 1000000000"),
                 "f.yaml:1: PodGroup a/g: spec.minMember: found number 1000000000, expected a "
                 "whole number "
                 "from 0 to 10000000"},
        FaultRow{"Task", Group(kVolcano, "minTaskMember: {ps: -2}"),
                 "f.yaml:1: PodGroup a/g: spec.minTaskMember.ps: found number -2, expected a whole "
                 "number "
                 "from 0 to 10000000"},
        FaultRow{
            "NoCount", Group(kNative, "schedulingPolicy: {gang: {}}"),
            "f.yaml:1: PodGroup a/g: spec.schedulingPolicy.gang.minCount: found none, expected "
            "the least number of pods"},
        FaultRow{"CountOfNone", Group(kNative, "schedulingPolicy: {gang: {minCount: 0}}"),
                 "f.yaml:1: PodGroup a/g: spec.schedulingPolicy.gang.minCount: found number 0, "
                 "expected a "
                 "whole number from 1 to 10000000"},
        FaultRow{"BothPolicies",
                 Group(kNative, "schedulingPolicy: {basic: {}, gang: {minCount: 1}}"),
                 "f.yaml:1: PodGroup a/g: spec.schedulingPolicy: found both of "
                 "schedulingPolicy.basic and schedulingPolicy.gang, expected one"},
        FaultRow{
            "Parent", Group(kKai, "subGroups: [{name: one, parent: two}]"),
            "f.yaml:1: PodGroup a/g: spec.subGroups[0].parent: found \"two\", expected the name "
            "of another sub-group"},
        FaultRow{"Circle",
                 Group(kKai, "subGroups: [{name: one, parent: two}, {name: two, parent: one}]"),
                 "f.yaml:1: PodGroup a/g: spec.subGroups[0].parent: found \"two\", which is below "
                 "\"one\" itself, expected no circle"},
        FaultRow{"Twice", Group(kKai, "subGroups: [{name: one}, {name: one}]"),
                 "f.yaml:1: PodGroup a/g: spec.subGroups[1].name: found \"one\" a second time, "
                 "expected unique names"}),
    RowName());

class WrittenGroupTest : public testing::TestWithParam<Row> {};
TEST_P(WrittenGroupTest, SaysTheSame) {
  const std::vector<objects::Object> read = Read(GetParam().yaml);
  ASSERT_EQ(read.size(), 1u);
  std::vector<objects::Object> again = Read(boost::json::serialize(objects::ToJson(read.front())));
  ASSERT_EQ(again.size(), 1u);
  objects::MetaOf(again.front()).source = objects::MetaOf(read.front()).source;
  EXPECT_EQ(again.front(), read.front());
}

INSTANTIATE_TEST_SUITE_P(
    Of, WrittenGroupTest,
    testing::Values(
        Row{"Native",
            Group(kNative,
                  std::string(kGangOfTwo) + ", disruptionMode: {all: {}}, priorityClassName: c"),
            {}},
        Row{"FirstVersion",
            Group(kFirst, std::string(kGangOfTwo) + ", disruptionMode: PodGroup"),
            {}},
        Row{"Basic", Group(kNative, "schedulingPolicy: {basic: {}}, priority: 3"), {}},
        Row{"Topology",
            Group(kNative,
                  std::string(kGangOfTwo) + ", schedulingConstraints: {topology: [{key: rack}]}"),
            {}},
        Row{"Kai", Group(kKai, "queue: q, minMember: 3, preemptibility: non-preemptible"), {}},
        Row{"SubGroups",
            Group(kKai,
                  "queue: q, subGroups: [{name: one, minMember: 1}, {name: two, minMember: "
                  "2}]"),
            {}},
        Row{"KaiTopology",
            Group(kKai,
                  "minMember: 1, topologyConstraint: {topology: t, requiredTopologyLevel: b, "
                  "preferredTopologyLevel: r}"),
            {}},
        Row{"TopologiesOfSubGroups",
            Group(kKai,
                  "subGroups: [{name: all, topologyConstraint: {requiredTopologyLevel: r}}, {name: "
                  "one, parent: all}, {name: two, parent: all}, {name: own, topologyConstraint: "
                  "{preferredTopologyLevel: r}}]"),
            {}},
        Row{"SomeSubGroups",
            Group(kKai, "minSubGroup: 1, subGroups: [{name: one}, {name: two}]"),
            {}},
        Row{"Coscheduling", Group(kCoscheduling, "minMember: 4"), {}},
        Row{"Volcano",
            Group(kVolcano, "queue: q, minMember: 3, minTaskMember: {ps: 1, worker: 2}"),
            {}},
        Row{"VolcanoNetwork", Group(kVolcano, "minMember: 3, networkTopology: {mode: hard}"), {}},
        Row{"VolcanoTier",
            Group(kVolcano, "minMember: 3, networkTopology: {highestTierName: spine}"),
            {}},
        Row{"VolcanoSoft", Group(kVolcano, "minMember: 3, networkTopology: {mode: soft}"), {}}),
    RowName());

// Which of the four is gone is told by its qualified kind; the next one counts then.
TEST(PodGroups, OfOneNameGoOneByOne) {
  World world;
  world.Upsert(Group(kCoscheduling, "minMember: 1") + Group(kVolcano, "minMember: 2"));
  EXPECT_THAT(WorkIn(world), testing::ElementsAre("workload a/g queue=default silent main=1/1"));
  EXPECT_TRUE(world.intake.Remove("PodGroup.scheduling.x-k8s.io", "a", "g"));
  EXPECT_FALSE(world.intake.Remove("PodGroup.scheduling.x-k8s.io", "a", "g"));
  EXPECT_THAT(WorkIn(world), testing::ElementsAre("workload a/g queue=default silent main=2/2"));
  EXPECT_TRUE(world.intake.Remove("PodGroup.scheduling.volcano.sh", "a", "g"));
  EXPECT_TRUE(WorkIn(world).empty());
}

// A group without an object is gone with the last of its pods.
TEST(PodGroups, OfKueueGoWithTheirPods) {
  World world;
  world.Upsert(KueuePod("p0", "2") + KueuePod("p1", "2"));
  world.Take();
  world.intake.Remove("Pod", "a", "p0");
  world.Take();
  world.intake.Remove("Pod", "a", "p1");
  EXPECT_TRUE(WorkIn(world).empty());
}

}  // namespace
}  // namespace fairlead::intake
