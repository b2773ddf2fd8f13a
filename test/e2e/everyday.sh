#!/usr/bin/env bash
# The same everyday commands, typed at a scheduler of a real cluster and at a virtual one that holds
# the same objects, print the same tables.
#
#   test/e2e/everyday.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
unset FAIRLEAD_SERVER
begin=$SECONDS
start_cluster --nodes 2 --node-cpu 8 --node-gpus 4
install_fairlead
run_alone real --data-dir none
wait_for 30 says real 'all is read'
kubectl apply -f "$root/examples/real-cluster/queues.yaml" >/dev/null
kubectl apply -f "$root/examples/real-cluster/sweep.yaml" >/dev/null
wait_for 30 shows '^vision +sweep +Running +8/12 +8/8 ' \
  "$fairlead" get workloads -A --server "$(url real)"

# The virtual one: its nodes, and what was applied.
kubectl get nodes -o yaml >"$scratch/nodes.yaml"
"$fairlead" up --port 0 --data-dir none -f "$scratch/nodes.yaml" \
  -f "$root/examples/real-cluster/queues.yaml" -f "$root/examples/real-cluster/sweep.yaml" \
  >"$scratch/virtual.log" 2>&1 &
on_exit kill_process $!
wait_for 30 says virtual 'http://'
wait_for 30 shows '^vision +sweep +Running +8/12 +8/8 ' \
  "$fairlead" get workloads -A --server "$(url virtual)"

# told WHERE COMMAND…: what it prints there, its exit code unless that is 0, and not what differs
# by the day: ages, times, the ends of pods' names, the order and the widths that come of them.
# (How old a node is only `up` knows.)
told() {
  local where=$1
  shift
  { "$fairlead" "$@" --server "$(url "$where")" 2>&1 || echo "exit $?"; } |
    sed -E 's/[0-9-]+T[0-9:.]+Z/TIME/g; s/\b([0-9]+[dhms])+\b/AGE/g' |
    sed -E 's/\bsweep-([0-9]|[a-z0-9]{5})\b/sweep-POD/g; s/ +/ /g; s/ (AGE|-)?$//' |
    sort
}
same=0
while IFS= read -r line; do
  read -ra words <<<"$line"
  told real "${words[@]}" >"$scratch/of-real"
  told virtual "${words[@]}" >"$scratch/of-virtual"
  [[ -s $scratch/of-real ]] || fail "nothing is printed: $line"
  diff "$scratch/of-virtual" "$scratch/of-real" >"$scratch/out" 2>"$scratch/err" ||
    fail "run answers otherwise than up (>: run): $line"
  same=$((same + 1))
done <<'COMMANDS'
get nodes
get no --no-headers
get node node-0
get node node-0 node-1 -o name
get nodes --sort-by NAME
get queues
get q vision
get queue/speech
get queues -o name
get workloads
get workloads -A
get wl -n vision
get workload sweep -n vision
get wl/sweep -n vision --no-headers
get workloads,queues -n vision
get pods -n speech
get pods -n vision --no-headers
queue shares
explain vision/sweep
explain sweep -n vision
describe workload sweep -n vision
get workload none -n vision
get workload swep -n vision
get node nude-0
get queue none
get nothings
COMMANDS
echo "everyday: $same commands print the same, in $((SECONDS - begin)) s"
