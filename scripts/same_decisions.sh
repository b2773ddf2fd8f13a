#!/usr/bin/env bash
# Whether two states of the sources decide the same, to the byte: what moves code and changes no
# decision is checked by this. Builds both, and compares what they print of all golden cases, the
# examples and the traces (where they are: FAIRLEAD_DATA, or shared/data beside the checkout).
#
#   scripts/same_decisions.sh COMMIT            that commit, beside what is here
#   scripts/same_decisions.sh BEFORE AFTER      two binaries, built already
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export NO_COLOR=1 LC_ALL=C.UTF-8
unset FAIRLEAD_SERVER

if [[ $# -eq 2 ]]; then
  before=$(realpath "$1")
  after=$(realpath "$2")
elif [[ $# -eq 1 ]]; then
  tree=build/before
  rm -rf "$tree"
  git worktree prune
  git worktree add --quiet --detach "$tree" "$1"
  "$tree/scripts/build.sh" release fairlead
  scripts/build.sh release fairlead
  before=$PWD/$tree/build/release/bin/fairlead
  after=$PWD/build/release/bin/fairlead
else
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '$d' >&2
  exit 2
fi

same=0
differ=0
# compare NAME WORDS…: a command line of fairlead, by both.
compare() {
  local name=$1 digests=()
  shift
  for binary in "$before" "$after"; do
    digests+=("$( ("$binary" "$@" || echo "exit $?") 2>&1 </dev/null | md5sum | cut -d ' ' -f 1)")
  done
  if [[ ${digests[0]} == "${digests[1]}" ]]; then
    same=$((same + 1))
  else
    differ=$((differ + 1))
    echo "differs: $name: ${digests[0]} ${digests[1]}"
  fi
}

cd test/golden
while IFS= read -r line; do
  if [[ -z $line || $line == '#'* || ${line%%:*} == version* ]]; then continue; fi
  # The words are the shell's, as in test/golden/run.sh, which alone runs what is more than words.
  words=${line#*:}
  if [[ $words == *[\|\<\>\$]* ]]; then continue; fi
  eval "compare 'golden ${line%%:*}' $words"
done <cases
cd ../..

for example in examples/*/; do
  compare "plan $example" plan -f "$example" -o json
  compare "simulate $example" simulate -f "$example" -o json
done

data=${FAIRLEAD_DATA:-../shared/data}
if [[ -d $data/openb ]]; then
  compare openb simulate --trace openb --nodes "$data/openb/openb_node_list_all_node.csv" \
    --pods "$data/openb/openb_pod_list_default.csv" --load 130 --seed 42 -o json
else
  echo "skipped: openb is not at $data"
fi
if [[ -d $data/philly ]]; then
  # With hardly anybody waiting, and with all of it full.
  for nodes in 309 64; do
    compare "philly on $nodes nodes" simulate --trace philly --jobs "$data/philly/philly.csv" \
      --tenants "$data/philly/philly_vc.csv" --nodes "$nodes" --gpus 8 -o json
  done
else
  echo "skipped: philly is not at $data"
fi
echo "decisions: $same the same, $differ differ"
[[ $differ -eq 0 ]]
