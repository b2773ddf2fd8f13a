#!/usr/bin/env bash
# JobSets, with JobSet's own controllers and webhooks: see lib_kinds.sh.
#
#   test/e2e/jobset.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

start_kinds jobset
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: train
  labels: {fairlead.dev/queue: batch}
  annotations: {fairlead.dev/min-replicas: '{"shards": 3}'}
spec:
  suspend: true
  replicatedJobs:
  - name: driver
    template:
      spec:
        template: &pods
          spec:
            restartPolicy: Never
            schedulerName: fairlead
            containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
  - name: shards
    replicas: 4
    template: {spec: {parallelism: 3, completions: 3, backoffLimit: 0, template: *pods}}
YAML
kind=JobSet resource=jobsets name=train selector=jobset.sigs.k8s.io/jobset-name=train
asked=13 admitted=10 suspend=.spec.suspend
counts='.spec.replicatedJobs[*].replicas' counts_asked='1 4' counts_admitted='1 4'
finished() { is True '.status.conditions[?(@.type=="Completed")].status' jobset train; }
story

# ordered NAME SPEC SHARDS: its shards' pods come once the driver's is ready, and find their room.
ordered() {
  echo "- $1: the driver first"
  kubectl apply -f - >/dev/null <<YAML
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: $1, labels: {fairlead.dev/queue: batch}}
spec:
  suspend: true
  $2
  replicatedJobs:
  - name: driver
    template:
      spec:
        template: &pods
          spec:
            restartPolicy: Never
            schedulerName: fairlead
            containers: [{name: main, image: none, resources: {requests: {cpu: 2}}}]
  - name: shards
    $3
    template: {spec: {parallelism: 5, completions: 5, template: *pods}}
YAML
  wait_for 60 bound 6 -l "jobset.sigs.k8s.io/jobset-name=$1"
  wait_for 20 shows '^State: +Running .*6 of 6 pods placed' "$fairlead" explain "jobs/$1"
  kubectl delete jobset "$1" --wait=false >/dev/null
}
ordered in-order 'startupPolicy: {startupPolicyOrder: InOrder}' 'replicas: 1'
ordered depends '' 'dependsOn: [{name: driver, status: Ready}]'
no_fault second
