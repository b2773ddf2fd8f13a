# shellcheck shell=bash
# How far long work is and how long it will take, for the scripts that source this: one line on
# stderr, as that of src/show/progress.h. On a terminal only, from the second second on; it is
# rewritten, and rubbed out at the end.
#
#   progress_start WHAT UNIT TOTAL COUNT…
#   work | progress_pass      # whatever else is printed meanwhile
#   progress_stop             # also where the script ends before
#
# WHAT as "testing", UNIT as "tests". COUNT is a command that prints how many are done, and behind
# that how many seconds all the others take from then on ("-": nobody knows). Where it says nothing
# of that, they take as long as those before.

progress_pid=

progress_wanted() { [[ -t 2 ]]; }

# "45s", "5m30s", "12m", "3h12m"
progress_duration() {
  local s=$1
  if ((s < 60)); then
    echo "${s}s"
  elif ((s < 600)); then
    echo "$((s / 60))m$((s % 60))s"
  elif ((s < 3600)); then
    echo "$((s / 60))m"
  else
    echo "$((s / 3600))h$((s % 3600 / 60))m"
  fi
}

# progress_line WHAT UNIT TOTAL DONE LEFT
progress_line() {
  local cell bar='' left='' filled=$(($4 * 24 / $3))
  for ((cell = 0; cell < 24; ++cell)); do
    if ((cell < filled)); then bar+=█; else bar+=' '; fi
  done
  if [[ $5 != - ]] && (($5 > 0)); then left="  $(progress_duration "$5") left"; fi
  printf '%s [%s] %3d%%  %d of %d %s%s' "$1" "$bar" $(($4 * 100 / $3)) "$4" "$3" "$2" "$left"
}

progress_watch() {
  local what=$1 unit=$2 total=$3 count=0 left changed=0 columns line
  shift 3
  while sleep 0.5 && kill -0 $$ 2>/dev/null; do
    local before=$count
    read -r count left < <("$@" || true) || true
    count=${count:-$before}
    if ((count != before)); then changed=$SECONDS; fi
    if [[ -z $left ]]; then left=$((count ? changed * (total - count) / count : -1)); fi
    if [[ $left != - ]]; then left=$((left - (SECONDS - changed))); fi
    if ((SECONDS < 1)); then continue; fi
    line=$(progress_line "$what" "$unit" "$total" "$count" "$left")
    # It may be ended while it asks: whoever writes then must not complain on the terminal.
    read -r _ columns < <(stty size <&2 2>/dev/null) || columns=0
    if ((${columns:-0} > 0)); then line=${line:0:columns-1}; fi
    printf '\r\e[K%s' "$line" >&2
  done
}

progress_start() {
  if ! progress_wanted || (($3 == 0)); then return; fi
  trap progress_stop EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  (
    trap - EXIT INT TERM
    SECONDS=0
    progress_watch "$@"
  ) </dev/null >/dev/null &
  progress_pid=$!
}

progress_stop() {
  if [[ -z $progress_pid ]]; then return; fi
  kill "$progress_pid" 2>/dev/null || true
  wait "$progress_pid" 2>/dev/null || true
  progress_pid=
  printf '\r\e[K' >&2
}

# Lines as they come, each in place of what the terminal shows.
progress_pass() {
  if [[ ! -t 1 || -z $progress_pid ]]; then
    cat
    return
  fi
  local line
  while IFS= read -r line || [[ -n $line ]]; do printf '\r\e[K%s\n' "$line"; done
}

# progress_tally FILE [TOTAL SECONDS]: COUNT of the lines of a file; of TOTAL each takes so long.
progress_tally() {
  local count
  count=$(wc -l <"$1")
  echo "$count" ${2:+$((($2 - count) * $3))}
}

# progress_by_costs JOBS QUEUED COSTS ALL DONE: COUNT of those that took some time before. Files of
# lines: the names of those of which one runs at a time; "NAME … SECONDS", up to a line "---"; the
# names of all; of those that are done. So many run at once.
progress_by_costs() {
  awk -v jobs="$1" '
    FILENAME == ARGV[1] { queued[$1] }
    FILENAME == ARGV[2] && !over { if ($1 == "---") over = 1; else cost[$1] = $NF }
    FILENAME == ARGV[3] { all[$1] }
    FILENAME == ARGV[4] && $1 in all && !($1 in done) { done[$1]; ++count }
    END {
      for (name in all) {
        if (name in done || !(name in cost)) continue
        known = 1
        sum += cost[name]
        if (name in queued) queue += cost[name]
        if (cost[name] > left) left = cost[name]
      }
      if (queue > left) left = queue
      if (sum / jobs > left) left = sum / jobs
      print count + 0, known ? int(left + 0.5) : "-"
    }' "$2" "$3" "$4" "$5"
}
