#!/usr/bin/env bash
# Time, with real pods: room is kept for a large job, a Job with a deadline runs ahead of it and is
# gone in time, across a restart; a window closes nodes, stops what runs there, and opens them; and
# a pod waits since its gates are gone.
#
#   test/e2e/time.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
begin=$SECONDS
start_cluster --nodes 2 --node-cpu 4 --end-at-once
install_fairlead
cat >"$scratch/config.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
backfill: {after: 2s, reservations: 4}
YAML
run_flags=(--config "$scratch/config.yaml")
run_alone first
queue batch
kubectl create namespace jobs >/dev/null
kubectl config set-context --current --namespace jobs >/dev/null
FAIRLEAD_SERVER=$(wait_for 20 url first >/dev/null && url first)
export FAIRLEAD_SERVER
labels='labels: {fairlead.dev/queue: batch}'
# after SECONDS: the time so long from now, as Kubernetes writes it.
after() { date -u -d "$1 seconds" +%Y-%m-%dT%H:%M:%SZ; }
explains() { shows "$2" "$fairlead" explain "jobs/$1"; }
runs() { bound "$2" -l "batch.kubernetes.io/job-name=$1"; }

echo '- room is kept for a job of both nodes, from when on the one that runs has to end'
job long 2 3 "$labels" 'suspend: true
  activeDeadlineSeconds: 60' | kubectl apply -f - >/dev/null
wait_for 30 runs long 2
job whole 2 4 "$labels" 'suspend: true' | kubectl apply -f - >/dev/null
wait_for 30 explains whole 'GangDoesNotFit'
sleep 2 # backfill.after
job open 1 1 "$labels" 'suspend: true' | kubectl apply -f - >/dev/null
wait_for 30 explains whole '^Reserved: +node-0, node-1 from .* on'
wait_for 30 field .status.reservation.at workload whole
at=$(field .status.reservation.at workload whole)

echo '- who ends before that starts ahead, who does not waits for it'
job short 1 1 "$labels" 'suspend: true
  activeDeadlineSeconds: 15' | kubectl apply -f - >/dev/null
wait_for 30 runs short 1
wait_for 30 explains open 'RoomReserved'

echo '- killed and begun anew, it promises the same'
end_fairlead first KILL 137
run_alone second
FAIRLEAD_SERVER=$(wait_for 20 url second >/dev/null && url second)
wait_for 30 explains whole '^Reserved: +node-0, node-1 from .* on'
# To the second, as Kubernetes keeps times.
again=$(field .status.reservation.at workload whole)
[[ ${again:0:19} == "${at:0:19}" ]] || fail "promised $again after a restart, and $at before"
runs open 0 || fail 'who may run for ever started before it'

echo '- it starts when the other was ended by its deadline, and not later'
wait_for 90 runs whole 2
late=$(($(date +%s) - $(date -d "$at" +%s)))
((late <= 20)) || fail "started ${late}s after its promise"
kubectl delete job whole open >/dev/null

echo '- a window stops what runs on its node, and nothing else starts there'
kubectl label node node-0 pool=work >/dev/null
job a 2 3 "$labels" 'suspend: true' | kubectl apply -f - >/dev/null
wait_for 60 runs a 2
kubectl apply -f - >/dev/null <<YAML
apiVersion: fairlead.dev/v1alpha1
kind: Window
metadata: {name: work}
spec: {nodeSelector: {pool: work}, from: "$(after 5)", atBegin: Evict}
YAML
wait_for 60 count_is 0 pods --field-selector spec.nodeName=node-0
wait_for 30 explains a 'window work closes node-0'
stopped='{.status.conditions[?(@.type=="Evicted")].message}'
wait_for 30 shows 'Window: window work has begun on node node-0' \
  kubectl get workload a -o "jsonpath=$stopped"

echo '- it goes, and the node is open at once'
kubectl delete window work >/dev/null
wait_for 60 runs a 2

echo '- since when a pod waits that had gates is written'
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: gated, labels: {fairlead.dev/queue: batch}}
spec:
  schedulerName: fairlead
  schedulingGates: [{name: wait}]
  containers: [{name: main, image: none, resources: {requests: {cpu: 100}}}]
YAML
scheduled='{.status.conditions[?(@.type=="PodScheduled")].reason}'
wait_for 30 shows '^SchedulingGated$' kubectl get pod gated -o "jsonpath=$scheduled"
kubectl patch pod gated --type json \
  -p '[{"op": "remove", "path": "/spec/schedulingGates"}]' >/dev/null
wait_for 30 shows '^Ungated$' kubectl get pod gated -o "jsonpath=$scheduled"
no_fault second
echo "time: $((SECONDS - begin)) s"
