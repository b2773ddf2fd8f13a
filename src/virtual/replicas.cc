#include <algorithm>
#include <string>

#include "virtual/controllers.h"
#include "virtual/kubelet.h"

namespace fairlead::virtual_cluster {
namespace {

// The lowest index that no pod of the set has and whose name nobody else took.
PodPlace NextPlace(const World& world, std::string_view name_space, const Replicas& replicas,
                   OwnedSet& set) {
  PodPlace place{.name = {}, .set = replicas.set, .ordinal = -1};
  for (;;) {
    place.ordinal = set.LowestFree();
    const bool plain = replicas.only_one && place.ordinal == 0;
    place.name = plain ? replicas.stem : replicas.stem + "-" + std::to_string(place.ordinal);
    if (IsPodNameFree(world, name_space, place.name)) return place;
    set.Use(place.ordinal);
  }
}

}  // namespace

void SyncReplicas(World& world, SlotId owner, const Replicas& replicas) {
  OwnedSet& set = world.store[owner].owned->sets[static_cast<std::size_t>(replicas.set)];
  const std::string& name_space = world.store[owner].meta().name_space;
  const std::int32_t here = static_cast<std::int32_t>(set.active.size()) + set.succeeded;
  for (std::int32_t made = here; made < replicas.wanted; ++made) {
    const PodPlace place = NextPlace(world, name_space, replicas, set);
    const SlotId pod = MakePod(world, owner, replicas.pod_template, place);
    const auto say = [&](std::string_view label, std::int32_t index) {
      if (!label.empty()) SetLabel(world.store[pod].meta().labels, label, std::to_string(index));
    };
    say(replicas.index_label, place.ordinal);
    say(replicas.unit_label, place.ordinal / replicas.per_unit);
  }
  if (here <= replicas.wanted) return;
  const std::vector<SlotId> staying = InOrderOfLeaving(world, set, replicas.leaving);
  auto pods = static_cast<std::int32_t>(staying.size()) + set.succeeded;
  for (const SlotId pod : staying) {
    if (pods-- <= replicas.wanted) break;
    TerminatePod(world, pod);
  }
}

bool HaveBegun(const World& world, const OwnedSet& set, std::int32_t count) {
  const auto runs = std::ranges::count_if(set.active, [&](SlotId pod) {
    return world.store[pod].pod().phase == objects::PodPhase::kRunning;
  });
  return runs + set.succeeded >= count;
}

}  // namespace fairlead::virtual_cluster
