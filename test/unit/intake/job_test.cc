#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Jobs of all kinds: when one is a workload, how many of its pods must run at once, and whose its
// pods are.

namespace fairlead::intake {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class JobTest : public testing::TestWithParam<Row> {};

TEST_P(JobTest, Gives) {
  World world;
  world.Upsert(GetParam().yaml);
  EXPECT_THAT(world.Picture(), testing::ElementsAreArray(GetParam().expected));
}

const std::string kGang = "uid: u, annotations: {fairlead.dev/gang: \"true\"}";
const std::string kQueue = "labels: {fairlead.dev/queue: q}";

// The Workload that the Job j owns, admitted with `count` pods of the set `admitted`.
std::string Owned(std::string_view spec, std::string_view admitted = "", int count = 0) {
  std::string text =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, ";
  text.append("name: j, ").append(OfJob("j")).append("}, spec: {").append(spec).append("}");
  if (!admitted.empty()) {
    text.append(", status: {admission: {podSetAssignments: [{name: ").append(admitted);
    text.append(", count: ").append(std::to_string(count)).append("}]}}");
  }
  return text + "}\n---\n";
}

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
            {"pod a/p pending workload=a/j[0]", "workload a/j queue=q main=2/2 expects=cpu:2"}},
        Row{"WithAWorkloadThatIsNotItsOwn",
            Job("j", "uid: u", "parallelism: 2") + Pod("p", OfJob("j")) +
                Workload("j", "queueName: q, podSets: [{count: 2}]"),
            {"pod a/p pending solo queue=default", "queue default",
             "workload a/j queue=q main=2/2"}}),
    RowName());

INSTANTIATE_TEST_SUITE_P(
    Suspended, JobTest,
    testing::Values(
        Row{"InAQueue",
            Job("j", kQueue, "suspend: true, parallelism: 5, completions: 3"),
            {"workload a/j queue=q main=3/3 expects=cpu:2"}},
        Row{"InAQueueOfKueue",
            Job("j", "labels: {kueue.x-k8s.io/queue-name: q}", "suspend: true"),
            {"workload a/j queue=q main=1/1 expects=cpu:2"}},
        Row{"WithAMinimum",
            Job("j", kQueue + ", annotations: {fairlead.dev/min-parallelism: \"2\"}",
                "suspend: true, parallelism: 5"),
            {"workload a/j queue=q main=2/5 expects=cpu:2"}},
        Row{"WithAWrongMinimum",
            Job("j", kQueue + ", annotations: {fairlead.dev/min-parallelism: \"5\"}",
                "suspend: true, parallelism: 5"),
            {"workload a/j queue=q main=5/5 expects=cpu:2"}},
        // Stopped with 8 of 10 done: it waits for its last two.
        Row{"LastPods",
            Job("j", kQueue + ", annotations: {fairlead.dev/min-parallelism: \"3\"}",
                "suspend: true, parallelism: 4, completions: 10", "{succeeded: 8}"),
            {"workload a/j queue=q main=2/2 expects=cpu:2"}},
        // All the pods there can be.
        Row{"AsManyAsThereCanBe",
            Job("j", kQueue, "suspend: true, parallelism: 2147483647, completions: 2147483647"),
            {"workload a/j queue=q main=2147483647/2147483647 expects=cpu:2"}},
        // While it waits it asks what it asks now; while it runs, its Workload says what it asked.
        Row{"WithItsWorkload",
            Job("j", kQueue + ", uid: u", "suspend: true, parallelism: 3") +
                Owned("queueName: r, podSets: [{count: 5, minCount: 2}]"),
            {"workload a/j queue=q main=3/3 expects=cpu:2"}},
        Row{"AdmittedWithFewer",
            Job("j", kQueue + ", uid: u", "parallelism: 3") + Pod("p", OfJob("j")) +
                Owned("queueName: q, podSets: [{count: 5, minCount: 2}]", "main", 3),
            {"pod a/p pending workload=a/j[0]",
             "workload a/j queue=q main=2/5 admitted=3 expects=cpu:2"}},
        Row{"ThatIsKeptOut",
            Job("j", kQueue + ", uid: u", "suspend: true, parallelism: 3") +
                Owned("queueName: q, active: false, podSets: [{count: 3}]"),
            {"workload a/j queue=q inactive main=3/3 expects=cpu:2"}},
        // Its pods beyond the admitted count wait, whatever the job was edited to.
        Row{"EditedWhileItRuns",
            Job("j", kQueue + ", uid: u", "parallelism: 2") + Pod("p0", OfJob("j")) +
                Pod("p1", OfJob("j")) + Owned("queueName: q, podSets: [{count: 1}]", "main", 1),
            {"pod a/p0 pending workload=a/j[0]",
             "pod a/p1 pending workload=a/j[0] hold=NotInAdmittedCount",
             "workload a/j queue=q main=1/1 admitted=1 expects=cpu:2"}},
        Row{"MadeByAnotherJob",
            Job("j",
                kQueue + ", ownerReferences: [{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, "
                         "name: m, uid: u, controller: true}]",
                "suspend: true"),
            {}},
        Row{"InNoQueue", NameSpace("a", "q") + Job("j", kGang, "suspend: true"), {}},
        Row{"OfAnotherScheduler",
            "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: j, labels: "
            "{fairlead.dev/queue: q}}, spec: {suspend: true, template: {spec: {containers: [{name: "
            "c}]}}}}",
            {"workload a/j queue=q hold=OtherScheduler(spec.template.spec.schedulerName) main=1/1 "
             "expects="}}),
    RowName());

const std::string kSuspended = "suspend: true";
const std::string kTwoAtLeast = "suspend: true, schedulingPolicy: {minAvailable: 2}";

INSTANTIATE_TEST_SUITE_P(
    MpiJobs, JobTest,
    testing::Values(
        Row{"InAQueue",
            MpiJob("m", kSuspended, 6),
            {"workload a/m queue=q launcher=1/1 expects=cpu:1 worker=6/6 expects=cpu:2"}},
        Row{"WithAMinimum",
            MpiJob("m", kTwoAtLeast, 6),
            {"workload a/m queue=q launcher=1/1 expects=cpu:1 worker=2/6 expects=cpu:2"}},
        Row{"OfAnotherScheduler",
            MpiJob("m", kSuspended, 6, "volcano"),
            {"workload a/m queue=q "
             "hold=OtherScheduler(spec.mpiReplicaSpecs.Launcher.template.spec.schedulerName) "
             "launcher=1/1 expects=cpu:1 worker=6/6 expects=cpu:2"}},
        Row{"OfWhichNothingIsKnown",
            MpiJob("m", "", 1) + Pod("w", OfMpiJob("m", "worker")),
            {"pod a/w pending solo queue=q"}},
        Row{"AdmittedWithFewer",
            MpiJob("m", "", 3) + Pod("l", OfMpiJob("m", "launcher")) +
                Pod("w", OfMpiJob("m", "worker")) +
                "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, "
                "name: m, " +
                OfMpiJob("m", "none") +
                "}, spec: {queueName: q, podSets: [{name: launcher, count: 1}, {name: worker, "
                "count: 6, minCount: 2}]}, status: {admission: {podSetAssignments: [{name: "
                "launcher, count: 1}, {name: worker, count: 3}]}}}",
            {"pod a/l pending workload=a/m[0]", "pod a/w pending workload=a/m[1]",
             "workload a/m queue=q launcher=1/1 admitted=1 expects=cpu:1 worker=2/6 admitted=3 "
             "expects=cpu:2"}},
        Row{"OfTheNameOfAJob",
            MpiJob("j", kSuspended, 6) + Job("j", kQueue, "suspend: true"),
            {"workload a/j queue=q main=1/1 expects=cpu:2"}},
        Row{"OfTheNameOfAJobThatIsNone",
            MpiJob("j", kSuspended, 6) + Job("j", "uid: u", "parallelism: 1"),
            {"workload a/j queue=q launcher=1/1 expects=cpu:1 worker=6/6 expects=cpu:2"}}),
    RowName());

TEST(JobLifeTest, AJobGivesItsNameToAnother) {
  using testing::ElementsAre;
  World world;
  world.Upsert(MpiJob("j", kSuspended, 1) + Job("j", kQueue, "suspend: true"));
  world.Take();
  world.intake.Remove("Job", "a", "j");
  EXPECT_THAT(world.Take(),
              ElementsAre("workload a/j queue=q launcher=1/1 expects=cpu:1 worker=1/1 "
                          "expects=cpu:2"));
  world.intake.Remove("MPIJob", "a", "j");
  EXPECT_THAT(world.Take(), ElementsAre("gone workload a/j"));
}

TEST(JobFindings, SayWhatIsWrong) {
  World world;
  world.Upsert(Queue("q") +
               Job("a", kQueue + ", annotations: {fairlead.dev/min-parallelism: \"5\"}",
                   "suspend: true, parallelism: 5") +
               Job("b", kQueue + ", uid: u", "suspend: true") +
               Workload("b", "queueName: q, podSets: [{count: 1}]") + MpiJob("c", kSuspended, 2) +
               Job("c", kQueue, "suspend: true") + MpiJob("d", kSuspended, 2, "volcano") +
               MpiJob("e", "suspend: true, schedulingPolicy: {minAvailable: 0}", 2) +
               Job("j", kQueue + ", uid: u", "parallelism: 4") +
               Owned("queueName: q, podSets: [{count: 3}]", "main", 3));
  world.Take();
  EXPECT_THAT(
      world.Findings(),
      testing::ElementsAre(
          "Job a/a: MinimumInvalid: its minimum is \"5\", expected a whole number above 0 and "
          "below "
          "its 5 pods; it is admitted whole or not at all",
          "Job a/b: NameTaken: a Workload of the same name is there that is not the job's own, and "
          "counts; the job stays suspended",
          "Job a/j: JobEdited: it was changed while it runs: main asks for 4 pods and is admitted "
          "with 3; pods beyond that wait, and its next admission is for what it then asks",
          "MPIJob a/c: NameTaken: a queued Job of the same name is there, and counts; the job "
          "stays "
          "suspended",
          "MPIJob a/d: OtherScheduler: the job's pods name the scheduler volcano; add "
          "`schedulerName: fairlead` to spec.mpiReplicaSpecs.Launcher.template.spec",
          "MPIJob a/e: MinimumInvalid: its minAvailable is 0, expected a number of workers above 0 "
          "and below its 2; it is admitted whole or not at all"));
}

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

// Three replicas of two pods, of which two are admitted. Pods come in whatever order: a replica of
// which one runs is let in before others, and no other with a part of its pods.
TEST(JobLifeTest, AJobSetRunsWholeReplicas) {
  const auto worker = [](int replica, int index, std::string_view spec = "") {
    return Pod(
        fmt::format("s-{}-{}", replica, index),
        fmt::format("labels: {{jobset.sigs.k8s.io/jobset-name: s, "
                    "jobset.sigs.k8s.io/replicatedjob-name: w, "
                    "jobset.sigs.k8s.io/job-index: \"{}\"}}, ownerReferences: [{{apiVersion: "
                    "batch/v1, kind: Job, name: s-w-{}, uid: u, controller: true}}]",
                    replica, replica),
        spec);
  };
  World world;
  world.Upsert(
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {namespace: a, name: s, uid: "
      "u, labels: {fairlead.dev/queue: q}, annotations: {fairlead.dev/min-replicas: '{\"w\": "
      "1}'}}, "
      "spec: {replicatedJobs: [{name: w, replicas: 3, template: {spec: {parallelism: 2, "
      "completions: 2, template: {spec: {schedulerName: fairlead, containers: [{name: c}]}}}}}]}}\n"
      "---\n"
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: s, "
      "ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s, uid: u, "
      "controller: true}]}, spec: {podSets: [{name: w, count: 6, minCount: 2}]}, status: "
      "{admission: "
      "{podSetAssignments: [{name: w, count: 4}]}}}\n---\n" +
      worker(2, 1, "nodeName: n1") + worker(1, 0));
  world.Take();
  world.Upsert(worker(1, 1) + worker(0, 0) + worker(0, 1) + worker(2, 0));
  // Replica 2 has begun; of the others the first by index.
  EXPECT_THAT(
      world.Take(),
      ElementsAre("pod a/s-0-0 pending workload=a/s[0]", "pod a/s-0-1 pending workload=a/s[0]",
                  "pod a/s-1-0 pending workload=a/s[0] hold=NotInAdmittedCount",
                  "pod a/s-1-1 pending workload=a/s[0] hold=NotInAdmittedCount",
                  "pod a/s-2-0 pending workload=a/s[0]"));
  // One of its pods ends: what runs is as many replicas as before.
  world.Upsert(worker(0, 0, "nodeName: n1") + worker(0, 1, "nodeName: n1"));
  world.Take();
  world.Upsert(Pod("s-2-1",
                   "labels: {jobset.sigs.k8s.io/jobset-name: s, "
                   "jobset.sigs.k8s.io/replicatedjob-name: w, "
                   "jobset.sigs.k8s.io/job-index: \"2\"}, ownerReferences: [{apiVersion: "
                   "batch/v1, kind: Job, name: s-w-2, uid: u, controller: true}]",
                   "nodeName: n1", "{phase: Succeeded}"));
  EXPECT_THAT(world.Take(), Each(Not(HasSubstr("s-1-"))));
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

// Pods may be told before the job that owns them: what is decided for them then would be decided
// as if there were none, and of a gang a part could start.
TEST(JobLifeTest, PodsWaitForTheJobThatOwnsThem) {
  World world;
  world.Upsert(Pod("p0", OfJob("j")) + Pod("alone"));
  EXPECT_THAT(world.Picture(), ElementsAre("pod a/alone pending solo queue=default",
                                           "pod a/p0 pending solo queue=default", "queue default"))
      << "a file may have pods alone";
  world.intake.KnowAllOwners();
  const std::string held = "pod a/p0 pending solo queue=default hold=WorkloadNotFound";
  EXPECT_THAT(world.Take(), ElementsAre(held));
  world.Upsert(Job("j", kGang, "parallelism: 2"));
  EXPECT_THAT(world.Take(), ElementsAre("workload a/j queue=default silent main=2/2",
                                        "pod a/p0 pending workload=a/j[0]"));
  world.intake.Remove("Job", "a", "j");
  EXPECT_THAT(world.Take(), ElementsAre("gone workload a/j", held));
  world.Upsert(Job("j", "uid: another", "parallelism: 2"));
  EXPECT_THAT(world.Take(), ElementsAre()) << "another of that name does not own them";
}

// Of other kinds it is not known whether they are told, before one is.
TEST(JobLifeTest, PodsWaitForOwnersOfAKindThatIsTold) {
  World world;
  world.intake.KnowAllOwners();
  world.Upsert(Pod("p0",
                   "ownerReferences: [{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, name: m, "
                   "uid: u, controller: true}]"));
  EXPECT_THAT(world.Take(), ElementsAre("queue default", "pod a/p0 pending solo queue=default"));
  world.Upsert(MpiJob("other", "", 1));
  EXPECT_THAT(world.Take(), testing::Contains(testing::AllOf(HasSubstr("pod a/p0 "),
                                                             HasSubstr("hold=WorkloadNotFound"))));
}

}  // namespace
}  // namespace fairlead::intake
