#!/usr/bin/env bash
# PyTorchJobs, with the training operator's own controllers and webhooks: see lib_kinds.sh. Its
# other kinds are let go and end.
#
#   test/e2e/training.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

start_kinds training
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: train
  labels: {fairlead.dev/queue: batch}
spec:
  runPolicy: {suspend: true, backoffLimit: 7}
  elasticPolicy: {minReplicas: 10, maxReplicas: 15}
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template: &pods
        spec:
          schedulerName: fairlead
          containers: [{name: pytorch, image: none, resources: {requests: {cpu: 1}}}]
    Worker: {replicas: 15, restartPolicy: Never, template: *pods}
YAML
kind=PyTorchJob resource=pytorchjobs name=train selector=training.kubeflow.org/job-name=train
asked=16 admitted=12 suspend=.spec.runPolicy.suspend
counts='.spec.pytorchReplicaSpecs.Worker.replicas} {.spec.runPolicy.backoffLimit'
counts_asked='15 7' counts_admitted='11 7'
finished() { is True '.status.conditions[?(@.type=="Succeeded")].status' "$resource" "$name"; }
story

# one KIND SPECS CONTAINER ROLE=COUNT…: is let go whole, each role a pod set, and ends.
one() {
  local kind=$1 specs=$2 container=$3 role pods=0 sets=
  shift 3
  name=${kind,,} resource=${kind,,}s
  selector=training.kubeflow.org/job-name=$name
  {
    cat <<YAML
apiVersion: kubeflow.org/v1
kind: $kind
metadata: {name: $name, labels: {fairlead.dev/queue: batch}}
spec:
  runPolicy: {suspend: true}
  $specs:
YAML
    for role in "$@"; do
      cat <<YAML
    ${role%=*}:
      replicas: ${role#*=}
      restartPolicy: Never
      template:
        spec:
          schedulerName: fairlead
          containers: [{name: $container, image: none, resources: {requests: {cpu: 1}}}]
YAML
    done
  } | kubectl apply -f - >/dev/null
  for role in "$@"; do
    ((pods += ${role#*=}))
    sets+="${role,,} "
  done
  echo "- $kind: $sets"
  wait_for 60 bound "$pods" -l "$selector"
  wait_for 20 shows "^State: +Running .*$pods of $pods pods placed" \
    "$fairlead" explain "jobs/$name"
  [[ $(pod_sets) == "$sets" ]] || fail "pod sets $(pod_sets)"
  wait_for 60 finishes
  wait_for 20 condition_is Finished True
  kubectl delete "$resource" "$name" --wait=false >/dev/null
}
pod_sets() {
  local each='{range .spec.podSets[*]}{.name}={.count} {end}'
  kubectl get workloads.fairlead.dev "$name" -o "jsonpath=$each"
}
one TFJob tfReplicaSpecs tensorflow PS=1 Chief=1 Worker=2 Evaluator=1
one XGBoostJob xgbReplicaSpecs xgboost Master=1 Worker=2
one JAXJob jaxReplicaSpecs jax Worker=2
one PaddleJob paddleReplicaSpecs paddle Master=1 Worker=2
no_fault second
