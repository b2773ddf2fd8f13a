#!/usr/bin/env bash
# Rewrites our sources with clang-format; `--check` only says which would change.
#
#   scripts/format.sh [--check] [FILE…]      without FILE: all
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(-i)
if [[ ${1:-} == --check ]]; then
  mode=(--dry-run -Werror)
  shift
fi
if (($# == 0)); then
  mapfile -t files < <(scripts/sources.sh)
  set -- ${files[@]+"${files[@]}"}
fi
echo "format: $# files"
if (($#)); then clang-format-19 "${mode[@]}" -- "$@"; fi
