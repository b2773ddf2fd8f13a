#pragma once

#include <span>
#include <string>
#include <string_view>

#include "virtual/world.h"

namespace fairlead::virtual_cluster {

// The controllers of volumes, as far as a scheduler can tell them from real ones: a claim whose
// class makes volumes gets one as soon as it may have it.
//
// - The volume is called pvc-NAMESPACE-NAME. Where the class allows only some topologies, or the
//   pod's node carries their keys, it can be had on nodes with the values that this node has; else
//   everywhere.

// A claim, or a class, appeared or was replaced: claims whose class does not wait for a pod are
// bound at once. Other objects are passed over.
void VolumesAppeared(World& world, SlotId slot);

// The claim is about to go, and with it the volume that was made for it.
void RemoveVolumeOf(World& world, SlotId claim);

// A pod appeared, or is about to go: its ephemeral volumes' claims are made, or removed.
void MakeEphemeralClaims(World& world, SlotId pod);
void RemoveEphemeralClaims(World& world, SlotId pod);

// Binds the claims of a pod for its node. False: one of them is not there, or has no class.
bool BindVolumes(World& world, std::string_view name_space, std::span<const std::string> claims,
                 std::string_view node);

}  // namespace fairlead::virtual_cluster
