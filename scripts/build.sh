#!/usr/bin/env bash
# Configures where needed and builds a preset, quietly: what is done in one line, then progress (on
# a terminal) and faults only.
#
#   scripts/build.sh PRESET [TARGET…]      PRESET: release, test, asan, tsan, lint or fuzz
#   ROOM=engine scripts/build.sh test engine_test
#
# ROOM: the sources of that room and its tests are compiled one by one, not several as one
# (cmake/Unity.cmake), so that an edit costs one of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
dir=build/$preset

single=${ROOM:-}
single=${single// /;}

# Later changes of the CMake files are seen by ninja itself.
if [[ ! -f $dir/build.ninja || CMakePresets.json -nt $dir/build.ninja ||
  $(cat "$dir/single" 2>/dev/null) != "$single" ]]; then
  echo "configure: $dir"
  mkdir -p "$dir"
  if ! cmake --preset "$preset" -D "FAIRLEAD_SINGLE=$single" >"$dir/configure.log" 2>&1; then
    cat "$dir/configure.log" >&2
    exit 1
  fi
  touch "$dir/build.ninja"
  echo "$single" >"$dir/single"
fi

echo "build: $dir${*:+, $*}"
cd "$dir"
if [[ -t 1 ]]; then exec ninja -j "$(nproc)" "$@"; fi
ninja --quiet -j "$(nproc)" "$@" 2>&1 | { grep -vE '^(-- |ninja: no work to do)' || true; }
