#include "virtual/ownership.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/integer.h"
#include "virtual/controllers.h"

namespace fairlead::virtual_cluster {
namespace {

// The number after the last dash, or −1: "w-worker-12" → 12.
std::int32_t NumberOf(std::string_view name) {
  const std::string_view digits = name.substr(name.rfind('-') + 1);
  constexpr std::int32_t kMost = 1'000'000;  // more is a hash, not a count
  const auto number = ParseInteger<std::int32_t>(digits);
  return number && *number >= 0 && *number <= kMost ? *number : -1;
}

struct OwnerName {
  std::optional<std::size_t> kind;  // absent: it names none
  std::string key;                  // "namespace/name"
};

// Of a job that another made to have its pods run: that one.
OwnerName OwnerNamedBy(const World& world, const objects::Meta& pod) {
  const objects::OwnerReference* owner = pod.Controller();
  if (const jobs::JobOfPod job = jobs::FindJobOfPod(pod, owner); job.kind != nullptr) {
    OwnerName named{FindKind(job.kind->kind()), pod.name_space + "/" + std::string(job.name)};
    const SlotId made = world.store.Find(*named.kind, named.key);
    if (!made.valid()) return named;
    const jobs::JobRef maker = jobs::MakerOf(world.store[made].object);
    if (maker.kind == nullptr) return named;
    return {FindKind(maker.kind->kind()), pod.name_space + "/" + maker.name};
  }
  if (owner != nullptr) {
    const std::optional<std::size_t> kind = FindKind(owner->kind);
    if (!kind || !IsController(*kind) || jobs::FindKind(owner->kind) != nullptr) return {};
    return {kind, pod.name_space + "/" + owner->name};
  }
  if (pod.labels.empty()) return {};
  const std::string* workload = objects::FindLabel(pod.labels, kWorkloadLabel);
  if (workload == nullptr) return {};
  return {kWorkloadKind, pod.name_space + "/" + *workload};
}

std::string OrphanKey(std::size_t kind, std::string_view key) {
  return std::to_string(kind) + " " + std::string(key);
}

// The index of the pod set of that name, or −1.
template <typename Sets>
std::int32_t IndexIn(const Sets& sets, std::string_view name) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].name == name) return static_cast<std::int32_t>(i);
  }
  return -1;
}

// The index of the pod set that a pod of `workload` names, or −1.
std::int32_t PodSetOf(const objects::Workload& workload, const objects::Meta& pod) {
  const std::string* name = objects::FindLabel(pod.labels, kPodSetLabel);
  if (name == nullptr) return workload.pod_sets.size() == 1 ? 0 : -1;
  return IndexIn(workload.pod_sets, *name);
}

std::int32_t PodSetOf(const objects::Object& job, const objects::Meta& pod) {
  const std::string named = jobs::PodSetIn(job, jobs::FindJobOfPod(pod, pod.Controller()));
  return std::max(0, IndexIn(std::get<objects::JobObject>(job).pod_sets, named));
}

// The node that a DaemonSet's pod is for: by its pin, or by where it is bound.
std::string NodeOf(const objects::PodSpec& spec) {
  if (!spec.node_name.empty()) return spec.node_name;
  for (const objects::NodeSelectorTerm& term : spec.needs.required_terms) {
    for (const objects::Requirement& field : term.fields) {
      if (field.values.size() == 1) return field.values.front();
    }
  }
  return {};
}

// An ordinal is where a pod of an Indexed Job, a JobObject or a Workload stands; for others it
// means nothing.
std::int32_t OrdinalOf(const Entry& owner, const objects::Meta& pod) {
  if (owner.kind() == kWorkloadKind) return NumberOf(pod.name);
  if (IsJobObject(owner.kind())) return std::max(0, NumberOf(pod.name));
  const auto* job = std::get_if<objects::Job>(&owner.object);
  if (job == nullptr || !job->indexed) return -1;
  const std::string* index =
      objects::FindLabel(pod.annotations, "batch.kubernetes.io/job-completion-index");
  return NumberOf(index != nullptr ? *index : pod.name);
}

void Adopt(World& world, SlotId pod_slot, SlotId owner_slot) {
  Entry& pod = world.store[pod_slot];
  Entry& owner = world.store[owner_slot];
  Ownership& owned = *owner.owned;
  std::int32_t set = 0, ordinal = OrdinalOf(owner, pod.meta());
  if (const auto* workload = std::get_if<objects::Workload>(&owner.object)) {
    set = PodSetOf(*workload, pod.meta());
    if (set < 0 || !workload->pod_sets[static_cast<std::size_t>(set)].pod_template) return;
  } else if (const auto* job = std::get_if<objects::JobObject>(&owner.object)) {
    if (job->row->comes_in_groups()) {
      const std::optional<GroupPlace> place = PlaceInGroups(*job, pod.meta());
      if (!place) return;  // its labels only say so
      set = place->set;
      ordinal = place->ordinal;
    } else {
      set = PodSetOf(owner.object, pod.meta());
    }
  }
  if (owned.sets.size() <= static_cast<std::size_t>(set)) {
    owned.sets.resize(static_cast<std::size_t>(set) + 1);
  }
  pod.owner = owner_slot;
  pod.pod_set = set;
  pod.ordinal = ordinal;
  OwnedSet& into = owned.sets[static_cast<std::size_t>(set)];
  if (pod.pod().phase == objects::PodPhase::kSucceeded) {
    ++into.succeeded;
    into.Use(pod.ordinal);
  } else if (!pod.pod().finished()) {
    into.active.push_back(pod_slot);
    into.Use(pod.ordinal);
  }
  owned.next_number = std::max(owned.next_number, NumberOf(pod.meta().name) + 1);
  if (owner.kind() == kDaemonSetKind && !pod.pod().finished()) {
    owned.by_node.emplace(NodeOf(pod.pod().spec), pod_slot);
    pod.run_duration.reset();  // its containers restart: a DaemonSet's pod never ends
  }
  world.WantSync(owner_slot);
}

}  // namespace

std::int32_t OwnedSet::LowestFree() {
  while (first_free_hint < used.size() && used[first_free_hint]) ++first_free_hint;
  return static_cast<std::int32_t>(first_free_hint);
}

void OwnedSet::Use(std::int32_t ordinal) {
  if (ordinal < 0) return;
  const auto at = static_cast<std::size_t>(ordinal);
  if (used.size() <= at) used.resize(at + 1);
  used[at] = true;
}

void OwnedSet::Free(std::int32_t ordinal) {
  const auto at = static_cast<std::size_t>(ordinal);
  if (ordinal < 0 || at >= used.size()) return;
  used[at] = false;
  first_free_hint = std::min(first_free_hint, at);
}

void AttachPod(World& world, SlotId pod) {
  const objects::Meta& meta = world.store[pod].meta();
  if (meta.owners.empty() && meta.labels.empty()) return;
  const OwnerName name = OwnerNamedBy(world, meta);
  if (!name.kind) return;
  const SlotId owner = world.store.Find(*name.kind, name.key);
  if (owner.valid()) {
    Adopt(world, pod, owner);
  } else {
    world.orphans[OrphanKey(*name.kind, name.key)].push_back(world.HandleOf(pod));
  }
}

void AttachOwner(World& world, SlotId owner) {
  if (world.orphans.empty()) return;
  const Entry& entry = world.store[owner];
  const auto found = world.orphans.find(OrphanKey(entry.kind(), entry.key));
  if (found == world.orphans.end()) return;
  const std::vector<Handle> pods = std::move(found->second);
  world.orphans.erase(found);
  for (const Handle& pod : pods) {
    if (world.Holds(pod)) AttachPod(world, pod.first);
  }
}

namespace {

// Takes the pod out of its owner's active ones. Returns the set, or null where it has no owner or
// was not active.
OwnedSet* Deactivate(World& world, SlotId pod_slot) {
  const Entry& pod = world.store[pod_slot];
  if (!pod.owner.valid()) return nullptr;
  Ownership& owned = *world.store[pod.owner].owned;
  OwnedSet& set = owned.sets[static_cast<std::size_t>(pod.pod_set)];
  world.WantSync(pod.owner);
  const auto at = std::find(set.active.begin(), set.active.end(), pod_slot);
  if (at == set.active.end()) return nullptr;
  set.active.erase(at);
  if (!owned.by_node.empty()) {
    std::erase_if(owned.by_node, [&](const auto& entry) { return entry.second == pod_slot; });
  }
  return &set;
}

}  // namespace

void PodFinished(World& world, SlotId pod) {
  OwnedSet* set = Deactivate(world, pod);
  if (set == nullptr) return;
  if (world.options.forget_ended) {
    world.store[world.store[pod].owner].owned->finished.push_back(world.HandleOf(pod));
  }
  if (world.store[pod].pod().phase == objects::PodPhase::kSucceeded) {
    ++set->succeeded;
  } else {
    set->Free(world.store[pod].ordinal);
  }
}

void PodLeft(World& world, SlotId pod) {
  if (OwnedSet* set = Deactivate(world, pod)) set->Free(world.store[pod].ordinal);
}

}  // namespace fairlead::virtual_cluster
