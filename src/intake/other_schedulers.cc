#include <map>

#include "intake/facts/pod_traits.h"
#include "intake/store.h"
#include "objects/key.h"

// Pods that the engine is not told of: they wait for another scheduler, or stand outside the pool.

namespace fairlead::intake {

std::vector<OtherScheduler> Intake::Store::OtherSchedulers() const {
  std::map<std::string_view, std::int64_t> pending;
  tables_.families.ForEach([&](FamilyId, const Family& family) {
    if (family.join.ours || family.tally.pending == 0) return;
    pending[UnpackTraits(family.name).scheduler] += family.tally.pending;
  });
  std::vector<OtherScheduler> others;
  others.reserve(pending.size());
  for (const auto& [name, pods] : pending) {
    others.push_back({.name = std::string(name), .pending = pods});
  }
  return others;
}

std::optional<PodStanding> Intake::Store::FindPod(std::string_view name) const {
  const PodId id = tables_.pods.Find(name);
  if (!id.valid()) return std::nullopt;
  const PodRow& row = tables_.pods[id];
  const Family& family = tables_.families[row.family];
  const PodTraits traits = UnpackTraits(family.name);
  const NamedJob job = OutermostJob(tables_, family, traits);
  const JobFacts* of = JobOfPods(tables_, family, traits);
  // Kinds whose pods wait themselves are never written to.
  const bool known = of != nullptr && !of->kind->is_let_go_by_pods();
  return PodStanding{.scheduler = std::string(traits.scheduler),
                     .node = tables_.names[row.facts.node],
                     .ours = family.join.ours,
                     .in_pool = !pool_.IsOutside(row.facts.node),
                     .gated_by_kueue = row.facts.gated_by_kueue,
                     .job_kind = known ? std::string(job.kind) : std::string(),
                     .job = known ? objects::JoinKey(traits.name_space, job.name) : std::string()};
}

}  // namespace fairlead::intake
