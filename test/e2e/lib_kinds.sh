# What the tests of kinds of jobs share: each runs the kind's own controller beside Fairlead. A script
# sources it after lib.sh, and has then
#   start_kinds, job_of_kind, story

# start_kinds NAME [FLAG…]: a cluster with 12 CPUs and the controllers of that name, Fairlead in it,
# and two queues: one is sure of everything, the other of nothing.
start_kinds() {
  start_cluster --nodes 3 --node-cpu 4 --end-at-once --with "$@"
  install_fairlead
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

# What a story is about: set by the script.
#   resource=jobsets name=train      the object, and with selector= its pods
#   asked=13 admitted=10             pods
#   suspend=.spec.suspend            a path
#   counts='{.spec…} {.spec…'        fields that admission writes, or may not; as `is` has them,
#   counts_asked= counts_admitted=   and their values
workload() { field "$1" workloads.fairlead.dev "$name"; }
condition() {
  workload ".status.conditions[?(@.type==\"$1\")].status}/{.status.conditions[?(@.type==\"$1\")].reason"
}
condition_is() { [[ $(condition "$1") =~ ^$2$ ]]; }
# state_is SUSPEND COUNTS. Where it is not suspended the field may be absent.
state_is() {
  [[ $(field "$suspend} {$counts" "$resource" "$name") =~ ^$1" $2"$ ]]
}
is_suspended() { state_is true "$counts_asked"; } # with its original counts
is_let_go() { state_is '(false)?' "$counts_admitted"; }
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
  [[ $(workload '.spec.podSets[*].count' | tr ' ' '\n' | awk '{n += $1} END {print n}') == "$asked" ]] ||
    fail 'its Workload does not hold the original counts'
  expect 0 "^State: +Running .*$admitted of $asked pods|^State: +Running" \
    "$fairlead" explain "jobs/$name"

  echo '- stopped, as another queue wants its guarantee'
  sure | kubectl apply -f - >/dev/null
  wait_for 60 is_suspended
  wait_for 60 bound 3 -l job-name=sure
  wait_for 20 condition_is Admitted 'False/.*'
  is '' .status.admission workloads.fairlead.dev "$name" || fail 'still admitted'
  wait_for 20 shows 'Evicted .*stopped: .*jobs/sure' kubectl describe workloads.fairlead.dev "$name"
  wait_for 30 none pods -l "$selector"
  expect 0 "waits|pending|Pending" "$fairlead" explain "jobs/$name"

  echo '- admitted again'
  kubectl delete job sure --wait=false >/dev/null
  expect_admitted

  echo '- killed between an admission and its pods'
  kubectl create quota none --hard pods=0 >/dev/null
  wait_for 20 is 0 .status.hard.pods quota none
  kubectl patch workloads.fairlead.dev "$name" --type merge -p '{"spec": {"active": false}}' >/dev/null
  wait_for 60 is_suspended
  wait_for 30 none pods -l "$selector"
  kubectl patch workloads.fairlead.dev "$name" --type merge -p '{"spec": {"active": true}}' >/dev/null
  wait_for 60 is_let_go
  end_fairlead main KILL 137
  none pods -l "$selector" || fail 'the quota lets pods in'
  run_fairlead second
  wait_for 60 leads second
  FAIRLEAD_SERVER=$(url second)
  kubectl delete quota none >/dev/null
  expect_admitted

  if declare -F finished >/dev/null; then
    echo '- finished'
    wait_for 60 finishes
    wait_for 20 condition_is Finished 'True/.*'
  fi
  echo '- deleted'
  kubectl delete "$resource" "$name" --wait=false >/dev/null
  wait_for 60 none workloads.fairlead.dev
  wait_for 60 none pods -l "$selector"
  no_fault main
  no_fault second
}
# Its pods run to their end, those too that come only then.
finishes() {
  kubectl annotate pods -l "$selector" --overwrite fairlead.dev/run-duration=1s >/dev/null
  finished
}
