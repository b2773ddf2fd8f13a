#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/explain/report.h"
#include "virtual/world.h"

namespace fairlead::virtual_cluster {

// The controllers of volumes, as far as a scheduler can tell them from real ones: a claim gets one
// as soon as it may have it, of those that are there, or, where its class makes volumes, a new one.
//
// - The volume is called pvc-NAMESPACE-NAME. Where the class allows only some topologies, or the
//   pod's node carries their keys, it can be had on nodes with the values that this node has; else
//   everywhere.

// A claim, a volume or a class appeared or was replaced: claims whose class does not wait for a pod
// are bound at once. Other objects are passed over.
void VolumesAppeared(World& world, SlotId slot);

// The claim is about to go, and with it the volume that was made for it. One that was there before
// stays, and is nobody's any more.
void RemoveVolumeOf(World& world, SlotId claim);

// A pod appeared, or is about to go: its ephemeral volumes' claims are made, or removed.
void MakeEphemeralClaims(World& world, SlotId pod);
void RemoveEphemeralClaims(World& world, SlotId pod);

// The claims of a pod, for its node.
struct VolumesForNode {
  std::string_view name_space;
  std::span<const engine::VolumeToBind> volumes;
  std::string_view node;
};
// False: one of them, or the volume that was taken for it, cannot be had.
bool CanBindVolumes(const World& world, const VolumesForNode& of);
// To what was taken for them, or to what is made. REQUIRES: CanBindVolumes.
void BindVolumes(World& world, const VolumesForNode& of);
// Asks for them: the claimRef of what was taken, selected-node where one is to be made.
void AskForVolumes(World& world, const VolumesForNode& of);
// Takes that back where nothing was bound yet.
void TakeBackVolumes(World& world, const VolumesForNode& of);

}  // namespace fairlead::virtual_cluster
