#!/usr/bin/env bash
# arrows.sh, tidy.sh and classes.py find what they are there to find: each file below has one fault,
# and the test is that its line, and no other, is reported.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/src/{base,state,engine,cli,attic,intake/kueue,intake/attic}
failures=0

# expect SCRIPT FILE CONTENT PATTERN: alone in the tree, FILE makes SCRIPT fail with one fault that
# matches PATTERN; with an empty PATTERN it passes.
expect() {
  local script=$1 file=$2 content=$3 pattern=$4 output status=0
  printf "$content" >"$root/$file"
  output=$("$here/$script" "$root" 2>&1) || status=$?
  rm "$root/$file"
  if [[ -z $pattern ]]; then
    if [[ $status == 0 ]]; then return; fi
  elif [[ $status == 1 && $(wc -l <<<"$output") == 2 ]] && grep -q -- "$pattern" <<<"$output"; then
    return
  fi
  printf '%s on %s: exit %s, expected "%s", found:\n%s\n' \
    "$script" "$file" "$status" "$pattern" "$output"
  failures=$((failures + 1))
}

include='#include "%s"\n'
line() { printf "$include" "$1"; }
expect arrows.sh src/engine/a.cc "$(line engine/a.h)\n$(line base/id.h)" ''
expect arrows.sh src/cli/a.cc "$(line trace/a.h)" ''
expect arrows.sh src/engine/a.cc '#include <vector>\n#include <boost/json.hpp>\n' ''
expect arrows.sh src/base/a.h "\n$(line state/a.h)" 'a.h:2: src/base may not know src/state'
expect arrows.sh src/engine/a.cc "  #  include \"effects/a.h\"" 'may not know src/effects'
expect arrows.sh src/engine/a.cc "$(line a.h)" 'names no room'
expect arrows.sh src/engine/a.cc "$(line ../base/a.h)" 'names no room'
expect arrows.sh src/engine/a.cc '#include <server/a.h>' 'is ours'
expect arrows.sh src/intake/kueue/a.cc "$(line intake/kueue/a.h)\n$(line base/id.h)" ''
expect arrows.sh src/intake/a.cc "$(line intake/kueue/a.h)" ''
expect arrows.sh src/intake/kueue/a.cc "$(line intake/a.h)" 'intake/kueue may not know src/intake '
expect arrows.sh src/cli/a.cc "$(line intake/kueue/a.h)" 'src/cli may not know src/intake/kueue'
expect arrows.sh src/intake/a.cc "$(line intake/attic/a.h)" 'names no room'
expect arrows.sh src/intake/a.cc '#include <intake/kueue/a.h>' 'is ours'
expect arrows.sh src/intake/attic/a.cc '\n' 'room intake/attic is not in'
expect arrows.sh src/attic/a.cc '\n' 'room attic is not in'
expect arrows.sh src/a.cc '\n' 'lies in no room'

once='#pragma once\n'
wide=$(printf '%0100d' 0)
expect tidy.sh src/base/a.h "$once" ''
expect tidy.sh src/base/a.h "$once// $(printf '…%.0s' {1..97})\n" ''
expect tidy.sh src/base/a.h '\n' 'a.h:1: no #pragma once'
expect tidy.sh src/base/a.cc 'a\tb' 'a.cc:1: a tab'
expect tidy.sh src/base/a.cc "1$wide" 'a.cc:1: 101 columns'
expect tidy.sh src/base/a.cc "$(printf '\\n%.0s' {1..701})" '701 lines, expected at most 700'
expect tidy.sh src/cli/a.cc 'std::unordered_map<int, int> a;\n' ''
expect tidy.sh src/state/a.cc '// never std::unordered_map\n' ''
expect tidy.sh src/state/a.cc 'std::unordered_set<int> a;\n' 'a.cc:1: not in src/state: its order'
expect tidy.sh src/engine/a.cc '#include <thread>\n' 'no clock and no threads'
expect tidy.sh src/engine/a.cc 'double a;\n' 'no floating point'
expect tidy.sh src/intake/kueue/a.cc '#include <httplib.h>\n' 'only server and cli speak HTTP'
expect tidy.sh src/engine/a.cc 'int double_booked = 0;\n' ''

methods() {
  echo 'class A {'
  for i in $(seq "$1"); do echo "  void M$i() { f(); }"; done
  echo '};'
}
expect classes.py src/engine/a.h "$(methods 40)\n" ''
expect classes.py src/engine/a.h "$(methods 41)\n" 'a.h:1: A has 41 methods'

if ((failures)); then exit 1; fi
echo "arrows.sh, tidy.sh and classes.py find what they should"
