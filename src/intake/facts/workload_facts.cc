#include "intake/facts/workload_facts.h"

#include "intake/facts/foreign_asks.h"
#include "intake/facts/pod_traits.h"
#include "intake/facts/run_time.h"
#include "intake/facts/submitter.h"
#include "intake/facts/topology_ask.h"
#include "jobs/queued_job.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

// By a label that knows no LocalQueues.
bool NamesQueueItself(const objects::Labels& labels) {
  return objects::FindLabel(labels, objects::kQueueLabel) != nullptr ||
         objects::FindLabel(labels, objects::kKaiQueueLabel) != nullptr;
}

// Whoever is admitted once and for all starts with a pod at least: a minimum of none in all pod
// sets together is no number of pods to start with. Kueue refuses any of 0. Of a job its own
// minimum counts (jobs/), with which its Workload was made.
void JudgeMinimum(const objects::Workload& workload, GangFacts& facts) {
  const bool of_kueue = !workload.dialect_kind.empty();
  if (workload.resize == objects::Resize::kAnytime) return;
  if (workload.meta.Controller() != nullptr && !of_kueue) return;
  std::int64_t asked = 0, least = 0;
  for (const PodSetFacts& set : facts.pod_sets) {
    asked += set.count.value_or(0);
    least += set.min_count.value_or(set.count.value_or(0));
  }
  if (asked == 0 || least > 0) return;
  facts.minimum_fault =
      "its minCount is 0, expected 1 at least; it is admitted whole or not at all";
  for (PodSetFacts& set : facts.pod_sets) set.min_count.reset();
}

AskedBy AskedByGroup(objects::GroupApi api) {
  if (api == objects::GroupApi::kNative) return AskedBy::kNative;
  if (api == objects::GroupApi::kVolcano) return AskedBy::kVolcano;
  return api == objects::GroupApi::kKai ? AskedBy::kKai : AskedBy::kOurs;
}

}  // namespace

GangFacts FactsOf(const objects::Workload& workload, Time created, NeedsPool& needs, Names& names) {
  GangFacts facts;
  facts.uid = workload.meta.uid;
  facts.created = created;
  facts.queue = workload.queue_name;
  facts.priority_class = workload.priority_class_name;
  facts.priority = workload.priority;
  facts.preemptible = workload.preemptible;
  const MoveSaid move = MoveSaidBy(workload.meta.annotations);
  facts.stays_put = move.stays_put;
  facts.move_invalid = move.invalid;
  facts.active = workload.active;
  facts.resize = workload.resize;
  RunTimeSaid said = RunTimeSaidBy(workload.meta.labels, workload.meta.annotations);
  facts.run_time = std::move(said.run_time);
  if (workload.expected_duration) facts.run_time.expected = workload.expected_duration;
  AddOwnLimit(workload.max_run_time, facts.run_time);
  if (workload.on_run_time_limit == objects::OnRunTimeLimit::kRequeue) {
    facts.run_time.waits_again = true;
  }
  facts.run_time_invalid = std::move(said.invalid);
  facts.submitter = PackSubmitter(workload.meta.annotations);
  facts.waits_anew = workload.WaitsAnewSince();
  facts.stops = workload.stops;
  facts.reservation = workload.reservation;
  if (!workload.landings.empty()) facts.landings = workload.landings;
  facts.loan = workload.OnLoan();
  if (workload.dialect_kind.empty()) {
    facts.kept_out = objects::StopNoteOf(workload);
    facts.waits_again = objects::WaitsAgainSince(workload);
    facts.broken_since = workload.BrokenSince();
    facts.activity_untold = workload.ShowsInactive() == workload.active;
    if (facts.activity_untold && workload.active) facts.waits_anew = Time::Max();
    facts.moved_at = workload.MovedAt();
  }
  facts.admission = workload.admission;
  facts.recorded_start = workload.start_time;
  if (!workload.admission.empty()) facts.admitted_since = workload.AdmittedSince();
  facts.unsupported_field = workload.unsupported_field;
  facts.passed_over = workload.passed_over;
  facts.source = InternSource(workload.meta.source, names);
  if (const objects::OwnerReference* owner = workload.meta.Controller()) {
    facts.owner_kind = jobs::FindKind(owner->kind);
    facts.owner_job = owner->name;
    facts.owner_uid = owner->uid;
  }
  const AskedBy by = workload.dialect_kind.empty() ? AskedBy::kOurs : AskedBy::kKueue;
  facts.topology = PackTopology(workload.topology, by);
  for (const objects::PodSet& set : workload.pod_sets) {
    PodSetFacts& fresh = facts.pod_sets.emplace_back();
    fresh.name = set.name;
    fresh.count = set.count;
    fresh.min_count = set.min_count;
    fresh.topology = PackTopology(set.topology, by);
    if (!set.pod_template) continue;
    if (fresh.topology.empty()) {
      fresh.topology = PackTopology(set.pod_template->annotations, AnnotationsOf::kPods);
    }
    const objects::PodSpec& spec = set.pod_template->spec;
    fresh.expected = needs.Intern(spec.needs);
    fresh.template_path = "spec.podSets[*].template";
    fresh.foreign = PackForeign(set.pod_template->labels, set.pod_template->annotations,
                                spec.priority_class_name, &spec.needs);
    fresh.volume_claims = PackVolumeClaims(spec.rare->volume_claims);
    fresh.labels = set.pod_template->labels;
    facts.never_preempts |= spec.never_preempts;
    if (facts.scheduler.empty()) facts.scheduler = spec.scheduler_name;
    // A Workload that names no priority has the one that it gives its pods.
    if (facts.priority_class.empty() && !facts.priority) {
      facts.priority_class = spec.priority_class_name;
      facts.priority = spec.priority;
    }
  }
  JudgeMinimum(workload, facts);
  return facts;
}

GangFacts FactsOf(const objects::PodGroup& group, Time created, Names& names) {
  GangFacts facts;
  facts.api = group.api;
  facts.leaves_whole = group.leaves_whole;
  facts.uid = group.meta.uid;
  facts.created = created;
  facts.queue = group.queue_name;
  if (facts.queue.empty()) {
    facts.queue = jobs::QueueNamedBy(group.meta.labels);
    facts.local_queue = !facts.queue.empty() && !NamesQueueItself(group.meta.labels);
  }
  facts.priority_class = group.priority_class_name;
  facts.priority = group.priority;
  facts.never_preempts = group.never_preempts;
  facts.preemptible = group.preemptible;
  const std::string* preemptible =
      objects::FindLabel(group.meta.labels, objects::kPreemptibleLabel);
  if (preemptible != nullptr) facts.preemptible = *preemptible != "false";
  facts.recorded_start = group.start_time;
  RunTimeSaid said = RunTimeSaidBy(group.meta.labels, group.meta.annotations);
  facts.run_time = std::move(said.run_time);
  facts.run_time_invalid = std::move(said.invalid);
  facts.submitter = PackSubmitter(group.meta.annotations);
  facts.unsupported_field = group.unsupported_field;
  facts.passed_over = group.passed_over;
  facts.source = InternSource(group.meta.source, names);
  facts.topology = PackTopology(group.topology, AskedByGroup(group.api));
  if (facts.topology.empty()) {
    facts.topology = PackTopology(group.meta.annotations, AnnotationsOf::kWhole);
  }
  for (const objects::PodSet& set : group.pod_sets) {
    PodSetFacts& fresh = facts.pod_sets.emplace_back();
    fresh.name = set.name;
    fresh.min_count = set.min_count;
    fresh.topology = PackTopology(set.topology, AskedByGroup(group.api));
  }
  return facts;
}

}  // namespace fairlead::intake
