#!/usr/bin/env bash
# RayJobs, with KubeRay's own controllers: their pods are those of a RayCluster that is made anew
# each time that the RayJob is let go, and that of a Job which submits when that one is ready. See
# lib_kinds.sh.
#
#   test/e2e/rayjob.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

start_kinds ray
kubectl apply -f - >/dev/null <<YAML
apiVersion: ray.io/v1
kind: RayJob
metadata:
  name: evaluate
  labels: {fairlead.dev/queue: batch}
spec:
  suspend: true
  shutdownAfterJobFinishes: true
  entrypoint: python evaluate.py
  submitterPodTemplate:
    metadata: {labels: {ray.io/group: submitter}} # for the selector below
    spec:
      schedulerName: fairlead
      restartPolicy: Never
      containers: [{name: submit, image: none, resources: {requests: {cpu: 1, memory: 1Gi}}}]
  rayClusterSpec:
$(ray_cluster '    ')
YAML
kind=RayJob resource=rayjobs name=evaluate selector=ray.io/group
asked=14 admitted=11 suspend=.spec.suspend
counts='.spec.rayClusterSpec.workerGroupSpecs[*].replicas' counts_asked=4 counts_admitted=3
# There is no dashboard of Ray here: its word stands in an annotation.
finished() {
  kubectl annotate rayjob evaluate --overwrite fairlead.dev/ray-job-status=SUCCEEDED >/dev/null
  [[ $(field .status.jobDeploymentStatus rayjob evaluate) == Complete ]]
}
story
