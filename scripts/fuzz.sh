#!/usr/bin/env bash
# Runs every fuzz target for FUZZ_SECONDS (60), starting from test/fuzz/corpus/<name>; with
# FUZZ_SEED the same way each time, so that a change is judged by what it changed, and not by luck.
# New inputs are kept in build/fuzz/corpus; one that ends a target is left in build/fuzz/found, and
# belongs into test/fuzz/corpus with the fix.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/progress.sh
seconds=${FUZZ_SECONDS:-60}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
status=0
mkdir -p build/fuzz/found
targets=()
for target in build/fuzz/bin/*_fuzz; do
  if [[ -x $target ]]; then targets+=("$target"); fi
done
tally=build/fuzz/tally # a line a target that is done
: >"$tally"
progress_start fuzzing targets "${#targets[@]}" \
  progress_tally "$tally" "${#targets[@]}" "$seconds"
for target in "${targets[@]}"; do
  name=$(basename "$target" _fuzz)
  progress_pass <<<"fuzz: $name, $seconds s"
  mkdir -p "build/fuzz/corpus/$name"
  corpora=("build/fuzz/corpus/$name")
  if [[ -d test/fuzz/corpus/$name ]]; then corpora+=("test/fuzz/corpus/$name"); fi
  log=build/fuzz/$name.log
  if "$target" -seed="${FUZZ_SEED:-0}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="build/fuzz/found/$name-" "${corpora[@]}" </dev/null >"$log" 2>&1; then
    tail -n 1 "$log" | progress_pass
  else
    tail -n 60 "$log" | progress_pass
    status=1
  fi
  echo >>"$tally"
done
progress_stop
exit "$status"
