#!/usr/bin/env bash
# RayClusters, with KubeRay's own controllers: see lib_kinds.sh.
#
#   test/e2e/ray.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

start_kinds ray
kubectl apply -f - >/dev/null <<YAML
apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: tune
  labels: {fairlead.dev/queue: batch}
spec:
  suspend: true
$(ray_cluster '  ')
YAML
kind=RayCluster resource=rayclusters name=tune selector=ray.io/cluster=tune
asked=13 admitted=10 suspend=.spec.suspend
counts='.spec.workerGroupSpecs[*].replicas' counts_asked=4 counts_admitted=3
story
