#!/usr/bin/env bash
# A kubelet that refuses a pod, as where its cores cannot be had together: the pod that its
# controller makes for it goes elsewhere, and whoever asks is told of the node and its words.
#
#   test/e2e/kubelet_refusals.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

start_cluster --nodes 2 --node-cpu 4 --end-at-once
install_fairlead
run_fairlead main
wait_for 30 leads main
export FAIRLEAD_SERVER
FAIRLEAD_SERVER=$(url main)
begin=$SECONDS
# The kubelet is this test.
cluster stop kubelets

# refuse POD REASON MESSAGE
refuse() {
  kubectl patch pod "$1" --subresource status --type merge >/dev/null -p \
    "{\"status\": {\"phase\": \"Failed\", \"reason\": \"$2\", \"message\": \"$3\"}}"
}
# on NODE COUNT: so many pods of the Deployment that nobody refused are there.
on() { count_is "$2" pods -l app=web --field-selector "spec.nodeName=$1,status.phase!=Failed"; }
first_on() {
  field '.items[0].metadata.name' pods -l app=web \
    --field-selector "spec.nodeName=$1,status.phase!=Failed"
}
# waits PATTERN: a pod of the Deployment waits, and this is said of it.
waits() {
  local pod
  pod=$(field '.items[0].metadata.name' pods -l app=web --field-selector spec.nodeName=)
  [[ -n $pod ]] && shows "$1" "$fairlead" explain "default/$pod"
}

# It would rather be on node-0, and goes elsewhere once that refused it.
cat <<'YAML' | kubectl apply -f - >/dev/null
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: fairlead
      affinity:
        nodeAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
          - weight: 100
            preference:
              matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-0]}]
      containers: [{name: c, image: none, resources: {requests: {cpu: 3}}}]
YAML
wait_for 30 on node-0 1
refuse "$(first_on node-0)" UnexpectedAdmissionError 'cores of one socket cannot be had'
wait_for 30 on node-1 1
on node-0 0 || fail 'its replacement is where it was refused'

# There is room for another on node-0 alone: it waits, and says why.
kubectl scale deployment web --replicas 2 >/dev/null
wait_for 30 waits '1 whose kubelet refused a pod like it \(node-0 until .*: cores of one socket'
on node-0 0 || fail 'a pod was bound where its like was refused'

# A node that changes may be asked again, and refuse again.
kubectl label node node-0 repaired=yes >/dev/null
wait_for 30 on node-0 1
refuse "$(first_on node-0)" OutOfcpu 'Node did not have enough resource: cpu'
# Which of the two is told, where both were within one second, goes by their pods' names.
wait_for 30 waits 'whose kubelet refused a pod like it \(node-0 until .*: (Node did not|cores of)'
on node-0 0 || fail 'a pod was bound where its like was refused twice'

# Nor is it avoided for longer than there are pods that were refused.
kubectl delete pods -l app=web --field-selector status.phase=Failed --force >/dev/null 2>&1
wait_for 30 on node-0 1
no_fault main
end_fairlead main TERM 0
echo "kubelet_refusals: passed in $((SECONDS - begin)) s"
