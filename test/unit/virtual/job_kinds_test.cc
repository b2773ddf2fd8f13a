// Whole lives of the kinds of jobs that are rows: submitted suspended, admitted, run with fewer
// pods where the row allows it, stopped and restored, finished.

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "jobs/job_kind.h"
#include "objects/read/decode.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::string WaitingOf(std::string_view api_version, std::string_view kind, std::string_view name,
                      std::string_view spec, std::string_view annotations = "") {
  return Object(api_version, kind, name,
                "namespace: a, labels: {fairlead.dev/queue: q}, annotations: {" +
                    std::string(annotations) + "}",
                spec);
}
std::string EndsAfter(std::string_view time) {
  return "fairlead.dev/run-duration: " + std::string(time);
}

std::string JobSetOf(std::string_view annotations = "", std::string_view more = "") {
  const std::string leader = Template("1", EndsAfter("20s")),
                    worker = Template("1", EndsAfter("20s"));
  return WaitingOf("jobset.x-k8s.io/v1alpha2", "JobSet", "s",
                   "suspend: true, " + std::string(more) +
                       "replicatedJobs: [{name: leader, replicas: 1, template: {spec: "
                       "{parallelism: 1, completions: 1, template: " +
                       leader +
                       "}}}, {name: workers, replicas: 3, template: {spec: {parallelism: 2, "
                       "completions: 2, template: " +
                       worker + "}}}]",
                   annotations);
}

std::string PyTorchJobOf(int workers, std::string_view policy) {
  return WaitingOf("kubeflow.org/v1", "PyTorchJob", "t",
                   "runPolicy: {suspend: true}, " + std::string(policy) +
                       "pytorchReplicaSpecs: {Master: {replicas: 1, template: " +
                       Template("1", EndsAfter("20s")) +
                       "}, Worker: {replicas: " + std::to_string(workers) +
                       ", template: " + Template("1", EndsAfter("30s")) + "}}");
}

std::string RayClusterOf() {
  return WaitingOf("ray.io/v1", "RayCluster", "r",
                   "suspend: true, headGroupSpec: {template: " + Template("1") +
                       "}, workerGroupSpecs: [{groupName: small, replicas: 3, minReplicas: 1, "
                       "maxReplicas: 3, numOfHosts: 2, template: " +
                       Template("1") + "}]");
}

std::string UnitsIn(const Simulated& run, std::string_view kind, std::string_view name) {
  const auto& job = std::get<objects::JobObject>(*run.cluster.Find(kind, "a", name));
  std::string text = job.complete() ? job.ended : job.suspend ? "suspended" : "running";
  for (const auto& set : job.pod_sets) text += " " + set.name + " " + std::to_string(set.units());
  return text;
}

objects::Labels LabelsOf(const Simulated& run, std::string_view pod) {
  return std::get<objects::Pod>(*run.cluster.Find("Pod", "a", pod)).meta.labels;
}

TEST(JobKinds, AJobSetIsAdmittedWholeAndEnds) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 6") + JobSetOf());
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "JobSet", "s"), "suspended leader 1 workers 3");
  run.Submit(Node("n2", "cpu: 1"));
  run.Until(10);
  EXPECT_EQ(UnitsIn(run, "JobSet", "s"), "running leader 1 workers 3");
  EXPECT_THAT(run.Workloads(), ElementsAre("a/s Running leader 1/1 workers 6/6"));
  EXPECT_THAT(LabelsOf(run, "s-workers-5"),
              UnorderedElementsAre(std::pair{"jobset.sigs.k8s.io/jobset-name", "s"},
                                   std::pair{"jobset.sigs.k8s.io/replicatedjob-name", "workers"},
                                   std::pair{"jobset.sigs.k8s.io/job-index", "2"}));
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("Complete JobSet a/s")));
  EXPECT_EQ(UnitsIn(run, "JobSet", "s"), "Completed leader 1 workers 3");
}

TEST(JobKinds, AJobSetInOrderKeepsTheRoomOfLaterPods) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 7") +
                    JobSetOf("", "startupPolicy: {startupPolicyOrder: InOrder}, "),
                {.start = Duration::Seconds(900)});
  ExpectRoomIsHeldBehind(run, "a/s-leader-0", "q");
  run.Until(910);
  EXPECT_THAT(run.Pods(), Contains("a/s-workers-5 Pending n1"));
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("Complete JobSet a/s")));
}

// Of later jobs none would ever come.
TEST(JobKinds, AJobSetInOrderIsNotCutWhereOthersWait) {
  const std::string in_order = "startupPolicy: {startupPolicyOrder: InOrder}, ";
  const auto leaders = [&](std::string_view annotations) {
    const std::string leader = Template("1", EndsAfter("20s"));
    return WaitingOf(
        "jobset.x-k8s.io/v1alpha2", "JobSet", "s",
        "suspend: true, " + in_order +
            "replicatedJobs: [{name: leader, replicas: 2, template: {spec: {template: " + leader +
            "}}}, {name: workers, replicas: 2, template: {spec: {template: " + leader + "}}}]",
        annotations);
  };
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") +
                leaders("fairlead.dev/min-replicas: '{\"leader\": 1}'"));
  run.Until(5);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/s Pending leader 0/2 workers 0/2"));
  const objects::Object& job = *run.cluster.Find("JobSet", "a", "s");
  EXPECT_THAT(jobs::KindOf(job)->FaultOfMinimum(job), HasSubstr("leader may do with fewer"));
  Simulated workers(Queue("q", "") + Node("n1", "cpu: 3") +
                    leaders("fairlead.dev/min-replicas: '{\"workers\": 1}'"));
  workers.Until(5);
  EXPECT_THAT(workers.Workloads(), ElementsAre("a/s Running leader 2/2 workers 1/1"));
}

std::string StatefulSetOf(std::string_view meta, std::string_view more = "") {
  return Object("apps/v1", "StatefulSet", "sts",
                "namespace: a, labels: {fairlead.dev/queue: q}" + std::string(meta),
                "replicas: 3, " + std::string(more) + "template: " + Template("1"));
}
constexpr std::string_view kGang = ", annotations: {fairlead.dev/gang: 'true'}";

TEST(JobKinds, AStatefulSetIsAGangWhereItSaysSo) {
  const std::string parallel = "podManagementPolicy: Parallel, ";
  Simulated single(Queue("q", "") + Node("n1", "cpu: 2") + StatefulSetOf("", parallel));
  single.Until(5);
  EXPECT_THAT(single.Pods(),
              ElementsAre("a/sts-0 Running n1", "a/sts-1 Running n1", "a/sts-2 Pending"));
  Simulated gang(Queue("q", "") + Node("n1", "cpu: 2") + StatefulSetOf(kGang, parallel));
  gang.Until(5);
  EXPECT_THAT(gang.Pods(), ElementsAre("a/sts-0 Pending", "a/sts-1 Pending", "a/sts-2 Pending"));
  gang.Submit(Node("n2", "cpu: 1"));
  gang.Until(10);
  EXPECT_THAT(gang.Workloads(), ElementsAre("a/sts Running main 3/3"));
  EXPECT_THAT(LabelsOf(gang, "sts-2"),
              UnorderedElementsAre(std::pair{"apps.kubernetes.io/pod-index", "2"}));
}

// Pods come one after the other: the room of those to come is held.
TEST(JobKinds, AnOrderedStatefulSetStartsWhereAllOfItHasRoom) {
  Simulated small(Queue("q", "") + Node("n1", "cpu: 2") + StatefulSetOf(kGang));
  small.Until(5);
  EXPECT_THAT(small.Pods(), ElementsAre("a/sts-0 Pending"));
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") + StatefulSetOf(kGang),
                {.start = Duration::Seconds(900)});
  ExpectRoomIsHeldBehind(run, "a/sts-0", "q");
}

// Its counts are not written: the pods of replicas beyond wait, and come after the others.
TEST(JobKinds, AJobSetThatMayBeFewerLosesWholeReplicas) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 4") +
                JobSetOf("fairlead.dev/min-replicas: '{\"workers\": 1}'"));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "JobSet", "s"), "running leader 1 workers 3");
  EXPECT_THAT(run.Pods(), ElementsAre("a/s-leader-0 Running n1", "a/s-workers-0 Running n1",
                                      "a/s-workers-1 Running n1", "a/s-workers-2 Pending",
                                      "a/s-workers-3 Pending", "a/s-workers-4 Pending",
                                      "a/s-workers-5 Pending"));
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("60s Complete JobSet a/s")));
  EXPECT_THAT(run.Workloads(), ElementsAre(HasSubstr("a/s Finished")));
}

TEST(JobKinds, APyTorchJobStartsWithTheWorkersThatThereIsRoomFor) {
  Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Queue("r", "guaranteed: {cpu: 3}") +
                Node("n1", "cpu: 4") + PyTorchJobOf(6, "elasticPolicy: {minReplicas: 2}, "));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "PyTorchJob", "t"), "running master 1 worker 3");
  EXPECT_THAT(LabelsOf(run, "t-worker-2"),
              UnorderedElementsAre(std::pair{"training.kubeflow.org/job-name", "t"},
                                   std::pair{"training.kubeflow.org/replica-type", "worker"},
                                   std::pair{"training.kubeflow.org/replica-index", "2"}));
  std::string others;
  for (const char* name : {"x", "y", "z"}) {
    others +=
        Pod(name, "1", "labels: {fairlead.dev/queue: r}, annotations: {" + EndsAfter("30s") + "}");
  }
  run.Submit(others);
  run.Until(10);
  EXPECT_EQ(UnitsIn(run, "PyTorchJob", "t"), "suspended master 1 worker 6");
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("Complete PyTorchJob a/t")));
}

// Pods of the first are there yet when the second is admitted.
TEST(JobKinds, AJobHasNoPodSetsOfAnotherThatHadItsName) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 8") + PyTorchJobOf(3, ""),
                {.grace = Duration::Seconds(20)});
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("PyTorchJob", "a", "t"));
  run.Submit(WaitingOf("batch/v1", "Job", "t",
                       "suspend: true, parallelism: 2, template: " + Template("1")));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/t Running main 2/2"));
}

// Of all its pods, the master's too.
TEST(JobKinds, MinAvailableIsOfAllPods) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") + PyTorchJobOf(6, ""));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "PyTorchJob", "t"), "suspended master 1 worker 6");
  Simulated fewer(Queue("q", "") + Node("n1", "cpu: 3") +
                  WaitingOf("kubeflow.org/v1", "PyTorchJob", "t",
                            "runPolicy: {suspend: true, schedulingPolicy: {minAvailable: 3}}, "
                            "pytorchReplicaSpecs: {Master: {template: " +
                                Template("1") +
                                "}, Worker: {replicas: 6, template: " + Template("1") + "}}"));
  fewer.Until(5);
  EXPECT_EQ(UnitsIn(fewer, "PyTorchJob", "t"), "running master 1 worker 2");
}

TEST(JobKinds, ARayClustersGroupsComeInSlices) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 6") + RayClusterOf());
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "RayCluster", "r"), "running head 1 small 2");
  EXPECT_THAT(run.Workloads(), ElementsAre("a/r Running head 1/1 small 4/4"));
  EXPECT_THAT(LabelsOf(run, "r-head"),
              UnorderedElementsAre(std::pair{"ray.io/cluster", "r"},
                                   std::pair{"ray.io/group", "headgroup"}));
}

std::string RayJobOf(std::string_view spec) {
  return WaitingOf("ray.io/v1", "RayJob", "j",
                   std::string(spec) + ", rayClusterSpec: {headGroupSpec: {template: " +
                       Template("1", EndsAfter("20s")) +
                       "}, workerGroupSpecs: [{groupName: small, replicas: 3, minReplicas: 1, "
                       "maxReplicas: 3, template: " +
                       Template("1", EndsAfter("20s")) + "}]}");
}

TEST(JobKinds, ARayJobStartsWithFewerWorkersAndEnds) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") +
                RayJobOf("suspend: true, shutdownAfterJobFinishes: true"));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "RayJob", "j"), "running head 1 small 2");
  EXPECT_THAT(run.Workloads(), ElementsAre("a/j Running head 1/1 small 2/2"));
  run.Until(30);
  EXPECT_EQ(UnitsIn(run, "RayJob", "j"), "Complete head 1 small 2");
}

TEST(JobKinds, ARayJobThatItsControllerRefusesIsKept) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 8") + RayJobOf("suspend: true"));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "RayJob", "j"), "suspended head 1 small 3");
}

std::string ScalingRayOf(int replicas) {
  return WaitingOf("ray.io/v1", "RayCluster", "r",
                   "suspend: true, enableInTreeAutoscaling: true, autoscalerOptions: {resources: "
                   "{requests: {cpu: 1}}}, headGroupSpec: {template: " +
                       Template("1") + "}, workerGroupSpecs: [{groupName: w, replicas: " +
                       std::to_string(replicas) + ", maxReplicas: 4, template: " + Template("1") +
                       "}]");
}

// Its autoscaler writes how many workers it wants: they come and go one by one, up to the maximum.
TEST(JobKinds, ARayClusterThatScalesItselfGrowsAndShrinksWhileItRuns) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 5") + ScalingRayOf(1));
  run.Until(5);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/r Running head 1/1 w 1/1"));
  run.Submit(ScalingRayOf(4));
  run.Until(10);
  EXPECT_THAT(run.Pods(),
              ElementsAre("a/r-head Running n1", "a/r-w-0 Running n1", "a/r-w-1 Running n1",
                          "a/r-w-2 Running n1", "a/r-w-3 Pending"));
  run.Submit(Node("n2", "cpu: 1"));
  run.Until(15);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/r Running head 1/1 w 4/4"));
  run.Submit(ScalingRayOf(0));
  run.Until(20);
  EXPECT_THAT(run.Pods(), ElementsAre("a/r-head Running n1"));
  run.Submit(ScalingRayOf(2));
  run.Until(25);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/r Running head 1/1 w 2/2"));
}

// What it has beyond its minimum is taken pod by pod, and it goes on.
TEST(JobKinds, WorkersBeyondTheMinimumAreTakenOneByOne) {
  Simulated run(Queue("q", "guaranteed: {cpu: 2}") + Queue("o", "guaranteed: {cpu: 2}") +
                Node("n1", "cpu: 5") + ScalingRayOf(3));
  run.Until(5);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/r Running head 1/1 w 3/3"));
  run.Submit(Pod("x", "2", "labels: {fairlead.dev/queue: o}"));
  run.Until(10);
  EXPECT_THAT(run.Pods(), Contains("a/r-head Running n1"));
  EXPECT_THAT(run.Pods(), Contains("a/x Running n1"));
  EXPECT_EQ(UnitsIn(run, "RayCluster", "r"), "running head 1 w 3");
}

std::string SparkOf(int executors, std::string_view more = "") {
  return WaitingOf("sparkoperator.k8s.io/v1beta2", "SparkApplication", "pi",
                   "suspend: true, batchScheduler: fairlead, driver: {coreRequest: \"1\", "
                   "annotations: {" +
                       EndsAfter("30s") + "}}, executor: {coreRequest: \"1\", instances: " +
                       std::to_string(executors) + "}" + std::string(more));
}

TEST(JobKinds, ASparkApplicationIsAdmittedWholeAndEndsWithItsDriver) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3, memory: 64Gi") + SparkOf(3));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "SparkApplication", "pi"), "suspended driver 1 executor 3");
  run.Submit(Node("n2", "cpu: 1, memory: 64Gi"));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/pi Running driver 1/1 executor 3/3"));
  EXPECT_THAT(LabelsOf(run, "pi-executor-0"),
              UnorderedElementsAre(std::pair{"sparkoperator.k8s.io/app-name", "pi"},
                                   std::pair{"spark-role", "executor"}));
  EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("Complete SparkApplication a/pi")));
  EXPECT_THAT(run.Pods(), testing::Not(Contains(HasSubstr("Running"))));
}

TEST(JobKinds, ASparkApplicationThatAllocatesDynamicallyStartsWithFewerExecutors) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3, memory: 64Gi") +
                SparkOf(4, ", dynamicAllocation: {enabled: true, minExecutors: 1}"));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "SparkApplication", "pi"), "running driver 1 executor 4");
  EXPECT_THAT(run.Pods(), ElementsAre("a/pi-driver Running n1", "a/pi-executor-0 Running n1",
                                      "a/pi-executor-1 Running n1", "a/pi-executor-2 Pending",
                                      "a/pi-executor-3 Pending"));
  run.Submit(Node("n2", "cpu: 2, memory: 64Gi"));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/pi Running driver 1/1 executor 4/4"));
}

// Executors are made by the driver's pod, and drivers have no owner where no webhook gives one.
TEST(JobKinds, PodsOfASparkApplicationAreFoundByTheirLabels) {
  objects::Meta pod;
  pod.labels = {{"spark-role", "executor"}, {"sparkoperator.k8s.io/app-name", "pi"}};
  const objects::OwnerReference driver{
      .api_version = "v1", .kind = "Pod", .name = "pi-driver", .uid = "u"};
  for (const objects::OwnerReference* owner :
       {&driver, static_cast<const objects::OwnerReference*>(nullptr)}) {
    const jobs::JobOfPod job = jobs::FindJobOfPod(pod, owner);
    EXPECT_EQ(job.kind, jobs::FindKind("SparkApplication"));
    EXPECT_EQ(job.name, "pi");
    EXPECT_EQ(job.pod_set, "executor");
  }
}

// A state as the real controllers leave it: the pods are the cluster's, and the cluster the job's.
// Nobody makes them a second time, and what is stopped is theirs.
TEST(JobKinds, PodsOfARayJobsClusterAreTheRayJobs) {
  const auto pod = [](std::string_view name, std::string_view group) {
    return fmt::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{namespace: a, name: {}, uid: {}, labels: "
        "{{ray.io/cluster: j-x7k2, ray.io/group: {}}}, ownerReferences: [{{apiVersion: ray.io/v1, "
        "kind: RayCluster, name: j-x7k2, uid: c, controller: true}}]}}, spec: {{schedulerName: "
        "fairlead, nodeName: n1, containers: [{{name: c, resources: {{requests: {{cpu: 1}}}}}}]}}, "
        "status: {{phase: Running}}}}\n---\n",
        name, name, group);
  };
  const std::string cluster =
      "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {namespace: a, name: j-x7k2, uid: c, "
      "ownerReferences: [{apiVersion: ray.io/v1, kind: RayJob, name: j, uid: u, controller: "
      "true}]}, "
      "spec: {headGroupSpec: {template: " +
      Template("1") +
      "}, workerGroupSpecs: [{groupName: small, replicas: 2, minReplicas: 2, maxReplicas: 2, "
      "template: " +
      Template("1") + "}]}}\n---\n";
  const std::string job =
      "{apiVersion: ray.io/v1, kind: RayJob, metadata: {namespace: a, name: j, uid: u, labels: "
      "{fairlead.dev/queue: q}}, spec: {shutdownAfterJobFinishes: true, rayClusterSpec: "
      "{headGroupSpec: {template: " +
      Template("1") +
      "}, workerGroupSpecs: [{groupName: small, replicas: 2, minReplicas: 2, maxReplicas: 2, "
      "template: " +
      Template("1") + "}]}}}\n---\n";
  const std::string workload =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: j, "
      "ownerReferences: [{apiVersion: ray.io/v1, kind: RayJob, name: j, uid: u, controller: "
      "true}]}, "
      "spec: {queueName: q, podSets: [{name: head, count: 1}, {name: small, count: 2}]}, status: "
      "{admission: {queue: q, podSetAssignments: [{name: head, count: 1}, {name: small, count: "
      "2}]}}}\n---\n";
  const std::string pods =
      pod("j-x7k2-head", "headgroup") + pod("j-x7k2-w0", "small") + pod("j-x7k2-w1", "small");
  for (const std::string& objects :
       {job + cluster + workload + pods, pods + workload + cluster + job,
        cluster + pods + job + workload}) {
    Simulated run(Queue("q", "") + Node("n1", "cpu: 8") + objects);
    run.Until(5);
    EXPECT_THAT(run.Workloads(), ElementsAre("a/j Running head 1/1 small 2/2"));
    EXPECT_THAT(run.cluster.Find("Pod", "a", "j-small-0"), testing::IsNull());
  }
}

// It comes when the cluster runs, and its room is kept until then.
TEST(JobKinds, WhatSubmitsARayJobsEntryPointIsOfTheRayJob) {
  const std::string submitter =
      "suspend: true, shutdownAfterJobFinishes: true, submitterPodTemplate: " +
      Template("1", EndsAfter("5s"));
  Simulated run(Queue("q", "") + Node("n1", "cpu: 2") + RayJobOf(submitter));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "RayJob", "j"), "suspended head 1 small 3 submitter 1")
      << "a head, a worker and what submits do not fit";
  run.Submit(Node("n2", "cpu: 1"));
  run.Until(8);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/j Running head 1/1 small 1/1 submitter 1/1"));
  run.Until(20);
  EXPECT_EQ(UnitsIn(run, "RayJob", "j"), "Complete head 1 small 1 submitter 1");
}

std::string WrapperOf(std::string_view components) {
  return WaitingOf("workload.codeflare.dev/v1beta2", "AppWrapper", "w",
                   "suspend: true, components: [" + std::string(components) + "]");
}
std::string Component(std::string_view api_version, std::string_view kind, std::string_view name,
                      std::string_view spec) {
  return fmt::format("{{template: {{apiVersion: {}, kind: {}, metadata: {{name: {}}}, spec: {}}}}}",
                     api_version, kind, name, spec);
}
std::string PyTorchSpec() {
  return "{pytorchReplicaSpecs: {Master: {replicas: 1, template: " +
         Template("1", EndsAfter("20s")) +
         "}, Worker: {replicas: 2, template: " + Template("1", EndsAfter("1h")) + "}}}";
}

TEST(JobKinds, AnAppWrapperIsAdmittedWholeAndEnds) {
  const std::string web =
      Component("apps/v1", "Deployment", "web",
                "{replicas: 2, template: " + Template("1", EndsAfter("30s")) + "}");
  Simulated run(
      Queue("q", "") + Node("n1", "cpu: 4") +
      WrapperOf(Component("kubeflow.org/v1", "PyTorchJob", "train", PyTorchSpec()) + ", " + web));
  run.Until(5);
  EXPECT_EQ(UnitsIn(run, "AppWrapper", "w"), "suspended w-0 1 w-1 2 w-2 2");
  run.Submit(Node("n2", "cpu: 1"));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running w-0 1/1 w-1 2/2 w-2 2/2"));
  run.Until(30);
  EXPECT_EQ(UnitsIn(run, "AppWrapper", "w"), "running w-0 1 w-1 2 w-2 2")
      << "its training has ended, and another component has not";
  run.Until(60);
  EXPECT_EQ(UnitsIn(run, "AppWrapper", "w"), "Succeeded w-0 1 w-1 2 w-2 2");
}

// As the real controllers leave it: a component's pods are its own, in two of them of what it made
// in turn. What is suspended within an AppWrapper is left to it.
TEST(JobKinds, PodsOfAnAppWrappersComponentsAreTheAppWrappers) {
  const auto pod = [](std::string_view name, std::string_view labels, std::string_view owner) {
    return fmt::format(
        "{{apiVersion: v1, kind: Pod, metadata: {{namespace: a, name: {}, uid: {}, labels: "
        "{{workload.codeflare.dev/appwrapper: w{}}}, ownerReferences: [{{{}, uid: c, controller: "
        "true}}]}}, spec: {{schedulerName: fairlead, nodeName: n1, containers: [{{name: c, "
        "resources: {{requests: {{cpu: 1}}}}}}]}}, status: {{phase: Running}}}}\n---\n",
        name, name, labels, owner);
  };
  constexpr std::string_view kTrain = "apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: train";
  constexpr std::string_view kCluster = "apiVersion: ray.io/v1, kind: RayCluster, name: tune-x7k2";
  constexpr std::string_view kWeb = "apiVersion: apps/v1, kind: ReplicaSet, name: web-5d8f";
  const std::string role =
      ", training.kubeflow.org/job-name: train, "
      "training.kubeflow.org/replica-type: ";
  const std::string group = ", ray.io/cluster: tune-x7k2, ray.io/group: ";
  const std::string pods = pod("train-master-0", role + "master", kTrain) +
                           pod("train-worker-0", role + "worker", kTrain) +
                           pod("train-worker-1", role + "worker", kTrain) +
                           pod("tune-x7k2-head", group + "headgroup", kCluster) +
                           pod("tune-x7k2-w0", group + "small", kCluster) +
                           pod("web-5d8f-abcde", ", app: web", kWeb);
  const std::string of_wrapper =
      "ownerReferences: [{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, name: w, "
      "uid: u, controller: true}]";
  const std::string ray_spec =
      "{shutdownAfterJobFinishes: true, rayClusterSpec: {headGroupSpec: {template: " +
      Template("1") +
      "}, workerGroupSpecs: [{groupName: small, replicas: 1, template: " + Template("1") + "}]}}";
  const std::string inner =
      "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: "
      "{namespace: a, name: train, uid: c, labels: {fairlead.dev/queue: q}, " +
      of_wrapper + "}, spec: " + PyTorchSpec() + "}\n---\n";
  const std::string wrapper =
      "{apiVersion: workload.codeflare.dev/v1beta2, kind: AppWrapper, metadata: {namespace: a, "
      "name: w, uid: u, labels: {fairlead.dev/queue: q}}, spec: {components: [" +
      Component("kubeflow.org/v1", "PyTorchJob", "train", PyTorchSpec()) + ", " +
      Component("ray.io/v1", "RayJob", "tune", ray_spec) + ", " +
      Component("apps/v1", "Deployment", "web", "{replicas: 1, template: " + Template("1") + "}") +
      "]}}\n---\n";
  const std::string workload =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: w, " +
      of_wrapper +
      "}, spec: {queueName: q, podSets: [{name: w-0, count: 1}, {name: w-1, count: 2}, {name: "
      "w-2, count: 1}, {name: w-3, count: 1}, {name: w-4, count: 1}]}, status: {admission: {queue: "
      "q, podSetAssignments: [{name: w-0, count: 1}, {name: w-1, count: 2}, {name: w-2, count: 1}, "
      "{name: w-3, count: 1}, {name: w-4, count: 1}]}}}\n---\n";
  for (const std::string& objects :
       {wrapper + inner + workload + pods, pods + workload + inner + wrapper,
        inner + pods + wrapper + workload}) {
    Simulated run(Queue("q", "") + Node("n1", "cpu: 8") + objects);
    run.Until(5);
    EXPECT_THAT(run.Workloads(),
                ElementsAre("a/w Running w-0 1/1 w-1 2/2 w-2 1/1 w-3 1/1 w-4 1/1"));
    EXPECT_THAT(run.Pods(), testing::SizeIs(6)) << "nobody makes a pod a second time";
  }
}

// Of one core.
std::string TemplateWith(std::string_view labels, std::string_view annotations) {
  return fmt::format(
      "{{metadata: {{labels: {{{}}}, annotations: {{{}}}}}, spec: {{schedulerName: fairlead, "
      "containers: [{{name: c, resources: {{requests: {{cpu: 1}}}}}}]}}}}",
      labels, annotations);
}

// What the trainer makes of it at once, and keeps suspended while it is.
std::string TrainJobsJobSet(std::string_view owner_uid = "u", std::string_view pod_labels = "") {
  return fmt::format(
      "{{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {{namespace: a, name: t, "
      "ownerReferences: [{{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, name: t, "
      "uid: {}, controller: true}}]}}, spec: {{suspend: true, replicatedJobs: [{{name: node, "
      "replicas: 2, template: {{spec: {{template: {}}}}}}}]}}}}\n---\n",
      owner_uid, TemplateWith(pod_labels, EndsAfter("20s")));
}
constexpr std::string_view kTrainJob =
    "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {namespace: a, name: t, "
    "uid: u, labels: {fairlead.dev/queue: q}}, spec: {suspend: true, runtimeRef: {name: torch}}}"
    "\n---\n";

std::string StateOf(const Simulated& run, std::string_view kind) {
  const auto& job = std::get<objects::JobObject>(*run.cluster.Find(kind, "a", "t"));
  return job.complete() ? job.ended : job.suspend ? "suspended" : "running";
}

TEST(JobKinds, ATrainJobHasThePodsOfItsJobSet) {
  for (const bool job_set_first : {true, false}) {
    Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Queue("r", "guaranteed: {cpu: 1}") +
                  Node("n1", "cpu: 2"));
    run.Submit(job_set_first ? TrainJobsJobSet() : std::string(kTrainJob));
    run.Until(2);
    EXPECT_THAT(run.Pods(), testing::IsEmpty());
    run.Submit(job_set_first ? std::string(kTrainJob) : TrainJobsJobSet());
    run.Until(5);
    EXPECT_THAT(run.Workloads(), ElementsAre("a/t Running node 2/2"));
    EXPECT_EQ(StateOf(run, "TrainJob"), "running");
    EXPECT_EQ(StateOf(run, "JobSet"), "running");
    run.Submit(
        Pod("x", "1", "labels: {fairlead.dev/queue: r}, annotations: {" + EndsAfter("9s") + "}"));
    run.Until(8);
    EXPECT_EQ(StateOf(run, "TrainJob"), "suspended");
    EXPECT_EQ(StateOf(run, "JobSet"), "suspended");
    EXPECT_THAT(run.ToIdle(), Contains(HasSubstr("Complete TrainJob a/t")));
    EXPECT_EQ(StateOf(run, "JobSet"), "Completed");
  }
}

// As long as the templates of its JobSet say so, and no longer: what is not preemptible does not
// borrow.
TEST(JobKinds, ATrainJobIsNotPreemptibleWhileItsJobSetsTemplatesSayIt) {
  Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Node("n1", "cpu: 2") + std::string(kTrainJob) +
                TrainJobsJobSet("u", "fairlead.dev/preemptible: 'false'"));
  run.Until(5);
  EXPECT_EQ(StateOf(run, "TrainJob"), "suspended");
  run.Submit(TrainJobsJobSet());
  run.Until(8);
  EXPECT_EQ(StateOf(run, "TrainJob"), "running");
}

// A JobSet of its name that it did not make says nothing of it.
TEST(JobKinds, ATrainJobIsNotOfAnothersJobSet) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 2") + TrainJobsJobSet("another") +
                std::string(kTrainJob));
  run.Until(5);
  EXPECT_EQ(StateOf(run, "TrainJob"), "suspended");
  EXPECT_THAT(run.Pods(), testing::IsEmpty());
}

// As the real controllers make them: by way of Jobs.
TEST(JobKinds, PodsOfAJobSetsJobsAreTheJobSets) {
  objects::Meta pod;
  pod.labels = {{"jobset.sigs.k8s.io/jobset-name", "s"},
                {"jobset.sigs.k8s.io/replicatedjob-name", "workers"}};
  const objects::OwnerReference owner{
      .api_version = "batch/v1", .kind = "Job", .name = "s-workers-0", .uid = "u"};
  const jobs::JobOfPod job = jobs::FindJobOfPod(pod, &owner);
  EXPECT_EQ(job.kind, jobs::FindKind("JobSet"));
  EXPECT_EQ(job.name, "s");
  EXPECT_EQ(job.pod_set, "workers");
}

std::vector<std::string> FaultsOf(const std::string& yaml) {
  objects::Manifest manifest;
  objects::ReadText(yaml, "in.yaml", objects::CoreDecoders(), manifest);
  std::vector<std::string> faults;
  for (const objects::Fault& fault : manifest.faults) {
    faults.push_back(fault.field + ": " + fault.message);
  }
  return faults;
}

TEST(JobKinds, WhatIsWrongIsNamedByItsPath) {
  const std::string head =
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: s}, spec: ";
  EXPECT_THAT(FaultsOf(head + "{replicatedJobs: [{name: a}]}}"),
              ElementsAre("spec.replicatedJobs[0].template.spec.template: found none, expected the "
                          "template of a's pods"));
  EXPECT_THAT(
      FaultsOf(head + "{replicatedJobs: [{replicas: 1, template: {spec: {template: {}}}}]}}"),
      ElementsAre("spec.replicatedJobs[0].name: found none, expected the name of a pod set"));
  EXPECT_THAT(
      FaultsOf(head + "{replicatedJobs: [{name: a, replicas: 1000000000, template: {spec: "
                      "{parallelism: 1000, completions: 1000, template: {}}}}]}}"),
      ElementsAre("spec.replicatedJobs[0].replicas: found a count of more than 2147483647 pods of "
                  "a, expected 2147483647 at most"));
  EXPECT_THAT(FaultsOf(head + "{replicatedJobs: [{name: a, template: {spec: {template: {}}}}, "
                              "{name: A, template: {spec: {template: {}}}}]}}"),
              ElementsAre(HasSubstr("found two pod sets of the name \"a\"")));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
