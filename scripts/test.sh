#!/usr/bin/env bash
# Runs ctest over a preset that is built, then repeats the line that each runner closed with. What
# is left when, on a terminal, is by what ctest noted of the last runs.
#
#   scripts/test.sh PRESET [CTEST OPTION…]      PRESET: test, asan or tsan
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/progress.sh
preset=$1
shift

export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
# An illegal instruction is what undefined behaviour is compiled to (cmake/BuildTypes.cmake). Not
# detect_stack_use_after_return, which doubles the time of all tests.
export ASAN_OPTIONS=${ASAN_OPTIONS:-handle_sigill=1}

echo "test: build/$preset"
log=build/$preset/test.log
: >"$log"
if progress_wanted; then
  names=build/$preset/test.names
  queued=build/$preset/test.queued # those that wait for each other (cmake/Tests.cmake)
  # names_of OPTION…: of the tests that ctest would run.
  names_of() {
    { ctest --preset "$preset" -N "$@" </dev/null 2>&1 || true; } |
      sed -n 's/^ *Test *#[0-9]*: //p'
  }
  names_of "$@" >"$names"
  names_of -L control_plane >"$queued"
  costs=build/$preset/Testing/Temporary/CTestCostData.txt
  if [[ ! -f $costs ]]; then costs=/dev/null; fi
  # shellcheck disable=SC2317 # called by progress_start
  done_and_left() {
    progress_by_costs "$(nproc)" "$queued" "$costs" "$names" \
      <(sed -nE 's/^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: //p' "$log")
  }
  progress_start testing tests "$(wc -l <"$names")" done_and_left
fi
trap 'progress_stop; echo "test: $log has what ran"; exit 130' INT
status=0
ctest --preset "$preset" -j "$(nproc)" "$@" </dev/null >"$log" 2>&1 || status=$?
progress_stop
if ((status)); then cat "$log"; fi

awk '
  / Testing: / { name = $3; last = "" }
  /^-+$/ { last = "nothing to say"; next } # what a runner prints stands behind this line
  /^<end of output>/ { printf "  %-20s %s\n", name, last; next }
  /[^ ]/ { last = $0 }
' "build/$preset/Testing/Temporary/LastTest.log" | LC_ALL=C sort
grep -E 'tests passed|Total Test time' "$log" || true
exit "$status"
