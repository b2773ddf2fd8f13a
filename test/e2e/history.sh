#!/usr/bin/env bash
# The history of `up`: what was committed when a process is killed is there afterwards, the file is
# sound, the next one goes on with it; two processes on one directory; files that cannot be used;
# what REST says is what `fairlead history` reads from the file.
#
#   test/e2e/history.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
unset FAIRLEAD_SERVER
data=$scratch/data
server=

# up NAME [FLAG…]: starts one; its address is then $address.
up() {
  local name=$1
  shift
  : >"$scratch/$name.out"
  "$fairlead" up --port 0 "$@" >"$scratch/$name.out" 2>"$scratch/$name.log" &
  server=$!
  on_exit kill_process "$server"
  wait_for 20 grep -q 'http://' "$scratch/$name.out"
  address=$(grep -o 'http://[0-9.:]*' "$scratch/$name.out" | head -1)
}

# get PATH: what REST answers.
get() {
  local socket
  exec {socket}<>"/dev/tcp/127.0.0.1/${address##*:}" || return 1
  printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" >&"$socket"
  sed '1,/^\r$/d' <&"$socket"
  exec {socket}>&-
}
figure() { get /metrics | awk -v name="fairlead_history_$1" '$1 == name { print $2 }'; }
at_least() { (($(figure "$2") >= $1)); }
ended_workloads() {
  (($(get "/api/v1/history/workloads?limit=5000" | grep -o '"seq"' | wc -l) >= $1))
}

# Jobs without an end: each pod is done after a second and the next one comes.
{
  for ((i = 0; i < 4; i++)); do
    cat <<YAML
---
apiVersion: v1
kind: Node
metadata: {name: n$i}
status: {allocatable: {cpu: "64", memory: 256Gi, pods: "500"}}
YAML
  done
  for queue in vision nlp; do
    cat <<YAML
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: $queue}
spec: {parent: research}
YAML
  done
  printf -- '---\napiVersion: fairlead.dev/v1alpha1\nkind: Queue\nmetadata: {name: research}\n'
  for ((i = 0; i < 8; i++)); do
    cat <<YAML
---
apiVersion: batch/v1
kind: Job
metadata: {name: job-$i, namespace: lab, annotations: {fairlead.dev/user: user-$((i % 2))}}
spec:
  parallelism: 20
  completions: 1000000
  template:
    metadata:
      labels: {fairlead.dev/queue: $([[ $((i % 2)) == 0 ]] && echo vision || echo nlp)}
      annotations: {fairlead.dev/run-duration: 30s, fairlead.dev/user: user-$((i % 2))}
    spec:
      restartPolicy: Never
      schedulerName: fairlead
      containers: [{name: main, resources: {requests: {cpu: "1"}}}]
YAML
  done
} >"$scratch/lab.yaml"

# Killed in the middle of many writes, again and again.
last=0
for round in 1 2 3 4; do
  up "up-$round" -f "$scratch/lab.yaml" --speed 60 --data-dir "$data"
  wait_for 30 at_least $((last + 500 * round)) committed_seq
  told=$(figure committed_seq)
  rows=$(get "/api/v1/history/decisions?limit=200")
  kill -KILL "$server"
  wait "$server" 2>/dev/null || true
  expect 0 '^ok$' sqlite3 "$data/history.sqlite" 'PRAGMA integrity_check'
  kept=$(sqlite3 "$data/history.sqlite" "SELECT value FROM meta WHERE key='seq'")
  if ((kept < told)); then fail "round $round: $told were told as committed, $kept are there"; fi
  # Row by row what REST had shown.
  grep -oE '"seq":[0-9]+' <<<"$rows" | cut -d: -f2 | sort -n >"$scratch/shown"
  sqlite3 "$data/history.sqlite" 'SELECT seq FROM decisions ORDER BY seq' >"$scratch/kept"
  if [[ $(wc -l <"$scratch/shown") -lt 100 ]]; then fail "round $round: REST shows too little"; fi
  sort "$scratch/shown" >"$scratch/shown.txt"
  sort "$scratch/kept" >"$scratch/kept.txt"
  if [[ -n $(comm -23 "$scratch/shown.txt" "$scratch/kept.txt") ]]; then
    fail "round $round: rows are missing"
  fi
  last=$kept
done
sessions() {
  [[ $("$fairlead" history sessions --data-dir "$data" -o json | grep -c '"mode"') == "$1" ]]
}
sessions 4 || fail 'expected four sessions'

# Ended in order: nothing is lost at all, and REST's last words are what the file says.
up orderly -f "$scratch/lab.yaml" --speed 60 --data-dir "$data"
export FAIRLEAD_SERVER=$address
wait_for 30 ended_workloads 200
# A second one on the same directory has its history in memory, and says so.
first=$server first_address=$address
up second --speed 60 --data-dir "$data"
expect 0 'history.sqlite is in use by another process \([0-9]+\); .*in memory' \
  cat "$scratch/second.log"
expect 0 '^1$' figure in_memory
kill_process "$server"
server=$first address=$first_address
before=$(figure committed_seq)
# The file is read while it is written.
expect 0 ' Bind +lab/job-.* vision +user-0' "$fairlead" history --queue vision --data-dir "$data"
expect 0 ' Succeeded ' \
  "$fairlead" history workloads --user user-1 --queue research --data-dir "$data"
if grep -q user-0 "$scratch/out"; then fail 'the workloads of another user'; fi
same() {
  local query=$1
  shift
  "$fairlead" history "$@" --data-dir "$data" -o json >"$scratch/file.json"
  "$fairlead" history "$@" -o json >"$scratch/rest.json"
  cmp "$scratch/file.json" "$scratch/rest.json" || fail "REST and file differ: history $*"
  if [[ $(wc -l <"$scratch/file.json") -lt 20 ]]; then fail "too little is shown: $query"; fi
}
same 'another session' --session 2
same 'a queue' decisions --session 2 --queue nlp --limit 50
same 'usage' usage --session 2 --queue vision
same 'ended' workloads --session 2
expect 0 'expected one of: after, before' get '/api/v1/history/decisions?befor=7'
expect 2 'there is no history of "usages"' "$fairlead" history usages
kill -INT "$server"
wait "$server" || fail 'an orderly end fails'
unset FAIRLEAD_SERVER
kept=$(sqlite3 "$data/history.sqlite" "SELECT value FROM meta WHERE key='seq'")
if ((kept < before)); then fail 'an orderly end loses records'; fi
expect 0 '^seq,time,type,pod,node,workload,queue,user,action,for,reason,podSets$' \
  "$fairlead" history -o csv --data-dir "$data"
expect 2 'expected one of: table, wide, json, yaml' "$fairlead" version -o csv

# What cannot be used is said, and it goes on without.
for fault in garbage newer readonly; do
  spoilt=$scratch/$fault
  mkdir "$spoilt"
  case $fault in
    garbage) head -c 5000 /dev/urandom >"$spoilt/history.sqlite" && what='is no history' ;;
    newer)
      cp "$data/history.sqlite" "$spoilt" && what='found schema 99, expected at most 2'
      sqlite3 "$spoilt/history.sqlite" 'PRAGMA user_version=99'
      ;;
    readonly) rmdir "$spoilt" && echo x >"$spoilt" && what='Not a directory|File exists' ;;
  esac
  up "$fault" -f "$scratch/lab.yaml" --data-dir "$spoilt"
  expect 0 "$fault.*($what).*in memory" cat "$scratch/$fault.log"
  wait_for 20 at_least 100 committed_seq
  expect 0 '"type":"Bind"' get /api/v1/history/decisions
  kill_process "$server"
done
expect 2 'found schema 99' "$fairlead" history --data-dir "$scratch/newer"
expect 2 'nothing has been recorded' "$fairlead" history --data-dir "$scratch/nowhere"
echo 'the history survives'
