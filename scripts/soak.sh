#!/usr/bin/env bash
# Runs those tests of a built preset that go through random clusters, small worlds and faults, with
# TIMES as many of them. What is left when, on a terminal, is by what each test took before.
#
#   scripts/soak.sh PRESET TIMES
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/progress.sh
preset=$1
export FAIRLEAD_SOAK=$2

# names PROGRAM FILTER: "Suite.Case", one a line.
names() {
  "build/$preset/bin/$1" --gtest_list_tests --gtest_filter="$2" </dev/null |
    awk '/^[^ ]+\.$/ { suite = $1; next } /^  / { print suite $1 }'
}

# took LOG: "Suite.Case SECONDS" of those that have ended, for one time as many.
took() {
  sed -nE 's/^\[ +(OK|FAILED) +\] ([^ ,]+) \(([0-9]+) ms\)$/\2 \3/p' "$1" |
    awk -v times="$FAIRLEAD_SOAK" '{ printf "%s %.6f\n", $1, $2 / 1000 / times }'
}

# soak PROGRAM FILTER
soak() {
  local log=build/$preset/soak-$1.log status=0
  local costs=$log.costs names=$log.names
  names "$@" >"$names"
  touch "$costs"
  : >"$log"
  # shellcheck disable=SC2317 # called by progress_start
  done_and_left() {
    progress_by_costs 1 /dev/null \
      <(awk -v times="$FAIRLEAD_SOAK" '{ print $1, $2 * times }' "$costs") "$names" <(took "$log")
  }
  progress_start "$1" tests "$(wc -l <"$names")" done_and_left
  "build/$preset/bin/$1" --gtest_filter="$2" </dev/null >"$log" 2>&1 || status=$?
  progress_stop
  if ((status)); then cat "$log"; else tail -n 2 "$log"; fi
  { took "$log"; cat "$costs"; } | awk '!seen[$1]++' >"$costs.new"
  mv "$costs.new" "$costs"
  return "$status"
}

soak engine_test \
  'RandomEvictions.*:RoomWorlds.*:DaemonSetWorlds.*:RandomDaemonSets.*:QuotaWorlds.*'
soak live_test 'LiveFaults.*:LiveChurn.*'
