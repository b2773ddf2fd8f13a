#!/usr/bin/env bash
# What a tenant with the role `edit` in one namespace can do to others by what he writes, on a real
# control plane: everything here once succeeded, and must fail.
#
#   test/e2e/tenant.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

tenant() { KUBECONFIG=$scratch/tenant.kubeconfig kubectl -n thief "$@"; }
# gpu_job NAME PODS [POD_SPEC]: a Job of pods with a GPU each.
gpu_job() {
  local resources="{requests: {cpu: 100m}, limits: {nvidia.com/gpu: 1}}"
  job "$1" "$2" 100m | sed "s|resources: .*|resources: $resources}]\n      ${3:-}|"
}
# pod NAME METADATA SPEC RESOURCES: one that runs until it is stopped.
pod() {
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: $1, ${2:+$2, }labels: {app: $1}}
spec:
  schedulerName: fairlead
  terminationGracePeriodSeconds: 1
  ${3:-}
  containers: [{name: main, image: none, resources: {$4}}]
YAML
}
# only NODE: the affinity by which DaemonSets' controllers pin pods to their node.
only() {
  echo "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {" \
    "nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [$1]}]}]}}}"
}
explains() { shows "$2" "$fairlead" explain "$1"; }
nothing_of() { wait_for 60 count_is 0 pods -n "$1"; }
section() { echo "- $1"; }
# went COUNT ACTION: whether so many had to go for that. (Metrics are published once a second.)
went() { [[ $(metric main "fairlead_victims_total{action=\"$2\"}" | tee /dev/stderr) == "$1" ]]; }
restart() {
  end_fairlead main TERM 0
  run_fairlead main --config "$scratch/$1.yaml"
  wait_for 30 leads main
  FAIRLEAD_SERVER=$(url main)
}

start_cluster --nodes 2 --node-cpu 4 --node-gpus 8
install_fairlead
for name in honest thief; do
  kubectl create namespace "$name" >/dev/null
  kubectl label namespace "$name" "fairlead.dev/queue=$name" >/dev/null
  queue "$name" 'guaranteed: {nvidia.com/gpu: 8}'
  wait_for 30 kubectl get serviceaccount default -n "$name"
done
kubectl create serviceaccount tenant -n thief >/dev/null
kubectl create rolebinding tenant -n thief --clusterrole edit --serviceaccount thief:tenant \
  >/dev/null
account_kubeconfig thief/tenant "$scratch/tenant.kubeconfig"
wait_for 30 tenant auth can-i create poddisruptionbudgets
expect 1 no tenant auth can-i label namespaces
kubectl config set-context --current --namespace honest >/dev/null
for budgets in Bind Yield; do
  cat >"$scratch/$budgets.yaml" <<YAML
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
daemonSetPreemption: {startDelay: 1s}
disruptionBudgets: {onBorrowedRoom: $budgets}
maxGracePeriod: 2s
YAML
done
export FAIRLEAD_SERVER
run_fairlead main --config "$scratch/Bind.yaml"
wait_for 30 leads main
FAIRLEAD_SERVER=$(url main)
begin=$SECONDS

section "he says that a DaemonSet owns his pod"
gpu_job work 8 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 bound 8
home=$(field '.items[0].spec.nodeName' pods)
pod invented 'ownerReferences: [{apiVersion: evil.example/v1, kind: DaemonSet, name: none,
  uid: 9d3f2c5e-6f0a-4a54-8f4e-000000000000, controller: true}]' "$(only "$home")" \
  'limits: {nvidia.com/gpu: 8}' | tenant apply -f - >/dev/null
wait_for 30 tenant get pod invented
# One that is real, and his own: it gets the node that is free, and nobody's work elsewhere.
daemon_set own 100m | sed 's|{cpu: 100m}}|{}, limits: {nvidia.com/gpu: 8}}|' |
  tenant apply -f - >/dev/null
wait_for 30 bound 1 -n thief -l app=own
wait_for 30 count_is 2 pods -n thief -l app=own
stuck=$(kubectl get pods -n thief -l app=own --field-selector spec.nodeName= -o name)
wait_for 30 explains "thief/${stuck#pod/}" 'fairlead.dev/infrastructure'
# The administrator's, later, is let in: the time that such pods wait is over.
daemon_set agent 3600m | kubectl apply -n kube-system -f - >/dev/null
wait_for 30 bound 2 -n kube-system -l app=agent
wait_for 10 went 4 DaemonSet
bound 1 -n thief || fail 'a tenant said that a DaemonSet owns his pod'
kubectl delete daemonset agent -n kube-system --wait=false >/dev/null
nothing_of kube-system
wait_for 30 explains thief/invented 'NoNodeFits|no node'
bound 4 || fail 'a tenant used the room that others had to leave'
bound 1 -n thief || fail 'a tenant used the room that others had to leave'
tenant delete daemonset own --wait=false >/dev/null
tenant delete pod invented --wait=false >/dev/null
kubectl delete job work --wait=false >/dev/null
nothing_of thief && nothing_of honest

section "nobody may move what he has borrowed"
for i in {1..16}; do
  pod "sticky-$i" 'ownerReferences: [{apiVersion: evil.example/v1, kind: DaemonSet, name: none,
    uid: 9d3f2c5e-6f0a-4a54-8f4e-000000000000, controller: true}]' '' 'limits: {nvidia.com/gpu: 1}'
done | tenant apply -f - >/dev/null
wait_for 30 bound 16 -n thief
gpu_job work 8 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 bound 8
tenant delete pods --all --wait=false >/dev/null
kubectl delete job work --wait=false >/dev/null
nothing_of thief && nothing_of honest

section "his pods take ten years to end"
gpu_job eternal 16 'terminationGracePeriodSeconds: 315360000' | tenant apply -f - >/dev/null
wait_for 30 bound 16 -n thief
gpu_job work 8 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 bound 8
tenant delete job eternal --wait=false >/dev/null
tenant delete pods --all --grace-period 1 --wait=false >/dev/null
kubectl delete job work --wait=false >/dev/null
nothing_of thief && nothing_of honest

section "a pod with a node that cannot be read"
pod riddle '' 'nodeName: node-0' 'limits: {nvidia.com/gpu: 8, fairlead.dev/gpu-milli: 1}' |
  tenant apply -f - >/dev/null
wait_for 30 bound 1 -n thief
gpu_job work 16 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 bound 8
wait_for 30 bound 8 --field-selector spec.nodeName=node-1
wait_for 30 shows 'Pending .*' kubectl get pods --field-selector spec.nodeName=
bound 0 --field-selector spec.nodeName=node-0 || fail 'a node was given out twice'
tenant delete pod riddle --wait=false >/dev/null
wait_for 30 bound 16
kubectl delete job work --wait=false >/dev/null
nothing_of thief && nothing_of honest

section "he says that his three shares are of one device"
kubectl cordon node-1 >/dev/null
for i in 0 1 2; do
  pod "share-$i" '' '' 'limits: {fairlead.dev/gpu-milli: 600}'
done | tenant apply -f - >/dev/null
wait_for 30 bound 3 -n thief
tenant annotate pods --all --overwrite fairlead.dev/gpu-device=0 >/dev/null
restart Bind
gpu_job work 8 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 bound 5
name=$(kubectl get pods --field-selector spec.nodeName= -o name | sed -n 1p)
wait_for 30 explains "honest/${name#pod/}" 'node|room'
bound 5 || fail 'a device was given out twice'
tenant delete pods --all --wait=false >/dev/null
kubectl delete job work --wait=false >/dev/null
nothing_of thief && nothing_of honest
kubectl uncordon node-1 >/dev/null

section "a budget of his keeps what he has borrowed"
gpu_job greedy 16 'terminationGracePeriodSeconds: 1' | tenant apply -f - >/dev/null
wait_for 30 bound 16 -n thief
tenant create poddisruptionbudget keep --selector job-name=greedy --max-unavailable 0 >/dev/null
gpu_job work 8 'terminationGracePeriodSeconds: 1' | kubectl apply -f - >/dev/null
wait_for 30 count_is 8 pods
name=$(kubectl get pods -o name | sed -n 1p)
wait_for 30 explains "honest/${name#pod/}" 'thief/keep'
bound 0 || fail 'a budget was overdrawn'
restart Yield
wait_for 30 bound 8
bound 8 -n thief || fail 'a budget does not bind within a guarantee'

no_refusal main
end_fairlead main TERM 0
echo "tenant: passed in $((SECONDS - begin)) s"
