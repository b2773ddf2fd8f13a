#!/usr/bin/env bash
# Prints the path of a Go that can build test/cluster and test/controllers. Exits 1 where there is
# none.
#
#   scripts/go.sh              looks for one
#   scripts/go.sh --download   where the Go that is there is too old, lets it fetch a newer one, as
#                              a module, into its module cache: no Go is installed or replaced
set -euo pipefail
export GOTOOLCHAIN=local
oldest=1.25
downloaded=1.26.8

# is_new_enough GO
is_new_enough() {
  local version
  version=$("$1" env GOVERSION 2>/dev/null) || return 1
  version=${version#go}
  [[ $(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1) == "$oldest" ]]
}

any=
for candidate in "$(command -v go || true)" /usr/local/go/bin/go; do
  if [[ ! -x $candidate ]]; then continue; fi
  if is_new_enough "$candidate"; then
    echo "$candidate"
    exit 0
  fi
  any=${any:-$candidate}
done
if [[ -z $any ]]; then exit 1; fi

cd / # outside of any module
module="golang.org/toolchain@v0.0.1-go$downloaded.$("$any" env GOOS)-$("$any" env GOARCH)"
dir=$("$any" env GOMODCACHE)/$module
if [[ ! -x $dir/bin/go && ${1:-} == --download ]]; then
  echo "setup: Go $downloaded, by $("$any" version)" >&2
  "$any" mod download "$module" >&2
  # Modules hold no programs, so nothing in one may be run at first.
  chmod -R u+x "$dir/bin" "$dir/pkg/tool"
fi
if [[ ! -x $dir/bin/go ]]; then exit 1; fi
echo "$dir/bin/go"
