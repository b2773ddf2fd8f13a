#!/usr/bin/env bash
# Gangs whose pods stand near each other: in one rack, and come back into it; by our Topology and by
# Kueue's, with the jobs' own controllers.
#
#   test/e2e/racks.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

# rack BLOCK RACK NODE…: puts nodes there. tas_rack: the same, by the labels of Kueue's documents.
rack() {
  kubectl label node "${@:3}" "example.com/block=$1" "example.com/rack=$2" >/dev/null
}
tas_rack() {
  local of=cloud.provider.com
  kubectl label node "${@:3}" "$of/topology-block=$1" "$of/topology-rack=$2" \
    "$of/node-group=tas" >/dev/null
}
# racks SELECTION…: how many of these pods are in which rack: "r1=3 r2=3"; those without a node are
# "-", those that leave do not count.
racks() {
  {
    kubectl get nodes -o 'jsonpath={range .items[*]}node {.metadata.name} '`
      `'{.metadata.labels.example\.com/rack}{.metadata.labels.cloud\.provider\.com/topology-rack}'`
      `'{"\n"}{end}'
    kubectl get pods "$@" -o 'jsonpath={range .items[*]}pod '`
      `'{.metadata.deletionTimestamp}:{.spec.nodeName}{"\n"}{end}'
  } | awk '
    $1 == "node" { rack[$2] = $3 }
    $1 == "pod" && $2 ~ /^:/ { sub(":", "", $2); ++pods[$2 == "" ? "-" : rack[$2]] }
    END { for (r in pods) print r "=" pods[r] }' | sort | paste -sd ' '
}
# fails NODE: it is gone, and so are its pods.
fails() {
  kubectl delete node "$1" >/dev/null
  kubectl delete pods --field-selector "spec.nodeName=$1" --force >/dev/null 2>&1
}

# Racks of ours: two with room for five and for four pods here and there, and one that is empty.
# Two of Kueue's users, with room for four pods, and one for eight.
before_run() {
  rack b1 r1 node-0 node-1
  rack b1 r2 node-2 node-3
  rack b2 r3 node-4 node-5 node-6
  tas_rack c1 k1 node-7
  tas_rack c1 k2 node-8
  tas_rack c2 k3 node-9 node-10
  local other
  for other in 0:1 1:2 2:2 3:2; do
    kubectl apply -f - >/dev/null <<YAML
apiVersion: v1
kind: Pod
metadata: {name: other-${other%:*}}
spec:
  nodeName: node-${other%:*}
  containers: [{name: main, image: none, resources: {requests: {cpu: ${other#*:}}}}]
YAML
  done
  kubectl apply -f "$root/test/e2e/crds/kueue.yaml" >/dev/null
  kubectl wait --for condition=Established --timeout 30s \
    crd/{topologies,resourceflavors,clusterqueues,localqueues}.kueue.x-k8s.io >/dev/null
}
start_kinds jobset,lws,training --nodes 11
begin=$SECONDS

echo '- a PyTorchJob stands in one rack'
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: Topology
metadata: {name: fabric}
spec: {levels: [example.com/block, example.com/rack, kubernetes.io/hostname]}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train, labels: {fairlead.dev/queue: batch}}
spec:
  runPolicy: {suspend: true}
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
      template: &pods
        metadata:
          annotations:
            fairlead.dev/topology: fabric
            fairlead.dev/topology-required: rack
            fairlead.dev/topology-group: all
        spec:
          schedulerName: fairlead
          containers: [{name: pytorch, image: none, resources: {requests: {cpu: 1}}}]
    Worker: {replicas: 5, restartPolicy: OnFailure, template: *pods}
YAML
train=training.kubeflow.org/job-name=train
wait_for 60 shows '^r3=6$' racks -l $train

echo '- a node of it fails while Fairlead is down: the pods that come back stand in the same rack'
end_fairlead main KILL 137
fails node-5
run_alone second
wait_for 60 shows '^r3=6$' racks -l $train
FAIRLEAD_SERVER=$(url second)

echo '- another one fails, and it has no room left: they wait, though other racks have some'
fails node-6
wait_for 60 shows 'rack b2/r3, in which .* has room for 0 of the 2 .*\(TopologyBroken\)$' \
  "$fairlead" explain jobs/train
wait_for 60 shows '^b1/r1 +2 +8 +3 +5 +2 +-$' "$fairlead" get nodes --by rack
wait_for 60 shows '^b2/r3 +1 +4 +4 +0 +0 +jobs/train$' "$fairlead" get nodes --by rack
wait_for 60 shows '^-=2 r3=4$' racks -l $train
"$cluster_binary" nodes --kubeconfig "$KUBECONFIG" --nodes 1 --node-prefix new --node-cpu 4
rack b2 r3 new-0
wait_for 60 shows '^r3=6$' racks -l $train

echo '- each group of a LeaderWorkerSet stands in one rack, two in two'
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: serve
  labels: {fairlead.dev/queue: batch}
  annotations: {fairlead.dev/topology: fabric, fairlead.dev/topology-required: rack}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 4
    workerTemplate:
      spec:
        schedulerName: fairlead
        containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
YAML
of=leaderworkerset.sigs.k8s.io
wait_for 60 shows '^r1=4 r2=4$' racks -l $of/name=serve
for group in 0 1; do
  expect 0 '^r.=4$' racks -l $of/name=serve,$of/group-index=$group
done

echo "- a JobSet stands in one rack by Kueue's annotations"
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: default}
spec:
  levels:
  - nodeLabel: cloud.provider.com/topology-block
  - nodeLabel: cloud.provider.com/topology-rack
  - nodeLabel: kubernetes.io/hostname
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: tas-flavor}
spec:
  nodeLabels: {cloud.provider.com/node-group: tas}
  topologyName: default
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: tas-cluster-queue}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: tas-flavor
      resources: [{name: cpu, nominalQuota: 100}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: tas-user-queue}
spec: {clusterQueue: tas-cluster-queue}
YAML
# job_set NAME JOBS ANNOTATIONS: of two pods each.
job_set() {
  kubectl apply -f - >/dev/null <<YAML
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: $1
  labels: {kueue.x-k8s.io/queue-name: tas-user-queue}
spec:
  suspend: true
  replicatedJobs:
  - name: workers
    replicas: $2
    template:
      spec:
        parallelism: 2
        completions: 2
        template:
          metadata:
            annotations:
              $3
          spec:
            restartPolicy: Never
            schedulerName: fairlead
            containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
YAML
}
wait_for 60 shows '^default +kueue\.x-k8s\.io +cloud\.provider\.com/topology-block, ' \
  "$fairlead" get topologies
wait_for 60 shows '^fabric +fairlead\.dev +example\.com/block, .*rack, kubernetes\.io/hostname$' \
  "$fairlead" get topologies
level=cloud.provider.com/topology of=jobset.sigs.k8s.io
job_set near 3 "kueue.x-k8s.io/podset-required-topology: $level-rack"
wait_for 60 shows '^k3=6$' racks -l $of/jobset-name=near

echo '- all of another in a block, each of its Jobs in a rack'
job_set sliced 4 "kueue.x-k8s.io/podset-required-topology: $level-block
              kueue.x-k8s.io/podset-slice-required-topology: $level-rack
              kueue.x-k8s.io/podset-slice-size: '2'"
wait_for 60 shows '^k1=4 k2=4$' racks -l $of/jobset-name=sliced
for i in 0 1 2 3; do
  expect 0 '^k.=2$' racks -l $of/jobset-name=sliced,$of/job-index=$i
done
no_fault main
no_fault second
end_fairlead second TERM 0
echo "racks: passed in $((SECONDS - begin)) s"
