#!/usr/bin/env bash
# Prints our C++ sources, one a line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for root in src test bench; do
  if [[ -d $root ]]; then find "$root" -name '*.h' -o -name '*.cc'; fi
done | LC_ALL=C sort
