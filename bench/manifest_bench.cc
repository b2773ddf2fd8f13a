// Reading what `kubectl get pods -A -o yaml` (or -o json) prints: text to typed objects.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/memory.h"
#include "intake/intake.h"
#include "objects/read/reader.h"

namespace fairlead::bench {
namespace {

constexpr std::size_t kBytes = 50'000'000;

// One running pod as the API server shows it, about 4 KB.
std::string PodYaml(std::int64_t i) {
  return fmt::format(R"(- apiVersion: v1
  kind: Pod
  metadata:
    annotations:
      cni.example.org/ips: '["10.42.{1}.{2}/32"]'
      prometheus.io/scrape: "true"
    creationTimestamp: "2026-01-01T08:{3:02}:00Z"
    generateName: train-{0}-
    labels:
      app: train
      batch.kubernetes.io/job-name: train-{0}
      fairlead.dev/queue: vision
      pod-template-hash: 5d{0:08x}
    name: train-{0}-x7k2p
    namespace: vision
    ownerReferences:
    - apiVersion: batch/v1
      blockOwnerDeletion: true
      controller: true
      kind: Job
      name: train-{0}
      uid: {0:08x}-1111-4222-8333-{0:012x}
    resourceVersion: "{0}"
    uid: {0:08x}-aaaa-4bbb-8ccc-{0:012x}
  spec:
    affinity:
      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
          - matchExpressions:
            - key: gpu.nvidia.com/model
              operator: In
              values:
              - A100
              - H100
    containers:
    - args:
      - --epochs=90
      - --data=/mnt/data
      command:
      - python3
      - -m
      - train
      env:
      - name: MASTER_ADDR
        value: train-{0}-0.train
      - name: POD_NAME
        valueFrom:
          fieldRef:
            apiVersion: v1
            fieldPath: metadata.name
      image: registry.example.org/vision/train:2026.1
      imagePullPolicy: IfNotPresent
      name: main
      resources:
        limits:
          cpu: "12"
          memory: 96Gi
          nvidia.com/gpu: "1"
        requests:
          cpu: "12"
          memory: 96Gi
          nvidia.com/gpu: "1"
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: File
      volumeMounts:
      - mountPath: /mnt/data
        name: data
      - mountPath: /var/run/secrets/kubernetes.io/serviceaccount
        name: kube-api-access-x7k2p
        readOnly: true
    dnsPolicy: ClusterFirst
    enableServiceLinks: true
    nodeName: gpu-{1}
    preemptionPolicy: PreemptLowerPriority
    priority: 1000
    restartPolicy: Never
    schedulerName: fairlead
    securityContext: {{}}
    serviceAccount: default
    serviceAccountName: default
    terminationGracePeriodSeconds: 30
    tolerations:
    - effect: NoSchedule
      key: nvidia.com/gpu
      operator: Exists
    - effect: NoExecute
      key: node.kubernetes.io/not-ready
      operator: Exists
      tolerationSeconds: 300
    volumes:
    - hostPath:
        path: /data
        type: ""
      name: data
    - name: kube-api-access-x7k2p
      projected:
        defaultMode: 420
        sources:
        - serviceAccountToken:
            expirationSeconds: 3607
            path: token
  status:
    conditions:
    - lastProbeTime: null
      lastTransitionTime: "2026-01-01T08:{3:02}:02Z"
      status: "True"
      type: PodScheduled
    - lastProbeTime: null
      lastTransitionTime: "2026-01-01T08:{3:02}:09Z"
      status: "True"
      type: Ready
    containerStatuses:
    - containerID: containerd://{0:064x}
      image: registry.example.org/vision/train:2026.1
      lastState: {{}}
      name: main
      ready: true
      restartCount: 0
      started: true
      state:
        running:
          startedAt: "2026-01-01T08:{3:02}:08Z"
    hostIP: 192.168.{1}.10
    phase: Running
    podIP: 10.42.{1}.{2}
    qosClass: Guaranteed
    startTime: "2026-01-01T08:{3:02}:02Z"
)",
                     i, i % 250, i % 251, i % 60);
}

std::string ListYaml() {
  std::string text = "apiVersion: v1\nitems:\n";
  for (std::int64_t i = 0; text.size() < kBytes; ++i) text += PodYaml(i);
  return text + "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
}

// The same fields as JSON, as the API server sends them but for a few line ends.
std::string PodJson(std::int64_t i) {
  return fmt::format(
      R"({{"metadata":{{"name":"train-{0}-x7k2p","generateName":"train-{0}-","namespace":"vision",
"uid":"{0:08x}-aaaa-4bbb-8ccc-{0:012x}","resourceVersion":"{0}",
"creationTimestamp":"2026-01-01T08:{3:02}:00Z","labels":{{"app":"train",
"batch.kubernetes.io/job-name":"train-{0}","fairlead.dev/queue":"vision",
"pod-template-hash":"5d{0:08x}"}},
"annotations":{{"cni.example.org/ips":"[\"10.42.{1}.{2}/32\"]",
"prometheus.io/scrape":"true"}},"ownerReferences":[{{"apiVersion":"batch/v1","kind":"Job",
"name":"train-{0}","uid":"{0:08x}-1111-4222-8333-{0:012x}","controller":true,
"blockOwnerDeletion":true}}],"managedFields":[{{"manager":"kube-controller-manager",
"operation":"Update","apiVersion":"v1","time":"2026-01-01T08:{3:02}:00Z",
"fieldsType":"FieldsV1","fieldsV1":{{"f:metadata":{{"f:labels":{{".":{{}},"f:app":{{}}}}}},
"f:spec":{{"f:containers":{{"k:{{\"name\":\"main\"}}":{{".":{{}},"f:image":{{}},
"f:resources":{{".":{{}},"f:limits":{{".":{{}},"f:cpu":{{}},
"f:memory":{{}}}}}}}}}}}}}}}}]}},
"spec":{{"affinity":{{"nodeAffinity":{{"requiredDuringSchedulingIgnoredDuringExecution":{{
"nodeSelectorTerms":[{{"matchExpressions":[{{"key":"gpu.nvidia.com/model",
"operator":"In","values":["A100","H100"]}}]}}]}}}}}},"containers":[{{"name":"main",
"image":"registry.example.org/vision/train:2026.1","command":["python3","-m","train"],
"args":["--epochs=90","--data=/mnt/data"],"env":[{{"name":"MASTER_ADDR",
"value":"train-{0}-0.train"}}],"resources":{{"limits":{{"cpu":"12","memory":"96Gi",
"nvidia.com/gpu":"1"}},"requests":{{"cpu":"12","memory":"96Gi","nvidia.com/gpu":"1"}}}},
"volumeMounts":[{{"name":"data","mountPath":"/mnt/data"}}]}}],"nodeName":"gpu-{1}",
"preemptionPolicy":"PreemptLowerPriority","priority":1000,"restartPolicy":"Never",
"schedulerName":"fairlead","securityContext":{{}},"terminationGracePeriodSeconds":30,
"tolerations":[{{"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"}}],
"volumes":[{{"name":"data","hostPath":{{"path":"/data","type":""}}}}]}},
"status":{{"phase":"Running","conditions":[{{"type":"PodScheduled","status":"True",
"lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:{3:02}:02Z"}},{{"type":"Ready",
"status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:{3:02}:09Z"}}],
"containerStatuses":[{{"name":"main",
"state":{{"running":{{"startedAt":"2026-01-01T08:{3:02}:08Z"}}}},"lastState":{{}},
"ready":true,"restartCount":0,"containerID":"containerd://{0:064x}"}}],
"hostIP":"192.168.{1}.10","podIP":"10.42.{1}.{2}","startTime":"2026-01-01T08:{3:02}:02Z",
"qosClass":"Guaranteed"}}}})",
      i, i % 250, i % 251, i % 60);
}

std::string ListJson() {
  std::string text =
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[)";
  for (std::int64_t i = 0; text.size() < kBytes; ++i) text += (i == 0 ? "" : ",") + PodJson(i);
  return text + "]}";
}

void Read(benchmark::State& state, const std::string& text) {
  std::size_t objects = 0;
  double most = 0;
  for (auto _ : state) {
    const double before = ResidentMib();
    objects::Manifest manifest;
    objects::ReadText(text, "bench", intake::AllDecoders(), manifest);
    objects = manifest.objects.size();
    if (!manifest.faults.empty()) state.SkipWithError(manifest.faults[0].ToString().c_str());
    most = std::max(most, ResidentMib() - before);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["pods"] = static_cast<double>(objects);
  state.counters["MiB_held"] = most;
  state.counters["MiB_peak_with_text"] = PeakMib();
}

// 100,000 pods to rows: those of JobSets, or the same with labels that mean nothing to anybody.
void ReadPodsOfJobSets(benchmark::State& state) {
  const std::string_view group = state.range(0) != 0 ? "jobset.sigs" : "plains.sigs";
  const std::string labels = R"("labels":{)";
  std::string text = R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[)";
  for (std::int64_t i = 0; i < 100'000; ++i) {
    std::string pod = PodJson(i);
    pod.insert(
        pod.find(labels) + labels.size(),
        fmt::format(R"("{0}.k8s.io/jobset-name":"s-{1}","{0}.k8s.io/replicatedjob-name":"w",)",
                    group, i / 8));
    text += (i == 0 ? "" : ",") + pod;
  }
  text += "]}";
  for (auto _ : state) {
    objects::Manifest manifest;
    objects::ReadText(text, "bench", intake::AllDecoders(), manifest);
    intake::Intake intake;
    for (const objects::Object& object : manifest.objects) intake.Upsert(object, Time{});
    benchmark::DoNotOptimize(intake.TakeChanges());
  }
}
BENCHMARK(ReadPodsOfJobSets)->ArgName("job_sets")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void ReadYaml(benchmark::State& state) { Read(state, ListYaml()); }
BENCHMARK(ReadYaml)->Unit(benchmark::kSecond)->Iterations(2);

void ReadJson(benchmark::State& state) { Read(state, ListJson()); }
BENCHMARK(ReadJson)->Unit(benchmark::kSecond)->Iterations(5);

}  // namespace
}  // namespace fairlead::bench
