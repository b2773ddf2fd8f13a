#!/usr/bin/env bash
# `fairlead run` on a real control plane, with deploy/base's rights, while it and others are killed,
# stopped and woken. The judge is a record of all that became of every pod: nobody is bound twice,
# no node ever holds more than it has, and in the end nothing is lost.
#
#   test/e2e/faults.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
nodes=20 cpus=4

# record: writes what becomes of all pods, in order, into $scratch/events. The API server drops a
# watch that is slower than what happens; it goes on where that one ended.
record() {
  local version=$1 path=/api/v1/namespaces/storm/pods
  while true; do
    kubectl get --raw "$path?watch=true&resourceVersion=$version" >>"$scratch/events" \
      2>>"$scratch/record.err" || true
    version=$(tail -n 1 "$scratch/events" | grep -oE '"resourceVersion":"[0-9]+"' | head -n 1 |
      grep -oE '[0-9]+')
  done
}
# lines: the record as lines EVENT UID NODE PHASE CPU.
lines() {
  awk '
    # The first string that `key` has in the line: a pod is before its owners, and its spec before
    # what else names a node.
    function value(key) {
      if (!match($0, "\"" key "\":\"[^\"]*\"")) return "<none>"
      return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
    }
    { print value("type"), value("uid"), value("nodeName"), value("phase"), value("cpu") }
  ' "$scratch/events"
}
# judge RECORD: what it says against the invariants; nothing, where all is well.
judge() {
  awk -v most="$cpus" '
    $1 == "DELETED" || $4 == "Succeeded" || $4 == "Failed" { now = "" }
    $1 != "DELETED" && $4 != "Succeeded" && $4 != "Failed" && $3 != "<none>" { now = $3 }
    $3 != "<none>" && ($2 in home) && home[$2] != $3 { print "bound twice: " $0 }
    $3 != "<none>" { home[$2] = $3 }
    {
      if (on[$2] != now) {
        if (on[$2] != "") held[on[$2]] -= $5
        if (now != "") held[now] += $5
        on[$2] = now
        if (now != "" && held[now] > most) print now " holds " held[now] ": " $0
      }
      now = ""
    }
    END { if (NR < 400) print "a record of " NR " events only" }' "$1"
}

start_cluster --nodes "$nodes" --node-cpu "$cpus" --end-at-once
install_fairlead
kubectl create namespace storm >/dev/null
kubectl config set-context --current --namespace storm >/dev/null
queue low
queue high 'guaranteed: {cpu: 80}'
begin=$SECONDS
: >"$scratch/events"
record "$(kubectl get pods -o 'jsonpath={.metadata.resourceVersion}')" &
recorder=$!
on_exit kill_process "$recorder"
# bound_pods SELECTION…: a line for each that has a node.
bound_pods() {
  kubectl get pods "$@" -o 'jsonpath={range .items[*]}{.spec.nodeName}{"\n"}{end}' | grep . || true
}

# Killed in the middle of binds and evictions, again and again, and at last left alone. Alone, it
# need not wait for a Lease that nobody gave back.
low='labels: {fairlead.dev/queue: low}' high='labels: {fairlead.dev/queue: high}'
job low 120 1 '' '' "$low" | kubectl apply -f - >/dev/null
wait_for 60 count_is 120 pods
# storm_until COUNT SELECTION…: a process of its own until that many of these pods are bound; then
# it is killed, whatever it does.
storm_until() {
  run_alone storm
  wait_for 60 at_least "$@"
  end_fairlead storm KILL 137
}
at_least() { (($(bound_pods "${@:2}" | wc -l) >= $1)); }
storm_until 10
storm_until 35
storm_until 60
# Now 20 gangs that need half of the cluster: those who borrowed it must go.
for i in {1..20}; do
  job "high-$i" 4 1 "annotations: {fairlead.dev/gang: 'true'}" '' "$high"
done | kubectl apply -f - >/dev/null
wait_for 60 count_is 80 pods -l fairlead.dev/queue=high
storm_until 1 -l fairlead.dev/queue=high
storm_until 25 -l fairlead.dev/queue=high
run_alone storm
wait_for 60 bound 80 -l fairlead.dev/queue=high
echo "- killed in a storm: $((SECONDS - begin)) s"

# The API server is killed: it comes back with no memory for watches, and etcd forgets the past.
kubectl delete jobs --all --wait=false >/dev/null
wait_for 60 count_is 0 pods
# The record is complete once it has what came last.
kubectl run last --image none --restart Never >/dev/null
wait_for 60 grep -q "$(field .metadata.uid pod last)" "$scratch/events"
kubectl delete pod last >/dev/null
kill_process "$recorder"
if grep -q '^{"type":"ERROR"' "$scratch/events"; then fail 'the record has a gap'; fi
lines >"$scratch/pods"
judge "$scratch/pods" >"$scratch/verdict"
[[ ! -s $scratch/verdict ]] || fail "$(cat "$scratch/verdict")"
# The judge can say no.
sed '0,/ node-[0-9]* / s// node-none /' "$scratch/pods" >"$scratch/doctored"
judge "$scratch/doctored" | grep 'bound twice' >/dev/null ||
  fail 'the judge did not see a pod bound twice'
sed 's/ node-[0-9]* / node-0 /' "$scratch/pods" >"$scratch/doctored"
judge "$scratch/doctored" | grep 'node-0 holds' >/dev/null ||
  fail 'the judge did not see a full node'
cluster restart apiserver
job after-restart 40 1 | kubectl apply -f - >/dev/null
wait_for 60 bound 40
echo "- the API server was killed: $((SECONDS - begin)) s"
cluster stop apiserver
cluster start apiserver
cluster compact
job after-compaction 40 1 | kubectl apply -f - >/dev/null
wait_for 60 bound 80
end_fairlead storm TERM 0
echo "- etcd was compacted: $((SECONDS - begin)) s"

# Two replicas. The leader is paused past its lease; the other takes over; the first wakes, and ends
# without another word to the cluster.
run_fairlead one
wait_for 30 leads one
run_fairlead two
wait_for 30 says two 'the leader is '
leads two && fail 'two lead'
first=$(field .spec.holderIdentity lease fairlead -n fairlead-system)
kill -STOP "${processes[one]}"
job while-paused 10 1 '' 'suspend: true' | kubectl apply -f - >/dev/null
kubectl delete jobs after-compaction --wait=false >/dev/null
wait_for 40 leads two
second=$(field .spec.holderIdentity lease fairlead -n fairlead-system)
[[ -n $second && $second != "$first" ]] || fail "still led by $second"
kubectl patch job while-paused --type merge -p '{"spec": {"suspend": false}}' >/dev/null
wait_for 30 bound 10 -l job-name=while-paused
sleep 6 # for the figures of queues, which are written every 5 s
versions() {
  kubectl get pods,jobs,queues.fairlead.dev,events -A -o 'jsonpath={range .items[*]}{.kind} '`
    `'{.metadata.name} {.metadata.resourceVersion}{"\n"}{end}'
}
versions >"$scratch/versions"
end_fairlead one CONT 1
says one 'the lease is lost' || fail 'it does not say why it ended'
versions | diff "$scratch/versions" - >"$scratch/out" || fail 'who lost the lease wrote'
echo "- the leader was paused: $((SECONDS - begin)) s"

# Told to end, it gives the lease back, and a third need not wait.
run_fairlead three
wait_for 30 says three 'the leader is '
end_fairlead two TERM 0
from=$SECONDS
wait_for 12 leads three
end_fairlead three TERM 0
wait_for 5 is '' .spec.holderIdentity lease fairlead -n fairlead-system
echo "faults: passed in $((SECONDS - begin)) s"
