#!/usr/bin/env bash
# A Deployment that is spread over zones while nodes go and come: what would be uneven waits, and is
# placed when it no longer is.
#
#   test/e2e/spread.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

zone=topology.kubernetes.io/zone
# zones: how many pods run in each zone: "z0=3 z1=3", those that leave not counted.
zones() {
  {
    kubectl get nodes -o 'jsonpath={range .items[*]}node {.metadata.name} '`
      `'{.metadata.labels.topology\.kubernetes\.io/zone}{"\n"}{end}'
    kubectl get pods -l app=web -o 'jsonpath={range .items[*]}pod '`
      `'{.metadata.deletionTimestamp}:{.spec.nodeName}{"\n"}{end}'
  } | awk '
    $1 == "node" && $3 != "" { zone[$2] = $3; pods[$3] += 0 }
    $1 == "pod" && $2 ~ /^:./ { sub(":", "", $2); ++pods[zone[$2]] }
    END { for (z in pods) print z "=" pods[z] }' | sort | paste -sd ' '
}
zones_are() {
  local now
  now=$(zones)
  echo "$now" >&2
  [[ $now == "$1" ]]
}
# settled ZONES: where one waits, nobody else was placed.
settled() {
  wait_for 30 one_waits
  zones_are "$1" 2>/dev/null || fail "found $(zones), expected $1"
}
scale() { kubectl scale deployment web --replicas "$1" >/dev/null; }
# A pod that waits, and says that its spread is why.
one_waits() {
  local pod
  pod=$(kubectl get pods -l app=web --field-selector spec.nodeName= -o name | head -n 1)
  [[ -n $pod ]] &&
    shows 'too many pods of app=web already' "$fairlead" explain "default/${pod#pod/}"
}

start_cluster --nodes 6 --node-cpu 4 --end-at-once
for i in 0 1 2; do kubectl label node "node-$i" "node-$((i + 3))" $zone=z$i >/dev/null; done
install_fairlead
run_fairlead main
wait_for 30 leads main
export FAIRLEAD_SERVER
FAIRLEAD_SERVER=$(url main)
begin=$SECONDS

cat <<YAML | kubectl apply -f - >/dev/null
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 9
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: fairlead
      topologySpreadConstraints:
      - maxSkew: 1
        minDomains: 3
        topologyKey: $zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector: {matchLabels: {app: web}}
      containers: [{name: c, image: none, resources: {requests: {cpu: 1}}}]
YAML
wait_for 60 zones_are 'z0=3 z1=3 z2=3'
echo "- spread: $((SECONDS - begin)) s"

# A zone is drained. It stays one, with nobody in it, so that its pods have nowhere to go, until one
# of its nodes takes pods again.
kubectl drain node-2 node-5 --force --timeout 60s >"$scratch/out" 2>"$scratch/err" ||
  fail 'cannot drain'
wait_for 30 count_is 9 pods -l app=web
settled 'z0=3 z1=3 z2=0'
kubectl uncordon node-5 >/dev/null
wait_for 30 zones_are 'z0=3 z1=3 z2=3'
echo "- drained, and back: $((SECONDS - begin)) s"

# Its nodes are taken away. There are fewer zones than minDomains then, and the rest has no more
# pods for it; a node that comes is of no use until it says that it is in the zone.
kubectl drain node-5 --force --timeout 60s >"$scratch/out" 2>"$scratch/err" || fail 'cannot drain'
kubectl delete node node-2 node-5 >/dev/null
wait_for 30 count_is 9 pods -l app=web
settled 'z0=3 z1=3'
"$cluster_binary" nodes --kubeconfig "$KUBECONFIG" --nodes 1 --node-prefix new --node-cpu 8
kubectl label node new-0 $zone=z2 >/dev/null
wait_for 30 zones_are 'z0=3 z1=3 z2=3'
echo "- taken away, and another: $((SECONDS - begin)) s"

# Nodes that take nobody at the moment count: of three more one waits for them.
kubectl cordon node-1 node-4 >/dev/null
scale 12
wait_for 30 zones_are 'z0=4 z1=3 z2=4'
settled 'z0=4 z1=3 z2=4'
kubectl uncordon node-4 >/dev/null
wait_for 30 zones_are 'z0=4 z1=4 z2=4'

# A node moves to another zone, with its pods: whoever comes makes up for it.
kubectl drain node-0 --force --timeout 60s >"$scratch/out" 2>"$scratch/err" || fail 'cannot drain'
wait_for 30 zones_are 'z0=4 z1=4 z2=4'
kubectl label node node-0 $zone=z1 --overwrite >/dev/null
kubectl uncordon node-0 node-1 >/dev/null
scale 15
# z0 is one node of four cores now.
wait_for 30 zones_are 'z0=4 z1=5 z2=5'
settled 'z0=4 z1=5 z2=5'
no_fault main
end_fairlead main TERM 0
echo "spread: passed in $((SECONDS - begin)) s"
