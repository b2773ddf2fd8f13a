# What the end-to-end measurements share.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=$root/build/release/bin
scratch=$(mktemp -d)
cluster=$root/build/cluster/cluster
export KUBECONFIG=$scratch/cluster/kubeconfig

finish() {
  local process
  for process in $(jobs -p); do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$scratch"
}
trap finish EXIT

# CPU seconds and peak memory in MiB of a process.
cost() {
  awk -v ticks="$(getconf CLK_TCK)" '{ printf "%.1f CPU s", ($14 + $15) / ticks }' "/proc/$1/stat"
  awk '/VmHWM/ { printf ", %d MiB\n", $2 / 1024 }' "/proc/$1/status"
}
kubectl() { "$root/build/cluster/kubectl" "$@"; }

# start_control_plane NODES: nodes without kubelets, no controllers.
start_control_plane() {
  mkdir "$scratch/cluster"
  "$cluster" up --dir "$scratch/cluster" --bench --nodes "$1" --node-cpu 32 --node-memory 256Gi \
    --controllers none >"$scratch/up" 2>&1 &
  until grep -q '^kubeconfig: ' "$scratch/up"; do sleep 0.1; done
  "$cluster" stop kubelets --dir "$scratch/cluster" >/dev/null
  until kubectl get serviceaccount default >/dev/null 2>&1 ||
    kubectl create serviceaccount default >/dev/null 2>&1; do sleep 0.2; done
  # As in a cluster, everybody comes with a token.
  kubectl create clusterrolebinding bench --clusterrole cluster-admin \
    --serviceaccount default:default >/dev/null
  local token
  token=$(kubectl create token default --duration 2h)
  kubectl config view --raw -o json |
    sed -z 's/"user": {[^}]*}/"user": {"token": "'"$token"'"}/' >"$scratch/token.kubeconfig"
  KUBECONFIG=$scratch/token.kubeconfig
}
