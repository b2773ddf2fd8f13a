#!/usr/bin/env bash
# Rules on the text of the sources that no compiler checks:
#   - C++ files are at most 700 lines long; no line of C++, CMake or shell is over 100 columns
#   - no tabs
#   - headers say #pragma once
#   - what forbidden.txt keeps out of a room stays out
# Prints each fault as FILE:LINE: what is wrong, and exits 1.
#
#   test/arrows/tidy.sh [ROOT]      ROOT: the checkout, by default the one that holds this file
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../..}"

roots=()
for root in src test bench scripts cmake; do
  if [[ -d $root ]]; then roots+=("$root"); fi
done
mapfile -t sources < <(
  find "${roots[@]}" -name '*.h' -o -name '*.cc' -o -name '*.cmake' -o -name '*.sh' | sort)
awk -v max_lines=700 -v max_columns=100 '
  function fault(line, what) { print file ":" line ": " what; faults++ }
  function finish_file() {
    if (cpp && lines > max_lines)
      fault(lines, lines " lines, expected at most " max_lines)
    if (file ~ /\.h$/ && !once) fault(1, "no #pragma once")
  }

  FILENAME == table {
    if ($0 ~ /^(#|[ \t]*$)/) next
    if (split($0, column, /  +/) != 3) {
      file = table
      fault(FNR, "expected three columns, two or more spaces apart")
      next
    }
    count = split(column[1], names, ",")
    for (i = 1; i <= count; i++) rules_of[names[i]] = rules_of[names[i]] " " FNR
    pattern[FNR] = column[2]
    reason[FNR] = column[3]
    next
  }

  FNR == 1 {
    finish_file()
    file = FILENAME
    files++
    once = 0
    cpp = file ~ /\.(h|cc)$/
    split(file, path, "/")
    rule_count = path[1] == "src" ? split(rules_of[path[2]], rules, " ") : 0
  }
  { lines = FNR }
  /^#pragma once/ { once = 1 }
  /\t/ { fault(FNR, "a tab") }
  {
    columns = $0
    gsub(/[\200-\277]/, "", columns)  # the later bytes of one UTF-8 character
    if (length(columns) > max_columns)
      fault(FNR, length(columns) " columns, expected at most " max_columns)
  }
  rule_count {
    code = " " $0 " "
    sub(/\/\/.*/, "", code)
    for (i = 1; i <= rule_count; i++) {
      if (code ~ pattern[rules[i]])
        fault(FNR, "not in src/" path[2] ": " reason[rules[i]] " (test/arrows/forbidden.txt)")
    }
  }

  END {
    finish_file()
    if (faults) { print faults " faults of form"; exit 1 }
    print files + 0 " files are tidy"
  }
' table="$here/forbidden.txt" "$here/forbidden.txt" ${sources[@]+"${sources[@]}"}
