#!/usr/bin/env bash
# A Kubernetes control plane on this machine, without containers: builds test/cluster into
# build/cluster where it is missing or out of date, then runs it.
#
#   scripts/cluster.sh build
#   scripts/cluster.sh up [FLAG…]      and the other commands, see `scripts/cluster.sh --help`
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$here/build/cluster
binary=$out/cluster

is_current() {
  [[ -x $binary && -e $out/kubectl ]] || return 1
  local newer
  newer=$(find "$here/test/cluster" "${BASH_SOURCE[0]}" -type f -newer "$binary" | head -n 1)
  [[ -z $newer ]]
}

build() {
  local go version major minor package flags
  if ! go=$("$here/scripts/go.sh"); then
    echo "cluster: no Go that is new enough: \`scripts/setup.sh cluster\` brings one" >&2
    exit 1
  fi
  cd "$here/test/cluster"
  version=$(awk '$1 == "k8s.io/kubernetes" { print $2; exit }' go.mod)
  IFS=. read -r major minor _ <<<"${version#v}"
  echo "build: build/cluster, Kubernetes $version (the first time takes minutes)" >&2
  package=k8s.io/component-base/version
  flags="-s -w -X $package.gitVersion=$version -X $package.gitMajor=$major"
  flags+=" -X $package.gitMinor=$minor"
  mkdir -p "$out"
  GOTOOLCHAIN=local "$go" build -buildvcs=false -ldflags "$flags" -o "$binary" . 2>&1 |
    { grep -v '^go: downloading' || true; } >&2
  touch "$binary" # also where nothing but a comment changed
  ln -sf cluster "$out/kubectl"
}

if ! is_current; then (build); fi
if [[ ${1:-} == build ]]; then exit 0; fi
if [[ " $*" == *' --with'* ]]; then "$here/scripts/controllers.sh" build; fi
exec "$binary" "$@"
