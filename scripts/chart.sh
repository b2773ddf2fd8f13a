#!/usr/bin/env bash
# Renders deploy/helm/fairlead with Helm's own code: builds test/chart into build/cluster where it
# is missing or out of date, then runs it.
#
#   scripts/chart.sh build
#   scripts/chart.sh [--namespace N] [--name N] [--set NAME=VALUE]… CHART
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
binary=$here/build/cluster/chart

build() {
  local go
  if ! go=$("$here/scripts/go.sh"); then
    echo "chart: no Go that is new enough: \`scripts/setup.sh cluster\` brings one" >&2
    exit 1
  fi
  cd "$here/test/chart"
  echo "build: build/cluster/chart, of Helm's packages" >&2
  mkdir -p "${binary%/*}"
  GOTOOLCHAIN=local "$go" build -buildvcs=false -ldflags '-s -w' -o "$binary" . 2>&1 |
    { grep -v '^go: downloading' || true; } >&2
  touch "$binary"
}

if [[ ! -x $binary || -n $(find "$here/test/chart" -type f -newer "$binary") ]]; then (build); fi
if [[ ${1:-} == build ]]; then exit 0; fi
exec "$binary" "$@"
