#!/usr/bin/env bash
# Rewrites our sources with clang-format, and Go with gofmt where there is a Go; `--check`
# only says which would change.
#
#   scripts/format.sh [--check] [FILE…]      without FILE: all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run -Werror)
  shift
fi
status=0
if (($# == 0)); then
  if go=$(scripts/go.sh); then
    changed=$("$(dirname "$go")/gofmt" -l test/cluster test/controllers)
    if [[ -n $changed && ${mode[0]} == -i ]]; then
      # shellcheck disable=SC2086
      "$(dirname "$go")/gofmt" -w $changed
    elif [[ -n $changed ]]; then
      echo "not as gofmt would have it: $changed"
      status=1
    fi
  fi
  mapfile -t files < <(scripts/sources.sh)
  set -- ${files[@]+"${files[@]}"}
fi
echo "format: $# files"
if (($#)); then clang-format-19 "${mode[@]}" -- "$@" || status=1; fi
exit "$status"
