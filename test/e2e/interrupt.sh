#!/usr/bin/env bash
# Ctrl-C leaves what was done until then: of one simulation, and of several runs.
#
#   test/e2e/interrupt.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

# Work for far longer than anybody waits: two million pods that run one after the other.
cat >"$scratch/long.yaml" <<'EOF'
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "1", pods: "10"}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: long, namespace: lab}
spec:
  completions: 2000000
  parallelism: 1
  template:
    metadata: {annotations: {fairlead.dev/run-duration: 1s}}
    spec: {schedulerName: fairlead, containers: [{name: c, resources: {requests: {cpu: "1"}}}]}
EOF
echo '{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration}' >"$scratch/config.yaml"

# interrupted COMMAND…: ends it as soon as it may be ended, and expects that exit code.
interrupted() {
  "$@" >"$scratch/out" 2>"$scratch/err" &
  local pid=$! code=0
  # Its signal mask, once it waits for a signal between instants: SIGINT is the second bit.
  until grep -Eq '^SigBlk:.*[2367abef]$' "/proc/$pid/status" 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || fail "$* ended by itself"
    sleep 0.05
  done
  sleep 0.5
  kill -INT "$pid"
  wait "$pid" || code=$?
  [[ $code == 130 ]] || fail "$*: exit code $code"
}

interrupted "$fairlead" simulate -f "$scratch/long.yaml" --save "$scratch/end.yaml" \
  --report "$scratch/end.html"
grep -q "^fairlead: stopped after .* of the cluster's time" "$scratch/err" || fail "says nothing"
grep -q '^Simulated .*; it would go on$' "$scratch/out" || fail "no summary"
[[ -s $scratch/end.html ]] || fail "no report"
"$fairlead" plan -f "$scratch/end.yaml" >/dev/null # what was saved can be gone on with

# Of several runs those that had ended are compared. A later signal ends it at once: the shell lets
# its background processes ignore SIGINT, so that this one is another.
sed 's/completions: .*/completions: 20000/' "$scratch/long.yaml" >"$scratch/short.yaml"
interrupted "$fairlead" compare "$scratch/config.yaml" "$scratch/config.yaml" --seeds 100 \
  -f "$scratch/short.yaml"
grep -Eq '^fairlead: stopped after [0-9]+ of 100 runs of each' "$scratch/err" || fail "says nothing"
"$fairlead" compare "$scratch/config.yaml" "$scratch/config.yaml" -f "$scratch/long.yaml" \
  >"$scratch/out" 2>"$scratch/err" &
pid=$!
until grep -Eq '^SigBlk:.*[2367abef]$' "/proc/$pid/status" 2>/dev/null; do sleep 0.05; done
kill -INT "$pid"
while grep -Eq '^SigBlk:.*[2367abef]$' "/proc/$pid/status" 2>/dev/null; do sleep 0.05; done
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
[[ $code == 143 ]] || fail "compare: exit code $code"
echo "Ctrl-C left what was done until then"
