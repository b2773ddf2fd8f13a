#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/base/at.h"
#include "unit/base/row_name.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// One change later: exactly what it touches comes out, and nothing where nothing changed.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

std::string Base() {
  return NameSpace("a", "team") + NameSpace("b") + Queue("team") + Queue("rich") +
         Class("high", 10) + Node("n1", "cpu: 8") + Node("n2", "cpu: 8") +
         Workload("w", "podSets: [{count: 2}]") + Pod("free") +
         Pod("named", "labels: {fairlead.dev/queue: rich}") +
         Pod("high", "", "priorityClassName: high") + Pod("w0", kMember) + Pod("w1", kMember) +
         "{apiVersion: v1, kind: Pod, metadata: {namespace: b, name: other}, spec: {schedulerName: "
         "fairlead, containers: [{name: c}]}}\n---\n";
}

struct ChangeRow {
  std::string name;
  std::string change;  // upserted
  std::vector<std::string> expected;
};
void PrintTo(const ChangeRow& row, std::ostream* out) { *out << row.change; }

class RejoinTest : public testing::TestWithParam<ChangeRow> {};

TEST_P(RejoinTest, Gives) {
  World world;
  world.Upsert(Base());
  world.Take();
  world.Upsert(GetParam().change, 60);
  EXPECT_THAT(world.Take(), ElementsAreArray(GetParam().expected));
  world.Upsert(GetParam().change, 120);
  EXPECT_THAT(world.Take(), IsEmpty()) << "the same again";
}

INSTANTIATE_TEST_SUITE_P(
    Objects, RejoinTest,
    testing::Values(
        ChangeRow{"Everything", Base(), {}},
        ChangeRow{"NamespaceMoves",
                  NameSpace("a", "rich"),
                  {"workload a/w queue=rich main=2/2", "pod a/free pending solo queue=rich",
                   "pod a/high pending solo queue=rich priority=10",
                   "pod a/named pending solo queue=rich"}},
        ChangeRow{"NamespaceIsFree",
                  NameSpace("a"),
                  {"workload a/w queue=default main=2/2", "pod a/free pending solo queue=default",
                   "pod a/high pending solo queue=default priority=10",
                   "pod a/named pending solo queue=rich"}},
        ChangeRow{"OtherNamespace",
                  NameSpace("b", "rich"),
                  {"gone queue default", "pod b/other pending solo queue=rich"}},
        ChangeRow{"QueueComesBelow",
                  Queue("rich", "parent: team"),
                  {"queue rich parent=team", "pod a/named pending solo queue=rich"}},
        ChangeRow{
            "QueueChangesItsLimit", Queue("team", "limit: {cpu: 4}"), {"queue team limit=cpu:4"}},
        ChangeRow{
            "ClassChanges", Class("high", 20), {"pod a/high pending solo queue=team priority=20"}},
        ChangeRow{"DefaultClassComes",
                  Class("usual", 3, "globalDefault: true"),
                  {"workload a/w queue=team priority=3 main=2/2",
                   "pod a/free pending solo queue=team priority=3",
                   "pod a/named pending solo queue=rich priority=3 hold=QueueNotAllowed",
                   "pod a/w0 pending workload=a/w[0] priority=3",
                   "pod a/w1 pending workload=a/w[0] priority=3",
                   "pod b/other pending solo queue=default priority=3"}},
        ChangeRow{"UnusedClassComes", Class("usual", 3), {}},
        ChangeRow{"WorkloadMoves", Workload("w", "queueName: team, podSets: [{count: 2}]"), {}},
        ChangeRow{"WorkloadGrows",
                  Workload("w", "podSets: [{count: 5, minCount: 1}]"),
                  {"workload a/w queue=team main=1/5"}},
        ChangeRow{"WorkloadTakesAPriority",
                  Workload("w", "priority: 4, podSets: [{count: 2}]"),
                  {"workload a/w queue=team priority=4 main=2/2",
                   "pod a/w0 pending workload=a/w[0] priority=4",
                   "pod a/w1 pending workload=a/w[0] priority=4"}},
        ChangeRow{"WorkloadLosesItsPodSet",
                  Workload("w", "podSets: [{name: x, count: 1}, {name: z, count: 1}]"),
                  {"workload a/w queue=team x=1/1 z=1/1",
                   "pod a/w0 pending solo queue=team hold=WorkloadNotFound",
                   "pod a/w1 pending solo queue=team hold=WorkloadNotFound"}},
        ChangeRow{"WorkloadShrinks",
                  Workload("w", "podSets: [{count: 1}]"),
                  {"workload a/w queue=team main=1/1",
                   "pod a/w1 pending workload=a/w[0] hold=NotInAdmittedCount"}},
        ChangeRow{"WorkloadCarriesItsStart",
                  Workload("w", "podSets: [{count: 2}]", "{startTime: 2026-01-01T00:01:00Z}"),
                  {"workload a/w queue=team start=2026-01-01T00:01:00Z main=2/2"}},
        ChangeRow{"PodIsBound",
                  Pod("w0", kMember, "nodeName: n1"),
                  {"pod a/w0 bound=n1 workload=a/w[0]"}},
        ChangeRow{
            "PodSucceeds",
            Pod("w0", kMember, "nodeName: n1", "{phase: Succeeded}"),
            {"workload a/w queue=team main=2/2 succeeded=1", "pod a/w0 finished workload=a/w[0]"}},
        ChangeRow{"PodLeavesItsWorkload", Pod("w0"), {"pod a/w0 pending solo queue=team"}},
        ChangeRow{"PodBeyondTheCountComes",
                  Pod("w2", kMember),
                  {"pod a/w2 pending workload=a/w[0] hold=NotInAdmittedCount"}},
        ChangeRow{"PodBeforeTheOthersComes",
                  Pod("v", kMember),
                  {"pod a/v pending workload=a/w[0]",
                   "pod a/w1 pending workload=a/w[0] hold=NotInAdmittedCount"}},
        ChangeRow{"PhaseOnly", Pod("free", "", "", "{phase: Pending}"), {}},
        ChangeRow{"LabelOfNoConcern", Pod("free", "labels: {app: x}"), {}},
        ChangeRow{"NodeIsCordoned",
                  "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {unschedulable: true}, "
                  "status: {allocatable: {cpu: 8}}}",
                  {"node n1 cpu:8 cordoned"}},
        ChangeRow{
            "Configuration",
            "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, defaultQueue: rich, "
            "nodeSelector: {pool: b}}",
            {"gone node n1", "gone node n2", "gone queue default", "configuration fairlead",
             "pod b/other pending solo queue=rich"}}),
    RowName());

TEST(QueueOfJobTest, PodsFollowTheQueueOfTheirJob) {
  const auto job = [](std::string_view queue) {
    return Job("j", "uid: u, labels: {fairlead.dev/queue: " + std::string(queue) + "}",
               "parallelism: 1");
  };
  World world;
  world.Upsert(Queue("team") + Queue("rich") + job("team") + Pod("p", OfJob("j")));
  EXPECT_THAT(world.Take(), testing::Contains("pod a/p pending solo queue=team"));
  world.Upsert(job("rich"), 60);
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p pending solo queue=rich"));
  world.intake.Remove("Job", "a", "j");
  EXPECT_THAT(world.Take(), ElementsAre("queue default", "pod a/p pending solo queue=default"));
}

TEST(RemoveTest, WorkloadGoes) {
  World world;
  world.Upsert(Base());
  world.Take();
  EXPECT_TRUE(world.intake.Remove("Workload", "a", "w"));
  EXPECT_THAT(world.Take(), ElementsAre("gone workload a/w",
                                        "pod a/w0 pending solo queue=team hold=WorkloadNotFound",
                                        "pod a/w1 pending solo queue=team hold=WorkloadNotFound"));
  EXPECT_FALSE(world.intake.Remove("Workload", "a", "w"));
}

TEST(RemoveTest, PodGoes) {
  World world;
  world.Upsert(Base());
  world.Take();
  EXPECT_TRUE(world.intake.Remove("Pod", "b", "other"));
  EXPECT_THAT(world.Take(), ElementsAre("gone queue default", "gone pod b/other"));
  EXPECT_FALSE(world.intake.Remove("Pod", "b", "other"));
}

TEST(RemoveTest, PodThatWasNeverGivenLeavesNoTrace) {
  World world;
  world.Upsert(Pod("p"));
  EXPECT_TRUE(world.intake.Remove("Pod", "a", "p"));
  EXPECT_THAT(world.Take(), IsEmpty());
}

TEST(RemoveTest, AnotherPodOfTheNameIsAnotherPod) {
  World world;
  world.Upsert(Pod("p", "uid: u1", "nodeName: n1"));
  world.Take();
  world.Upsert(Pod("p", "uid: u2"));
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/p", "pod a/p pending solo queue=default"));
}

TEST(RemoveTest, SurplusPodMovesUp) {
  World world;
  world.Upsert(Workload("w", "podSets: [{count: 1}]") + Pod("p0", kMember) + Pod("p1", kMember));
  world.Take();
  world.intake.Remove("Pod", "a", "p0");
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/p0", "pod a/p1 pending workload=a/w[0]"));
}

TEST(RemoveTest, QueueAndClassGo) {
  World world;
  world.Upsert(Base());
  world.Take();
  EXPECT_TRUE(world.intake.Remove("Queue", "", "rich"));
  EXPECT_TRUE(world.intake.Remove("PriorityClass", "", "high"));
  EXPECT_THAT(world.Take(), ElementsAre("gone queue rich",
                                        "pod a/high pending solo queue=team "
                                        "hold=UnsupportedConstraint(spec.priorityClassName)",
                                        "pod a/named pending solo queue=rich"));
}

TEST(PoolTest, NodesEnterAndLeaveThePoolWithTheirPods) {
  World world;
  world.Upsert(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, nodeSelector: {pool: b}}");
  world.Upsert(Pod("p", "", "nodeName: n1") + Pod("q", "", "nodeName: n2") + Node("n2", "cpu: 1"));
  EXPECT_THAT(world.Take(), ElementsAre("configuration fairlead", "queue default",
                                        "pod a/p bound=n1 solo queue=default"));
  world.Upsert(Node("n1", "cpu: 8"));
  EXPECT_THAT(world.Take(), ElementsAre("gone pod a/p"));
  world.Upsert(Node("n1", "cpu: 8", "labels: {pool: b}"));
  EXPECT_THAT(world.Take(), ElementsAre("node n1 cpu:8", "pod a/p bound=n1 solo queue=default"));
  world.Upsert(Node("n1", "cpu: 8"));
  EXPECT_THAT(world.Take(), ElementsAre("gone node n1", "gone pod a/p"));
  world.intake.Remove("Node", "", "n1");
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p bound=n1 solo queue=default"));
}

// An absent creation time is that of the first sight, not of the last.
TEST(CreatedTest, IsTheFirstSight) {
  World world;
  world.Upsert(Pod("p"), 10);
  const auto first = world.intake.TakeChanges();
  world.Upsert(Pod("p", "", "nodeName: n1"), 20);
  const auto second = world.intake.TakeChanges();
  const Time created = std::get<state::PodChange>(first.back()).created;
  EXPECT_EQ(FormatTime(created), "2026-01-01T00:00:10Z");
  EXPECT_EQ(std::get<state::PodChange>(second.back()).created, created);
}

TEST(NeedsTest, EqualNeedsShareOnePointer) {
  World world;
  const std::string cpu = "nodeSelector: {zone: z1}";
  world.Upsert(Pod("p0", "", cpu) + Pod("p1") + Pod("p2", "", cpu));
  std::vector<state::NeedsPtr> needs;
  for (const state::Change& change : world.intake.TakeChanges()) {
    if (const auto* pod = std::get_if<state::PodChange>(&change)) needs.push_back(pod->needs);
  }
  ASSERT_EQ(needs.size(), 3u);
  EXPECT_EQ(needs[0], needs[2]);
  EXPECT_NE(needs[0], needs[1]);
}

TEST(NewestTimeTest, IsTheNewestOfKubernetesOwnObjects) {
  EXPECT_EQ(FormatTime(NewestTime({})), "2000-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(NewestTime(
                Read(Pod("p", "creationTimestamp: 2026-01-01T00:00:05Z") +
                     Pod("q", "creationTimestamp: 2026-01-01T00:00:03Z") +
                     "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q, "
                     "creationTimestamp: 2027-01-01T00:00:00Z}}\n---\n"
                     "{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: k, "
                     "creationTimestamp: 2027-01-01T00:00:00Z}}"))),
            "2026-01-01T00:00:05Z");
}

// Whoever knows that a pod has changed its status alone says so, and the same comes out.
TEST(UpsertStatus, TellsWhatUpsertTells) {
  World whole, status;
  for (World* world : {&whole, &status}) {
    world->Upsert(Base());
    world->Take();
  }
  for (const char* name : {"free", "named", "high", "w0", "w1"}) {
    auto pod = One<objects::Pod>(Pod(name, name[0] == 'w' ? kMember : ""));
    if (std::string_view(name) == "named") pod.meta.labels = {{"fairlead.dev/queue", "rich"}};
    if (std::string_view(name) == "high") pod.spec.priority_class_name = "high";
    const auto changes = std::to_array<void (*)(objects::Pod&)>({
        [](objects::Pod& of) {
          of.spec.node_name = "n1";
          of.scheduled_time = At(70);
        },
        [](objects::Pod& of) {
          of.phase = objects::PodPhase::kRunning;
          of.start_time = At(80);
        },
        [](objects::Pod& /*of*/) {},
        [](objects::Pod& of) { of.meta.deletion_time = At(90); },
        [](objects::Pod& of) {
          of.phase = objects::PodPhase::kSucceeded;
          of.finish_time = At(95);
        },
    });
    int told = 0;
    for (const auto& change : changes) {
      change(pod);
      whole.Upsert(pod, 100);
      status.intake.UpsertStatus(pod, At(100));
      const std::vector<std::string> lines = whole.Take();
      EXPECT_EQ(status.Take(), lines);
      told += lines.empty() ? 0 : 1;
    }
    EXPECT_GE(told, 3);
  }
  EXPECT_EQ(status.Picture(), whole.Picture());
  // One that was not told of is told whole.
  const auto fresh = One<objects::Pod>(Pod("fresh"));
  whole.Upsert(fresh, 100);
  status.intake.UpsertStatus(fresh, At(100));
  const std::vector<std::string> lines = whole.Take();
  EXPECT_EQ(lines.size(), 1U);
  EXPECT_EQ(status.Take(), lines);
}

// A million names are kept once, by all who know the pod.
TEST(RejoinTest, ChangesShareTheNameOfThePod) {
  Intake intake;
  const Text key("a/p");
  for (const char* phase : {"{}", "{phase: Failed}"}) {
    const auto pod = One<objects::Pod>(Pod("p", "", "nodeName: n1", phase));
    intake.Upsert(pod, At(0), key);
    int told = 0;
    for (const state::Change& change : intake.TakeChanges()) {
      const auto* told_pod = std::get_if<state::PodChange>(&change);
      if (told_pod == nullptr) continue;
      ++told;
      EXPECT_EQ(told_pod->name.view().data(), key.view().data());
    }
    EXPECT_EQ(told, 1);
  }
}

}  // namespace
}  // namespace fairlead::intake
