#include "intake/tables/tables.h"

#include <algorithm>

namespace fairlead::intake {

const JobFacts* JobNamed(const GangRow& row, const NamedJob& named) {
  for (const auto& job : row.jobs) {
    if (job->kind->kind() != named.kind) continue;
    // A job made anew under the name of one that was deleted has another uid, and other pods.
    const bool another = !job->uid.empty() && !named.uid.empty() && job->uid != named.uid;
    return another ? nullptr : job.get();
  }
  return nullptr;
}

NamedJob OutermostJob(const Tables& tables, const Family& family, const PodTraits& traits) {
  const NamedJob named = JobOf(traits);
  if (!family.made.valid()) return named;
  const JobFacts* made = JobNamed(tables.gangs[family.made], named);
  if (made == nullptr || made->maker.kind == nullptr) return named;
  const jobs::JobKind& maker = *made->maker.kind;
  return {.kind = maker.kind(),
          .name = made->maker.name,
          .uid = made->maker.uid,
          .pod_set = jobs::PodSetOfMade(maker, traits.job_kind)};
}

// Labels name what may never come, an owner reference what is or was there.
bool IsAwaited(const Tables& tables, const NamedJob& named) {
  return tables.owners_are_told && !named.uid.empty() && tables.job_kinds.contains(named.kind);
}

objects::SubmitterPtr SubmitterOf(const Tables& tables, std::string_view name_space,
                                  std::string_view packed) {
  const auto owner = tables.name_space_owners.find(name_space);
  return tables.submitters.Of(packed,
                              owner == tables.name_space_owners.end() ? name_space : owner->second);
}

objects::Labels LabelsOfNameSpace(const Tables& tables, std::string_view name_space) {
  constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
  objects::Labels labels;
  if (auto held = tables.name_space_labels.find(name_space);
      held != tables.name_space_labels.end()) {
    labels = held->second;
  }
  // Every namespace has this one, also where its document does not show it.
  if (objects::FindLabel(labels, kNameLabel) == nullptr) {
    labels.emplace_back(std::string(kNameLabel), std::string(name_space));
    std::ranges::sort(labels);
  }
  return labels;
}

const JobFacts* JobOfPods(const Tables& tables, const Family& family, const PodTraits& traits) {
  if (traits.job.empty()) return nullptr;
  const GangId row = family.base.valid() ? family.base : family.group_of_job();
  const JobFacts* job =
      row.valid() ? JobNamed(tables.gangs[row], OutermostJob(tables, family, traits)) : nullptr;
  return job == nullptr || job->part_of_job ? nullptr : job;
}

}  // namespace fairlead::intake
