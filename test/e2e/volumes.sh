#!/usr/bin/env bash
# `fairlead run` and volumes on a real control plane, with the rights that deploy/base gives it.
#
#   test/e2e/volumes.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

start_cluster --nodes 2 --node-cpu 4 --end-at-once
install_fairlead
run_fairlead main
wait_for 30 leads main
begin=$SECONDS

# The claims of a gang's volumes are bound for the nodes of its pods by whoever makes them, here by
# hand, and by the real controller of volumes; before that none of the gang's pods is.
selected() {
  local node='.metadata.annotations.volume\.kubernetes\.io/selected-node'
  [[ -n $(field "$node" pvc "$1") ]]
}
# With the claim's uid, as provisioners do: without it the controller looks every 15 s only.
provision() {
  local uid
  uid=$(field .metadata.uid pvc "$1")
  cat <<YAML | kubectl apply -f - >/dev/null
apiVersion: v1
kind: PersistentVolume
metadata: {name: made-for-$1}
spec:
  storageClassName: made-for-pods
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  claimRef: {apiVersion: v1, kind: PersistentVolumeClaim, namespace: default, name: $1, uid: $uid}
  csi: {driver: csi.example.com, volumeHandle: $1}
YAML
}
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: made-for-pods}
provisioner: csi.example.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: db}
spec: {podSets: [{name: main, count: 2}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  serviceName: db
  podManagementPolicy: Parallel
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db, fairlead.dev/workload: db}}
    spec:
      schedulerName: fairlead
      containers:
      - name: c
        image: none
        resources: {requests: {cpu: 1}}
        volumeMounts: [{name: data, mountPath: /d}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      storageClassName: made-for-pods
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
YAML
wait_for 30 selected data-db-0
wait_for 30 selected data-db-1
provision data-db-0
wait_for 30 is Bound .status.phase pvc data-db-0
bound 0 || fail 'a part of a gang was bound before its volumes'
provision data-db-1
wait_for 30 bound 2
is Bound .status.phase pvc data-db-1 || fail 'its pod was bound first'

# A volume that is there is taken for a claim of a class that makes none, by its claimRef; the
# controller of volumes then binds the claim. The larger one stays.
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: disks}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk-1}
spec:
  storageClassName: disks
  capacity: {storage: 2Gi}
  accessModes: [ReadWriteOnce]
  csi: {driver: csi.example.com, volumeHandle: disk-1}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: disk-0}
spec:
  storageClassName: disks
  capacity: {storage: 5Gi}
  accessModes: [ReadWriteOnce]
  csi: {driver: csi.example.com, volumeHandle: disk-0}
YAML
wait_for 30 is Available .status.phase pv disk-0
wait_for 30 is Available .status.phase pv disk-1
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: scratch}
spec:
  storageClassName: disks
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Pod
metadata: {name: takes-a-disk}
spec:
  schedulerName: fairlead
  containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
  volumes: [{name: v, persistentVolumeClaim: {claimName: scratch}}]
YAML
wait_for 30 bound 3
is Bound .status.phase pvc scratch || fail 'a pod was bound before its volume'
is disk-1 .spec.volumeName pvc scratch || fail 'another volume than the smallest was taken'
end_fairlead main TERM 0
echo "volumes: passed in $((SECONDS - begin)) s"
