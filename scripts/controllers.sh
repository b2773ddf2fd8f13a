#!/usr/bin/env bash
# The controllers of other projects that `cluster up --with NAME` starts: builds test/controllers
# into build/cluster where it is missing or out of date, and takes their manifests out of the same
# modules.
#
#   scripts/controllers.sh build
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$here/build/cluster
binary=$out/controllers

is_current() {
  [[ -x $binary && -d $out/manifests ]] || return 1
  [[ -z $(find "$here/test/controllers" "${BASH_SOURCE[0]}" -type f -newer "$binary") ]]
}

# manifests NAME MODULE DIRECTORY…: what each directory of a module makes, as Kustomize sees it.
manifests() {
  local name=$1 module directory
  module=$("$go" list -m -f '{{.Dir}}' "$2")
  shift 2
  mkdir -p "$out/manifests/$name"
  for directory in "$@"; do
    # From within: a path with a host's name in it is taken for a place to fetch from.
    (cd "$module/$directory" && "$out/kubectl" kustomize .) \
      >"$out/manifests/$name/${directory##*/}.yaml"
  done
}

build() {
  if ! go=$("$here/scripts/go.sh"); then
    echo "controllers: no Go that is new enough: \`scripts/setup.sh cluster\` brings one" >&2
    exit 1
  fi
  cd "$here/test/controllers"
  export GOTOOLCHAIN=local
  echo "build: build/cluster/controllers (the first time takes minutes)" >&2
  "$go" build -buildvcs=false -ldflags '-s -w' -o "$binary.new" . 2>&1 |
    { grep -v '^go: downloading' || true; } >&2
  rm -rf "$out/manifests"
  manifests jobset sigs.k8s.io/jobset config/components/{crd,webhook}
  manifests lws sigs.k8s.io/lws config/{crd,webhook}
  manifests mpi github.com/kubeflow/mpi-operator manifests/base
  manifests ray github.com/ray-project/kuberay/ray-operator config/crd
  manifests training github.com/kubeflow/training-operator manifests/base/{crds,webhook}
  mv "$binary.new" "$binary"
  touch "$binary"
}

if [[ ${1:-} != build ]]; then
  echo "usage: scripts/controllers.sh build" >&2
  exit 2
fi
"$here/scripts/cluster.sh" build
if ! is_current; then (build); fi
