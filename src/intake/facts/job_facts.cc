#include "intake/facts/job_facts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "intake/facts/foreign_asks.h"
#include "intake/facts/pod_traits.h"
#include "intake/facts/run_time.h"
#include "intake/facts/submitter.h"
#include "intake/facts/topology_ask.h"
#include "jobs/admission_note.h"
#include "jobs/queued_job.h"
#include "objects/keys.h"

namespace fairlead::intake {
namespace {

bool Says(const objects::Labels& labels, std::string_view key, std::string_view wanted) {
  const std::string* value = objects::FindLabel(labels, key);
  return value != nullptr && *value == wanted;
}

std::string FirstOf(const objects::Labels& labels, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    if (const std::string* value = objects::FindLabel(labels, key)) return *value;
  }
  return {};
}

std::vector<jobs::PodSet> PodSetsOf(const JobFacts& job) {
  std::vector<jobs::PodSet> sets;
  for (const PodSetFacts& set : job.pod_sets) {
    sets.push_back({.name = set.name,
                    .count = set.count.value_or(0),
                    .min_count = set.min_count.value_or(0),
                    .count_stays = set.count_stays,
                    .max = set.max,
                    .left = set.left,
                    .template_path = set.template_path});
  }
  return sets;
}

}  // namespace

JobFacts FactsOf(const objects::Object& job, const jobs::JobKind& kind, Time created,
                 NeedsPool& needs, Names& names) {
  const objects::Meta& meta = objects::MetaOf(job);
  const std::vector<jobs::PodSet> pod_sets = kind.PodSets(job);
  jobs::Priority priority = kind.PriorityOf(job);
  JobFacts facts;
  if (std::string named = jobs::ClassNamedBy(meta.labels); !named.empty()) {
    priority = {.class_name = std::move(named)};
    facts.says_class = true;
  }
  facts.kind = &kind;
  facts.uid = meta.uid;
  facts.created = created;
  facts.queue = jobs::QueueNamedBy(meta.labels);
  facts.local_queue = FirstOf(meta.labels, {objects::kQueueLabel, objects::kKaiQueueLabel}).empty();
  facts.priority_class = priority.class_name;
  facts.priority = priority.number;
  facts.never_preempts = priority.never_preempts;
  facts.preemptible = facts.preemptible_itself = jobs::IsPreemptible(meta, pod_sets);
  facts.gang = Says(meta.annotations, objects::kGangKey, "true") ||
               Says(meta.labels, objects::kGangKey, "true");
  facts.suspend = kind.IsSuspended(job);
  facts.let_go = !facts.suspend && jobs::NoteOf(job).has_value();
  facts.complete = kind.IsComplete(job);
  facts.in_order = kind.IsInOrder(job);
  if (const auto* batch = std::get_if<objects::Job>(&job)) {
    facts.ignores_disruption = batch->ignores_disruption;
  }
  RunTimeSaid said = RunTimeSaidBy(meta.labels, meta.annotations);
  facts.run_time = std::move(said.run_time);
  AddDeadline(kind.DeadlineOf(job), facts.run_time);
  facts.run_time_invalid = std::move(said.invalid);
  facts.submitter = PackSubmitter(meta.annotations);
  facts.stops = StopsSaidBy(meta.annotations);
  facts.kept_out = objects::StopNoteOf(meta.annotations);
  facts.part_of_job = jobs::IsPartOfJob(meta);
  facts.maker = jobs::MakerOf(meta, kind);
  facts.cannot_suspend_for = kind.CannotSuspendFor(job);
  facts.minimum_fault = kind.FaultOfMinimum(job);
  facts.foreign = PackForeign(meta.labels, meta.annotations, facts.priority_class, nullptr);
  facts.topology = PackTopology(meta.annotations, AnnotationsOf::kWhole);
  facts.source = InternSource(meta.source, names);
  for (const jobs::PodSet& set : pod_sets) {
    const objects::PodTemplate& pods = *set.pod_template;
    if (facts.template_queue.empty()) {
      facts.template_queue = FirstOf(pods.labels, {objects::kQueueLabel, objects::kKaiQueueLabel});
    }
    facts.pod_sets.push_back(
        {.name = std::string(set.name),
         .count = set.count,
         .min_count = set.min_count,
         .expected = needs.Intern(pods.spec.needs),
         .step = set.step,
         .unit_label = std::string(set.unit_label),
         .first_index = set.first_index,
         .count_stays = set.count_stays,
         .max = set.max,
         .left = set.left,
         .labels = pods.labels,
         .of_component = set.of_component,
         .scheduler = pods.spec.scheduler_name,
         .template_path = std::string(set.template_path),
         .foreign = PackForeign(pods.labels, pods.annotations, pods.spec.priority_class_name,
                                &pods.spec.needs),
         .volume_claims = PackVolumeClaims(pods.spec.rare->volume_claims),
         .topology = PackTopology(pods.annotations, AnnotationsOf::kPods)});
  }
  return facts;
}

bool IsOneWorkload(const JobFacts& job, std::string_view our_scheduler) {
  if (job.part_of_job || job.pod_sets.empty()) return false;
  if (job.suspend) return !job.queue.empty();
  const auto is_ours = [&](const PodSetFacts& set) { return set.scheduler == our_scheduler; };
  // A template that names another scheduler holds all of its pods back.
  if (job.kind->is_let_go_by_pods()) {
    return (job.gang || !job.kind->is_gang_if_asked()) &&
           std::ranges::any_of(job.pod_sets, is_ours);
  }
  return job.gang && std::ranges::all_of(job.pod_sets, is_ours);
}

std::int64_t PodsLeft(const JobFacts& job) {
  std::int64_t left = 0;
  for (const PodSetFacts& set : job.pod_sets) left += set.left;
  return left;
}

std::string EditOf(const JobFacts& job, const jobs::Assignments& admitted) {
  return jobs::EditOf(PodSetsOf(job), admitted);
}

JobNotice NoticeOf(const JobFacts& job, const jobs::Assignments& admitted) {
  if (job.complete) return {};
  if (!job.suspend && !admitted.empty()) {
    std::string edit = EditOf(job, admitted);
    if (edit.empty()) return {};
    return {.code = "JobEdited",
            .message = fmt::format("it was changed while it runs: {}; pods beyond that wait, and "
                                   "its next admission is for what it then asks",
                                   edit)};
  }
  if (job.minimum_fault.empty()) return {};
  return {.code = "MinimumInvalid", .message = job.minimum_fault};
}

}  // namespace fairlead::intake
