#!/usr/bin/env bash
# Bindings on a real control plane, side by side and in turn: a scheduler that only posts bindings,
# Fairlead, Kubernetes' own scheduler. Everything shares the machine's cores, the control plane too.
#
#   bench/e2e/run.sh [ROUNDS] [NODES] [PODS]      3, 1000, 10000
#
# Prints a line a run: who, the time to the first binding and from it to the last, bindings a
# second, and the scheduler's own CPU seconds and memory (peak).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
rounds=${1:-3} nodes=${2:-1000} pods=${3:-10000} who=${4:-null fairlead kube}
start_control_plane "$nodes"

cat >"$scratch/kube-scheduler.yaml" <<YAML
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: $KUBECONFIG, qps: 100000, burst: 100000}
leaderElection: {leaderElect: false}
profiles: [{schedulerName: kube}]
YAML

# start NAME: in the background, as $pid.
start() {
  case $1 in
    null) "$bin/load" null null & ;;
    fairlead) "$bin/fairlead" run --listen 127.0.0.1:0 2>"$scratch/fairlead.log" & ;;
    kube)
      "$(dirname "$cluster")/kube-scheduler" --config "$scratch/kube-scheduler.yaml" \
        --secure-port 0 2>"$scratch/kube.log" &
      ;;
  esac
  pid=$!
}

ln -sf cluster "$(dirname "$cluster")/kube-scheduler"
for ((round = 1; round <= rounds; ++round)); do
  for name in $who; do
    "$bin/load" make "$name" "$pods"
    "$bin/load" count "$name" "$pods" >"$scratch/count" &
    counter=$!
    until grep -q counting "$scratch/count"; do sleep 0.05; done
    start "$name"
    # What it takes is read while it still runs.
    while kill -0 "$counter" 2>/dev/null; do
      cost "$pid" >"$scratch/cost.new" 2>/dev/null && mv "$scratch/cost.new" "$scratch/cost"
      sleep 0.1
    done
    printf '%-9s %s; %s\n' "$name" "$(tail -n 1 "$scratch/count")" "$(cat "$scratch/cost")"
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    "$bin/load" delete
  done
done
