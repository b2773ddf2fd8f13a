# What the end-to-end tests share. A script sources it, and has then
#   $scratch             a directory of its own, gone at the end
#   wait_for, expect, fail, on_exit
#   start_cluster, stop_cluster, kubectl     a Kubernetes control plane: see test/cluster
# It expects `set -euo pipefail`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export NO_COLOR=1 LC_ALL=C.UTF-8
scratch=$(mktemp -d)
export XDG_DATA_HOME=$scratch/xdg # where `up` keeps its history

# on_exit COMMAND…: runs at the end of the script, the last one given first.
exit_commands=()
on_exit() { exit_commands=("$(printf '%q ' "$@")" "${exit_commands[@]}"); }
run_exit_commands() {
  local command
  for command in "${exit_commands[@]}"; do eval "$command" || true; done
}
trap run_exit_commands EXIT
on_exit rm -rf "$scratch"

# fail WHAT: says so, with the output of the last command that `expect` or `wait_for` ran.
fail() {
  printf 'FAILED: %s\n' "$1"
  if [[ -f $scratch/out ]]; then cat "$scratch/out" "$scratch/err"; fi
  local log
  for log in "$scratch"/*.log; do
    if [[ -f $log ]]; then printf '%s\n' "--- ${log##*/}:" && tail -n 15 "$log"; fi
  done
  exit 1
}

# wait_for SECONDS COMMAND…: polls until it succeeds, with a bound.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >"$scratch/out" 2>"$scratch/err"; do
    if ((SECONDS >= deadline)); then fail "not within bounds: $*"; fi
    sleep 0.1
  done
}

# expect CODE PATTERN COMMAND…: the exit code, a pattern too, and a line of stdout or stderr that
# matches.
expect() {
  local code=$1 pattern=$2 status=0
  shift 2
  "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  if [[ ! $status =~ ^$code$ ]]; then fail "exit $status, expected $code: $*"; fi
  if ! grep -qE -- "$pattern" "$scratch/out" "$scratch/err"; then
    fail "no \"$pattern\": $*"
  fi
}

# shows PATTERN COMMAND…: whether a line of its output matches; for wait_for. (Not through a pipe:
# who writes into one that grep has left is killed, and the pipe fails though there is a match.)
shows() {
  local pattern=$1 text
  shift
  text=$("$@") || return
  printf '%s\n' "$text" >&2
  grep -qE -- "$pattern" <<<"$text"
}

cluster_binary=$root/build/cluster/cluster
cluster_dir=
cluster_pid=

kubectl() { "$root/build/cluster/kubectl" "$@"; }

# cluster VERB …: `cluster restart apiserver`, `cluster compact`: test/cluster/main.go lists them.
cluster() { "$cluster_binary" "$@" --dir "$cluster_dir"; }

# start_cluster [FLAG…]: flags of `cluster up`. Exports KUBECONFIG; its files, with NAME.pid of each
# process, are in $cluster_dir.
start_cluster() {
  "$root/scripts/cluster.sh" build
  if [[ " $*" == *' --with'* ]]; then "$root/scripts/controllers.sh" build; fi
  cluster_dir=$(mktemp -d -p "$scratch")
  export KUBECONFIG=$cluster_dir/kubeconfig
  export KUBECACHEDIR=$scratch/kubectl-cache
  : >"$scratch/cluster.out" # may hold what an earlier one printed
  "$cluster_binary" up --dir "$cluster_dir" "$@" >"$scratch/cluster.out" 2>"$scratch/cluster.err" &
  cluster_pid=$!
  on_exit stop_cluster
  local deadline=$((SECONDS + 90))
  until grep -q '^kubeconfig: ' "$scratch/cluster.out"; do
    if ! kill -0 "$cluster_pid" 2>/dev/null || ((SECONDS >= deadline)); then
      fail "no cluster: $(cat "$scratch/cluster.err")"
    fi
    sleep 0.1
  done
}

# stop_cluster [SIGNAL]: by default TERM. Nothing, where none is up.
stop_cluster() {
  if [[ -z $cluster_pid ]]; then return; fi
  kill -s "${1:-TERM}" "$cluster_pid" 2>/dev/null || true
  wait "$cluster_pid" 2>/dev/null || true
  cluster_pid=
}

# account_kubeconfig NAMESPACE/NAME FILE: a kubeconfig of a ServiceAccount, by a token for an hour.
account_kubeconfig() {
  local namespace=${1%/*} name=${1#*/} token
  token=$(kubectl create token "$name" -n "$namespace" --duration 1h)
  kubectl config view --raw -o json |
    sed -z 's/"user": {[^}]*}/"user": {"token": "'"$token"'"}/' >"$2"
}

# install_fairlead: deploy/base as it is shipped, but for its replicas: Fairlead runs as a process
# beside the cluster, as its ServiceAccount.
install_fairlead() {
  kubectl apply --server-side -k "$root/deploy/base" >"$scratch/out" 2>"$scratch/err" ||
    fail 'deploy/base is refused'
  kubectl scale deployment fairlead -n fairlead-system --replicas 0 >/dev/null
  kubectl wait --for condition=Established --timeout 30s \
    crd/{queues,topologies,windows,workloads}.fairlead.dev >/dev/null
  account_kubeconfig fairlead-system/fairlead "$scratch/fairlead.kubeconfig"
}

# run_fairlead NAME [FLAG…]: starts one; its log is $scratch/NAME.log, its process is
# ${processes[NAME]}. It leads by the Lease. run_alone NAME [FLAG…]: without one. `run_flags` are
# those of all.
declare -A processes=()
declare -a run_flags=()
run_fairlead() { run_alone "$@" --leader-elect true --lease-namespace fairlead-system; }
run_alone() {
  local name=$1
  shift
  "$fairlead" run --kubeconfig "$scratch/fairlead.kubeconfig" --listen 127.0.0.1:0 \
    "${run_flags[@]}" "$@" >>"$scratch/$name.log" 2>&1 &
  processes[$name]=$!
  on_exit kill_process $!
}
ended() { ! kill -0 "$1"; }
kill_process() {
  kill -KILL "$1" 2>/dev/null || true
  wait "$1" 2>/dev/null || true
}

# end_fairlead NAME SIGNAL CODE: sends it, and expects that it ends soon with that exit code.
end_fairlead() {
  local status=0
  kill -s "$2" "${processes[$1]}"
  {
    wait_for 20 ended "${processes[$1]}"
    wait "${processes[$1]}" || status=$?
  } 2>/dev/null # where the shell would tell of the signal
  unset "processes[$1]"
  if [[ $status != "$3" ]]; then
    tail -n 20 "$scratch/$1.log"
    fail "$1 ended with $status after $2, expected $3"
  fi
}

# says NAME PATTERN: whether its log has such a line. leads NAME: whether it decides.
says() { grep -qE -- "$2" "$scratch/$1.log"; }
leads() { [[ $(metric "$1" fairlead_leader) == 1 ]]; }

# url NAME: where it answers. page NAME PATH: what is there, with its headers.
url() { grep -oE 'http://127\.0\.0\.1:[0-9]+' "$scratch/$1.log" | tail -n 1; }
page() {
  local url socket
  url=$(url "$1")
  exec {socket}<>"/dev/tcp/127.0.0.1/${url##*:}" || return 1
  printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$2" >&"$socket"
  cat <&"$socket"
  exec {socket}>&-
}
# metric NAME METRIC: its value; with labels, as it is printed.
metric() { page "$1" /metrics | awk -v name="$2" '$1 == name { print $2 }'; }

# no_refusal NAME: nothing that it asked of the API server was refused for lack of rights.
# no_fault NAME: and no write failed. (A port may begin with 403.)
no_refusal() {
  if grep -E '\<403\>|Forbidden' "$scratch/$1.log"; then fail "$1 was refused"; fi
}
no_fault() {
  no_refusal "$1"
  if grep -E 'error: |cannot ' "$scratch/$1.log"; then fail "a write of $1 failed"; fi
}

# field PATH OBJECT…: of objects, as kubectl's jsonpath.
field() { kubectl get "${@:2}" -o "jsonpath={$1}"; }
# is VALUE PATH OBJECT…: whether the field is that.
is() { [[ $(field "$2" "${@:3}") == "$1" ]]; }
# bound COUNT SELECTION…: whether so many of these pods have a node, and are not on their way out.
bound() {
  local each='{range .items[*]}{.metadata.deletionTimestamp}:{.spec.nodeName}{"\n"}{end}'
  [[ $(kubectl get pods "${@:2}" -o "jsonpath=$each" | grep -c '^:.') == "$1" ]]
}

count_is() { [[ $(kubectl get "${@:2}" -o name | wc -l) == "$1" ]]; }

# job NAME PODS CPU [METADATA [SPEC [POD_METADATA]]]: a Job whose pods run until they are stopped.
job() {
  cat <<YAML
---
apiVersion: batch/v1
kind: Job
metadata: {name: $1${4:+, $4}}
spec:
  parallelism: $2
  completions: $2
  backoffLimit: 1000
  ${5:-suspend: false}
  template:
    metadata: {${6:-}}
    spec:
      restartPolicy: Never
      schedulerName: fairlead
      containers: [{name: main, image: none, resources: {requests: {cpu: $3}}}]
YAML
}

# daemon_set NAME CPU: a DaemonSet whose pods have the label app: NAME.
daemon_set() {
  cat <<YAML
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: $1}
spec:
  selector: {matchLabels: {app: $1}}
  template:
    metadata: {labels: {app: $1}}
    spec:
      schedulerName: fairlead
      containers: [{name: main, image: none, resources: {requests: {cpu: $2}}}]
YAML
}

# queue NAME [SPEC]: makes a Queue, or changes it.
queue() {
  kubectl apply -f - >/dev/null <<YAML
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: $1}
spec: {${2:-}}
YAML
}
