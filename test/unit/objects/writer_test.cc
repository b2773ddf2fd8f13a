#include "objects/write/writer.h"

#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/shape_key.h"
#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

// One object of every kind, with every field that is held.
const std::string kEverything = R"(
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {zone: a}, uid: u1, creationTimestamp: "2026-01-01T00:00:00Z"}
spec:
  unschedulable: true
  taints: [{key: a, value: b, effect: NoExecute}, {key: c, effect: PreferNoSchedule}]
status:
  allocatable: {cpu: 7910m, memory: 32Gi, nvidia.com/gpu: 8}
  conditions: [{type: Ready, status: Unknown}]
---
{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {}}}
---
{apiVersion: v1, kind: Pod, metadata: {name: empty}}
---
apiVersion: v1
kind: Pod
metadata:
  name: w-0
  namespace: vision
  annotations: {a: "true", b: "quoted \" and \\ and \n"}
  deletionTimestamp: "2026-01-01T00:00:00.5Z"
  ownerReferences:
  - {apiVersion: batch/v1, kind: Job, name: w, uid: u1, controller: true}
  - {kind: X, name: z}
spec:
  nodeName: n1
  schedulerName: fairlead
  priorityClassName: high
  priority: -5
  preemptionPolicy: Never
  schedulingGates: [{name: x}]
  terminationGracePeriodSeconds: 0
  nodeSelector: {disk: ssd}
  hostNetwork: true
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: zone, operator: NotIn, values: [a]}
          - {key: gen, operator: Lt, values: ["3"]}
          matchFields: [{key: metadata.name, operator: In, values: [n1]}]
        - {}
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 1}
      - {weight: 9, preference: {matchExpressions: [{key: a, operator: Exists}]}}
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: a}
      - topologyKey: b
        labelSelector: {matchLabels: {x: y}}
        namespaces: [n]
        namespaceSelector: {}
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 5, podAffinityTerm: {topologyKey: a, labelSelector: {matchLabels: {x: y}}}}
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
      - {weight: 6, podAffinityTerm: {topologyKey: b}}
  topologySpreadConstraints: [{topologyKey: a, whenUnsatisfiable: ScheduleAnyway}]
  tolerations:
  - {key: a, operator: Exists, effect: NoExecute}
  - {key: b, value: c}
  - {operator: Exists}
  containers:
  - resources: {requests: {cpu: 1500m, memory: 1Gi, example.com/x: 3, fairlead.dev/gpu-milli: 250}}
    ports: [{containerPort: 80, hostPort: 80, protocol: UDP, hostIP: 10.0.0.1}, {containerPort: 81}]
status:
  phase: Succeeded
  nominatedNodeName: n2
  startTime: "2026-01-01T00:00:03Z"
  conditions:
  - {type: Ready, status: "True"}
  - {type: PodScheduled, status: "True", lastTransitionTime: "2026-01-01T00:00:01Z"}
  - {type: fairlead.dev/NodeReserved, status: "True", lastTransitionTime: "2026-01-01T00:00:02Z"}
  containerStatuses: [{name: a, state: {terminated: {finishedAt: "2026-01-01T00:00:05Z"}}}]
---
{apiVersion: v1, kind: Pod, metadata: {name: p1}, spec: {volumes: [{name: a, ephemeral: {}}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: p2}, spec: {resourceClaims: [{name: a}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p3}
spec:
  nodeSelector: {p: p3}
  topologySpreadConstraints: [{topologyKey: a}, {topologyKey: b, whenUnsatisfiable: ScheduleAnyway}]
---
{apiVersion: v1, kind: Namespace, metadata: {name: vision, labels: {fairlead.dev/queue: vision}}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
globalDefault: true
preemptionPolicy: Never
---
apiVersion: batch/v1
kind: Job
metadata: {name: w, namespace: vision, annotations: {fairlead.dev/min-parallelism: "2"}}
spec:
  suspend: true
  parallelism: 0
  completions: 5
  completionMode: Indexed
  template:
    metadata: {labels: {a: b}, annotations: {fairlead.dev/run-duration: 90s}}
    spec: {nodeName: n1, containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}
status: {active: 1, succeeded: 2, failed: 3, conditions: [{type: Complete, status: "True"}]}
---
{apiVersion: batch/v1, kind: Job, metadata: {name: plain}}
---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: m, namespace: vision}
spec:
  runPolicy: {suspend: true, schedulingPolicy: {minAvailable: 2, priorityClass: high}}
  mpiReplicaSpecs:
    Launcher: {replicas: 1, template: {spec: {schedulerName: fairlead}}}
    Worker: {replicas: 6, template: {spec: {containers: [{resources: {requests: {cpu: 2}}}]}}}
status: {conditions: [{type: Succeeded, status: "True"}]}
---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: alone}
spec: {mpiReplicaSpecs: {Launcher: {template: {}}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: fluentd, namespace: kube-system}
spec: {template: {spec: {tolerations: [{operator: Exists}]}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: b1}
spec:
  minAvailable: 50%
  selector: {matchLabels: {a: b}, matchExpressions: [{key: c, operator: Exists}]}
status: {disruptionsAllowed: 0}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: b2}
spec: {maxUnavailable: 1, selector: {}}
---
{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b3}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: vision}
spec:
  parent: research
  guaranteed: {cpu: 64, nvidia.com/gpu: 8, fairlead.dev/gpu-milli: 500}
  limit: {memory: 1.5Gi, pods: 0}
  weight: 1.05
  priority: 3
  preemptMinRuntime: 10m
  reclaimMinRuntime: 0s
  active: false
---
{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: plain}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: by-resource}
spec: {weight: {cpu: 0.001, nvidia.com/gpu: 20}, preemptMinRuntime: 1.5s}
---
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
  admission: {queue: vision, podSetAssignments: [{name: ps, count: 1}, {name: worker, count: 15}]}
  startTime: "2026-01-01T00:00:00Z"
  protectedUntil: {preempt: "2026-01-01T00:01:00Z", reclaim: "2026-01-01T00:02:00Z"}
---
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: reclaimed}
spec: {podSets: [{count: 1}]}
status: {protectedUntil: {reclaim: "2026-01-01T00:02:00Z"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: plain}
spec: {podSets: [{count: 0}]}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: eq, namespace: vision}
spec:
  min: {cpu: 1500m, memory: 20Gi, nvidia.com/gpu: 1.5}
  max: {cpu: 20, pods: 0}
status:
  used: {cpu: 2, nvidia.com/gpu: 0}
  conditions:
  - {type: InEffect, status: "False", reason: Other, message: "no",
     lastTransitionTime: "2026-01-01T00:00:00Z"}
  - {type: MinAboveMax, status: "True"}
---
{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: plain}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: rq, namespace: vision}
spec:
  hard: {cpu: 3, requests.cpu: 2, requests.memory: 1Gi, requests.nvidia.com/gpu: 4, pods: 10,
         limits.cpu: 9, requests.storage: 1Ti, count/jobs.batch: 3}
  scopes: [NotBestEffort]
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: rq2}
spec: {scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}}
---
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
schedulerName: other
defaultQueue: main
nodeSelector: {pool: gpu}
placement:
  gpu: fragmentation
  cpu: binpack
  seed: 3
  typicalPods:
  - {count: 2, cpu: 500m, gpus: 2, nodeLabels: {model: [T4, P100]}}
  - {cpu: "2", gpuMilli: 460}
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
---
{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, metadata: {name: ignored}}
)";

TEST(ToJson, ReadsBackAsTheSameObject) {
  Manifest manifest = Read(kEverything);
  ASSERT_EQ(FaultsIn(manifest), std::vector<std::string>());
  ASSERT_EQ(manifest.objects.size(), 29u);
  for (Object& object : manifest.objects) {
    const std::string text = boost::json::serialize(ToJson(object));
    SCOPED_TRACE(text);
    // By both readers: JSON behind "---" is YAML to us.
    for (const std::string& head : {std::string(), std::string("---\n")}) {
      Manifest again = Read(head + text);
      EXPECT_EQ(FaultsIn(again), std::vector<std::string>());
      ASSERT_EQ(again.objects.size(), 1u);
      MetaOf(object).source.clear();
      MetaOf(again.objects[0]).source.clear();
      EXPECT_TRUE(again.objects[0] == object);
      EXPECT_EQ(boost::json::serialize(ToJson(again.objects[0])), text);
    }
  }
}

TEST(ToJson, LooksLikeKubectls) {
  const Manifest manifest = Read(
      "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, spec: {parent: p, "
      "guaranteed: {cpu: 1500m}, weight: 2, preemptMinRuntime: 10m}}");
  EXPECT_EQ(boost::json::serialize(ToJson(manifest.objects.at(0))),
            R"({"apiVersion":"fairlead.dev/v1alpha1","kind":"Queue","metadata":{"name":"q"},)"
            R"("spec":{"parent":"p","guaranteed":{"cpu":"1500m"},"weight":2,"priority":0,)"
            R"("preemptMinRuntime":"600s"}})");
}

TEST(CanonicalKey, IsEqualExactlyWhereNeedsAre) {
  // Every pod and template of the manifest, against every other.
  std::vector<PodNeeds> needs;
  for (const Object& object : Read(kEverything).objects) {
    if (const auto* pod = std::get_if<Pod>(&object)) needs.push_back(pod->spec.needs);
    if (const auto* job = std::get_if<Job>(&object)) needs.push_back(job->pod_template.spec.needs);
  }
  PodNeeds one;
  needs.push_back(one);
  one.node_selector = {{"a", "b"}};
  needs.push_back(one);
  one.node_selector = {{"a", "b:1:c"}};
  needs.push_back(one);
  for (const PodNeeds& a : needs) {
    for (const PodNeeds& b : needs) EXPECT_EQ(a == b, CanonicalKey(a) == CanonicalKey(b));
  }
}

}  // namespace
}  // namespace fairlead::objects
