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

// The lowest index that no pod of the set has and whose name nobody else took.
PodPlace NextPlace(const World& world, const Workload& workload, std::int32_t set_index,
                   OwnedSet& set) {
  const std::string& set_name = workload.pod_sets[static_cast<std::size_t>(set_index)].name;
  PodPlace place{.name = {}, .set = set_index, .ordinal = -1};
  for (;;) {
    place.ordinal = set.LowestFree();
    place.name = workload.meta.name + "-" + set_name + "-" + std::to_string(place.ordinal);
    if (IsPodNameFree(world, workload.meta.name_space, place.name)) return place;
    set.Use(place.ordinal);
  }
}

void SyncSet(World& world, SlotId slot, std::int32_t set_index) {
  const auto& workload = std::get<Workload>(world.store[slot].object);
  const objects::PodSet& pod_set = workload.pod_sets[static_cast<std::size_t>(set_index)];
  if (!pod_set.pod_template) return;
  OwnedSet& set = world.store[slot].owned->sets[static_cast<std::size_t>(set_index)];
  const std::int32_t wanted = AdmittedOf(workload, pod_set);
  // Pods on their way out keep their place until they are gone: names stay what they were.
  const std::int32_t here = static_cast<std::int32_t>(set.active.size()) + set.succeeded;
  if (here < wanted) {
    objects::PodTemplate from = *pod_set.pod_template;
    SetLabel(from.labels, kWorkloadLabel, workload.meta.name);
    SetLabel(from.labels, kPodSetLabel, pod_set.name);
    if (from.spec.scheduler_name.empty()) from.spec.scheduler_name = world.scheduler_name;
    for (std::int32_t made = here; made < wanted; ++made) {
      MakePod(world, slot, from, NextPlace(world, workload, set_index, set));
    }
  }
  if (here <= wanted) return;
  const std::vector<SlotId> staying = InOrderOfLeaving(world, set);
  auto pods = static_cast<std::int32_t>(staying.size()) + set.succeeded;
  for (const SlotId pod : staying) {
    if (pods-- <= wanted) break;
    TerminatePod(world, pod);
  }
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
