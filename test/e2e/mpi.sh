#!/usr/bin/env bash
# MPIJobs, with the MPI operator's own controller: see lib_kinds.sh.
#
#   test/e2e/mpi.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

start_kinds mpi
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: train
  labels: {fairlead.dev/queue: batch}
spec:
  runPolicy: {suspend: true, backoffLimit: 7, schedulingPolicy: {minAvailable: 10}}
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      restartPolicy: Never
      template: &pods
        spec:
          schedulerName: fairlead
          containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
    Worker: {replicas: 15, restartPolicy: Never, template: *pods}
YAML
kind=MPIJob resource=mpijobs name=train selector=training.kubeflow.org/job-name=train
asked=16 admitted=12 suspend=.spec.runPolicy.suspend
counts='.spec.mpiReplicaSpecs.Worker.replicas} {.spec.runPolicy.backoffLimit'
counts_asked='15 7' counts_admitted='11 7'
finished() { is True '.status.conditions[?(@.type=="Succeeded")].status' mpijob train; }
story
