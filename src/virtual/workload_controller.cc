#include <string>

#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

using objects::Workload;

std::int32_t AdmittedOf(const Workload& workload, const objects::PodSet& set) {
  for (const objects::PodSetAssignment& assigned : workload.admission) {
    if (assigned.name == set.name) return assigned.count;
  }
  return 0;
}

void SyncSet(World& world, SlotId slot, std::int32_t set_index) {
  const auto& workload = std::get<Workload>(world.store[slot].object);
  const objects::PodSet& pod_set = workload.pod_sets[static_cast<std::size_t>(set_index)];
  if (!pod_set.pod_template) return;
  objects::PodTemplate from = *pod_set.pod_template;
  SetLabel(from.labels, kWorkloadLabel, workload.meta.name);
  SetLabel(from.labels, kPodSetLabel, pod_set.name);
  if (from.spec.scheduler_name.empty()) from.spec.scheduler_name = world.scheduler_name;
  SyncReplicas(world, slot,
               {.set = set_index,
                .wanted = AdmittedOf(workload, pod_set),
                .pod_template = from,
                .stem = workload.meta.name + "-" + pod_set.name,
                .index_label = {},
                .leaving = Leaving::kYoungestFirst});
}

}  // namespace

void SyncWorkload(World& world, SlotId slot) {
  const std::size_t sets = std::get<Workload>(world.store[slot].object).pod_sets.size();
  for (std::size_t i = 0; i < sets; ++i) SyncSet(world, slot, static_cast<std::int32_t>(i));
  // Pod sets that were taken out of the Workload.
  const std::vector<OwnedSet>& owned = world.store[slot].owned->sets;
  for (std::size_t i = sets; i < owned.size(); ++i) {
    for (const SlotId pod : owned[i].active) TerminatePod(world, pod);
  }
}

}  // namespace fairlead::virtual_cluster
