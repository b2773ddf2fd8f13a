#!/usr/bin/env bash
# `fairlead run`, the real controller of volumes and a provisioner (`cluster provision`) that may
# not be able to make a volume on a node: each pod goes where its volume can be had, a gang whole or
# not at all, and nothing is lost where Fairlead is killed.
#
#   test/e2e/provisioner.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

# provisions [FLAG…]: one provisioner, after which there is no other.
provisioner=
provisions() {
  no_provisioner
  "$cluster_binary" provision --kubeconfig "$KUBECONFIG" "$@" >>"$scratch/provisioner.log" 2>&1 &
  provisioner=$!
  on_exit kill_process "$provisioner"
}
no_provisioner() {
  if [[ -n $provisioner ]]; then kill_process "$provisioner" 2>/dev/null; fi
  provisioner=
}

# claim NAME: of the class whose volumes the provisioner makes.
claim() {
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec:
  storageClassName: made-for-pods
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
YAML
}
# pod NAME NODE [LABELS [prefers]]: a pod with the claim NAME that must, or prefers to, be there.
pod() {
  local term="matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [$2]}]"
  local where="requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{$term}]}"
  if [[ ${4:-} == prefers ]]; then
    where="preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {$term}}]"
  fi
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: $1, labels: {${3:-}}}
spec:
  schedulerName: fairlead
  affinity: {nodeAffinity: {$where}}
  containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: $1}}]
YAML
}
node_of() { field .spec.nodeName pod "$1"; }
selected() {
  local node='.metadata.annotations.volume\.kubernetes\.io/selected-node'
  is "$2" "$node" pvc "$1"
}
# volume_node CLAIM: where its volume can be had.
volume_node() {
  field '.spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]' \
    pv "$(field .spec.volumeName pvc "$1")"
}
waiting='.status.conditions[?(@.type=="fairlead.dev/WaitingForVolumes")]'

start_cluster --nodes 3 --node-cpu 4 --end-at-once
install_fairlead
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: made-for-pods}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
YAML
# Alone: who is killed gives no Lease back.
run_alone main
wait_for 30 says main 'all is read'
export FAIRLEAD_SERVER
FAIRLEAD_SERVER=$(url main)
begin=$SECONDS

# A StatefulSet: its pods come one after the other, each onto the node of its volume, and one that
# is made anew comes back to it.
provisions
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      schedulerName: fairlead
      containers: [{name: c, image: none, resources: {requests: {cpu: 3}}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      storageClassName: made-for-pods
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
YAML
wait_for 60 is 3 .status.readyReplicas statefulset db
for i in 0 1 2; do
  [[ $(node_of "db-$i") == "$(volume_node "data-db-$i")" ]] || fail "db-$i is not at its volume"
done
home=$(node_of db-1)
first=$(field .metadata.uid pod db-1)
kubectl delete pod db-1 --wait=false >/dev/null
remade() { [[ $(field .metadata.uid pod db-1) != "$first" && -n $(node_of db-1) ]]; }
wait_for 30 remade
[[ $(node_of db-1) == "$home" ]] || fail 'db-1 came back elsewhere than its volume'
is '' "$waiting.status" pod db-1 || fail 'who has a volume waited for one'
echo "- a StatefulSet: $((SECONDS - begin)) s"

# On one node no volume can be made: the pod that would rather be there goes elsewhere.
provisions --cannot-on node-1
{ claim picky && pod picky node-1 '' prefers; } | kubectl apply -f - >/dev/null
wait_for 60 bound 1 --field-selector metadata.name=picky
grep -q 'default/picky: not on node node-1' "$scratch/provisioner.log" ||
  fail 'the node that it prefers was not tried'
[[ $(node_of picky) == "$(volume_node picky)" ]] || fail 'it is not at its volume'
says main 'cannot bind default/picky: .*no volume could be made for node node-1' ||
  fail 'it does not say why it went elsewhere'
echo "- not on one node: $((SECONDS - begin)) s"

# A gang of which one volume is refused: nobody is bound, though the other has its volume. When it
# can be had, all are. (Whoever was refused looks again once the node changes.)
no_provisioner
kubectl delete statefulset db >/dev/null
wait_for 30 count_is 0 pods -l app=db
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: pair}
spec: {podSets: [{name: main, count: 2}]}
YAML
label='fairlead.dev/workload: pair'
{ claim a && pod a node-0 "$label" && claim b && pod b node-1 "$label"; } |
  kubectl apply -f - >/dev/null
pair=(-l fairlead.dev/workload=pair)
wait_for 30 selected a node-0
wait_for 30 selected b node-1
wait_for 30 is 'True True' '.items[*].status.conditions[?(@.type=="fairlead.dev/'`
  `'WaitingForVolumes")].status' pods "${pair[@]}"
provisions --cannot-on node-1
wait_for 30 is Bound .status.phase pvc a
wait_for 30 grep -q 'default/b: not on node node-1' "$scratch/provisioner.log"
wait_for 30 says main 'cannot bind default/a: .*claim default/b: no volume could be made'
no_volume='where no volume could be had for a pod like it'
wait_for 30 shows "$no_volume \\(node-1 until .*claim default/b" "$fairlead" explain default/b
bound 0 "${pair[@]}" || fail 'a part of a gang was bound though a volume was refused'
provisions
kubectl label node node-1 has=storage >/dev/null
wait_for 60 bound 2 "${pair[@]}"
is 'Bound Bound' '.items[*].status.phase' pvc a b || fail 'they were bound before their volumes'
echo "- a gang, whole or not at all: $((SECONDS - begin)) s"

# Killed between the choice of a claim's node and the binding: another process goes on with that
# node, though it would choose another by now.
no_provisioner
kubectl cordon node-2 >/dev/null
{ claim kept && pod kept node-2 '' prefers; } | kubectl apply -f - >/dev/null
wait_for 30 is True "$waiting.status" pod kept
chosen=$(field '.metadata.annotations.volume\.kubernetes\.io/selected-node' pvc kept)
[[ $chosen == node-[01] ]] || fail "not chosen: \"$chosen\""
end_fairlead main KILL 137
kubectl uncordon node-2 >/dev/null
run_alone second
# It decides, before there is a volume.
kubectl run newcomer --image none --overrides '{"spec": {"schedulerName": "fairlead"}}' >/dev/null
wait_for 30 bound 1 --field-selector metadata.name=newcomer
is '' .spec.nodeName pod kept || fail 'it was bound before its volume'
selected kept "$chosen" || fail 'another node was selected for its claim'
provisions
wait_for 30 bound 1 --field-selector metadata.name=kept
[[ $(node_of kept) == "$chosen" ]] || fail "bound to $(node_of kept), $chosen was selected"
[[ $(volume_node kept) == "$chosen" ]] || fail 'its volume is elsewhere'
end_fairlead second TERM 0
no_refusal main
no_fault second
echo "provisioner: passed in $((SECONDS - begin)) s"
