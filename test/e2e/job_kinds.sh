#!/usr/bin/env bash
# A platform's own resource by a row of jobKinds alone: that of examples/job-kinds. Its controller
# is a loop in this script, as simple as a platform's may be. See lib_kinds.sh.
#
#   test/e2e/job_kinds.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

# pods_of GROUPS: the pods that a Simulation of so many groups has.
pods_of() {
  local part index pods=(control-0)
  for ((index = 0; index < 3 * $1; ++index)); do pods+=("solver-$index"); done
  for part in "${pods[@]}"; do
    cat <<YAML
---
apiVersion: v1
kind: Pod
metadata:
  name: storm-$part
  labels: {batch.example.com/simulation: storm, batch.example.com/part: ${part%-*}}
  ownerReferences:
  - {apiVersion: batch.example.com/v1, kind: Simulation, name: storm, uid: $uid, controller: true}
spec:
  schedulerName: fairlead
  restartPolicy: Never
  containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
YAML
  done
}
# It makes what is missing while the Simulation is not paused, and deletes its pods while it is.
control() {
  local uid paused groups state ended
  local fields='.metadata.uid} {.spec.solver.groups} {.spec.paused} {.status.state'
  while sleep 0.3; do
    read -r uid groups paused state < <(field "$fields" simulations storm) || true
    if [[ $state == Done || -z $uid ]]; then continue; fi
    if [[ $paused == true ]]; then
      kubectl delete pods -l "$selector" --wait=false --ignore-not-found || true
      continue
    fi
    pods_of "$groups" | kubectl create -f - || true # those that are there are refused
    ended=$(kubectl get pods -l "$selector" --field-selector status.phase=Succeeded -o name | wc -l)
    if ((ended == 1 + 3 * groups)); then
      kubectl patch simulations storm --type merge -p '{"status": {"state": "Done"}}'
    fi
  done >/dev/null 2>&1
}

configuration=$root/examples/job-kinds/configuration.yaml
before_run() {
  kubectl apply -f - >/dev/null <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: simulations.batch.example.com}
spec:
  group: batch.example.com
  scope: Namespaced
  names: {kind: Simulation, listKind: SimulationList, plural: simulations, singular: simulation}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
YAML
  kubectl wait --for condition=Established --timeout 30s \
    crd/simulations.batch.example.com >/dev/null
  "$fairlead" validate -f "$configuration" --rbac | kubectl apply -f - >/dev/null
}
run_flags=(--config "$configuration")
start_kinds
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: batch.example.com/v1
kind: Simulation
metadata:
  name: storm
  labels: {fairlead.dev/queue: batch}
spec:
  paused: true
  control:
    template: &pods
      spec:
        schedulerName: fairlead
        containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
  solver: {groups: 4, perGroup: 3, minGroups: 3, template: *pods}
YAML
kind=Simulation resource=simulations name=storm selector=batch.example.com/simulation=storm
asked=13 admitted=10 suspend=.spec.paused
counts='.spec.solver.groups' counts_asked=4 counts_admitted=3
control &
on_exit kill_process $!
finished() { [[ $(field .status.state simulations storm) == Done ]]; }
story
