#include "virtual/volumes.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "objects/key.h"

namespace fairlead::virtual_cluster {
namespace {

constexpr std::size_t kClaimKind = KindIndexOf<objects::PersistentVolumeClaim>();
constexpr std::size_t kVolumeKind = KindIndexOf<objects::PersistentVolume>();

std::string NameOfMade(const objects::PersistentVolumeClaim& claim) {
  return fmt::format("pvc-{}-{}", claim.meta.name_space, claim.meta.name);
}

const objects::StorageClass* ClassOf(const World& world,
                                     const objects::PersistentVolumeClaim& claim) {
  const SlotId slot =
      world.store.Find(KindIndexOf<objects::StorageClass>(), claim.ask.storage_class);
  return slot.valid() ? &std::get<objects::StorageClass>(world.store[slot].object) : nullptr;
}

// The nodes with the values that `node` has of the keys that the class names.
std::optional<std::vector<objects::NodeSelectorTerm>> ReachFrom(
    const objects::StorageClass& storage, const objects::Node* node) {
  if (storage.allowed_topologies.empty()) return std::nullopt;
  if (node == nullptr) return storage.allowed_topologies;
  objects::NodeSelectorTerm term;
  for (const objects::Requirement& wanted : storage.allowed_topologies.front().labels) {
    const std::string* value = objects::FindLabel(node->meta.labels, wanted.key);
    if (value != nullptr) term.labels.push_back({wanted.key, objects::Operator::kIn, {*value}});
  }
  return std::vector{std::move(term)};
}

void MakeVolume(World& world, SlotId slot, const objects::StorageClass& storage,
                const objects::Node* node) {
  auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
  objects::PersistentVolume volume;
  volume.meta.name = NameOfMade(claim);
  volume.storage_class = claim.ask.storage_class;
  volume.bytes = claim.ask.bytes;
  volume.access_modes = claim.ask.access_modes;
  volume.block = claim.ask.block;
  volume.attributes_class = claim.ask.attributes_class;
  volume.claim = claim.meta.Key();
  volume.claim_uid = claim.meta.uid;
  volume.available = false;
  volume.node_affinity = ReachFrom(storage, node);
  claim.volume = volume.meta.name;
  claim.bound = true;
  if (node != nullptr) {
    claim.selected_node = node->meta.name;
    SetLabel(claim.meta.annotations, objects::kSelectedNodeAnnotation, node->meta.name);
  }
  world.store.Changed(slot);
  if (world.store.Find(kVolumeKind, volume.meta.name).valid()) return;
  world.Stamp(volume.meta);
  world.store.Insert(world.store.Add(std::move(volume)));
}

bool WaitsForVolume(const objects::PersistentVolumeClaim& claim) {
  return !claim.bound && claim.volume.empty() && !claim.lost && !claim.meta.deletion_time;
}

bool MayGive(const objects::PersistentVolume& volume, const objects::PersistentVolumeClaim& claim) {
  if (!volume.available || volume.meta.deletion_time) return false;
  return objects::MayBeTaken(claim.ask, volume) ||
         (objects::IsKeptFor(claim.meta.Key(), claim.meta.uid, volume) &&
          objects::IsEnough(claim.ask, volume));
}

void GiveVolume(World& world, SlotId claim_slot, SlotId volume_slot) {
  auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[claim_slot].object);
  auto& volume = std::get<objects::PersistentVolume>(world.store[volume_slot].object);
  volume.claim = claim.meta.Key();
  volume.claim_uid = claim.meta.uid;
  volume.available = false;
  claim.volume = volume.meta.name;
  claim.bound = true;
  world.store.Changed(volume_slot);
  world.store.Changed(claim_slot);
}

// The volume that is kept for the claim, else the smallest that would do; invalid: there is none.
SlotId BestVolume(const World& world, const objects::PersistentVolumeClaim& claim) {
  SlotId best;
  const objects::PersistentVolume* found = nullptr;
  for (const SlotId slot : world.store.Sorted(kVolumeKind)) {
    const auto& volume = std::get<objects::PersistentVolume>(world.store[slot].object);
    if (!MayGive(volume, claim)) continue;
    const bool better = found == nullptr || (found->claim.empty() && !volume.claim.empty()) ||
                        (found->claim.empty() && volume.bytes < found->bytes);
    if (!better) continue;
    best = slot;
    found = &volume;
  }
  return best;
}

void BindAtOnce(World& world, SlotId slot) {
  const auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
  const objects::StorageClass* storage = ClassOf(world, claim);
  if (storage == nullptr || storage->waits_for_pod || !WaitsForVolume(claim)) return;
  if (const SlotId volume = BestVolume(world, claim); volume.valid()) {
    GiveVolume(world, slot, volume);
  } else if (storage->makes_volumes()) {
    MakeVolume(world, slot, *storage, nullptr);
  }
}

}  // namespace

void VolumesAppeared(World& world, SlotId slot) {
  const objects::Object& object = world.store[slot].object;
  if (std::holds_alternative<objects::PersistentVolumeClaim>(object)) {
    BindAtOnce(world, slot);
  } else if (std::holds_alternative<objects::StorageClass>(object) ||
             std::holds_alternative<objects::PersistentVolume>(object)) {
    for (const SlotId claim : world.store.Sorted(kClaimKind)) BindAtOnce(world, claim);
  }
}

void RemoveVolumeOf(World& world, SlotId slot) {
  const auto* claim = std::get_if<objects::PersistentVolumeClaim>(&world.store[slot].object);
  if (claim == nullptr || claim->volume != NameOfMade(*claim)) return;
  const SlotId volume = world.store.Find(kVolumeKind, claim->volume);
  if (volume.valid()) world.store.Erase(volume);
}

void MakeEphemeralClaims(World& world, SlotId pod_slot) {
  const objects::Meta& meta = world.store[pod_slot].meta();
  for (const auto& ephemeral : world.store[pod_slot].pod().spec.rare->ephemeral_volumes) {
    objects::PersistentVolumeClaim claim;
    claim.meta.name_space = meta.name_space;
    claim.meta.name = ephemeral.ClaimOf(meta.name);
    if (world.store.Find(kClaimKind, claim.meta.Key()).valid()) continue;
    claim.meta.owners.push_back({.api_version = "v1",
                                 .kind = "Pod",
                                 .name = meta.name,
                                 .uid = meta.uid,
                                 .controller = true});
    claim.ask = ephemeral.ask;
    world.Stamp(claim.meta);
    const SlotId slot = world.store.Add(std::move(claim));
    world.store.Insert(slot);
    BindAtOnce(world, slot);
  }
}

void RemoveEphemeralClaims(World& world, SlotId pod_slot) {
  const objects::Meta& meta = world.store[pod_slot].meta();
  for (const auto& ephemeral : world.store[pod_slot].pod().spec.rare->ephemeral_volumes) {
    const std::string key = objects::JoinKey(meta.name_space, ephemeral.ClaimOf(meta.name));
    const SlotId claim = world.store.Find(kClaimKind, key);
    if (!claim.valid() || world.store[claim].meta().owners.empty()) continue;
    RemoveVolumeOf(world, claim);
    world.store.Erase(claim);
  }
}

bool BindVolumes(World& world, std::string_view name_space,
                 std::span<const engine::VolumeToBind> volumes, std::string_view node) {
  const SlotId on = world.store.Find(kNodeKind, node);
  if (!on.valid()) return false;
  struct Step {
    SlotId claim, volume;  // invalid: it is made
  };
  std::vector<Step> steps;
  for (const engine::VolumeToBind& each : volumes) {
    const SlotId slot = world.store.Find(kClaimKind, objects::JoinKey(name_space, each.claim));
    if (!slot.valid()) return false;
    const auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
    if (claim.bound) continue;
    if (!WaitsForVolume(claim)) return false;
    const SlotId volume =
        each.volume.empty() ? SlotId() : world.store.Find(kVolumeKind, each.volume);
    const objects::StorageClass* storage = ClassOf(world, claim);
    const bool can =
        each.volume.empty()
            ? storage != nullptr && storage->makes_volumes()
            : volume.valid() &&
                  MayGive(std::get<objects::PersistentVolume>(world.store[volume].object), claim);
    if (!can) return false;
    steps.push_back({slot, volume});
  }
  for (const auto& [slot, volume] : steps) {
    if (volume.valid()) {
      GiveVolume(world, slot, volume);
      continue;
    }
    const auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
    const objects::StorageClass storage = *ClassOf(world, claim);
    MakeVolume(world, slot, storage, &std::get<objects::Node>(world.store[on].object));
  }
  return true;
}

}  // namespace fairlead::virtual_cluster
