#!/usr/bin/env bash
# clang-format --dry-run over all sources, then clang-tidy over those that changed, themselves or by
# a header of ours, since they last passed. Needs build/test built: its dependencies say who
# includes whom.
#
#   scripts/lint.sh [FILE…]      without FILE: all that changed
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
status=0
scripts/format.sh --check "$@" || status=1

# A line a source: itself, then the headers of ours that it includes.
dependencies() {
  ninja -C build/test -t deps | awk -v root="$PWD/" '
    function finish() { if (line ~ /^[^ ]*\.cc( |$)/) print line; line = "" }
    /^[^ ]/ { finish(); next }
    {
      path = $1  # absolute, or from build/test where ccache made it relative
      sub(/^\.\.\/\.\.\//, root, path)
      if (index(path, root) == 1 && index(path, root "build/") != 1)
        line = line (line == "" ? "" : " ") substr(path, length(root) + 1)
    }
    END { finish() }' | LC_ALL=C sort -u
}

stamps=build/lint
todo=()
while read -r source headers; do
  if (($#)) && [[ " $* " != *" $source "* ]]; then continue; fi
  if [[ ! -f $source ]]; then continue; fi
  stamp=$stamps/$source.ok
  for file in .clang-tidy "$source" $headers; do
    if [[ ! -f $stamp || $file -nt $stamp ]]; then
      todo+=("$source")
      break
    fi
  done
done < <(dependencies)

echo "tidy: ${#todo[@]} files"
if ((${#todo[@]})); then
  printf '%s\0' "${todo[@]}" | sort -zu | xargs -0 -n 1 -P "$(nproc)" bash -c '
    mkdir -p "$(dirname "$0/$1")"
    begin=$(mktemp -p "$(dirname "$0/$1")")
    if out=$(clang-tidy-19 -p build/test --quiet "$1" 2>&1); then
      mv "$begin" "$0/$1.ok"  # as old as the start: an edit during the run counts
    else
      rm "$begin"
      grep -vE "^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -" <<<"$out"
      exit 1
    fi' "$stamps" || status=1
fi
exit "$status"
