#include <string>

#include <gtest/gtest.h>

#include "unit/objects/read.h"

// Every kind but Pod: what is read, what is reported.

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

struct FaultCase {
  std::string text;
  Strings faults;
};

// Each text under the head gives these faults and no object.
void ExpectFaults(const std::string& head, const std::vector<FaultCase>& cases) {
  for (const FaultCase& c : cases) {
    SCOPED_TRACE(c.text);
    const Manifest manifest = Read(head + c.text);
    EXPECT_EQ(FaultsIn(manifest), c.faults);
    EXPECT_TRUE(manifest.objects.empty());
  }
}

TEST(DecodeNode, ReadsTaintsAndReadiness) {
  const Node node = ReadOne<Node>(R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {zone: a}}
spec:
  unschedulable: true
  taints: [{key: b, effect: NoExecute}, {key: a, value: x, effect: NoSchedule}]
status:
  capacity: {cpu: 9}
  allocatable: {cpu: 7910m, memory: 32Gi, nvidia.com/gpu: "8", pods: "110"}
  conditions: [{type: Ready, status: "False"}]
  images: [{names: [x]}]
)");
  EXPECT_EQ(node.meta.Key(), "n1");
  EXPECT_TRUE(node.unschedulable);
  EXPECT_FALSE(node.ready);
  EXPECT_EQ(node.taints, (std::vector<Taint>{{"a", "x", TaintEffect::kNoSchedule},
                                             {"b", "", TaintEffect::kNoExecute}}));
  EXPECT_EQ(node.allocatable, (ResourceList{{"cpu", 7910},
                                            {"memory", std::int64_t{32} << 30},
                                            {"nvidia.com/gpu", 8000},
                                            {"pods", 110}}));
}

TEST(DecodeNode, FallsBackToCapacityAndIsReadyWithoutACondition) {
  const Node node = ReadOne<Node>(
      "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {capacity: {cpu: 4}}}");
  EXPECT_EQ(node.allocatable, (ResourceList{{"cpu", 4000}}));
  EXPECT_TRUE(node.ready);
  const auto ready = [](const std::string& condition) {
    return ReadOne<Node>(
               "{apiVersion: v1, kind: Node, metadata: {name: n}, status: {conditions: [" +
               condition + "]}}")
        .ready;
  };
  EXPECT_TRUE(ready("{type: Ready, status: 'True'}"));
  EXPECT_FALSE(ready("{type: Ready, status: Unknown}"));
  EXPECT_FALSE(ready("{type: Ready}"));
  EXPECT_TRUE(ready("{type: DiskPressure, status: 'False'}"));
}

TEST(DecodeNode, ReportsFaults) {
  ExpectFaults(
      "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n",
      {{"spec: {taints: [{key: a}]}",
        {"in.yaml:4: Node n: spec.taints[0].effect: found none, expected one such as "
         "NoSchedule"}},
       {"spec: {taints: [{key: a, effect: Evict}]}",
        {"in.yaml:4: Node n: spec.taints[0].effect: found \"Evict\", expected NoSchedule, "
         "PreferNoSchedule or NoExecute"}},
       {"status: {allocatable: {cpu: -1, nvidia.com/gpu: 1.5}}",
        {"in.yaml:4: Node n: status.allocatable.cpu: found number -1, expected a quantity "
         "that is not negative",
         "in.yaml:4: Node n: status.allocatable.nvidia.com/gpu: found number 1.5, expected "
         "a whole number (for a part of a device: fairlead.dev/gpu-milli)"}}});
}

TEST(DecodePriorityClass, ReadsItsRoot) {
  const auto read = ReadOne<PriorityClass>(
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: "
      "1000, "
      "globalDefault: true, preemptionPolicy: Never}");
  EXPECT_EQ(read.value, 1000);
  EXPECT_TRUE(read.global_default);
  EXPECT_TRUE(read.never_preempts);
  ExpectFaults("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: x}\n",
               {{"value: high",
                 {"in.yaml:4: PriorityClass x: value: found \"high\", expected a whole number from "
                  "-2147483648 to 2147483647"}}});
}

TEST(DecodeBudget, ReadsSelectorsAndAmounts) {
  const auto read = [](const std::string& spec) {
    return ReadOne<PodDisruptionBudget>(
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: {" + spec +
        "}}");
  };
  EXPECT_TRUE(read("minAvailable: 1").selects_nothing);
  const PodDisruptionBudget all = read("selector: {}, maxUnavailable: 25%");
  EXPECT_FALSE(all.selects_nothing);
  EXPECT_TRUE(all.selector.requirements.empty());
  EXPECT_EQ(all.max_unavailable, (IntOrPercent{25, true}));
  const PodDisruptionBudget some = read(
      "minAvailable: '2', selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: "
      "NotIn, values: [d]}]}");
  EXPECT_EQ(some.min_available, (IntOrPercent{2, false}));
  EXPECT_EQ(some.selector.requirements, (std::vector<Requirement>{{"a", Operator::kIn, {"b"}},
                                                                  {"c", Operator::kNotIn, {"d"}}}));
  const std::string expected =
      ", expected a whole number that is not negative, or a percentage such as 25%";
  ExpectFaults(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n",
      {{"spec: {minAvailable: -1}",
        {"in.yaml:4: PodDisruptionBudget default/b: spec.minAvailable: found number -1" +
         expected}},
       {"spec: {minAvailable: 101%}",
        {"in.yaml:4: PodDisruptionBudget default/b: spec.minAvailable: found \"101%\"" + expected}},
       {"spec: {minAvailable: '%'}",
        {"in.yaml:4: PodDisruptionBudget default/b: spec.minAvailable: found \"%\"" + expected}},
       {"spec: {minAvailable: 1.5}",
        {"in.yaml:4: PodDisruptionBudget default/b: spec.minAvailable: found number 1.5" +
         expected}},
       {"spec: {minAvailable: 1, maxUnavailable: 1}",
        {"in.yaml:4: PodDisruptionBudget default/b: spec.maxUnavailable: found both this and "
         "minAvailable, expected one"}},
       {"spec: {selector: {matchExpressions: [{key: a, operator: Gt, values: ['1']}]}}",
        {"in.yaml:4: PodDisruptionBudget default/b: "
         "spec.selector.matchExpressions[0].operator: found \"Gt\", expected In, NotIn, Exists or "
         "DoesNotExist"}}});
}

TEST(DecodeElasticQuota, ReadsAmountsAndStatus) {
  const ElasticQuota quota = ReadOne<ElasticQuota>(R"(
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: q, namespace: a}
spec:
  min: {cpu: 500m, nvidia.com/gpu: 1, fairlead.dev/gpu-milli: 250}
  max: {memory: 1Gi, cpu: null}
  later: {field: of a newer version}
status: {used: {cpu: 1}, conditions: [{type: InEffect, status: "True"}]}
)");
  EXPECT_EQ(quota.meta.Key(), "a/q");
  EXPECT_EQ(quota.min, (ResourceList{{"cpu", 500}, {"nvidia.com/gpu", 1250}}));
  EXPECT_EQ(quota.max, (ResourceList{{"memory", std::int64_t{1} << 30}}));
  EXPECT_EQ(quota.used, (ResourceList{{"cpu", 1000}}));
  ASSERT_EQ(quota.conditions.size(), 1u);
  EXPECT_TRUE(quota.conditions[0].holds);
}

TEST(DecodeElasticQuota, ReportsFaults) {
  const std::string object = "in.yaml:4: ElasticQuota default/q: ";
  ExpectFaults(
      "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nmetadata: {name: q}\n",
      {{"spec: {min: {cpu: -1}}",
        {object + "spec.min.cpu: found number -1, expected a quantity that is not negative"}},
       {"spec: {min: {cpu: [1]}}",
        {object + "spec.min.cpu: found a list, expected a quantity such as 500m, 2 or 16Gi"}},
       {"spec: {max: 3}", {object + "spec.max: found number 3, expected a mapping"}},
       {"spec: []", {object + "spec: found a list, expected a mapping"}},
       {"status: {used: {cpu: x}}",
        {object + "status.used.cpu: found \"x\", expected a quantity such as 500m, 2 or 16Gi"}}});
}

TEST(DecodeResourceQuota, ReadsWhatItSaysOfRequests) {
  const ResourceQuota quota = ReadOne<ResourceQuota>(R"(
apiVersion: v1
kind: ResourceQuota
metadata: {name: rq, namespace: a}
spec:
  hard: {cpu: 3, requests.cpu: 2500m, requests.memory: 1Gi, requests.nvidia.com/gpu: 4, pods: 10,
         limits.cpu: 9, requests.storage: 1Ti, count/jobs.batch: 3, services: 5}
status: {hard: {cpu: 99}}
)");
  EXPECT_EQ(quota.hard, (ResourceList{{"cpu", 2500},
                                      {"memory", std::int64_t{1} << 30},
                                      {"nvidia.com/gpu", 4000},
                                      {"pods", 10}}));
  EXPECT_TRUE(quota.scopes.empty());
}

TEST(DecodeJob, ReadsCountsAndTemplate) {
  const Job job = ReadOne<Job>(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: a, labels: {kueue.x-k8s.io/queue-name: q}}
spec:
  suspend: true
  parallelism: 3
  completions: 5
  completionMode: Indexed
  template:
    metadata: {labels: {a: b}, annotations: {fairlead.dev/run-duration: 90s}}
    spec:
      nodeName: n1
      schedulerName: fairlead
      containers: [{resources: {requests: {cpu: 2}}}]
status:
  active: 1
  succeeded: 2
  failed: 3
  conditions: [{type: Failed, status: "True"}]
)");
  EXPECT_TRUE(job.suspend && job.indexed && job.complete);
  EXPECT_EQ(job.parallelism, 3);
  EXPECT_EQ(job.completions, 5);
  EXPECT_EQ(job.active, 1);
  EXPECT_EQ(job.succeeded, 2);
  EXPECT_EQ(job.failed, 3);
  EXPECT_EQ(job.pod_template.labels, (Labels{{"a", "b"}}));
  EXPECT_EQ(job.pod_template.spec.scheduler_name, "fairlead");
  EXPECT_EQ(job.pod_template.spec.needs.request, (ResourceList{{"cpu", 2000}}));
  // A template's pods are not there yet: its node is a demand.
  EXPECT_EQ(job.pod_template.spec.node_name, "");
  EXPECT_EQ(job.pod_template.spec.needs.node_name, "n1");
  ExpectFaults("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n",
               {{"spec: {parallelism: -1, completions: 3000000000, completionMode: Odd}",
                 {"in.yaml:4: Job default/j: spec.parallelism: found number -1, expected a whole "
                  "number from 0 to 2147483647",
                  "in.yaml:4: Job default/j: spec.completions: found number 3000000000, expected a "
                  "whole number from 0 to 2147483647",
                  "in.yaml:4: Job default/j: spec.completionMode: found \"Odd\", expected "
                  "NonIndexed or Indexed"}},
                {"spec: {template: {metadata: {annotations: {fairlead.dev/run-duration: 5}}}}",
                 {"in.yaml:4: Job default/j: "
                  "spec.template.metadata.annotations.fairlead.dev/run-duration: found number 5, "
                  "expected a string (in YAML, in quotes)"}}});
}

TEST(DecodeMpiJob, ReadsReplicasAndRunPolicy) {
  const Manifest manifest = Read(R"(
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: m, namespace: a, labels: {kueue.x-k8s.io/queue-name: q}}
spec:
  slotsPerWorker: 4
  runPolicy:
    suspend: true
    cleanPodPolicy: Running
    schedulingPolicy: {minAvailable: 2, priorityClass: high, queue: volcano}
  mpiReplicaSpecs:
    Launcher:
      template:
        metadata: {annotations: {fairlead.dev/run-duration: 90s}}
        spec: {schedulerName: fairlead, containers: [{resources: {requests: {cpu: 1}}}]}
    Worker:
      replicas: 6
      template:
        spec: {containers: [{resources: {limits: {nvidia.com/gpu: 2}}, env: [{name: X}]}]}
status: {conditions: [{type: Created, status: "True"}, {type: Succeeded, status: "True"}]}
)");
  ASSERT_EQ(FaultsIn(manifest), std::vector<std::string>());
  const auto& job = std::get<JobObject>(manifest.objects.at(0));
  EXPECT_EQ(job.row, FindJobRow("MPIJob"));
  EXPECT_TRUE(job.suspend && job.complete());
  EXPECT_EQ(job.priority_class, "high");
  const JobObject::Replicas& launchers = job.pod_sets.at(0);
  EXPECT_EQ(launchers.count(), 1);
  EXPECT_EQ(launchers.min, std::nullopt);
  EXPECT_EQ(launchers.pod_template.spec.scheduler_name, "fairlead");
  EXPECT_EQ(launchers.pod_template.spec.needs.request, (ResourceList{{"cpu", 1000}}));
  EXPECT_EQ(launchers.pod_template.annotations, (Labels{{"fairlead.dev/run-duration", "90s"}}));
  const JobObject::Replicas& workers = job.pod_sets.at(1);
  EXPECT_EQ(workers.count(), 6);
  EXPECT_EQ(workers.min, 2);
  EXPECT_EQ(workers.pod_template.spec.needs.request, (ResourceList{{"nvidia.com/gpu", 2000}}));
  const std::string launcher = "Launcher: {replicas: 1, template: {}}";
  ExpectFaults(
      "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: m}\n",
      {{"spec: {}",
        {"in.yaml:4: MPIJob default/m: spec.mpiReplicaSpecs.Launcher.template: found none, "
         "expected "
         "the template of launcher's pods"}},
       {"spec: {mpiReplicaSpecs: {Launcher: {replicas: 2, template: {}}}}",
        {"in.yaml:4: MPIJob default/m: spec.mpiReplicaSpecs.Launcher.replicas: found number 2, "
         "expected 1, the only count of launchers there is"}},
       // A mapping on several fields' ways is told once.
       {"spec: {runPolicy: 7, mpiReplicaSpecs: {" + launcher + "}}",
        {"in.yaml:4: MPIJob default/m: spec.runPolicy: found number 7, expected a mapping"}},
       {"spec: {mpiReplicaSpecs: []}",
        {"in.yaml:4: MPIJob default/m: spec.mpiReplicaSpecs: found a list, expected a mapping"}},
       {"spec: {runPolicy: {schedulingPolicy: {minAvailable: some}}, mpiReplicaSpecs: {" +
            launcher + ", Worker: {replicas: 3000000000, template: {}}}}",
        {"in.yaml:4: MPIJob default/m: spec.mpiReplicaSpecs.Worker.replicas: found number "
         "3000000000, expected a whole number from 0 to 2147483647",
         "in.yaml:4: MPIJob default/m: spec.runPolicy.schedulingPolicy.minAvailable: found "
         "\"some\", expected a whole number from -2147483648 to 2147483647"}}});
}

TEST(DecodeMeta, KnowsOneControllerAtMost) {
  ExpectFaults("apiVersion: batch/v1\nkind: Job\n",
               {{"metadata: {name: j, ownerReferences: [{kind: A, name: a, controller: true}, "
                 "{kind: B, name: b}, {kind: C, name: c, controller: true}]}",
                 {"in.yaml:3: Job default/j: metadata.ownerReferences[2]: found a second "
                  "controller, expected one at most; the first is A a"}}});
}

// Whether pods opt out of making room stands in labels or annotations: of pods, of whatever pods
// are made from, and of classes. Neither may be pruned, in YAML or in JSON.
TEST(DecodeMeta, KeepsLabelsAndAnnotations) {
  const std::string meta = R"("labels": {"a": "1", "b": "false"}, "annotations": {"c": "false", )"
                           R"("kubectl.kubernetes.io/last-applied-configuration": "{}"})";
  const std::string pods = R"({"metadata": {)" + meta + R"(}, "spec": {"containers": []}})";
  const auto document = [](const std::string& kind, const std::string& rest) {
    const auto space = kind.find(' ');
    return R"({"apiVersion": ")" + kind.substr(0, space) + R"(", "kind": ")" +
           kind.substr(space + 1) + R"(", )" + rest + "}";
  };
  const Labels labels = {{"a", "1"}, {"b", "false"}}, annotations = {{"c", "false"}};
  const auto expect_kept = [&](const auto& kept) {
    EXPECT_EQ(kept.labels, labels);
    EXPECT_EQ(kept.annotations, annotations);
  };
  for (const std::string head : {"", "---\n"}) {  // JSON, YAML
    const std::string named = R"("metadata": {"name": "x"}, "spec": {"template": )" + pods + "}";
    const std::string described = R"("metadata": {"name": "x", )" + meta + "}";
    expect_kept(ReadOne<Pod>(head + document("v1 Pod", described)).meta);
    expect_kept(
        ReadOne<PriorityClass>(head + document("scheduling.k8s.io/v1 PriorityClass", described))
            .meta);
    expect_kept(ReadOne<Job>(head + document("batch/v1 Job", named)).pod_template);
    expect_kept(ReadOne<DaemonSet>(head + document("apps/v1 DaemonSet", named)).pod_template);
    const auto workload = ReadOne<Workload>(
        head + document("fairlead.dev/v1alpha1 Workload",
                        R"("metadata": {"name": "x"}, "spec": {"podSets": [{"count": 1, )"
                        R"("template": )" +
                            pods + "}]}"));
    ASSERT_EQ(workload.pod_sets.size(), 1u);
    ASSERT_TRUE(workload.pod_sets[0].pod_template.has_value());
    expect_kept(*workload.pod_sets[0].pod_template);
  }
}

TEST(DecodeQueue, ReadsEveryField) {
  const Queue queue = ReadOne<Queue>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: Vision.a-1, creationTimestamp: "1970-01-01T00:00:01Z"}
spec:
  parent: research
  guaranteed: {cpu: "64", nvidia.com/gpu: "8", fairlead.dev/gpu-milli: 500, x: 0}
  limit: {fairlead.dev/gpu-milli: "16000"}
  weight: 1.25
  priority: -3
  preemptMinRuntime: 10m
  reclaimMinRuntime: 0s
  active: false
status: {conditions: [], anything: 1}
)");
  EXPECT_EQ(queue.meta.Key(), "Vision.a-1");
  EXPECT_EQ(queue.parent, "research");
  EXPECT_EQ(queue.guaranteed, (ResourceList{{"cpu", 64000}, {"nvidia.com/gpu", 8500}, {"x", 0}}));
  EXPECT_EQ(queue.limit, (ResourceList{{"nvidia.com/gpu", 16000}}));
  EXPECT_EQ(queue.weight.milli, 1250);
  EXPECT_EQ(queue.priority, -3);
  EXPECT_EQ(queue.preempt_min_runtime, Duration::Seconds(600));
  EXPECT_EQ(queue.reclaim_min_runtime, Duration());
  EXPECT_FALSE(queue.active);
}

TEST(DecodeQueue, ReadsWeights) {
  const auto weight = [](const std::string& text) {
    return ReadOne<Queue>(
               "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, "
               "spec: {weight: " +
               text + "}}")
        .weight;
  };
  EXPECT_EQ(weight("null").milli, 1000);
  EXPECT_EQ(weight("0").milli, 0);
  EXPECT_EQ(weight("'2.5'").milli, 2500);
  EXPECT_EQ(weight("0.001").milli, 1);
  EXPECT_EQ(weight("1000000").milli, 1'000'000'000);
  const Weight by_resource = weight("{nvidia.com/gpu: 3, cpu: 0.5}");
  EXPECT_EQ(by_resource.Of("nvidia.com/gpu"), 3000);
  EXPECT_EQ(by_resource.Of("cpu"), 500);
  EXPECT_EQ(by_resource.Of("memory"), 1000);
}

TEST(DecodeQueue, ReportsFaults) {
  const std::string weight = ", expected a number from 0 to 1000000 with at most 3 decimals";
  const std::string duration = ", expected a duration such as 1h30m, 45s or 0s";
  ExpectFaults(
      "apiVersion: fairlead.dev/v1alpha1\nkind: Queue\nmetadata: {name: q}\n",
      {{"spec: {weight: -1}", {"in.yaml:4: Queue q: spec.weight: found number -1" + weight}},
       {"spec: {weight: 1.0001}",
        {"in.yaml:4: Queue q: spec.weight: found number 1.0001" + weight}},
       {"spec: {weight: heavy}", {"in.yaml:4: Queue q: spec.weight: found \"heavy\"" + weight}},
       {"spec: {weight: 1000000.1}",
        {"in.yaml:4: Queue q: spec.weight: found number 1000000.1" + weight}},
       {"spec: {weight: {cpu: -1}}",
        {"in.yaml:4: Queue q: spec.weight.cpu: found number -1" + weight}},
       {"spec: {preemptMinRuntime: 10, reclaimMinRuntime: 1d}",
        {"in.yaml:4: Queue q: spec.preemptMinRuntime: found number 10" + duration,
         "in.yaml:4: Queue q: spec.reclaimMinRuntime: found \"1d\"" + duration}},
       {"spec: {preemptMinRuntime: -10m}",
        {"in.yaml:4: Queue q: spec.preemptMinRuntime: found \"-10m\", expected a duration that is "
         "not negative"}},
       {"spec: {guaranteed: {cpu: -4}, limit: {memory: 10GB}}",
        {"in.yaml:4: Queue q: spec.guaranteed.cpu: found number -4, expected a quantity that is "
         "not negative",
         "in.yaml:4: Queue q: spec.limit.memory: found \"10GB\", expected a quantity such as 500m, "
         "2 or 16Gi"}},
       {"spec: {priority: 9999999999}",
        {"in.yaml:4: Queue q: spec.priority: found number 9999999999, expected a whole number from "
         "-2147483648 to 2147483647"}},
       {"spec:\n  parent: a/b",
        {"in.yaml:5: Queue q: spec.parent: found \"a/b\", expected a name of letters, digits, - "
         "and ., at most 253"}},
       {"spec:\n  guarantee: {}\n",
        {"in.yaml:5: Queue q: spec.guarantee: found an unknown field, expected guaranteed"}},
       {"spec: {preemptMinruntime: 1s}",
        {"in.yaml:4: Queue q: spec.preemptMinruntime: found an unknown field, expected "
         "preemptMinRuntime"}},
       {"spec: {zzz: 1}",
        {"in.yaml:4: Queue q: spec.zzz: found an unknown field, expected one of parent, "
         "guaranteed, limit, weight, priority, preemptMinRuntime, reclaimMinRuntime, maxLoss, "
         "repeatProtection, lend, order, ageing, maxRunTime, defaultRunTime, limits or active"}},
       {"specs: {}", {"in.yaml:4: Queue q: specs: found an unknown field, expected spec"}},
       {"spec: 3", {"in.yaml:4: Queue q: spec: found number 3, expected a mapping"}},
       {"spec: {active: 'no'}",
        {"in.yaml:4: Queue q: spec.active: found \"no\", expected true or false"}}});
  EXPECT_EQ(
      FaultsOf("{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q, lables: {}}}"),
      (Strings{"in.yaml:1: Queue q: metadata.lables: found an unknown field, expected labels"}));
}

TEST(DecodeWorkload, ReadsEveryField) {
  const Workload workload = ReadOne<Workload>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: train-7, namespace: vision}
spec:
  queueName: vision
  priorityClassName: high
  priority: 7
  preemptible: false
  active: false
  resize: Anytime
  podSets:
  - {name: ps, count: 1}
  - name: worker
    count: 20
    minCount: 10
    template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
status:
  admission:
    queue: vision
    podSetAssignments: [{name: ps, count: 1}, {name: worker, count: 15,
      flavors: {cpu: spot}, resourceUsage: {cpu: 15, nvidia.com/gpu: 7500m}}]
  startTime: "1970-01-01T00:00:01Z"
  protectedUntil: {preempt: "1970-01-01T00:00:02Z", reclaim: "1970-01-01T00:00:03Z"}
  newField: 1
)");
  EXPECT_EQ(workload.meta.Key(), "vision/train-7");
  EXPECT_EQ(workload.queue_name, "vision");
  EXPECT_EQ(workload.priority_class_name, "high");
  EXPECT_EQ(workload.priority, 7);
  EXPECT_EQ(workload.preemptible, false);
  EXPECT_FALSE(workload.active);
  EXPECT_EQ(workload.resize, Resize::kAnytime);
  ASSERT_EQ(workload.pod_sets.size(), 2u);
  EXPECT_EQ(workload.pod_sets[0].name, "ps");
  EXPECT_EQ(workload.pod_sets[0].min_count, std::nullopt);
  EXPECT_EQ(workload.pod_sets[1].count, 20);
  EXPECT_EQ(workload.pod_sets[1].min_count, 10);
  ASSERT_TRUE(workload.pod_sets[1].pod_template.has_value());
  EXPECT_EQ(workload.pod_sets[1].pod_template->spec.needs.request, (ResourceList{{"cpu", 1000}}));
  EXPECT_EQ(workload.admission,
            (std::vector<PodSetAssignment>{{.name = "ps", .count = 1},
                                           {.name = "worker",
                                            .count = 15,
                                            .usage = {{"cpu", 15000}, {"nvidia.com/gpu", 7500}},
                                            .flavors = {{"cpu", "spot"}}}}));
  EXPECT_EQ(workload.admission_queue, "vision");
  EXPECT_EQ(workload.start_time, Time{1'000'000});
  EXPECT_EQ(workload.preempt_protected_until, Time{2'000'000});
  EXPECT_EQ(workload.reclaim_protected_until, Time{3'000'000});
}

TEST(DecodeWorkload, ReportsFaults) {
  const std::string name = "Workload default/w: ";
  ExpectFaults(
      "apiVersion: fairlead.dev/v1alpha1\nkind: Workload\nmetadata: {name: w}\n",
      {{"", {"in.yaml:1: " + name + "spec.podSets: found none, expected one or more"}},
       {"spec: {podSets: []}",
        {"in.yaml:4: " + name + "spec.podSets: found none, expected one or more"}},
       {"spec: {podSets: 3}",
        {"in.yaml:4: " + name + "spec.podSets: found number 3, expected a list"}},
       {"spec: {podSets: [{count: -1}]}",
        {"in.yaml:4: " + name +
         "spec.podSets[0].count: found number -1, expected a whole number from 0 to 2147483647"}},
       {"spec: {podSets: [{name: a}]}",
        {"in.yaml:4: " + name + "spec.podSets[0].count: found none, expected the number of pods"}},
       {"spec: {podSets: [{count: 3, minCount: 4}]}",
        {"in.yaml:4: " + name +
         "spec.podSets[0].minCount: found number 4, expected at most count, which is 3"}},
       {"spec:\n  podSets:\n  - {name: a, count: 1}\n  - {name: a, count: 1}\n",
        {"in.yaml:7: " + name +
         "spec.podSets[1].name: found \"a\" a second time, expected unique names"}},
       {"spec: {podSets: [{count: 1}, {count: 1}]}",
        {"in.yaml:4: " + name +
         "spec.podSets[1].name: found \"main\" a second time, expected unique names"}},
       {"spec: {resize: anytime, podSets: [{count: 1}]}",
        {"in.yaml:4: " + name + "spec.resize: found \"anytime\", expected AtAdmission or Anytime"}},
       {"spec: {podSets: [{count: 1, minCont: 1}]}",
        {"in.yaml:4: " + name +
         "spec.podSets[0].minCont: found an unknown field, expected minCount"}},
       {"spec: {podSets: [{count: 1, template: {spec: {containers: [{resources: {requests: {cpu: "
        "x}}}]}}}]}",
        {"in.yaml:4: " + name +
         "spec.podSets[0].template.spec.containers[0].resources.requests.cpu: found \"x\", "
         "expected "
         "a quantity such as 500m, 2 or 16Gi"}}});
}

TEST(DecodeConfiguration, ReadsEveryField) {
  const auto config = ReadOne<SchedulerConfiguration>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
schedulerName: other
defaultQueue: main
nodeSelector: {pool: gpu}
placement: {gpu: spread, cpu: binpack}
minRuntime: {preempt: 1m, reclaim: 2m, reclaimResolve: queue}
partialAdmission: {enabled: false, reduce: ordered, fill: false}
admission: {podsTimeout: 7m}
daemonSetPreemption:
  enabled: false
  startDelay: 5s
  victimSelection: [single, multiple]
  singleMaxDeviationPercent: 30
  multipleMaxVictims: 3
  respectMinRuntime: false
reclaim: {enabled: false}
preempt: {enabled: false}
)");
  EXPECT_EQ(config.scheduler_name, "other");
  EXPECT_EQ(config.default_queue, "main");
  EXPECT_EQ(config.node_selector, (Labels{{"pool", "gpu"}}));
  EXPECT_EQ(config.gpu_placement, NodeChoice::kSpread);
  EXPECT_EQ(config.cpu_placement, NodeChoice::kBinpack);
  EXPECT_EQ(config.preempt_min_runtime, Duration::Seconds(60));
  EXPECT_EQ(config.reclaim_min_runtime, Duration::Seconds(120));
  EXPECT_EQ(config.reclaim_resolve, ReclaimResolve::kQueue);
  EXPECT_FALSE(config.partial_admission.enabled || config.partial_admission.fill);
  EXPECT_EQ(config.partial_admission.reduce, Reduction::kOrdered);
  EXPECT_EQ(config.pods_timeout, Duration::Seconds(420));
  const auto& daemon = config.daemon_set_preemption;
  EXPECT_FALSE(daemon.enabled || daemon.respect_min_runtime);
  EXPECT_EQ(daemon.start_delay, Duration::Seconds(5));
  EXPECT_EQ(daemon.victim_selection,
            (std::vector<VictimSelection>{VictimSelection::kSingle, VictimSelection::kMultiple}));
  EXPECT_EQ(daemon.single_max_deviation_percent, 30);
  EXPECT_EQ(daemon.multiple_max_victims, 3);
  EXPECT_FALSE(config.reclaim_enabled || config.preempt_enabled);
}

TEST(DecodeConfiguration, HasDefaultsAndYuniKornsNames) {
  const std::string head =
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, daemonSetPreemption: ";
  SchedulerConfiguration defaults;
  defaults.meta.source = "in.yaml:1";
  EXPECT_EQ(ReadOne<SchedulerConfiguration>(head + "null}"), defaults);
  const auto daemon = ReadOne<SchedulerConfiguration>(
                          head +
                          "{preemption_start_delay: 30s, "
                          "preemption_victim_pods_selection_strategy: 'multiple, single'}}")
                          .daemon_set_preemption;
  EXPECT_EQ(daemon.start_delay, Duration::Seconds(30));
  EXPECT_EQ(daemon.victim_selection,
            (std::vector<VictimSelection>{VictimSelection::kMultiple, VictimSelection::kSingle}));
}

TEST(DecodeConfiguration, ReadsVictimSelectionInEveryForm) {
  constexpr auto kSingle = VictimSelection::kSingle, kMultiple = VictimSelection::kMultiple;
  const std::pair<std::string, std::vector<VictimSelection>> rows[] = {
      {"[single]", {kSingle}},
      {"[multiple]", {kMultiple}},
      {"[single, multiple]", {kSingle, kMultiple}},
      {"[multiple, single]", {kMultiple, kSingle}},
      {"single", {kSingle}},
      {"multiple", {kMultiple}},
      {"\"single,multiple\"", {kSingle, kMultiple}},
      {"\"multiple,single\"", {kMultiple, kSingle}},
      {"\" multiple , single \"", {kMultiple, kSingle}},
  };
  for (const std::string key : {"victimSelection", "preemption_victim_pods_selection_strategy"}) {
    for (const auto& [value, expected] : rows) {
      const auto config = ReadOne<SchedulerConfiguration>(
          "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
          "daemonSetPreemption: {" +
          key + ": " + value + "}\n");
      EXPECT_EQ(config.daemon_set_preemption.victim_selection, expected) << key << value;
    }
  }
}

TEST(DecodeConfiguration, ReportsFaultsOfDaemonSetPreemption) {
  const std::string name = "in.yaml:3: SchedulerConfiguration: daemonSetPreemption.";
  const std::string alias = "preemption_victim_pods_selection_strategy";
  const std::string selections = ", expected single, multiple, or both in the order to try them";
  const std::string percent = ", expected a whole number from 0 to 2147483647";
  const std::string victims = ", expected a whole number from 1 to 2147483647";
  const std::string duration = ", expected a duration such as 1h30m, 45s or 0s";
  const std::pair<std::string, std::string> rows[] = {
      {"startDelay: soon", "startDelay: found \"soon\"" + duration},
      {"startDelay: -1s", "startDelay: found \"-1s\", expected a duration that is not negative"},
      {"preemption_start_delay: soon", "preemption_start_delay: found \"soon\"" + duration},
      {"startDelay: 1s, preemption_start_delay: 1s",
       "preemption_start_delay: found beside startDelay, expected one of them"},
      {"victimSelection: [single], " + alias + ": single",
       alias + ": found beside victimSelection, expected one of them"},
      {"victimSelection: [all]", "victimSelection[0]: found \"all\"" + selections},
      {"victimSelection: [single, Multiple]",
       "victimSelection[1]: found \"Multiple\"" + selections},
      {"victimSelection: [1]", "victimSelection[0]: found number 1" + selections},
      {"victimSelection: 1", "victimSelection: found number 1" + selections},
      {"victimSelection: \"\"", "victimSelection: found \"\"" + selections},
      {"victimSelection: \"single,\"", "victimSelection: found \"single,\"" + selections},
      {alias + ": all", alias + ": found \"all\"" + selections},
      {"victimSelection: [multiple, multiple]",
       "victimSelection[1]: found multiple a second time, expected it once"},
      {alias + ": \"single,single\"", alias + ": found single a second time, expected it once"},
      {"singleMaxDeviationPercent: -1", "singleMaxDeviationPercent: found number -1" + percent},
      {"singleMaxDeviationPercent: 1.5", "singleMaxDeviationPercent: found number 1.5" + percent},
      {"multipleMaxVictims: 0", "multipleMaxVictims: found number 0" + victims},
      {"multipleMaxVictims: -3", "multipleMaxVictims: found number -3" + victims},
      {"respectMinRuntime: never", "respectMinRuntime: found \"never\", expected true or false"},
      {"startDelai: 1s", "startDelai: found an unknown field, expected startDelay"},
  };
  for (const auto& [fields, expected] : rows) {
    EXPECT_EQ(FaultsOf("apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
                       "daemonSetPreemption: {" +
                       fields + "}\n"),
              std::vector<std::string>{name + expected})
        << fields;
  }
}

TEST(DecodeConfiguration, ReportsFaults) {
  const std::string name = "in.yaml:3: SchedulerConfiguration: ";
  const std::string selections = ", expected single, multiple, or both in the order to try them";
  ExpectFaults(
      "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n",
      {{"scheduler: x", {name + "scheduler: found an unknown field, expected schedulerName"}},
       {"placement: {gpu: pack}",
        {name +
         "placement.gpu: found \"pack\", expected binpack, spread, random, bestFit, dotProduct, "
         "clustering, packing, fgd or fragmentation"}},
       {"placement: {preferences: always}",
        {name + "placement.preferences: found \"always\", expected first, tie or off"}},
       {"placement: {memory: spread}",
        {name + "placement.memory: found an unknown field, expected one of gpu, cpu, preferences, "
                "seed or "
                "typicalPods"}},
       {"placement: {typicalPods: [{gpus: 1, gpuMilli: 500}]}",
        {name + "placement.typicalPods[0].gpuMilli: found beside gpus, expected one of them"}},
       {"placement: {typicalPods: [{nodeLabels: {model: T4}}]}",
        {name + "placement.typicalPods[0].nodeLabels.model: found \"T4\", expected a list of "
                "values"}},
       {"placement: {seed: -1}",
        {name + "placement.seed: found number -1, expected a whole number from 0 to "
                "9223372036854775807"}},
       {"minRuntime: {reclaimResolve: leaf}",
        {name + "minRuntime.reclaimResolve: found \"leaf\", expected lca or queue"}},
       {"daemonSetPreemption: {victimSelection: []}",
        {name + "daemonSetPreemption.victimSelection: found a list" + selections}},
       {"daemonSetPreemption: {victimSelection: [single, single]}",
        {name +
         "daemonSetPreemption.victimSelection[1]: found single a second time, expected it once"}},
       {"daemonSetPreemption: {victimSelection: 'single,all'}",
        {name + "daemonSetPreemption.victimSelection: found \"single,all\"" + selections}},
       {"daemonSetPreemption: {startDelay: 1s, preemption_start_delay: 2s}",
        {name + "daemonSetPreemption.preemption_start_delay: found beside startDelay, expected "
                "one of them"}},
       {"daemonSetPreemption: {multipleMaxVictims: 0}",
        {name + "daemonSetPreemption.multipleMaxVictims: found number 0, expected a whole number "
                "from 1 to 2147483647"}},
       {"admission: {podsTimeout: soon}",
        {name + "admission.podsTimeout: found \"soon\", expected a duration such as 1h30m, 45s or "
                "0s"}}});
}

}  // namespace
}  // namespace fairlead::objects
