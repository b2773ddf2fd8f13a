# What the tests of kinds of jobs share: each runs the kind's own controllers beside Fairlead. A
# script sources it after lib.sh, and has then
#   start_kinds, story

# start_kinds [NAME [FLAG…]]: a cluster with 12 CPUs and the controllers of that name, Fairlead in
# it, and two queues: one is sure of everything, the other of nothing. A function before_run makes
# what has to be there first.
start_kinds() {
  start_cluster --nodes 3 --node-cpu 4 --end-at-once ${1:+--with} "$@"
  install_fairlead
  if declare -F before_run >/dev/null; then before_run; fi
  run_fairlead main
  wait_for 30 leads main
  export FAIRLEAD_SERVER
  FAIRLEAD_SERVER=$(url main)
  queue sure 'guaranteed: {cpu: 12}'
  queue batch
  kubectl create namespace jobs >/dev/null
  kubectl config set-context --current --namespace jobs >/dev/null
}
none() { [[ -z $(kubectl get "$@" -o name) ]]; }
sure() { job sure 3 3 'labels: {fairlead.dev/queue: sure}' 'suspend: true'; }

# ray_cluster INDENT: the spec of a Ray cluster of 13 pods, which may be 10.
ray_cluster() {
  sed "s/^/$1/" <<'YAML'
rayVersion: 2.44.1
headGroupSpec:
  rayStartParams: {}
  template: &pods
    spec:
      schedulerName: fairlead
      containers: [{name: ray, image: none, resources: {requests: {cpu: 1, memory: 1Gi}}}]
workerGroupSpecs:
- groupName: slices
  replicas: 4
  minReplicas: 3
  maxReplicas: 4
  numOfHosts: 3
  rayStartParams: {}
  template: *pods
YAML
}

# What a story is about: set by the script.
#   kind=JobSet resource=jobsets name=train    the object, and with selector=LABELS its pods
#   asked=13 admitted=10                       pods
#   suspend=.spec.suspend                      a path
#   counts='.spec.a} {.spec.b'                 fields that admission writes, or may not, for `is`,
#   counts_asked='5 7' counts_admitted='4 7'   and their values
#   finished                                   a function: whether its controller says so; of a
#                                              kind that has no end, none

# condition_is TYPE STATUS: of its Workload.
condition_is() {
  is "$2" ".status.conditions[?(@.type==\"$1\")].status" workloads.fairlead.dev "$name"
}
asks() {
  field '.spec.podSets[*].count' workloads.fairlead.dev "$name" |
    awk '{ for (i = 1; i <= NF; i++) pods += $i; print pods }'
}
is_suspended() { is "true $counts_asked" "$suspend} {$counts" "$resource" "$name"; }
# In so many words: KubeRay goes on only then.
is_let_go() { is "false $counts_admitted" "$suspend} {$counts" "$resource" "$name"; }
# What we neither read nor write is still there: kubectl apply has it there.
is_whole() {
  [[ -n $(field '.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration' \
    "$resource" "$name") ]]
}
runs() { bound "$admitted" -l "$selector"; }

expect_admitted() {
  wait_for 60 runs
  is_let_go ||
    fail "not let go with its counts: $(field "$suspend} {$counts" "$resource" "$name")"
  local of=
  if [[ $admitted != "$asked" ]]; then of=".*admitted $admitted of $asked"; fi
  wait_for 20 shows "^$name +batch +True +True$of" kubectl get workloads.fairlead.dev
}

# story: suspended, admitted, run; stopped for another queue's guarantee, admitted again; killed
# between an admission and its pods; finished.
story() {
  echo "- $name: admitted with $admitted of $asked pods"
  expect_admitted
  is "$kind $name" '.metadata.ownerReferences[0].kind} {.metadata.ownerReferences[0].name' \
    workloads.fairlead.dev "$name" || fail 'its Workload is not owned by it'
  [[ $(asks) == "$asked" ]] || fail 'its Workload does not hold the original counts'
  wait_for 20 shows "^State: +Running .*, $admitted of $asked pods placed" \
    "$fairlead" explain "jobs/$name"

  echo '- stopped, as another queue wants its guarantee'
  sure | kubectl apply -f - >/dev/null
  wait_for 60 is_suspended
  is_whole || fail 'an annotation of kubectl went'
  wait_for 60 bound 3 -l job-name=sure
  wait_for 20 condition_is Admitted False
  is '' .status.admission workloads.fairlead.dev "$name" || fail 'still admitted'
  wait_for 20 shows 'Evicted .*stopped: .*jobs/sure' kubectl describe workloads.fairlead.dev "$name"
  wait_for 30 none pods -l "$selector"
  wait_for 20 shows '^State: +Pending' "$fairlead" explain "jobs/$name"

  echo '- admitted again'
  kubectl delete job sure --wait=false >/dev/null
  expect_admitted

  echo '- killed between an admission and its pods'
  kubectl create quota none --hard pods=0 >/dev/null
  wait_for 20 is 0 .status.hard.pods quota none
  activate false
  wait_for 60 is_suspended
  wait_for 30 none pods -l "$selector"
  activate true
  wait_for 60 is_let_go
  end_fairlead main KILL 137
  none pods -l "$selector" || fail 'the quota lets pods in'
  run_alone second
  wait_for 60 says second "all is read"
  FAIRLEAD_SERVER=$(url second)
  kubectl delete quota none >/dev/null
  expect_admitted

  if declare -F finished >/dev/null; then
    echo '- finished'
    wait_for 60 finishes
    wait_for 20 condition_is Finished True
  else
    echo '- deleted' # which takes the garbage collector until it knows the kind
    kubectl delete "$resource" "$name" --wait=false >/dev/null
    wait_for 120 none workloads.fairlead.dev
    wait_for 120 none pods -l "$selector"
  fi
  no_fault main
  no_fault second
}
activate() {
  kubectl patch workloads.fairlead.dev "$name" --type merge -p '{"spec": {"active": '"$1"'}}' \
    >/dev/null
}
# Its pods run to their end, those too that come only then.
finishes() {
  kubectl annotate pods -l "$selector" --overwrite fairlead.dev/run-duration=1s >/dev/null
  finished
}
