#!/usr/bin/env bash
# The same everyday commands, typed at a scheduler of a real cluster and at a virtual one that holds
# the same objects, print the same tables.
#
# And without --server, through the API server's proxy of the Service, with the rights that
# deploy/components/page gives and no others.
#
#   test/e2e/everyday.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
cd "$root"
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
    sed -E 's/\bsweep-([0-9]|[a-z0-9]{5})\b/sweep-POD/g' |
    sed -E 's/[0-9-]+T[0-9:.]+Z/TIME/g; s/\b([0-9]+[dhms])+\b/AGE/g' |
    sed -E 's/ +/ /g; s/ (AGE|-)?$//' |
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
get nodes -o wide
get queues
get q vision
get queue/speech
get queues -o name
get queue vision speech
get queues --sort-by NAME --no-headers
get workloads
get workloads -A
get wl -n vision
get workload sweep -n vision
get wl/sweep -n vision --no-headers
get workloads,queues -n vision
get workloads -A --sort-by QUEUE
get wl/sweep node/node-0 -n vision
get pods -n speech
get pods -n vision --no-headers
get pods -A
get pods -n vision -o wide
queue shares
top
top nodes --sort-by name
top pods -n vision --sort-by name --limit 0
top queues --sort-by cpu
top users
top namespaces
explain vision/sweep
explain sweep -n vision
describe workload sweep -n vision
get users
explain -f examples/real-cluster/sweep.yaml --if-submitted
explain -f examples/quickstart/gang.yaml --if-submitted
get workload none -n vision
get workload swep -n vision
get node nude-0
get queue none
get nothings
COMMANDS
echo "- $same commands print the same"

# The Service leads to a pod of this machine's address, which may not be the loopback's.
address=$(hostname -I | tr ' ' '\n' | grep -m 1 -E '^[0-9.]+$' || true)
if [[ -z $address ]]; then
  echo "everyday: passed in $((SECONDS - begin)) s; no address for the API server's proxy"
  exit 0
fi
export FAIRLEAD_TOKEN=the-token-of-the-team
echo "$FAIRLEAD_TOKEN" >"$scratch/tokens"
"$fairlead" run --kubeconfig "$scratch/fairlead.kubeconfig" --data-dir none \
  --listen 0.0.0.0:0 --token-file "$scratch/tokens" >"$scratch/shown.log" 2>&1 &
on_exit kill_process $!
wait_for 30 says shown 'all is read'
port=$(grep -oE 'http://[0-9.]+:[0-9]+' "$scratch/shown.log" | grep -oE '[0-9]+$')
kubectl apply -f "$root/deploy/components/page/rbac.yaml" >/dev/null
kubectl delete service fairlead -n fairlead-system >/dev/null
cat >"$scratch/service.yaml" <<YAML
apiVersion: v1
kind: Service
metadata: {name: fairlead, namespace: fairlead-system}
spec: {clusterIP: None, ports: [{name: page, port: $port}]}
---
apiVersion: v1
kind: Pod
metadata: {name: here, namespace: fairlead-system}
spec:
  schedulerName: nobody
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - name: main
    image: none
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: fairlead, namespace: fairlead-system}
subsets:
- addresses: [{ip: $address, targetRef: {kind: Pod, namespace: fairlead-system, name: here}}]
  ports: [{name: page, port: $port}]
YAML
kubectl apply -f "$scratch/service.yaml" >"$scratch/out" 2>"$scratch/err" || fail 'no Service'
kubectl patch pod here -n fairlead-system --subresource status --type merge \
  -p '{"status": {"podIP": "'"$address"'", "podIPs": [{"ip": "'"$address"'"}]}}' >/dev/null
kubectl create serviceaccount reader -n fairlead-system >/dev/null
account_kubeconfig fairlead-system/reader "$scratch/reader.kubeconfig"
as_reader() { KUBECONFIG=$scratch/reader.kubeconfig "$fairlead" "$@"; }
expect 2 'cannot be asked: .*cannot get resource "services/proxy"' \
  as_reader get workloads -A --server kubeconfig
kubectl create rolebinding fairlead-page -n fairlead-system --role fairlead-page \
  --serviceaccount fairlead-system:reader >/dev/null
wait_for 20 as_reader get workloads -A --server kubeconfig
shows '^vision +sweep +Running +8/12 +8/8 ' as_reader get workloads -A || fail 'no table'
expect 0 'vision/sweep' as_reader explain vision/sweep
expect 0 vision as_reader queue shares
FAIRLEAD_TOKEN=another-than-the-one expect 2 'not one of those that are let in' \
  as_reader get workloads -A
echo "everyday: passed in $((SECONDS - begin)) s"
