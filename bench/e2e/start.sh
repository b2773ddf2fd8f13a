#!/usr/bin/env bash
# How soon Fairlead is of use, on a real control plane:
#   start   from the process's begin to its first binding, with NODES nodes and PODS pods that run
#   react   from reading a pod to handing over its binding, in a quiet cluster: the slowest of 100
#
#   bench/e2e/start.sh [NODES] [PODS]      5000, 50000
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
nodes=${1:-5000} pods=${2:-50000}
start_control_plane "$nodes"

"$bin/load" make running "$pods"
"$bin/load" null running
"$bin/load" make fairlead 1
"$bin/load" count fairlead 1 >"$scratch/count" &
counter=$!
until grep -q counting "$scratch/count"; do sleep 0.05; done
begin=$(date +%s%N)
"$bin/fairlead" run --listen 127.0.0.1:8499 2>"$scratch/fairlead.log" &
pid=$!
wait "$counter"
printf 'start     %d ms to the first binding, with %d nodes and %d pods; %s\n' \
  $((($(date +%s%N) - begin) / 1000000)) "$nodes" "$pods" "$(cost "$pid")"

sleep 5
for ((i = 0; i < 100; ++i)); do
  kubectl create -f - >/dev/null <<YAML
apiVersion: v1
kind: Pod
metadata: {name: quiet-$i}
spec: {schedulerName: fairlead, containers: [{name: c, image: pause}]}
YAML
done
sleep 1
echo "react     counts up to so many seconds:"
curl -s http://127.0.0.1:8499/metrics | grep '^fairlead_reaction_seconds' |
  awk -F '[" ]' '/bucket/ && $4 > 0 && last != $4 { print "          " $2, $4; last = $4 }'
kill "$pid"
