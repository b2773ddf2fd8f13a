#!/usr/bin/env bash
# The include test: every #include "room/…" in src/ is an arrow that rooms.txt allows. Prints each
# one that is not, as FILE:LINE: what is wrong, and exits 1. A room is a folder of src/, or a folder
# in one: src/intake/kueue/*.h are of the room intake/kueue, src/intake/*.h of the room intake.
#
#   test/arrows/arrows.sh [ROOT]      ROOT: the checkout, by default the one that holds this file
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../..}"

mapfile -t sources < <(find src -name '*.h' -o -name '*.cc' | sort)
awk '
  function fault(what) { print FILENAME ":" FNR ": " what; faults++ }
  function folder(file) { return file ~ /\// ? substr(file, 1, match(file, /\/[^\/]*$/) - 1) : "" }

  FNR == 1 { room = folder(FILENAME); sub(/^src\/?/, "", room) }

  FILENAME == table {
    if ($0 ~ /^[ \t]*(#|$)/) next
    if ($1 in rooms) fault("room " $1 " stands here twice")
    if ($1 !~ /^[a-z]+(\/[a-z]+)?$/) fault("room " $1 ": expected ROOM or ROOM/PART")
    for (i = 2; i <= NF; i++) {
      if ($i == "-") continue
      if (!($i in rooms)) fault($1 " may know only rooms that stand above it, found " $i)
      may_know[$1, $i] = 1
      list[$1] = list[$1] " " $i
    }
    rooms[$1] = 1
    sub(/\/.*/, "", $1)
    houses[$1] = 1
    next
  }

  FNR == 1 {
    files++
    if (room == "") fault("lies in no room, expected src/ROOM/FILE")
    else if (!(room in rooms)) fault("room " room " is not in test/arrows/rooms.txt")
  }

  /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    quoted = $0 ~ /include[ \t]*"/
    target = $0
    sub(/^[^"<]*["<]/, "", target)
    sub(/[">].*/, "", target)
    other = folder(target)
    if (!quoted) {
      house = target
      if (sub(/\/.*/, "", house) && house in houses)
        fault("<" target "> is ours, expected \"" target "\"")
      next
    }
    includes++
    if (!(other in rooms)) {
      fault("\"" target "\" names no room, expected \"ROOM/FILE.h\"")
    } else if (other != room && (room in rooms) && !((room, other) in may_know)) {
      fault("src/" room " may not know src/" other " (it knows:" \
            (room in list ? list[room] : " nothing of ours") ")")
    }
  }

  END {
    if (faults) { print faults " includes or rooms against test/arrows/rooms.txt"; exit 1 }
    print includes + 0 " includes in " files + 0 " files follow test/arrows/rooms.txt"
  }
' table="$here/rooms.txt" "$here/rooms.txt" ${sources[@]+"${sources[@]}"}
