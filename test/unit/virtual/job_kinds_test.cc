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
