#!/usr/bin/env bash
# A JobSet that lost a node for good: its pods that still run are stopped, and it starts anew once
# there is room for all of it; with JobSet's own controllers.
#
#   test/e2e/broken_gang.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lib_kinds.sh"
fairlead=$(realpath "$1")
cat >"$scratch/config.yaml" <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: SchedulerConfiguration
staleGang: {grace: 20s}
YAML
run_flags=(--config "$scratch/config.yaml")
start_kinds jobset
begin=$SECONDS

echo '- twelve pods run on three nodes'
kubectl apply -f - >/dev/null <<'YAML'
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train, labels: {fairlead.dev/queue: batch}}
spec:
  suspend: true
  replicatedJobs:
  - name: workers
    replicas: 3
    template:
      spec:
        parallelism: 4
        completions: 4
        template:
          spec:
            restartPolicy: Never
            schedulerName: fairlead
            containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
YAML
pods=jobset.sigs.k8s.io/jobset-name=train
wait_for 60 bound 12 -l $pods
condition() { field ".status.conditions[?(@.type==\"$1\")].$2" workloads.fairlead.dev train; }

echo '- a node fails for good: the clock is shown, and outlives a kill'
kubectl delete node node-2 >/dev/null
kubectl delete pods --field-selector spec.nodeName=node-2 --force --wait=false >/dev/null 2>&1
wait_for 30 shows '^True$' condition Broken status
expect 0 '^StaleGang$' condition Broken reason
FAIRLEAD_SERVER=$(url main)
wait_for 20 shows 'all of it is stopped at .* and starts anew' "$fairlead" explain jobs/train
since=$(condition Broken lastTransitionTime)
end_fairlead main KILL 137
run_alone second
wait_for 60 says second 'all is read'
FAIRLEAD_SERVER=$(url second)

echo '- it is suspended, and waits'
wait_for 60 is true .spec.suspend jobset train
wait_for 60 none pods -l $pods
stopped=$(condition Admitted lastTransitionTime)
(($(date -d "$stopped" +%s) >= $(date -d "$since" +%s) + 20)) ||
  fail "broken since $since, and stopped at $stopped: before its grace was over"
wait_for 20 shows '^State: +Pending' "$fairlead" explain jobs/train
wait_for 20 shows 'Evicted .*stopped: .*could not be placed for 20s' \
  kubectl describe workloads.fairlead.dev train

echo '- with a new node all of it starts anew'
"$cluster_binary" nodes --kubeconfig "$KUBECONFIG" --nodes 1 --node-prefix new --node-cpu 4
wait_for 60 bound 12 -l $pods
wait_for 20 shows '^False$' condition Broken status
no_fault main
no_fault second
echo "broken_gang: passed in $((SECONDS - begin)) s"
