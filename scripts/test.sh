#!/usr/bin/env bash
# Runs ctest over a preset that is built, then repeats the line that each runner closed with.
#
#   scripts/test.sh PRESET [CTEST OPTION…]      PRESET: test, asan or tsan
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift

export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1}

echo "test: build/$preset"
status=0
ctest --preset "$preset" -j "$(nproc)" "$@" </dev/null >"build/$preset/test.log" 2>&1 || status=$?
if ((status)); then cat "build/$preset/test.log"; fi

awk '
  / Testing: / { name = $3; last = "" }
  /^-+$/ { last = "nothing to say"; next } # what a runner prints stands behind this line
  /^<end of output>/ { printf "  %-20s %s\n", name, last; next }
  /[^ ]/ { last = $0 }
' "build/$preset/Testing/Temporary/LastTest.log" | LC_ALL=C sort
grep -E 'tests passed|Total Test time' "build/$preset/test.log" || true
exit "$status"
