#!/usr/bin/env bash
# `fairlead run` on a real control plane with the rights that deploy/base gives it: what the Job,
# DaemonSet and garbage collection controllers and people with kubectl see of its decisions.
#
#   test/e2e/workloads.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")

# Sections do not see each other: each has a namespace of its own, which also names its queue.
section() {
  ns=$1
  kubectl create namespace "$ns" >/dev/null
  kubectl config set-context --current --namespace "$ns" >/dev/null
  echo "- $ns"
}
# The namespace controller would take its time.
clear_section() {
  kubectl delete jobs,daemonsets,workloads.fairlead.dev,pods --all --wait=false >/dev/null
  wait_for 30 none pods
}
none() { [[ -z $(kubectl get "$@" -o name) ]]; }
# Whether Fairlead has found that ElasticQuotas are served.
installed() {
  local watches='fairlead_cache_watches_total{resource="elasticquotas.scheduling.x-k8s.io"}'
  (($(metric main "$watches") > 0))
}
queue_label() { echo "labels: {fairlead.dev/queue: $1}"; }
# Published once a second.
victims() { metric main "fairlead_victims_total{action=\"$1\"}"; }
victims_are() { [[ $(victims "$1") == "$2" ]]; }

start_cluster --nodes 3 --node-cpu 4 --end-at-once
install_fairlead
cat >"$scratch/configuration.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
daemonSetPreemption: {startDelay: 2s}
YAML
run_fairlead main --config "$scratch/configuration.yaml" --record "$scratch/record"
wait_for 30 leads main
export FAIRLEAD_SERVER
FAIRLEAD_SERVER=$(url main)
begin=$SECONDS
# It looks for kinds of other systems from time to time: used below.
kubectl apply -f "$root/test/e2e/crds/elasticquotas.yaml" >/dev/null

# A Job that is a gang waits as a whole, though two of its three pods would fit, and starts as one.
section gang
job holder 2 3 | kubectl apply -f - >/dev/null
wait_for 30 bound 2
job gang 3 3 'annotations: {fairlead.dev/gang: "true"}' | kubectl apply -f - >/dev/null
wait_for 30 shows 'waits|pending|Pending' "$fairlead" explain gang/gang
bound 0 -l job-name=gang || fail 'a part of a gang was placed'
kubectl delete job holder --wait=false >/dev/null
wait_for 30 bound 3 -l job-name=gang
is 1 '.items[?(@.metadata.name=="gang")].status.active' jobs && fail 'one pod only'
expect 0 '^kube-api-access' field '.items[*].spec.volumes[*].name' pods
clear_section

# Two queues. What one borrowed goes back once it has run for as long as it is sure of, not before.
section reclaim
queue lender 'guaranteed: {cpu: 6}'
queue borrower 'guaranteed: {cpu: 6}, reclaimMinRuntime: 6s'
job borrows 12 1 '' '' "$(queue_label borrower)" | kubectl apply -f - >/dev/null
wait_for 30 bound 12 -l job-name=borrows
job asks 3 2 '' '' "$(queue_label lender)" | kubectl apply -f - >/dev/null
wait_for 30 shows 'protected' "$fairlead" explain "$(field .items[0].metadata.name pods \
  -l job-name=asks | sed 's|^|reclaim/|')"
bound 0 -l job-name=asks || fail 'placed while nothing is free'
wait_for 30 bound 3 -l job-name=asks
started=$(field '.items[*].status.startTime' pods -l job-name=borrows |
  tr ' ' '\n' | sort | head -n 1)
placed=$(field '.items[0].status.conditions[?(@.type=="PodScheduled")].lastTransitionTime' \
  pods -l job-name=asks)
(($(date -d "$placed" +%s) - $(date -d "$started" +%s) >= 6)) ||
  fail "started $started, gave way at $placed"
wait_for 30 bound 6 -l job-name=borrows
wait_for 10 victims_are Reclaim 6
wait_for 10 shows 'Preempted .*reclaim/asks' kubectl get events
wait_for 10 shows '^borrower +[0-9]+ +6 +True' kubectl get queues.fairlead.dev
clear_section
kubectl delete queues.fairlead.dev --all >/dev/null

# A suspended Job: as many of its pods as there is room for, made by its own controller. When
# another queue wants its guarantee back it is suspended, and asks for all of them again.
section partial
queue sure 'guaranteed: {cpu: 12}'
queue batch
job elastic 20 1 "$(queue_label batch), annotations: {fairlead.dev/min-parallelism: '10'}" \
  'suspend: true' | kubectl apply -f - >/dev/null
wait_for 30 bound 12
is 'false 12 20' '.spec.suspend} {.spec.parallelism} {.spec.completions' job elastic ||
  fail 'the Job was not made smaller'
wait_for 30 is 12 .status.active job elastic
expect 0 '^elastic +batch +True +True .* admitted 12 of 20' kubectl get workloads.fairlead.dev
is '20 10' '.spec.podSets[0].count} {.spec.podSets[0].minCount' workloads.fairlead.dev elastic ||
  fail 'the Workload does not hold the original counts'
is Job '.metadata.ownerReferences[0].kind' workloads.fairlead.dev elastic || fail 'not owned'
job whole 3 3 "$(queue_label sure)" 'suspend: true' | kubectl apply -f - >/dev/null
wait_for 30 is 'true 20' '.spec.suspend} {.spec.parallelism' job elastic
wait_for 30 bound 3 -l job-name=whole
is '' '.status.failed' job elastic || fail 'being stopped counted as a failure'
wait_for 10 is False '.status.conditions[?(@.type=="Admitted")].status' \
  workloads.fairlead.dev elastic
is '' '.status.admission' workloads.fairlead.dev elastic || fail 'still admitted'
kubectl describe workloads.fairlead.dev elastic >"$scratch/out"
grep -qE 'Evicted .* stopped: .*partial/whole' "$scratch/out" || fail 'kubectl describe'
kubectl delete job whole --wait=false >/dev/null
wait_for 30 bound 12 -l job-name=elastic
kubectl delete job elastic --wait=false >/dev/null
wait_for 30 none workloads.fairlead.dev
clear_section
kubectl delete queues.fairlead.dev --all >/dev/null

# Fairlead makes the pods of a Workload with a template, and takes them away again.
section template
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: Workload
metadata: {name: train}
spec:
  queueName: default
  podSets:
  - name: ps
    count: 1
    template: &pods
      metadata: {labels: {app: train}}
      spec: {containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]}
  - {name: worker, count: 20, minCount: 5, template: *pods}
YAML
wait_for 30 bound 12 -l app=train
expect 0 '^train-ps-0 +1/1 +Running' kubectl get pods
wait_for 10 shows '^train +default +True +True .* admitted 12 of 21' \
  kubectl get workloads.fairlead.dev
is 1 '.status.admission.podSetAssignments[?(@.name=="ps")].count' workloads.fairlead.dev train ||
  fail 'not one ps'
kubectl delete pod train-worker-3 --wait=false >/dev/null
wait_for 30 bound 12 -l app=train
kubectl patch workloads.fairlead.dev train --type merge -p '{"spec": {"active": false}}' >/dev/null
wait_for 30 none pods
kubectl patch workloads.fairlead.dev train --type merge -p '{"spec": {"active": true}}' >/dev/null
wait_for 30 bound 12 -l app=train
wait_for 10 shows 'Scheduled .*assigned template/train-ps-0 to node-' \
  kubectl describe pod train-ps-0
kubectl delete workloads.fairlead.dev train >/dev/null
wait_for 30 none pods

# A DaemonSet is rolled out to nodes that are full: on each, somebody has to go.
section daemons
kubectl label namespace daemons fairlead.dev/infrastructure=true >/dev/null
job filler 12 1 | kubectl apply -f - >/dev/null
wait_for 30 bound 12
daemon_set agent 1500m | kubectl apply -f - >/dev/null
wait_for 10 is 'WaitingForRoom WaitingForRoom WaitingForRoom' \
  '.items[*].status.conditions[?(@.type=="fairlead.dev/NodeReserved")].reason' pods -l app=agent
wait_for 30 is 3 .status.numberReady daemonset agent
wait_for 30 bound 6 -l job-name=filler
wait_for 10 victims_are DaemonSet 6
wait_for 10 shows 'Preempted .*daemons/agent-' kubectl get events
clear_section

# Story 1 of ElasticQuotas, whose kind came to be known while Fairlead ran: lent, and given back.
kubectl create namespace lender >/dev/null
section borrower
wait_for 40 installed
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: quota, namespace: borrower}
spec: {min: {cpu: 4}, max: {cpu: 6}}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {name: quota, namespace: lender}
spec: {min: {cpu: 6}, max: {cpu: 8}}
YAML
job lends 3 1 | kubectl apply -n lender -f - >/dev/null
job borrows 8 1 | kubectl apply -f - >/dev/null
wait_for 30 bound 3 -n lender
wait_for 30 bound 6
wait_for 10 is 6 .status.used.cpu elasticquotas quota
before=$(victims Reclaim)
job asks 3 1 | kubectl apply -n lender -f - >/dev/null
wait_for 30 bound 6 -n lender
wait_for 30 bound 4
wait_for 10 victims_are Reclaim $((before + 2))
wait_for 10 is '4 6' '.items[*].status.used.cpu' elasticquotas -A
kubectl delete jobs --all -n lender --wait=false >/dev/null
# The kind goes, with all quotas: their namespaces have no bounds any more.
kubectl delete crd elasticquotas.scheduling.x-k8s.io >/dev/null
wait_for 60 bound 8
clear_section

# Every metric is documented.
for name in $(page main /metrics | sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p'); do
  grep -q "\`$name\`" "$root/docs/metrics.md" || fail "docs/metrics.md lacks $name"
done
# It looked after its own sums all the while.
(($(metric main fairlead_audits_total) > 0)) || fail "no audit went all around"
no_fault main
# Twenty who say half a request hold nobody: not a probe, not the end, not the Lease.
pages=$(url main)
for ((i = 0; i < 20; ++i)); do
  exec {half}<>"/dev/tcp/127.0.0.1/${pages##*:}"
  printf 'GET /' >&"$half"
done
[[ $(page main /healthz) == *ok ]] || fail 'slow clients hold the probe'
end_fairlead main TERM 0
is '' .spec.holderIdentity lease fairlead -n fairlead-system || fail 'the Lease is not given back'

# All of it was recorded, is decided the same again, makes a report, and runs under other
# configurations.
record=(--trace record --dir "$scratch/record")
expect 0 'Every round decided the same' \
  "$fairlead" simulate "${record[@]}" --report "$scratch/record.html"
python3 "$root/test/report/recompute.py" "$scratch/record-csv"
sed '$a reclaim: {enabled: false}' "$scratch/configuration.yaml" >"$scratch/no-reclaim.yaml"
expect 0 '^evictions .* [*]$' \
  "$fairlead" compare "$scratch/configuration.yaml" "$scratch/no-reclaim.yaml" "${record[@]}"
echo "workloads: passed in $((SECONDS - begin)) s"
