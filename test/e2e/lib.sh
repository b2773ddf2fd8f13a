# What the end-to-end tests share. A script sources it, and has then
#   $scratch             a directory of its own, gone at the end
#   wait_for, expect, fail, on_exit
#   start_cluster, stop_cluster, kubectl     a Kubernetes control plane: see test/cluster
# It expects `set -euo pipefail`.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export NO_COLOR=1 LC_ALL=C.UTF-8
scratch=$(mktemp -d)

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
  exit 1
}

# wait_for SECONDS COMMAND…: polls until it succeeds, with a bound.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >"$scratch/out" 2>"$scratch/err"; do
    if ((SECONDS >= deadline)); then fail "not within bounds: $*"; fi
    sleep 0.05
  done
}

# expect CODE PATTERN COMMAND…: the exit code, and a line of stdout or stderr that matches.
expect() {
  local code=$1 pattern=$2 status=0
  shift 2
  "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  if [[ $status != "$code" ]]; then fail "exit $status, expected $code: $*"; fi
  if ! cat "$scratch/out" "$scratch/err" | grep -qE -- "$pattern"; then
    fail "no \"$pattern\": $*"
  fi
}

# shows PATTERN COMMAND…: whether a line of its output matches; for wait_for.
shows() {
  local pattern=$1
  shift
  "$@" | tee /dev/stderr | grep -qE -- "$pattern"
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
    sleep 0.05
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
