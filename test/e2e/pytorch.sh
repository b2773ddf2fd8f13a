#!/usr/bin/env bash
# PyTorchJobs, with the training operator's own controllers and webhooks: see lib_kinds.sh.
#
#   test/e2e/pytorch.sh FAIRLEAD
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
finished() { is True '.status.conditions[?(@.type=="Succeeded")].status' pytorchjob train; }
story
