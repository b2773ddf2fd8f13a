#include <algorithm>
#include <string>

#include "effects/template_pods.h"
#include "jobs/job_kind.h"
#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::Workload;

void SyncSet(World& world, SlotId slot, std::int32_t set_index) {
  const auto& workload = std::get<Workload>(world.store[slot].object);
  const objects::PodSet& pod_set = workload.pod_sets[static_cast<std::size_t>(set_index)];
  if (!pod_set.pod_template) return;
  objects::PodTemplate from = *pod_set.pod_template;
  for (const auto& [key, value] : effects::TemplatePodLabels(workload.meta.name, pod_set.name)) {
    SetLabel(from.labels, key, value);
  }
  if (from.spec.scheduler_name.empty()) from.spec.scheduler_name = world.scheduler_name;
  SyncReplicas(world, slot,
               {.set = set_index,
                .wanted = jobs::CountOf(workload.admission, pod_set.name).value_or(0),
                .pod_template = from,
                .stem = effects::TemplatePodStem(workload.meta.name, pod_set.name),
                .index_label = {},
                .leaving = Leaving::kYoungestFirst});
}

// Kueue's Workload of a group of pods: they were there first, and own it.
bool IsMadeOfPods(const Workload& workload) {
  return std::ranges::any_of(workload.meta.owners, [](const objects::OwnerReference& owner) {
    return owner.api_version == "v1" && owner.kind == "Pod";
  });
}

}  // namespace

void SyncWorkload(World& world, SlotId slot) {
  if (IsMadeOfPods(std::get<Workload>(world.store[slot].object))) return;
  const std::size_t sets = std::get<Workload>(world.store[slot].object).pod_sets.size();
  for (std::size_t i = 0; i < sets; ++i) SyncSet(world, slot, static_cast<std::int32_t>(i));
  // Pod sets that were taken out of the Workload.
  const std::vector<OwnedSet>& owned = world.store[slot].owned->sets;
  for (std::size_t i = sets; i < owned.size(); ++i) {
    for (const SlotId pod : owned[i].active) TerminatePod(world, pod);
  }
}

}  // namespace fairlead::virtual_cluster
