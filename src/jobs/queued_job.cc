#include "jobs/queued_job.h"

#include <algorithm>
#include <initializer_list>

#include "objects/keys.h"

namespace fairlead::jobs {
namespace {

bool Says(const objects::Labels& labels, std::string_view key, std::string_view wanted) {
  const std::string* value = objects::FindLabel(labels, key);
  return value != nullptr && *value == wanted;
}

// To be admitted.
bool WaitsInQueue(const objects::Object& job, const JobKind& kind) {
  const objects::Meta& meta = objects::MetaOf(job);
  return kind.IsSuspended(job) && !kind.IsComplete(job) && !IsPartOfJob(meta) &&
         !QueueNamedBy(meta.labels).empty();
}

}  // namespace

std::string QueueNamedBy(const objects::Labels& labels) {
  for (std::string_view key :
       {objects::kQueueLabel, objects::kKaiQueueLabel, objects::kKueueQueueLabel}) {
    if (const std::string* value = objects::FindLabel(labels, key)) return *value;
  }
  return {};
}

std::string ClassNamedBy(const objects::Labels& labels) {
  const std::string* name = objects::FindLabel(labels, objects::kKueuePriorityClassLabel);
  if (name == nullptr || name->empty()) return {};
  return std::string(objects::kKueueClassPrefix) + *name;
}

bool IsPartOfJob(const objects::Meta& meta) {
  const objects::OwnerReference* owner = meta.Controller();
  return owner != nullptr && FindKind(owner->kind) != nullptr;
}

bool IsPreemptible(const objects::Meta& meta, std::span<const PodSet> pod_sets) {
  return !Says(meta.labels, objects::kPreemptibleLabel, "false") &&
         std::ranges::none_of(pod_sets, [](const PodSet& set) {
           return Says(set.pod_template->labels, objects::kPreemptibleLabel, "false");
         });
}

const JobKind* ChooseJob(const objects::Meta* workload, const FindJob& find) {
  const JobKind* first = nullptr;
  const JobKind* first_made = nullptr;
  for (const JobKind* kind : AllKinds()) {
    const objects::Object* job = find(kind->kind());
    if (job == nullptr || kind->is_let_go_by_pods()) continue;
    if (workload != nullptr) {
      if (StandsFor(*workload, *job)) return kind;
      continue;
    }
    if (WaitsInQueue(*job, *kind)) return kind;
    const JobKind*& seen = IsPartOfJob(objects::MetaOf(*job)) ? first_made : first;
    if (seen == nullptr) seen = kind;
  }
  return first != nullptr ? first : first_made;
}

objects::Workload WorkloadFor(const objects::Object& job, const JobKind& kind,
                              const FindJob& find) {
  const objects::Meta& meta = objects::MetaOf(job);
  const objects::Object* made =
      kind.has_pod_sets_of_made() ? find(kind.makes().front().kind) : nullptr;
  const JobKind& says = made == nullptr ? kind : *jobs::KindOf(*made);
  const objects::Object& said = made == nullptr ? job : *made;
  const std::vector<PodSet> pod_sets = says.PodSets(said);
  Priority priority = says.PriorityOf(said);
  if (std::string named = ClassNamedBy(meta.labels); !named.empty()) {
    priority = {.class_name = std::move(named)};
  }
  objects::Workload workload;
  workload.meta.name = meta.name;
  workload.meta.name_space = meta.name_space;
  workload.meta.creation_time = meta.creation_time;
  workload.meta.owners.push_back({.api_version = std::string(kind.ApiVersionOf(job)),
                                  .kind = std::string(kind.kind()),
                                  .name = meta.name,
                                  .uid = meta.uid,
                                  .controller = true});
  workload.queue_name = QueueNamedBy(meta.labels);
  workload.priority_class_name = priority.class_name;
  workload.priority = priority.number;
  if (!IsPreemptible(meta, pod_sets)) workload.preemptible = false;
  for (const PodSet& set : pod_sets) {
    objects::PodSet& asked = workload.pod_sets.emplace_back();
    asked.name = set.name;
    asked.count = set.count;
    asked.min_count = set.min_count;
  }
  return workload;
}

}  // namespace fairlead::jobs
