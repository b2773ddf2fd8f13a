#!/usr/bin/env bash
# clang-format --dry-run over all sources, then clang-tidy over those that changed, themselves or by
# a header of ours, since they last passed. Nothing is built for it but the list of
# commands that compile each source by itself.
#
#   scripts/lint.sh [FILE…]          without FILE: all that changed
#   scripts/lint.sh --since COMMIT   the sources that changed since then and, of each header that
#                                    did, one source that includes it: for CI, which keeps nothing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/progress.sh
since=
if [[ ${1:-} == --since ]]; then
  since=$(git rev-parse --verify "$2^{commit}")
  shift 2
fi
status=0
scripts/format.sh --check "$@" || status=1
scripts/build.sh lint build.ninja

# A line a source that the preset compiles: itself, then the headers of ours that it includes, by
# whatever way.
dependencies() {
  scripts/sources.sh | xargs grep -H '^#include "' | awk -v root="$PWD/" '
    FILENAME != "-" {  # the compile commands
      if (!/^ *"file": /) next
      path = $0
      gsub(/^ *"file": "|",?$/, "", path)
      if (index(path, root) == 1 && index(path, root "build/") != 1)
        sources[substr(path, length(root) + 1)]
      next
    }
    {
      from = $0
      sub(/:#include.*/, "", from)
      split($0, part, "\"")
      includes[from] = includes[from] " " part[2]
    }
    # The file behind a name in an #include: where the compilers look for it.
    function find(name, from,    roots, at, path) {
      sub(/[^\/]*$/, "", from)
      roots[1] = from; roots[2] = "src/"; roots[3] = "test/"; roots[4] = ""
      for (at = 1; at <= 4; ++at) {
        path = roots[at] name
        if (!(path in there)) {
          there[path] = (getline line <path) >= 0
          close(path)
        }
        if (there[path]) return path
      }
      return ""
    }
    function walk(file,    names, n, i, path) {
      seen[file]
      n = split(includes[file], names, " ")
      for (i = 1; i <= n; ++i) {
        path = find(names[i], file)
        if (path != "" && !(path in seen)) { row = row " " path; walk(path) }
      }
    }
    END { for (source in sources) { delete seen; row = source; walk(source); print row } }
  ' build/lint/compile_commands.json - | LC_ALL=C sort
}

# Of those lines the ones that --since asks for.
wanted() {
  if [[ -z $since ]]; then
    cat
    return
  fi
  awk '
    FILENAME != "-" { changed[$1]; next }
    {
      take = $1 in changed
      for (i = 2; i <= NF; ++i) {
        if ($i in changed && !($i in looked_into)) { looked_into[$i]; take = 1 }
      }
      if (take) print
    }' <(git diff --name-only --diff-filter=d "$since" -- '*.cc' '*.h') -
}

stamps=build/lint/passed
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
done < <(dependencies | wanted)

# A rebuild touches everything, and CI has an hour: that is for `make lint` on one's own machine.
most_since=60
if [[ -n $since ]] && ((${#todo[@]} > most_since)); then
  echo "tidy: left out, ${#todo[@]} files are more than $most_since"
  exit "$status"
fi
echo "tidy: ${#todo[@]} files"
tally=$stamps.tally # a line a file that is done
: >"$tally"
progress_start linting files "${#todo[@]}" progress_tally "$tally"
if ((${#todo[@]})); then
  # shellcheck disable=SC2016 # by the shells that xargs starts
  printf '%s\0' "${todo[@]}" | sort -zu | xargs -0 -n 1 -P "$(nproc)" bash -c '
    mkdir -p "$(dirname "$0/$1")"
    begin=$(mktemp -p "$(dirname "$0/$1")")
    trap "echo >>\"\$0.tally\"" EXIT
    if out=$(clang-tidy-19 -p build/lint --quiet "$1" 2>&1); then
      mv "$begin" "$0/$1.ok"  # as old as the start: an edit during the run counts
    else
      rm "$begin"
      grep -vE "^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -" <<<"$out"
      exit 1
    fi' "$stamps" | progress_pass || status=1
fi
progress_stop
exit "$status"
