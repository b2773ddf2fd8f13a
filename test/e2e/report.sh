#!/usr/bin/env bash
# Every figure of a report is computed again from its CSV files by a script that knows only their
# definitions; and a figure that was tampered with is found.
#
#   test/e2e/report.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
traces=test/golden/input/traces

# recompute NAME, of the report made before.
recompute() { python3 test/report/recompute.py "$scratch/$1-csv"; }

"$fairlead" simulate -f examples/making-room --until 4h --report "$scratch/room.html" >/dev/null
recompute room
"$fairlead" simulate -f examples/research-lab --until 12h --report "$scratch/lab.html" >/dev/null
recompute lab
"$fairlead" simulate -f examples/log-agent --until 1h --report "$scratch/agent.html" >/dev/null
recompute agent
"$fairlead" simulate --trace philly --jobs "$traces/jobs.csv" --tenants "$traces/vc.csv" \
  --nodes 2 --gpus 8 --report "$scratch/philly.html" >/dev/null
recompute philly

"$fairlead" simulate -f test/golden/input/near --report "$scratch/near.html" >/dev/null
recompute near
grep -q '^gangs.within,level example.com/rack,%,' "$scratch/near-csv/figures.csv"
[[ ! -e $scratch/lab-csv/domains.csv ]]

"$fairlead" simulate --trace record --dir test/golden/input/record \
  --report "$scratch/record.html" >/dev/null
recompute record
grep -q 'As recorded in test/golden/input/record' "$scratch/record.html"

# The same run, the same bytes.
cp "$scratch/philly.html" "$scratch/first.html"
"$fairlead" simulate --trace philly --jobs "$traces/jobs.csv" --tenants "$traces/vc.csv" \
  --nodes 2 --gpus 8 --report "$scratch/philly.html" >/dev/null
cmp "$scratch/first.html" "$scratch/philly.html"

sed -i 's/^evictions,,,\([0-9]*\)$/evictions,,,\19/' "$scratch/room-csv/figures.csv"
if recompute room >"$scratch/tampered"; then
  echo "a figure that is wrong was not found" >&2
  exit 1
fi
grep -q 'evictions' "$scratch/tampered"

expect 2 'cannot be written' "$fairlead" simulate -f examples/making-room --report "$scratch"
echo "report: passed"
