#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Job(std::string_view name, std::string_view spec, std::string_view run_duration = "10s",
                std::string_view meta = "") {
  std::string annotation = "fairlead.dev/run-duration: ";
  annotation.append(run_duration);
  std::string more = "namespace: a";
  if (!meta.empty()) more.append(", ").append(meta);
  return Object("batch/v1", "Job", name, more,
                std::string(spec) + ", template: " + Template("1", annotation));
}

std::string DaemonSet(std::string_view name, std::string_view cpu) {
  return Object("apps/v1", "DaemonSet", name, "namespace: a",
                "selector: {}, template: " + Template(cpu, "fairlead.dev/run-duration: 5s"));
}

std::string Workload(std::string_view name, std::string_view pod_sets, std::string_view more = "") {
  std::string spec = "podSets: [";
  spec.append(pod_sets).append("]");
  if (!more.empty()) spec.append(", ").append(more);
  return Object("fairlead.dev/v1alpha1", "Workload", name, "namespace: a", spec);
}

std::string Worker(std::string_view counts, std::string_view annotations = "") {
  std::string set = "{name: worker, ";
  return set.append(counts).append(", template: ").append(Template("1", annotations)).append("}");
}

TEST(Jobs, RunTheirCompletionsInTurns) {
  // Two at a time, three in all: the third begins when the first two end.
  Simulated run(Node("n1", "cpu: 8") + Job("j", "parallelism: 2, completions: 3"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Create a/j-0", "0s Create a/j-1", "0s Bind a/j-0 n1",
                                        "0s Bind a/j-1 n1", "0s Run a/j-0 n1", "0s Run a/j-1 n1",
                                        "10s Finish a/j-0 n1", "10s Finish a/j-1 n1",
                                        "10s Create a/j-2", "10s Bind a/j-2 n1", "10s Run a/j-2 n1",
                                        "20s Finish a/j-2 n1", "20s Complete Job a/j"));
  const auto& job = std::get<objects::Job>(*run.cluster.Find("Job", "a", "j"));
  EXPECT_EQ(job.succeeded, 3);
  EXPECT_EQ(job.active, 0);
  EXPECT_TRUE(job.complete);
}

TEST(Jobs, WithoutCompletionsMakeNoPodAfterTheFirstSuccess) {
  Simulated run(Node("n1", "cpu: 1") + Job("j", "parallelism: 2"));
  EXPECT_THAT(run.ToIdle(),
              ElementsAre("0s Create a/j-0", "0s Create a/j-1", "0s Bind a/j-0 n1",
                          "0s Run a/j-0 n1", "10s Finish a/j-0 n1", "10s Bind a/j-1 n1",
                          "10s Run a/j-1 n1", "20s Finish a/j-1 n1", "20s Complete Job a/j"));
}

TEST(Jobs, ReplacePodsThatGo) {
  Simulated run(Node("n1", "cpu: 8") + Job("j", "parallelism: 1, completions: 1"),
                {.grace = Duration::Seconds(2)});
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "j-0"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("5s Delete a/j-0", "5s Create a/j-1", "5s Bind a/j-1 n1",
                                        "5s Run a/j-1 n1", "7s Gone a/j-0 n1",
                                        "15s Finish a/j-1 n1", "15s Complete Job a/j"));
}

TEST(Jobs, IndexedReplaceAnIndex) {
  Simulated run(Node("n1", "cpu: 8") +
                Job("j", "completionMode: Indexed, parallelism: 2, completions: 2"));
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "j-1"));
  run.Until(6);
  EXPECT_THAT(run.Pods(), ElementsAre("a/j-0 Running n1", "a/j-1 Running n1"));
  const auto& pod = std::get<objects::Pod>(*run.cluster.Find("Pod", "a", "j-1"));
  EXPECT_EQ(*objects::FindLabel(pod.meta.annotations, "batch.kubernetes.io/job-completion-index"),
            "1");
  run.ToIdle();
  EXPECT_THAT(run.Pods(), ElementsAre("a/j-0 Succeeded n1", "a/j-1 Succeeded n1"));
}

TEST(Jobs, TakeOverTheirPodsOfTheInput) {
  const std::string owner =
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u, controller: true}]";
  // In both orders: the pod may come before its Job.
  const std::string job = Job("j", "parallelism: 2, completions: 2");
  const std::string pod =
      Pod("j-x7", "1", owner + ", annotations: {fairlead.dev/run-duration: 4s}", "nodeName: n1");
  for (const std::string& yaml : {job + pod, pod + job}) {
    Simulated run(Node("n1", "cpu: 8") + yaml);
    EXPECT_THAT(run.ToIdle(), ElementsAre("0s Run a/j-x7 n1", "0s Create a/j-0", "0s Bind a/j-0 n1",
                                          "0s Run a/j-0 n1", "4s Finish a/j-x7 n1",
                                          "10s Finish a/j-0 n1", "10s Complete Job a/j"));
  }
}

TEST(Jobs, TakeTheirPodsAlong) {
  Simulated run(Node("n1", "cpu: 8") + Job("j", "parallelism: 2, completions: 3"));
  run.Until(12);
  ASSERT_TRUE(run.cluster.Delete("Job", "a", "j"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("12s Delete Job a/j", "12s Gone a/j-0 n1",
                                        "12s Gone a/j-1 n1", "12s Gone a/j-2 n1"));
  EXPECT_THAT(run.Pods(), IsEmpty());
}

TEST(Jobs, SuspendedOnesHaveNoPods) {
  Simulated run(Node("n1", "cpu: 8") + Job("j", "parallelism: 2, completions: 2, suspend: true"));
  EXPECT_THAT(run.ToIdle(), IsEmpty());
  run.Submit(Job("j", "parallelism: 2, completions: 2"));
  run.Until(3);
  EXPECT_THAT(run.Pods(), ElementsAre("a/j-0 Running n1", "a/j-1 Running n1"));
  run.Submit(Job("j", "parallelism: 2, completions: 2, suspend: true"));
  run.ToIdle();
  EXPECT_THAT(run.Pods(), IsEmpty());
}

TEST(DaemonSets, PutOnePodOnEveryNode) {
  Simulated run(DaemonSet("ds", "1") + Node("n1", "cpu: 2") +
                Node("n2", "cpu: 2", "annotations: {fairlead.dev/arrives-at: 1m}") +
                Node("n3", "cpu: 2", "", "unschedulable: true") +
                Node("n4", "cpu: 2", "", "taints: [{key: own, effect: NoSchedule}]"));
  EXPECT_THAT(run.ToIdle(),
              ElementsAre("0s Create a/ds-n1", "0s Create a/ds-n3", "0s Bind a/ds-n1 n1",
                          "0s Bind a/ds-n3 n3", "0s Run a/ds-n1 n1", "0s Run a/ds-n3 n3",
                          "60s Arrive Node n2", "60s Create a/ds-n2", "60s Bind a/ds-n2 n2",
                          "60s Run a/ds-n2 n2"));
  // A cordon moves nobody, nor does a taint that keeps new pods away; NoExecute does.
  run.Submit(Node("n1", "cpu: 2", "", "unschedulable: true"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("60s Update Node n1"));
  run.Submit(Node("n1", "cpu: 2", "", "taints: [{key: own, effect: NoSchedule}]"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("60s Update Node n1"));
  run.Submit(Node("n1", "cpu: 2", "", "taints: [{key: own, effect: NoExecute}]"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("60s Update Node n1", "60s Gone a/ds-n1 n1"));
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n2"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("60s Delete Node n2", "60s Gone a/ds-n2 n2"));
  ASSERT_TRUE(run.cluster.Delete("DaemonSet", "a", "ds"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("60s Delete DaemonSet a/ds", "60s Gone a/ds-n3 n3"));
}

TEST(DaemonSets, WaitForANodeToBeReady) {
  const auto node = [](std::string_view ready) {
    std::string text = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: ";
    text.append("{cpu: 2}, conditions: [{type: Ready, status: \"").append(ready);
    return text + "\"}]}}\n---\n";
  };
  Simulated run(DaemonSet("ds", "1") + node("False"));
  EXPECT_THAT(run.ToIdle(), IsEmpty());
  run.Submit(node("True"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Update Node n1", "0s Create a/ds-n1",
                                        "0s Bind a/ds-n1 n1", "0s Run a/ds-n1 n1"));
  run.Submit(node("False"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Update Node n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/ds-n1 Running n1"));
}

TEST(Namespaces, TakeEverythingInThemAlong) {
  Simulated run("{apiVersion: v1, kind: Namespace, metadata: {name: a}}\n---\n" +
                Node("n1", "cpu: 4") + Workload("w", Worker("count: 1")) +
                Job("j", "parallelism: 1, completions: 1") + Pod("p", "1"));
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Namespace", "", "a"));
  EXPECT_THAT(run.ToIdle(),
              ElementsAre("5s Delete Namespace a", "5s Delete Job a/j", "5s Delete Workload a/w",
                          "5s Delete a/p", "5s Gone a/j-0 n1", "5s Gone a/w-worker-0 n1",
                          "5s Gone a/p n1"));
  EXPECT_THAT(run.Pods(), IsEmpty());
  EXPECT_THAT(run.cluster.List("Node"), testing::SizeIs(1));
}

TEST(DaemonSets, ReplaceAPodOnItsNode) {
  Simulated run(DaemonSet("ds", "1") + Node("n1", "cpu: 2"));
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "ds-n1"));
  EXPECT_THAT(run.ToIdle(),
              ElementsAre("5s Delete a/ds-n1", "5s Gone a/ds-n1 n1", "5s Create a/ds-n1",
                          "5s Bind a/ds-n1 n1", "5s Run a/ds-n1 n1"));
}

TEST(Workloads, GetTheirPodsOnceAdmitted) {
  Simulated run(Node("n1", "cpu: 2") +
                Workload("w", Worker("count: 2", "fairlead.dev/run-duration: 10s")) +
                Workload("x", Worker("count: 2", "fairlead.dev/run-duration: 10s")));
  EXPECT_THAT(
      run.ToIdle(),
      ElementsAre("0s Admit a/w worker=2", "0s Create a/w-worker-0", "0s Create a/w-worker-1",
                  "0s Bind a/w-worker-0 n1", "0s Bind a/w-worker-1 n1", "0s Run a/w-worker-0 n1",
                  "0s Run a/w-worker-1 n1", "10s Finish a/w-worker-0 n1",
                  "10s Finish a/w-worker-1 n1", "10s Complete Workload a/w",
                  "10s Admit a/x worker=2", "10s Create a/x-worker-0", "10s Create a/x-worker-1",
                  "10s Bind a/x-worker-0 n1", "10s Bind a/x-worker-1 n1", "10s Run a/x-worker-0 n1",
                  "10s Run a/x-worker-1 n1", "20s Finish a/x-worker-0 n1",
                  "20s Finish a/x-worker-1 n1", "20s Complete Workload a/x"));
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Finished worker 0/2", "a/x Finished worker 0/2"));
}

TEST(Workloads, KnowWhenTheyStarted) {
  Simulated run(Node("n1", "cpu: 2") +
                Workload("w", Worker("count: 2", "fairlead.dev/run-duration: 1h")));
  run.Until(60);
  const auto start = [&run] {
    return std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "w")).start_time;
  };
  EXPECT_EQ(start(), Begin());
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 2/2"));
  // One pod lost: the rest runs on, and so does the time.
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "w-worker-1"));
  run.Until(70);
  EXPECT_EQ(start(), Begin());
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-worker-0 Running n1", "a/w-worker-1 Running n1"));
  // All pods lost: it is stopped, and starts anew.
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n1"));
  run.Until(80);
  EXPECT_EQ(start(), std::nullopt);
  run.Submit(Node("n2", "cpu: 2"));
  run.Until(90);
  EXPECT_EQ(start(), Begin() + Duration::Seconds(80));
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-worker-0 Running n2", "a/w-worker-1 Running n2"));
}

TEST(Workloads, GrowWithTheRoomWhereTheyMay) {
  // Room for 2 of 3 at first; the second node brings the third.
  Simulated run(Workload("w", Worker("count: 3, minCount: 1"), "resize: Anytime") +
                Node("n1", "cpu: 2") +
                Node("n2", "cpu: 2", "annotations: {fairlead.dev/arrives-at: 1m}"));
  run.Until(30);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 2/2"));
  run.Until(90);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 3/3"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/w-worker-0 Running n1", "a/w-worker-1 Running n1",
                                      "a/w-worker-2 Running n2"));
}

TEST(Workloads, GiveTheYoungestBackWhenTheyAskForFewer) {
  const auto with = [](std::string_view counts) {
    return Workload("w", Worker(counts), "resize: Anytime");
  };
  Simulated run(Node("n1", "cpu: 8") + with("count: 5, minCount: 1"));
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "w-worker-0"));
  run.Until(20);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 5/5"));
  run.Submit(with("count: 3, minCount: 1"));
  // The one that was made anew is the youngest; of equals the last by name goes.
  EXPECT_THAT(run.Until(30), ElementsAre("20s Update Workload a/w", "20s Admit a/w worker=3",
                                         "20s Gone a/w-worker-0 n1", "20s Gone a/w-worker-4 n1"));
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 3/3"));
  // And grows again where it asks for more.
  run.Submit(with("count: 4, minCount: 1"));
  run.Until(40);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/w Running worker 4/4"));
}

TEST(Workloads, OfNoMinimumStartWithTheirFirstPod) {
  Simulated run(Workload("w", Worker("count: 2, minCount: 0"), "resize: Anytime"));
  run.Until(10);
  run.Submit(Node("n1", "cpu: 8"));
  run.Until(20);
  const auto& w = std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "w"));
  EXPECT_EQ(w.start_time, Begin() + Duration::Seconds(10));
}

TEST(Workloads, TakeTheirPodsAlong) {
  Simulated run(Node("n1", "cpu: 4") + Workload("w", Worker("count: 2")) + Pod("own", "1"));
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("Workload", "a", "w"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("10s Delete Workload a/w", "10s Gone a/w-worker-0 n1",
                                        "10s Gone a/w-worker-1 n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/own Running n1"));
  EXPECT_THAT(run.Workloads(), IsEmpty());
}

}  // namespace
}  // namespace fairlead::virtual_cluster
