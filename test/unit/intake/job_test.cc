#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// batch/v1 Jobs: when one is a workload, how many of its pods must run at once, and whose its pods
// are.

namespace fairlead::intake {
namespace {

struct Row {
  std::string name;
  std::string yaml;
  std::vector<std::string> expected;
};
std::string NameOf(const testing::TestParamInfo<Row>& info) { return info.param.name; }
void PrintTo(const Row& row, std::ostream* out) { *out << row.yaml; }

class JobTest : public testing::TestWithParam<Row> {};

TEST_P(JobTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Picture(), testing::ElementsAreArray(GetParam().expected));
}

const std::string kGang = "uid: u, annotations: {fairlead.dev/gang: \"true\"}";
const std::string kQueue = "labels: {fairlead.dev/queue: q}";

INSTANTIATE_TEST_SUITE_P(
    Gangs, JobTest,
    testing::Values(
        Row{"NoGang",
            Job("j", "uid: u", "parallelism: 2") + Pod("p", OfJob("j")),
            {"pod a/p pending solo queue=default", "queue default"}},
        Row{"Gang",
            Job("j", kGang, "parallelism: 3, completions: 3") + Pod("p", OfJob("j")),
            {"pod a/p pending workload=a/j[0]", "queue default",
             "workload a/j queue=default silent main=3/3"}},
        Row{"GangByLabel",
            Job("j", "labels: {fairlead.dev/gang: \"true\"}", "parallelism: 3"),
            {"queue default", "workload a/j queue=default silent main=3/3"}},
        Row{"QueueOfTheJob",
            Job("j", "annotations: {fairlead.dev/gang: \"true\"}, " + kQueue, "parallelism: 1") +
                Pod("p", OfJob("j")),
            {"pod a/p pending workload=a/j[0]", "workload a/j queue=q silent main=1/1"}},
        Row{"PriorityOfTheTemplate",
            Class("high", 9) + Job("j", kGang, "parallelism: 1", "", "priorityClassName: high") +
                Pod("p", OfJob("j")),
            {"pod a/p pending workload=a/j[0] priority=9", "queue default",
             "workload a/j queue=default priority=9 silent main=1/1"}},
        // min(parallelism, completions - succeeded): 10 - 8 = 2 are left of 4 at once.
        Row{"LastPods",
            Job("j", kGang, "parallelism: 4, completions: 10", "{succeeded: 8}"),
            {"queue default", "workload a/j queue=default silent main=2/2"}},
        Row{"WorkQueue",
            Job("j", kGang, "parallelism: 4"),
            {"queue default", "workload a/j queue=default silent main=4/4"}},
        // A work queue makes no pod after the first success.
        Row{"WorkQueueEnds",
            Job("j", kGang, "parallelism: 4", "{succeeded: 1, active: 2}"),
            {"queue default", "workload a/j queue=default silent main=2/2"}},
        Row{"NothingLeft",
            Job("j", kGang, "parallelism: 1, completions: 1", "{succeeded: 1}") +
                Pod("p", OfJob("j"), "nodeName: n1", "{phase: Succeeded}"),
            {"pod a/p finished workload=a/j[0]", "queue default"}},
        // More pods than it needs are on nodes still: the engine must see their workload.
        Row{"MoreThanItNeeds",
            Job("j", kGang, "parallelism: 1, completions: 1", "{succeeded: 1}") +
                Pod("p", OfJob("j"), "nodeName: n1"),
            {"pod a/p bound=n1 workload=a/j[0]", "queue default",
             "workload a/j queue=default silent main=0/0"}},
        Row{"Complete",
            Job("j", kGang, "parallelism: 1",
                "{succeeded: 1, conditions: [{type: Complete, status: \"True\"}]}"),
            {"queue default"}},
        Row{"OfAnotherScheduler",
            "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: j, annotations: "
            "{fairlead.dev/gang: \"true\"}}, spec: {template: {spec: {containers: [{name: c}]}}}}",
            {}},
        // A Job made anew under the same name: the pod is of the one before.
        Row{"PodOfAnotherJob",
            Job("j", kGang, "parallelism: 1") + Pod("p", OfJob("j", "before")),
            {"pod a/p pending solo queue=default", "queue default",
             "workload a/j queue=default silent main=1/1"}},
        Row{"ControllerIsNotSaid",
            Job("j", kGang, "parallelism: 1") +
                Pod("p", "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u}]"),
            {"pod a/p pending workload=a/j[0]", "queue default",
             "workload a/j queue=default silent main=1/1"}},
        // A Workload of the same name counts, and the gang's pods are of it.
        Row{"WithAWorkload",
            Job("j", kGang, "parallelism: 2") + Pod("p", OfJob("j")) +
                Workload("j", "queueName: q, podSets: [{count: 2}]"),
            {"pod a/p pending workload=a/j[0]", "workload a/j queue=q main=2/2"}},
        Row{"WithAWorkloadThatItOwns",
            Job("j", "uid: u", "parallelism: 2") + Pod("p", OfJob("j")) +
                "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, "
                "name: j, " +
                OfJob("j") + "}, spec: {queueName: q, podSets: [{count: 2}]}}",
            {"pod a/p pending workload=a/j[0]", "workload a/j queue=q main=2/2"}},
        Row{"WithAWorkloadThatIsNotItsOwn",
            Job("j", "uid: u", "parallelism: 2") + Pod("p", OfJob("j")) +
                Workload("j", "queueName: q, podSets: [{count: 2}]"),
            {"pod a/p pending solo queue=default", "queue default",
             "workload a/j queue=q main=2/2"}}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Suspended, JobTest,
    testing::Values(
        Row{"InAQueue",
            Job("j", kQueue, "suspend: true, parallelism: 5, completions: 3"),
            {"workload a/j queue=q main=3/3 "
             "expects=cpu:2"}},
        Row{"InAQueueOfKueue",
            Job("j", "labels: {kueue.x-k8s.io/queue-name: q}", "suspend: true"),
            {"workload a/j queue=q main=1/1 "
             "expects=cpu:2"}},
        Row{"InNoQueue", NameSpace("a", "q") + Job("j", kGang, "suspend: true"), {}},
        Row{"OfAnotherScheduler",
            "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: j, labels: "
            "{fairlead.dev/queue: q}}, spec: {suspend: true, template: {spec: {containers: [{name: "
            "c}]}}}}",
            {"workload a/j queue=q hold=OtherScheduler(spec.template.spec.schedulerName) main=1/1 "
             "expects="}}),
    NameOf);

TEST(JobLifeTest, AGangRunsToItsEnd) {
  using testing::ElementsAre;
  World world;
  world.Upsert(Job("j", kGang, "parallelism: 2, completions: 2") + Pod("p0", OfJob("j")) +
               Pod("p1", OfJob("j")));
  world.Take();
  world.Upsert(Pod("p0", OfJob("j"), "nodeName: n1", "{phase: Succeeded}"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p0 finished workload=a/j[0]"));
  world.Upsert(Job("j", kGang, "parallelism: 2, completions: 2", "{succeeded: 1}"));
  EXPECT_THAT(world.Take(), ElementsAre("workload a/j queue=default silent main=1/1"));
  world.Upsert(Pod("p1", OfJob("j"), "nodeName: n1", "{phase: Succeeded}"));
  world.Upsert(Job("j", kGang, "parallelism: 2, completions: 2", "{succeeded: 2}"));
  EXPECT_THAT(world.Take(), ElementsAre("gone workload a/j", "pod a/p1 finished workload=a/j[0]"));
}

TEST(JobLifeTest, AGangAnnotationComesLater) {
  using testing::ElementsAre;
  World world;
  world.Upsert(Job("j", "uid: u", "parallelism: 2") + Pod("p0", OfJob("j")));
  world.Take();
  world.Upsert(Job("j", kGang, "parallelism: 2"));
  EXPECT_THAT(world.Take(), ElementsAre("workload a/j queue=default silent main=2/2",
                                        "pod a/p0 pending workload=a/j[0]"));
  world.intake.Remove("Job", "a", "j");
  EXPECT_THAT(world.Take(),
              ElementsAre("gone workload a/j", "pod a/p0 pending solo queue=default"));
}

}  // namespace
}  // namespace fairlead::intake
