#!/usr/bin/env bash
# LeaderWorkerSets, with their own controllers and webhooks: each group is a workload, which is
# placed whole or not at all.
#
#   test/e2e/lws.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")

# leader_worker_set NAME REPLICAS STARTUP: groups of four pods, 5 CPUs.
leader_worker_set() {
  cat <<YAML
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: $1
  labels: {fairlead.dev/queue: batch}
spec:
  replicas: $2
  startupPolicy: $3
  leaderWorkerTemplate:
    size: 4
    leaderTemplate:
      metadata: {labels: {role: leader}}
      spec:
        schedulerName: fairlead
        containers: [{name: main, image: none, resources: {requests: {cpu: 2}}}]
    workerTemplate:
      spec:
        schedulerName: fairlead
        containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
YAML
}
# groups_are N: so many of the three groups run whole, and nothing of the others does.
groups_are() {
  local group whole=0 of=leaderworkerset.sigs.k8s.io
  for group in 0 1 2; do
    if bound 4 -l "$of/name=serve,$of/group-index=$group"; then
      whole=$((whole + 1))
    else
      waiting=$group
      bound 0 -l "$of/name=serve,$of/group-index=$group" || return 1
    fi
  done
  ((whole == $1))
}

start_kinds lws

echo '- two of three groups run whole'
leader_worker_set serve 3 LeaderCreated | kubectl apply -f - >/dev/null
wait_for 90 groups_are 2
wait_for 20 shows '^State: +Pending' "$fairlead" explain "jobs/serve-$waiting"
none workloads.fairlead.dev || fail 'a Workload was made'

echo '- another queue wants its guarantee: both go, and come again'
sure | kubectl apply -f - >/dev/null
wait_for 60 bound 3 -l job-name=sure
wait_for 60 groups_are 0
kubectl delete job sure --wait=false >/dev/null
wait_for 90 groups_are 2

echo '- deleted'
kubectl delete leaderworkersets serve --wait=false >/dev/null
wait_for 120 none pods -l leaderworkerset.sigs.k8s.io/name=serve

echo '- workers that come when their leader is ready'
leader_worker_set slow 1 LeaderReady | kubectl apply -f - >/dev/null
wait_for 60 bound 4 -l leaderworkerset.sigs.k8s.io/name=slow
wait_for 20 shows '^State: +Running' "$fairlead" explain jobs/slow-0
no_fault main
