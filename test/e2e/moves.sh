#!/usr/bin/env bash
# Work moves, so that a pod has a node to itself: a Job's, since a budget is in the Deployment's
# way, with Fairlead killed between its eviction and its next pod; then the Deployment's.
#
#   test/e2e/moves.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
cat >"$scratch/config.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
consolidation: {enabled: true, cooldown: 3s}
YAML
run_flags=(--config "$scratch/config.yaml")
start_cluster --nodes 2 --node-cpu 4 --end-at-once
install_fairlead
run_fairlead main
wait_for 30 leads main
begin=$SECONDS

spec='schedulerName: fairlead, containers: [{name: c, image: none, '
spec+='resources: {requests: {cpu: 2}}}]'
# pod NAME CPU: one that nobody makes again.
pod() {
  kubectl apply -f - >/dev/null <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  schedulerName: fairlead
  containers: [{name: c, image: none, resources: {requests: {cpu: $2}}}]
YAML
}
# on NODE SELECTION…: whether one of these pods is there, and is not on its way out.
on() {
  local each='{range .items[*]}{.metadata.deletionTimestamp}:{.spec.nodeName}{"\n"}{end}'
  kubectl get pods "${@:2}" -o "jsonpath=$each" | grep -qx ":$1"
}
controllers() { kill -s "$1" "$(cat "$cluster_dir/controllers.pid")"; }

echo '- a Deployment on one node, a Job on the other'
kubectl cordon node-1 >/dev/null
kubectl apply -f - >/dev/null <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {$spec}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
YAML
wait_for 60 on node-0 -l app=web
kubectl uncordon node-1 >/dev/null
kubectl cordon node-0 >/dev/null
kubectl apply -f - >/dev/null <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: batch}
spec:
  podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}
  template: {spec: {restartPolicy: Never, $spec}}
YAML
wait_for 60 on node-1 -l job-name=batch
kubectl uncordon node-0 >/dev/null

echo '- the Job moves, and no budget is broken; who starts anew knows where it goes'
web=$(kubectl get pods -l app=web -o name)
controllers STOP
on_exit controllers CONT
pod large 4
wait_for 30 shows 'Job/default/batch .* on node-0' \
  field '.metadata.annotations.fairlead\.dev/landings' pod large
end_fairlead main KILL 137
run_alone second
wait_for 60 says second 'all is read'
wait_for 20 shows 'node-1' field .status.nominatedNodeName pod large
is '' .spec.nodeName pod large || fail 'it starts before who moved for it has a place'
controllers CONT
wait_for 60 on node-0 -l job-name=batch
wait_for 60 is node-1 .spec.nodeName pod large
[[ $(kubectl get pods -l app=web -o name) == "$web" ]] || fail 'the Deployment lost its pod'
is '' .status.failed job batch || fail 'the Job counts a failure'

echo '- the Deployment moves'
kubectl delete pdb web >/dev/null
kubectl delete pod large >/dev/null
kubectl delete job batch >/dev/null
kubectl cordon node-0 >/dev/null
pod small 2
wait_for 30 is node-1 .spec.nodeName pod small
kubectl uncordon node-0 >/dev/null
pod large 4
wait_for 60 on node-1 -l app=web
wait_for 60 is node-0 .spec.nodeName pod large
[[ $(kubectl get pods -l app=web -o name) != "$web" ]] || fail 'its pod is as before'
wait_for 20 shows 'Consolidate for default/large' kubectl get events
no_fault second
echo "moves: passed in $((SECONDS - begin)) s"
