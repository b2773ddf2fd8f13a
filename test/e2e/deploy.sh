#!/usr/bin/env bash
# What deploy/ ships, at a real API server: the CRDs take what `fairlead validate` takes and refuse
# what it refuses; kustomize and Helm say the same; the admission policy names our scheduler.
#
#   test/e2e/deploy.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
begin=$SECONDS
# The policy's kind is a beta in the Kubernetes that is tested with, and off there by default.
start_cluster --nodes 1 --apiserver-arg=--feature-gates=MutatingAdmissionPolicy=true \
  --apiserver-arg=--runtime-config=admissionregistration.k8s.io/v1beta1=true
kubectl apply -f "$root/test/e2e/crds/servicemonitors.yaml" >/dev/null
install_fairlead
dry_run() { kubectl apply --server-side --dry-run=server "$@"; }

# Every one of our objects in examples and tests that validate reads is one to the API server, and
# each line of the table below is none to both. (A name with capitals is none to Kubernetes, and a
# priority as a number is for files only.)
cat >"$scratch/split.awk" <<'AWK'
# Documents that are a Queue or Workload of ours, each to a file of its own in `dir`.
function flush() {
  if (text ~ /\napiVersion: *fairlead\.dev\/v1alpha1\n/ && text ~ /\nkind: *(Queue|Workload)\n/)
    printf "%s", text >(dir "/" base "-" ++count ".yaml")
  text = "\n"
}
FNR == 1 || /^---/ {
  flush()
  if (FNR == 1) { base = FILENAME; gsub("/", "_", base) }
  if (/^---/) next
}
{ text = text $0 "\n" }
END { flush() }
AWK
mkdir "$scratch/objects"
(cd "$root" && find examples test/golden/input -name '*.yaml' -not -path '*/bad/*' | sort |
  xargs awk -v dir="$scratch/objects" -f "$scratch/split.awk")
not_for_kubernetes='(name|parent): *[^ ,}]*[A-Z]|kind: Workload(.|\n)*priority: *[0-9]'
ours=0
: >"$scratch/all.yaml"
for file in "$scratch/objects"/*.yaml; do
  status=0
  "$fairlead" validate -f "$file" >/dev/null 2>&1 || status=$?
  if ((status == 2)) || grep -qzE "$not_for_kubernetes" "$file"; then
    continue
  fi
  echo '---' >>"$scratch/all.yaml"
  sed -E 's/namespace: *[^ ,}]+/namespace: default/' "$file" >>"$scratch/all.yaml"
  ours=$((ours + 1))
done
((ours >= 40)) || fail "only $ours objects to try"
dry_run -f "$scratch/all.yaml" >/dev/null 2>"$scratch/err" || fail "$(cat "$scratch/err")"
echo "- $ours objects are taken"

# refused KIND SPEC: by validate and by the API server.
refused() {
  printf 'apiVersion: fairlead.dev/v1alpha1\nkind: %s\nmetadata: {name: it}\nspec: %s\n' "$1" "$2" \
    >"$scratch/bad.yaml"
  expect '[12]' . "$fairlead" validate -f "$scratch/bad.yaml"
  expect 1 'invalid|Invalid|strict decoding|unknown field|not declared' \
    kubectl apply --dry-run=server -f "$scratch/bad.yaml"
}
count=0
while read -r kind spec; do
  refused "$kind" "$spec"
  count=$((count + 1))
done <<'TABLE'
Queue {weight: -1}
Queue {weight: heavy}
Queue {weight: 1000001}
Queue {weight: true}
Queue {weight: [1]}
Queue {weight: {cpu: -2}}
Queue {weight: {cpu: {a: 1}}}
Queue {weight: "0.12345"}
Queue {guaranteed: {cpu: -1}}
Queue {guaranteed: {cpu: "-1"}}
Queue {guaranteed: {cpu: 3 cores}}
Queue {guaranteed: 3}
Queue {limit: {memory: 16GiB}}
Queue {limit: [4]}
Queue {preemptMinRuntime: -5m}
Queue {preemptMinRuntime: 5}
Queue {reclaimMinRuntime: soon}
Queue {reclaimMinRuntime: 5 m}
Queue {parent: it}
Queue {parent: -x-}
Queue {parent: [a]}
Queue {priority: high}
Queue {priority: 1.5}
Queue {active: maybe}
Queue {quota: {cpu: 1}}
Workload {queueName: a}
Workload {podSets: []}
Workload {podSets: [{name: a}]}
Workload {podSets: [{name: a, count: -1}]}
Workload {podSets: [{name: a, count: 2, minCount: 3}]}
Workload {podSets: [{name: a, count: 2, minCount: -3}]}
Workload {podSets: [{name: a, count: 2}, {name: a, count: 2}]}
Workload {podSets: [{name: A_b, count: 2}]}
Workload {podSets: [{count: two}]}
Workload {podSets: [{count: 2, size: 3}]}
Workload {podSets: [{count: 2, template: 3}]}
Workload {podSets: [{count: 2}], resize: Sometimes}
Workload {podSets: [{count: 2}], preemptible: 3}
Workload {podSets: [{count: 2}], active: later}
Workload {podSets: [{count: 2}], queue: a}
TABLE
echo "- $count are refused"

# kustomize and Helm.
chart() { "$root/scripts/chart.sh" --namespace fairlead-system "$@" "$root/deploy/helm/fairlead"; }
# normal DIRECTORY: what kustomize makes of it, without what follows the configuration's text.
normal() {
  kubectl kustomize "$1" | sed -E 's/(fairlead-configuration)-[a-z0-9]{10}$/\1/' |
    sed '/^      annotations:$/{N;/checksum/d}'
}
mkdir "$scratch/chart" "$scratch/base"
chart --set serviceMonitor.enabled=true --set policy.enabled=true \
  --set page.tokenSecret=fairlead-page >"$scratch/chart/chart.yaml"
cp "$root/deploy/base/namespace.yaml" "$scratch/chart/"
echo 'resources: [namespace.yaml, chart.yaml]' >"$scratch/chart/kustomization.yaml"
cp -r "$root/deploy" "$scratch/deploy"
cat >"$scratch/base/kustomization.yaml" <<'YAML'
resources: [../deploy/base, ../deploy/policy]
components: [../deploy/components/service-monitor, ../deploy/components/page]
YAML
normal "$scratch/chart" >"$scratch/by-helm"
normal "$scratch/base" >"$scratch/by-kustomize"
diff "$scratch/by-kustomize" "$scratch/by-helm" >"$scratch/out" 2>"$scratch/err" ||
  fail 'kustomize and Helm differ'
(($(grep -c '^kind: ' "$scratch/by-helm") >= 17)) || fail 'objects are missing'
# The API server takes all of it. (Its own version of the policy's kind is the beta.)
sed -i 's|admissionregistration.k8s.io/v1$|admissionregistration.k8s.io/v1beta1|' "$scratch/by-helm"
expect 0 'mutatingadmissionpolicy.*serverside-applied' \
  dry_run --force-conflicts -f "$scratch/by-helm"
chart | grep -E 'ServiceMonitor|MutatingAdmission|services/proxy|0\.0\.0\.0:8484' &&
  fail 'what is off by default is there'
expect 1 "schedulerName.*not|not.*schedulerName" chart --set schedulerName=default-scheduler
expect 1 'additional properties .*replica|replica.*not allowed' chart --set replica=3
chart --set networkPolicy.enabled=false --set templatePods.enabled=false |
  grep -E 'NetworkPolicy|template-pods' && fail 'what is switched off is there'
cat >"$scratch/base/kustomization.yaml" <<'YAML'
resources: [../deploy/base]
components: [../deploy/components/without-template-pods]
YAML
kubectl kustomize "$scratch/base" | grep template-pods && fail 'the component leaves it in'
expect 0 'resourceNames: \["other"\]' chart --set schedulerName=other
echo '- kustomize and Helm say the same'

# Pods of the Deployment are as strict as their namespace asks.
kubectl scale deployment fairlead -n fairlead-system --replicas 2 >/dev/null
wait_for 30 count_is 2 pods -n fairlead-system -l app.kubernetes.io/name=fairlead
kubectl scale deployment fairlead -n fairlead-system --replicas 0 >/dev/null

# The policy.
sed 's|admissionregistration.k8s.io/v1$|admissionregistration.k8s.io/v1beta1|' \
  "$root/deploy/policy/mutating-admission-policy.yaml" | kubectl apply -f - >/dev/null
# scheduler_of METADATA: of a new Job's template, that names none.
scheduler_of() {
  job probe 1 1 "$1" 'suspend: true' | grep -v schedulerName |
    kubectl create --dry-run=server -o 'jsonpath={.spec.template.spec.schedulerName}' -f -
}
wait_for 30 shows '^fairlead$' scheduler_of 'labels: {fairlead.dev/queue: a}'
expect 0 '^default-scheduler$' scheduler_of 'labels: {other: a}'
job probe 1 1 'labels: {fairlead.dev/queue: a}' |
  sed 's/schedulerName: .*/schedulerName: volcano/' |
  kubectl create --dry-run=server -o yaml -f - >"$scratch/out"
grep -q 'schedulerName: volcano' "$scratch/out" || fail 'another scheduler was overruled'
echo "deploy: passed in $((SECONDS - begin)) s"
