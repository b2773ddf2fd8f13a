#include "virtual/volumes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
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

// The storage that it is made of, by "namespace/name".
constexpr std::string_view kMadeOf = "fairlead.dev/made-of";

// As its driver would: of the first storage that reaches the node and suffices, which has so much
// less.
void TakeStorage(World& world, const objects::StorageClass& storage, const objects::Node& node,
                 objects::PersistentVolume& volume) {
  const SlotId driver = world.store.Find(KindIndexOf<objects::CSIDriver>(), storage.provisioner);
  if (!driver.valid() ||
      !std::get<objects::CSIDriver>(world.store[driver].object).tracks_capacity) {
    return;
  }
  for (const SlotId slot : world.store.Sorted(KindIndexOf<objects::CSIStorageCapacity>())) {
    auto& of = std::get<objects::CSIStorageCapacity>(world.store[slot].object);
    const bool suits = of.storage_class == storage.meta.name && of.nodes && of.capacity &&
                       objects::Matches(*of.nodes, node.meta.labels) &&
                       volume.bytes <= std::min(*of.largest(), *of.capacity);
    if (!suits) continue;
    *of.capacity -= volume.bytes;
    SetLabel(volume.meta.annotations, kMadeOf, of.meta.Key());
    world.store.Changed(slot);
    return;
  }
}

void GiveStorage(World& world, const objects::PersistentVolume& volume) {
  const std::string* made_of = objects::FindLabel(volume.meta.annotations, kMadeOf);
  if (made_of == nullptr) return;
  const SlotId slot = world.store.Find(KindIndexOf<objects::CSIStorageCapacity>(), *made_of);
  if (!slot.valid()) return;
  auto& of = std::get<objects::CSIStorageCapacity>(world.store[slot].object);
  if (of.capacity) *of.capacity += volume.bytes;
  world.store.Changed(slot);
}

void SelectNode(objects::PersistentVolumeClaim& claim, std::string_view node) {
  claim.selected_node = node;
  SetLabel(claim.meta.annotations, objects::kSelectedNodeAnnotation, std::string(node));
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
  volume.csi_driver = storage.provisioner;
  volume.csi_handle = volume.meta.name;
  volume.node_affinity = ReachFrom(storage, node);
  claim.volume = volume.meta.name;
  claim.bound = true;
  if (node != nullptr) SelectNode(claim, node->meta.name);
  world.store.Changed(slot);
  if (world.store.Find(kVolumeKind, volume.meta.name).valid()) return;
  if (node != nullptr) TakeStorage(world, storage, *node, volume);
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

struct ClaimAndVolume {
  SlotId claim, volume;  // invalid: not there; of a volume that is to be made, too
};
ClaimAndVolume FindBoth(const World& world, const VolumesForNode& of,
                        const engine::VolumeToBind& each) {
  return {world.store.Find(kClaimKind, objects::JoinKey(of.name_space, each.claim)),
          each.volume.empty() ? SlotId() : world.store.Find(kVolumeKind, each.volume)};
}

// Of the claims that are there and not bound, to_make(slot, claim) where a volume is to be made,
// and take(slot, claim, slot of the volume, volume) where one that is there was taken.
template <typename ToMake, typename Take>
void ForEachUnbound(World& world, const VolumesForNode& of, ToMake to_make, Take take) {
  for (const engine::VolumeToBind& each : of.volumes) {
    const auto [slot, taken] = FindBoth(world, of, each);
    if (!slot.valid()) continue;
    auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
    if (claim.bound) continue;
    if (each.volume.empty()) {
      to_make(slot, claim);
    } else if (taken.valid()) {
      take(slot, claim, taken, std::get<objects::PersistentVolume>(world.store[taken].object));
    }
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
  if (!volume.valid()) return;
  GiveStorage(world, std::get<objects::PersistentVolume>(world.store[volume].object));
  world.store.Erase(volume);
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

bool CanBindVolumes(const World& world, const VolumesForNode& of) {
  if (!world.store.Find(kNodeKind, of.node).valid()) return false;
  return std::ranges::all_of(of.volumes, [&](const engine::VolumeToBind& each) {
    const auto [slot, taken] = FindBoth(world, of, each);
    if (!slot.valid()) return false;
    const auto& claim = std::get<objects::PersistentVolumeClaim>(world.store[slot].object);
    if (claim.bound) return true;
    if (!WaitsForVolume(claim)) return false;
    if (each.volume.empty()) {
      const objects::StorageClass* storage = ClassOf(world, claim);
      return storage != nullptr && storage->makes_volumes();
    }
    return taken.valid() &&
           MayGive(std::get<objects::PersistentVolume>(world.store[taken].object), claim);
  });
}

void BindVolumes(World& world, const VolumesForNode& of) {
  DCHECK(CanBindVolumes(world, of));
  if (of.volumes.empty()) return;
  const SlotId on = world.store.Find(kNodeKind, of.node);
  ForEachUnbound(
      world, of,
      [&](SlotId slot, const objects::PersistentVolumeClaim& claim) {
        const objects::StorageClass storage = *ClassOf(world, claim);
        MakeVolume(world, slot, storage, &std::get<objects::Node>(world.store[on].object));
      },
      [&](SlotId slot, const auto&, SlotId taken, const auto&) { GiveVolume(world, slot, taken); });
}

void AskForVolumes(World& world, const VolumesForNode& of) {
  ForEachUnbound(
      world, of,
      [&](SlotId slot, objects::PersistentVolumeClaim& claim) {
        SelectNode(claim, of.node);
        world.store.Changed(slot);
      },
      [&](SlotId, const auto& claim, SlotId taken, objects::PersistentVolume& volume) {
        if (!volume.claim.empty()) return;
        volume.claim = claim.meta.Key();
        volume.claim_uid = claim.meta.uid;
        world.store.Changed(taken);
      });
}

void TakeBackVolumes(World& world, const VolumesForNode& of) {
  ForEachUnbound(
      world, of,
      [&](SlotId slot, objects::PersistentVolumeClaim& claim) {
        if (claim.selected_node != of.node) return;
        claim.selected_node.clear();
        DropLabel(claim.meta.annotations, objects::kSelectedNodeAnnotation);
        world.store.Changed(slot);
      },
      [&](SlotId, const auto& claim, SlotId taken, objects::PersistentVolume& volume) {
        if (!objects::IsKeptFor(claim.meta.Key(), claim.meta.uid, volume)) return;
        volume.claim.clear();
        volume.claim_uid.clear();
        world.store.Changed(taken);
      });
}

}  // namespace fairlead::virtual_cluster
