#!/usr/bin/env bash
# A user's first ten minutes: up, submit, get until it runs, explain, delete, Ctrl-C; and what must
# not work: faults, a second server on the port, other hosts' pages.
#
#   test/e2e/up.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
unset FAIRLEAD_SERVER
server=
stop_server() {
  if [[ -n $server ]]; then kill -KILL "$server" 2>/dev/null || true; fi
}
on_exit stop_server

"$fairlead" up --port 0 --speed 10 >"$scratch/up.out" 2>"$scratch/up.err" &
server=$!
wait_for 20 grep -q 'http://' "$scratch/up.out"
FAIRLEAD_SERVER=$(grep -o 'http://[0-9.:]*' "$scratch/up.out" | head -1)
export FAIRLEAD_SERVER
port=${FAIRLEAD_SERVER##*:}

# Nothing is there yet, and that is no error.
expect 0 'there are no nodes' "$fairlead" get nodes

cat >"$scratch/cluster.yaml" <<'YAML'
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: lab}
spec: {limit: {cpu: "3"}, preemptMinRuntime: 1h}
YAML
cat >"$scratch/pods.yaml" <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: first
  namespace: lab
  labels: {fairlead.dev/queue: lab}
  annotations: {fairlead.dev/run-duration: 24h}
spec:
  schedulerName: fairlead
  containers: [{name: main, resources: {requests: {cpu: "2"}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: second, namespace: lab, labels: {fairlead.dev/queue: lab}}
spec:
  schedulerName: fairlead
  containers: [{name: main, resources: {requests: {cpu: "2"}}}]
YAML
expect 0 'node/n1 created' "$fairlead" submit -f "$scratch/cluster.yaml"
expect 0 'pod/lab/first created' "$fairlead" submit -f "$scratch/pods.yaml"
expect 0 'pod/lab/first unchanged' "$fairlead" submit -f - <"$scratch/pods.yaml"

# What was submitted is there at once, and decided.
expect 0 '^lab +first +Running +n1 ' "$fairlead" get pods -n lab
expect 0 '^lab +second +Pending ' "$fairlead" get po -A
expect 0 '^n1 +Ready +2/4 ' "$fairlead" get nodes
expect 0 '^lab .* cpu 2 .* 1 +0 +1$' "$fairlead" get queues
expect 0 'Bind +lab/first +n1' "$fairlead" get events
expect 0 '"nodeName": "n1"' "$fairlead" get pod first -n lab -o json
expect 0 '^  phase: Running' "$fairlead" get pod first -n lab -o yaml
expect 0 'QueueLimit' "$fairlead" explain lab/second
expect 0 'Running since' "$fairlead" explain lab/first
expect 2 'did you mean lab/second' "$fairlead" explain lab/secnd
expect 2 'there is no Pod thrid' "$fairlead" get pod thrid -n lab

# Room comes free: the other one starts.
expect 0 'pod/lab/first deleted' "$fairlead" delete pod first -n lab
expect 0 '^lab +second +Running +n1 ' "$fairlead" get pods -n lab

# A gang of one, and until when it is protected.
cat >"$scratch/gang.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: gang, namespace: lab}
spec:
  queueName: lab
  podSets:
  - count: 1
    template: {spec: {containers: [{name: main, resources: {requests: {cpu: "1"}}}]}}
YAML
expect 0 'workload/lab/gang created' "$fairlead" submit -f "$scratch/gang.yaml"
expect 0 '^    preempt: "20' "$fairlead" get workload gang -n lab -o yaml

# What was admitted is recorded.
"$fairlead" get workload gang -n lab -o yaml >"$scratch/gang.out"
expect 0 'cpu: "?1"?$' grep -A1 resourceUsage: "$scratch/gang.out"

# A job whose minimum is wrong is told so, in an event and where its owner looks.
cat >"$scratch/job.yaml" <<'YAML'
apiVersion: batch/v1
kind: Job
metadata:
  name: wrong
  namespace: lab
  labels: {fairlead.dev/queue: lab}
  annotations: {fairlead.dev/min-parallelism: all}
spec:
  suspend: true
  parallelism: 100
  template:
    spec:
      schedulerName: fairlead
      containers: [{name: main, resources: {requests: {cpu: "1"}}}]
YAML
expect 0 'job/lab/wrong created' "$fairlead" submit -f "$scratch/job.yaml"
expect 0 'Warn +lab/wrong .*MinimumInvalid: its minimum is "all"' "$fairlead" get events
expect 0 'type: "?MinimumInvalid' "$fairlead" get job wrong -n lab -o yaml
expect 0 'job/lab/wrong deleted' "$fairlead" delete job wrong -n lab

# A namespace with a quota, which is a queue of its own, and what it uses.
cat >"$scratch/quota.yaml" <<'YAML'
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: quota, namespace: team}
spec: {min: {cpu: "1"}, max: {cpu: "2"}}
---
apiVersion: v1
kind: Pod
metadata: {name: inside, namespace: team}
spec:
  schedulerName: fairlead
  containers: [{name: main, resources: {requests: {cpu: "1"}}}]
YAML
expect 0 'elasticquota/team/quota created' "$fairlead" submit -f "$scratch/quota.yaml"
expect 0 '^team +quota +cpu 1 +cpu 2 +cpu 1$' "$fairlead" get eq -A
expect 0 '^  used:' "$fairlead" get elasticquota quota -n team -o yaml
expect 0 'type: "?InEffect' "$fairlead" get eq quota -n team -o yaml
expect 0 '^team +elastic-quotas +cpu 1 +cpu 1 ' "$fairlead" get queues
expect 0 'weight: 0' "$fairlead" get queue team -o yaml
sed 's/min: {cpu: "1"}/min: {cpu: "3"}/' "$scratch/quota.yaml" >"$scratch/high.yaml"
expect 0 'elasticquota/team/quota configured' "$fairlead" submit -f "$scratch/high.yaml"
expect 0 'Warn +team/quota .*above its max of 2' "$fairlead" get events
expect 0 'elasticquota/team/quota configured' "$fairlead" submit -f "$scratch/quota.yaml"

# What is skipped was not submitted.
cat >"$scratch/steps.yaml" <<'YAML'
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: steps}
YAML
expect 2 'there was nothing to submit' "$fairlead" submit -f "$scratch/steps.yaml"

# Faults: the same messages as from files, and nothing is changed.
cat >"$scratch/bad.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: fine}
---
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: broken}
spec: {limit: {cpu: lots}}
YAML
expect 2 "bad.yaml:8: Queue broken: spec.limit.cpu: " "$fairlead" submit -f "$scratch/bad.yaml"
expect 2 'there is no Queue fine' "$fairlead" get queue fine

# What was saved can be planned over.
"$fairlead" get all -A -o yaml >"$scratch/state.yaml"
expect 0 '0 decisions' "$fairlead" plan -f "$scratch/state.yaml"
expect 0 '^  team +cpu 1 +cpu 1 ' "$fairlead" plan -f "$scratch/state.yaml"

# REST: YAML or JSON, loopback only.
if command -v curl >/dev/null; then
  status() { curl -s -o "$scratch/out" -w '%{http_code}' "$@"; }
  check() { if [[ $2 != "$1" ]]; then fail "status $2, expected $1"; fi; }
  api=$FAIRLEAD_SERVER/api/v1
  check 200 "$(status "$FAIRLEAD_SERVER/healthz")"
  check 200 "$(status "$api/pods")"
  check 200 "$(status "$api/pods/lab/second")"
  check 200 "$(status "$api/queues/shares")"
  check 404 "$(status "$api/pods/lab/nobody")"
  # What the page shows: what was just submitted is in it, and why it waits.
  expect 0 '"nodes":."count":1,"ready":1' curl -sf "$api/view/summary"
  sed '1,/^---$/d; s/name: second/name: third/; s/cpu: "2"/cpu: "4"/' "$scratch/pods.yaml" \
    >"$scratch/third.yaml"
  check 200 "$(status --data-binary @"$scratch/third.yaml" "$api/objects")"
  expect 0 '"workload":"lab/third".*"reason":."code":"QueueLimit"' \
    curl -sf "$api/view/workloads?state=Pending&queue=lab&q=thi"
  expect 0 '"pod":"lab/second","workload":"lab/second","queue":"lab"' curl -sf "$api/view/nodes/n1"
  check 400 "$(status "$api/view/workloads?sort=size")"
  check 404 "$(status "$api/view/workloads/lab/thrid")"
  expect 0 'did you mean lab/third' curl -s "$api/view/workloads/lab/thrid"
  check 200 "$(status -X DELETE "$api/pods/lab/third")"
  check 404 "$(status "$api/zebras")"
  check 403 "$(status -H 'Host: rebound.example' "$api/pods")"
  check 403 "$(status -H 'Origin: https://elsewhere.example' "$api/pods")"
  check 403 "$(status -H 'Origin: http://localhost:9' --data-binary @"$scratch/bad.yaml" \
    "$api/objects")"
  check 403 "$(status -H 'Origin: null' --data-binary @"$scratch/bad.yaml" "$api/objects")"
  check 400 "$(status --data-binary @"$scratch/bad.yaml" "$api/objects")"
  check 200 "$(status --data-binary @"$scratch/cluster.yaml" "$api/objects")"
  check 404 "$(status --data-binary x "$api/pods")"
  # Chunks are counted as they come.
  check 413 "$(head -c 110000000 /dev/zero | status -H 'Transfer-Encoding: chunked' \
    --data-binary @- "$api/objects")"
  check 405 "$(status -X PUT --data-binary x "$api/pods/lab/second")"
  check 200 "$(status -X DELETE "$api/pods/lab/second")"
fi

# The port is taken.
expect 2 "127.0.0.1:$port cannot be listened on" "$fairlead" up --port "$port"

# SIGTERM ends it with a summary.
kill -TERM "$server"
status=0
wait "$server" || status=$?
server=
if [[ $status != 0 ]]; then fail "up ended with $status"; fi
if ! grep -q '^Ended after' "$scratch/up.out"; then fail "no summary: $(cat "$scratch/up.out")"; fi
expect 2 'no Fairlead at' "$fairlead" get pods
echo "up: passed"
