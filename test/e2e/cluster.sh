#!/usr/bin/env bash
# The control plane that other end-to-end tests stand on, without Fairlead: pods of fake kubelets
# run and end, Kubernetes' controllers make pods, its parts can be killed, and nothing of it is left
# behind.
#
#   test/e2e/cluster.sh [FAIRLEAD]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# bind POD NODE: what a scheduler does.
bind() {
  kubectl create --raw "/api/v1/namespaces/default/pods/$1/binding" -f - <<JSON
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "$1"},
 "target": {"kind": "Node", "name": "$2"}}
JSON
}

# alive PID…: whether one of them is still a process of the cluster. One that waits to be reaped is
# not, nor is one of somebody else's that got the number.
alive() {
  local pid
  for pid in "$@"; do
    if grep -qE '^[0-9]+ \(cluster\) [^ZX]' "/proc/$pid/stat" 2>/dev/null; then return 0; fi
  done
  return 1
}
none_alive() { ! alive "$@"; }

begin=$SECONDS
start_cluster --node-gpus 8 --node-labels zone=a
expect 0 '^node-2 +Ready' kubectl get nodes -l zone=a
expect 0 '^8 110$' \
  field '.status.allocatable.nvidia\.com/gpu} {.status.allocatable.pods' node node-0
expect 0 'Server Version: v1\.[0-9]+' kubectl version

# A pod with a node runs, with the volume that admission gives it, and ends when its time is over.
kubectl apply -f - <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: short, annotations: {fairlead.dev/run-duration: 2s}}
spec: {nodeName: node-1, containers: [{name: main, image: none}]}
---
apiVersion: v1
kind: Pod
metadata: {name: long}
spec: {nodeName: node-2, terminationGracePeriodSeconds: 1, containers: [{name: main, image: none}]}
---
apiVersion: v1
kind: Pod
metadata: {name: unbound}
spec: {schedulerName: fairlead, containers: [{name: main, image: none}]}
YAML
wait_for 30 shows '^Running$' field .status.phase pod short
expect 0 '^kube-api-access' field '.spec.volumes[*].name' pod short
wait_for 30 shows '^Succeeded$' field .status.phase pod short
terminated='.status.containerStatuses[0].state.terminated'
expect 0 '^0 Completed$' field "$terminated.exitCode} {$terminated.reason" pod short
wait_for 30 kubectl wait --for condition=Ready pod/long --timeout 30s
expect 0 '^Pending$' field .status.phase pod unbound

# One that is deleted goes when its grace is over: the kubelet lets it go, kubectl waits for that.
expect 0 'pod "long" deleted' kubectl delete pod long --timeout 30s

# Controllers: a suspended Job makes pods once it is not; they run where they are bound, and end it.
daemon_set agent 0 | kubectl apply -f -
kubectl apply -f - <<'YAML'
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec:
  suspend: true
  parallelism: 3
  completions: 2
  template:
    metadata: {annotations: {fairlead.dev/run-duration: 1s}}
    spec:
      restartPolicy: Never
      schedulerName: fairlead
      containers: [{name: main, image: none}]
YAML
wait_for 30 shows '^True$' field '.status.conditions[?(@.type=="Suspended")].status' job job
count_is 0 pods -l job-name=job || fail 'a suspended Job has pods'
kubectl patch job job -p '{"spec": {"suspend": false}}'
wait_for 30 count_is 2 pods -l job-name=job
for pod in $(field '.items[*].metadata.name' pods -l job-name=job); do bind "$pod" node-0; done
wait_for 30 shows '^True$' field '.status.conditions[?(@.type=="Complete")].status' job job
wait_for 30 count_is 3 pods -l app=agent

# Garbage collection: the Job's pods go with it.
kubectl delete job job
wait_for 30 count_is 0 pods -l job-name=job

# Other kinds can be taught, and a ServiceAccount may do what RBAC gives it, and no more.
kubectl apply -f - <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.org}
spec:
  group: example.org
  names: {kind: Boat, plural: boats}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: sailor}
rules: [{apiGroups: [example.org], resources: [boats], verbs: [get, list]}]
YAML
wait_for 30 kubectl get boats
kubectl create serviceaccount sailor
kubectl create clusterrolebinding sailor --clusterrole sailor --serviceaccount default:sailor
account_kubeconfig default/sailor "$scratch/sailor"
wait_for 30 kubectl --kubeconfig "$scratch/sailor" get boats
expect 1 'User "system:serviceaccount:default:sailor" cannot list resource "pods"' \
  kubectl --kubeconfig "$scratch/sailor" get pods

# An apiserver that was killed comes back without a memory of its own: it answers a watch from
# before with 410. What etcd kept is still there, until a compaction.
pods_at() { kubectl get --raw "/api/v1/pods?resourceVersionMatch=Exact&resourceVersion=$1"; }
watch_from() { kubectl get --raw "/api/v1/pods?watch=true&timeoutSeconds=1&resourceVersion=$1"; }
revision=$(kubectl get --raw /api/v1/pods |
  sed -E 's/.*"metadata":\{"resourceVersion":"([0-9]+)".*/\1/')
kubectl label pod unbound changed=yes
expect 0 '"type":"MODIFIED".*"changed":"yes"' watch_from "$revision"
killed=$(cat "$cluster_dir/apiserver.pid")
cluster restart apiserver
none_alive "$killed" || fail 'the old apiserver lives'
expect 0 '"type":"ERROR".*"code":410' watch_from "$revision"
expect 0 '"name":"unbound"' pods_at "$revision"
cluster compact
expect 1 'Expired' pods_at "$revision"

# Whoever is killed from outside comes back too, and work goes on.
kill -KILL "$(cat "$cluster_dir/kubelets.pid")" "$(cat "$cluster_dir/controllers.pid")"
bind unbound node-1
wait_for 30 shows '^Running$' field .status.phase pod unbound

# It goes as a whole, told to or killed.
mapfile -t whole < <(cat "$cluster_dir"/*.pid)
[[ ${#whole[@]} == 4 ]] || fail "4 processes expected: ${whole[*]}"
alive "${whole[@]}" || fail 'no process is there to be ended'
stop_cluster
none_alive "${whole[@]}" || fail 'processes are left after SIGTERM'

start_cluster --controllers none --nodes 1
mapfile -t whole < <(cat "$cluster_dir"/*.pid)
alive "${whole[@]}" || fail 'no process is there to be ended'
stop_cluster KILL
wait_for 5 none_alive "${whole[@]}"
echo "cluster: passed in $((SECONDS - begin)) s"
