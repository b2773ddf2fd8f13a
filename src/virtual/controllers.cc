#include "virtual/controllers.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "effects/template_pods.h"
#include "objects/key.h"
#include "virtual/finals.h"
#include "virtual/kubelet.h"
#include "virtual/volumes.h"

namespace fairlead::virtual_cluster {
namespace {

std::string_view ApiVersionOf(const objects::Object& owner) {
  if (const jobs::JobKind* job = jobs::KindOf(owner)) return job->ApiVersionOf(owner);
  if (std::holds_alternative<objects::DaemonSet>(owner)) return "apps/v1";
  return "fairlead.dev/v1alpha1";
}

void Sync(World& world, SlotId owner) {
  // A job that another made to have its pods run is left to it: it has the pods, unless it leaves
  // the pod sets to the one that it made.
  const jobs::JobKind* maker = jobs::MakerOf(world.store[owner].object).kind;
  if (maker != nullptr && !maker->has_pod_sets_of_made()) return;
  const std::size_t kind = world.store[owner].kind();
  if (kind == kJobKind) SyncJob(world, owner);
  if (IsJobObject(kind)) SyncJobObject(world, owner);
  if (kind == kDaemonSetKind) SyncDaemonSet(world, owner);
  if (kind == kWorkloadKind) SyncWorkload(world, owner);
}

}  // namespace

bool IsController(std::size_t kind) {
  return kind == kJobKind || kind == kDaemonSetKind || kind == kWorkloadKind || IsJobObject(kind);
}

void StartController(World& world, SlotId owner) {
  Entry& entry = world.store[owner];
  if (entry.owned == nullptr) {
    entry.owned = std::make_unique<Ownership>();
    AttachOwner(world, owner);
  }
  std::size_t sets = 1;
  if (const auto* workload = std::get_if<objects::Workload>(&entry.object)) {
    sets = workload->pod_sets.size();
  } else if (const auto* job = std::get_if<objects::JobObject>(&entry.object)) {
    sets = job->pod_sets.size();
  }
  if (entry.owned->sets.size() < sets) entry.owned->sets.resize(sets);
  world.WantSync(owner);
}

void SyncControllers(World& world) {
  while (world.nodes_changed || !world.to_sync.empty()) {
    if (std::exchange(world.nodes_changed, false)) {
      for (const SlotId slot : world.store.Sorted(kDaemonSetKind)) world.WantSync(slot);
    }
    const std::vector<Handle> to_sync = std::exchange(world.to_sync, {});
    for (const Handle& owner : to_sync) {
      if (!world.Holds(owner)) continue;
      world.store[owner.first].sync_wanted = false;
      Sync(world, owner.first);
    }
  }
}

void RemoveOwner(World& world, SlotId owner) {
  const auto is_owned = [owner](const Entry& pod) { return pod.owner == owner; };
  const std::vector<SlotId> pods = world.store.SortedIf(kPodKind, is_owned);
  world.store.Erase(owner);
  for (const SlotId pod : pods) {
    world.store[pod].owner = SlotId();  // nobody is left to replace it
    TerminatePod(world, pod);
  }
}

void ForgetOwner(World& world, SlotId owner) {
  Ownership& owned = *world.store[owner].owned;
  for (const Handle& pod : owned.finished) {
    if (!world.Holds(pod)) continue;
    RemoveEphemeralClaims(world, pod.first);
    if (world.options.on_forgotten_pod)
      world.options.on_forgotten_pod(FinalOf(world.store[pod.first]));
    world.store.Erase(pod.first);
  }
  for (const OwnedSet& set : owned.sets) {
    for (const SlotId pod : set.active) world.store[pod].owner = SlotId();  // on its way out
  }
  world.store.Erase(owner);
}

SlotId MakePod(World& world, SlotId owner, const objects::PodTemplate& pod_template,
               const PodPlace& place) {
  const Entry& parent = world.store[owner];
  objects::Object object(std::in_place_type<objects::Pod>);
  auto& pod = std::get<objects::Pod>(object);
  pod.meta.name = place.name;
  pod.meta.name_space = parent.meta().name_space;
  pod.meta.labels = pod_template.labels;
  pod.meta.annotations = pod_template.annotations;
  pod.meta.owners.push_back({.api_version = std::string(ApiVersionOf(parent.object)),
                             .kind = std::string(objects::KindOf(parent.object)),
                             .name = parent.meta().name,
                             .uid = parent.meta().uid,
                             .controller = true});
  pod.spec = pod_template.spec;
  world.Stamp(pod.meta);

  const SlotId slot = world.store.Add(std::move(object));
  Entry& entry = world.store[slot];
  entry.owner = owner;
  entry.pod_set = place.set;
  entry.ordinal = place.ordinal;
  const std::string* duration = objects::FindLabel(entry.meta().annotations, kRunDuration);
  if (duration != nullptr) {
    if (Result<Duration> parsed = ParseDuration(*duration)) entry.run_duration = *parsed;
  }
  OwnedSet& set = world.store[owner].owned->sets[static_cast<std::size_t>(place.set)];
  if (!set.saved.empty()) {
    const auto most = std::ranges::max_element(set.saved);
    entry.done = *most;
    set.saved.erase(most);
  }
  set.active.push_back(slot);
  set.Use(place.ordinal);
  world.store.Insert(slot);
  MakeEphemeralClaims(world, slot);
  const std::string* workload = objects::FindLabel(entry.meta().labels, kWorkloadLabel);
  const bool of_workload = workload != nullptr && parent.object.index() == kWorkloadKind;
  world.Emit({.time = world.now,
              .type = EventType::kCreate,
              .pod = entry.key,
              .workload = of_workload ? std::string_view(parent.key) : std::string_view(),
              .owner = parent.key});
  return slot;
}

bool IsPodNameFree(const World& world, std::string_view name_space, std::string_view name) {
  return !world.store.Find(kPodKind, objects::JoinKey(name_space, name)).valid();
}

std::vector<SlotId> InOrderOfLeaving(const World& world, const OwnedSet& set, Leaving rule) {
  std::vector<SlotId> pods;
  for (const SlotId pod : set.active) {
    if (!world.store[pod].meta().deletion_time) pods.push_back(pod);
  }
  const auto rank = [&world, rule](SlotId slot) {
    const Entry& entry = world.store[slot];
    effects::SurplusPod pod{
        .bound = !entry.pod().spec.node_name.empty(), .index = entry.ordinal, .name = entry.key};
    if (rule == Leaving::kYoungestFirst) {
      pod.scheduled = entry.pod().scheduled_time.value_or(Time::Max());
      pod.created = entry.meta().creation_time.value_or(Time::Max());
    }
    return pod;
  };
  std::sort(pods.begin(), pods.end(),
            [&](SlotId a, SlotId b) { return effects::LeavesBefore(rank(a), rank(b)); });
  return pods;
}

}  // namespace fairlead::virtual_cluster
