#!/usr/bin/env bash
# Golden tests: every line of `cases` is run and its output compared with expected/NAME.txt, which
# holds the command, stdout, stderr and the exit code as a user sees them.
#
#   test/golden/run.sh FAIRLEAD             compares; prints a diff for each that differs
#   UPDATE=1 test/golden/run.sh FAIRLEAD    rewrites the expected files; read them before a commit
set -euo pipefail
fairlead=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
unset FAIRLEAD_SERVER
export KUBECONFIG=/nowhere/kubeconfig
export NO_COLOR=1 LC_ALL=C.UTF-8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
failures=0

# run_case COMMANDLINE: what a user sees, as one text. The words are the shell's, so that a case may
# have a pipe behind it or a file before it.
run_case() {
  local status=0
  printf '$ fairlead %s\n' "$1"
  eval "\"$fairlead\" $1" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  cat "$scratch/out"
  if [[ -s $scratch/err ]]; then
    echo "--- stderr"
    cat "$scratch/err"
  fi
  echo "--- exit $status"
}

fail() {
  printf 'FAILED %s\n' "$1"
  failures=$((failures + 1))
}

mkdir -p expected
while IFS= read -r line; do
  if [[ -z $line || $line == '#'* ]]; then continue; fi
  name=${line%%:*}
  words=${line#*:}
  run_case "${words# }" >"$scratch/found"
  if [[ -n ${UPDATE:-} ]]; then cp "$scratch/found" "expected/$name.txt"; fi
  diff -u --label expected --label found "expected/$name.txt" "$scratch/found" || fail "$name"
  count=$((count + 1))
done <cases

# Every expected file belongs to a case.
for file in expected/*.txt; do
  name=$(basename "$file" .txt)
  if ! grep -q "^$name:" cases; then
    if [[ -n ${UPDATE:-} ]]; then rm "$file"; else fail "$file: no such case"; fi
  fi
done

# The same input gives the same bytes: twice, in another order of files, and with the documents of
# every file turned round.
for file in input/lab/*.yaml; do
  awk 'BEGIN { RS = "---\n" } { text = $0 "---\n" text } END { printf "%s", text }' \
    "$file" >"$scratch/$(basename "$file")"
done
same() {
  local what=$1 found
  shift
  found=$("$fairlead" "$@" 2>&1) || true
  if [[ $found != "$first" ]]; then
    diff <(echo "$first") <(echo "$found") | head -20 || true
    fail "$what: $*"
  fi
  count=$((count + 1))
}
for command in 'plan -o json' 'simulate -o json' 'queue shares'; do
  read -ra words <<<"$command"
  first=$("$fairlead" "${words[@]}" -f input/lab 2>&1) || true
  same "run twice" "${words[@]}" -f input/lab
  same "files in another order" "${words[@]}" -f input/lab/work.yaml -f input/lab/queues.yaml \
    -f input/lab/nodes.yaml
  same "documents turned round" "${words[@]}" -f "$scratch"/work.yaml -f "$scratch"/nodes.yaml \
    -f "$scratch"/queues.yaml
done

if ((failures)); then
  echo "$failures of $count golden cases failed"
  exit 1
fi
echo "$count golden cases passed"
