#!/usr/bin/env bash
# Whose work it is, at a real API server: the policies of deploy/policy/users name who asks, and
# refuse who names somebody else; limits of users hold for those who are named.
#
#   test/e2e/users.sh FAIRLEAD
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
fairlead=$(realpath "$1")
begin=$SECONDS
# The mutating policy's kind is a beta in the Kubernetes that is tested with, and off by default.
start_cluster --nodes 1 --node-cpu 8 --apiserver-arg=--feature-gates=MutatingAdmissionPolicy=true \
  --apiserver-arg=--runtime-config=admissionregistration.k8s.io/v1beta1=true
install_fairlead
section() { echo "- $1"; }

kubectl create namespace lab >/dev/null
wait_for 30 kubectl get serviceaccount default -n lab
kubectl create rolebinding everybody -n lab --clusterrole admin --group system:authenticated \
  >/dev/null
kubectl create clusterrole workloads --verb '*' --resource workloads.fairlead.dev >/dev/null
kubectl create rolebinding workloads -n lab --clusterrole workloads --group system:authenticated \
  >/dev/null
sed -z 's|\(k8s.io/v1\)\(\nkind: Mutating\)|\1beta1\2|g' \
  "$root/deploy/policy/users/policies.yaml" | kubectl apply -f - >/dev/null

# as USER COMMAND…: a person of the group vision.
as() {
  local user=$1
  shift
  kubectl --as "$user" --as-group vision --as-group system:authenticated -n lab "$@"
}
# pod NAME [METADATA]
pod() {
  cat <<YAML
apiVersion: v1
kind: Pod
metadata: {name: $1${2:+, $2}}
spec:
  schedulerName: fairlead
  terminationGracePeriodSeconds: 1
  containers: [{name: main, image: none, resources: {requests: {cpu: 1}}}]
YAML
}
# owner_of OBJECT [PATH]: whose it is by the annotations there, and in which groups.
owner_of() {
  local of="${2:-}.metadata.annotations"
  echo "$(field "$of['fairlead\.dev/user']" "$1" -n lab)" \
    "$(field "$of['fairlead\.dev/groups']" "$1" -n lab)"
}
make() { as "$1" create -f - <<<"$2"; }
probe() { as ada create --dry-run=server -o yaml -f - <<<"$(pod probe)"; }

section 'who makes something is named'
wait_for 60 shows 'fairlead.dev/user: ada' probe
make ada "$(pod mine)" >/dev/null
expect 0 '^ada vision$' owner_of pod/mine
make ada "$(job work 1 1 '' 'suspend: false')" >/dev/null
expect 0 '^ada vision$' owner_of job/work
# A mutating policy learns of a new kind some seconds after the server serves it.
wait_for 60 make ada '{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {name: gang},
  spec: {podSets: [{count: 1}]}}'
expect 0 '^ada vision$' owner_of workloads.fairlead.dev/gang
as ada create deployment web --image none >/dev/null
expect 0 '^ada vision$' owner_of deployment/web .spec.template

section 'who names somebody else is refused'
forged='annotations: {fairlead.dev/user: bob}'
expect 1 'say who made it, ada' make ada "$(pod forged "$forged")"
of_ada='fairlead.dev/user: ada, fairlead.dev/groups'
expect 1 'say who made it, ada' make ada "$(pod forged "annotations: {$of_ada: admins}")"
make ada "$(pod honest "annotations: {$of_ada: vision}")" >/dev/null
expect 1 'say who made it, ada' make ada "$(job forged 1 1 "$forged")"
expect 1 'say who made it, ada' as ada annotate --overwrite pod mine fairlead.dev/user=bob
expect 1 'say who made it, ada' as ada annotate job work fairlead.dev/user-
expect 1 'say who made it, ada' as ada patch deployment web -p \
  '{"spec":{"template":{"metadata":{"annotations":{"fairlead.dev/user":"bob"}}}}}'
expect 0 'annotated' as ada annotate pod mine other=mine
uid=$(kubectl get job work -n lab -o 'jsonpath={.metadata.uid}')
expect 1 'only a system account' make ada "$(pod child \
  "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: work, uid: $uid, controller: true}]")"

section 'controllers go on, and who may impersonate speaks for others'
wait_for 60 count_is 1 pods -n lab -l batch.kubernetes.io/job-name=work
wait_for 60 count_is 1 pods -n lab -l app=web
kubectl create clusterrole for-bob --verb impersonate --resource users --resource-name bob \
  >/dev/null
kubectl create clusterrolebinding portal --clusterrole for-bob --user portal >/dev/null
wait_for 30 make portal "$(pod for-bob "$forged")"
expect 1 'say who made it, portal' make portal "$(pod for-eve "${forged/bob/eve}")"

section 'limits hold for those who are named'
kubectl create -f - >/dev/null <<'YAML'
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: default}
spec: {limits: [{each: user, max: {cpu: "2"}}]}
YAML
run_fairlead main
wait_for 30 leads main
# ada has asked for mine, honest and the job's pod; bob for one.
placed_of_ada() {
  [[ $(kubectl get pods -n lab -o json | grep -c '"nodeName"') == 3 ]]
}
wait_for 60 placed_of_ada
FAIRLEAD_SERVER=$(url main)
export FAIRLEAD_SERVER
ours='.items[?(@.spec.schedulerName=="fairlead")]'
each="{range $ours}{.metadata.name}:{.spec.nodeName}{'\n'}{end}"
waits=$(kubectl get pods -n lab -o "jsonpath=$each" | sed -n 's/:$//p' | head -n 1)
wait_for 30 shows 'UserLimit.*user ada may use no more|user ada may use 0' \
  "$fairlead" explain "lab/$waits"
echo "users: $((SECONDS - begin)) s"
