#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

// Kubernetes' PersistentVolumeClaim, PersistentVolume and StorageClass, as far as they say where
// pods with a claim may run, and which volumes a claim may take.

namespace fairlead::objects {

// accessModes, one bit each.
using AccessModes = std::uint8_t;
inline constexpr AccessModes kReadWriteOnce = 1, kReadOnlyMany = 2, kReadWriteMany = 4,
                             kReadWriteOncePod = 8;

// What a claim asks of its volume.
struct VolumeAsk {
  std::string storage_class;  // storageClassName; empty: none
  std::int64_t bytes = 0;     // resources.requests.storage
  AccessModes access_modes = 0;
  bool block = false;                     // volumeMode is Block
  std::string attributes_class;           // volumeAttributesClassName; empty: none
  std::optional<LabelSelector> selector;  // of volumes' labels; absent: any
  bool for_one_pod() const { return (access_modes & kReadWriteOncePod) != 0; }
  // Whether pods on several nodes may have it at once.
  bool for_many_nodes() const { return (access_modes & (kReadOnlyMany | kReadWriteMany)) != 0; }
  bool operator==(const VolumeAsk&) const = default;
};

struct PersistentVolumeClaim {
  Meta meta;
  VolumeAsk ask;
  std::string volume;         // spec.volumeName; empty: none
  std::string selected_node;  // annotation volume.kubernetes.io/selected-node
  bool bound = false;         // status.phase is Bound
  bool lost = false;          // … is Lost
  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct PersistentVolume {
  Meta meta;
  std::string storage_class;
  std::int64_t bytes = 0;  // capacity.storage
  AccessModes access_modes = 0;
  bool block = false;
  std::string attributes_class;
  std::string claim;      // spec.claimRef as "namespace/name"; empty: none
  std::string claim_uid;  // its uid; empty: not said
  // Nobody has had it: status.phase is Available, or is not said.
  bool available = true;
  std::string csi_driver, csi_handle;  // spec.csi; empty: it is of no CSI driver
  // spec.nodeAffinity.required: one must hold, where it is there.
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;
  bool operator==(const PersistentVolume&) const = default;
};

struct StorageClass {
  Meta meta;
  std::string provisioner;
  bool waits_for_pod = false;  // volumeBindingMode is WaitForFirstConsumer
  // allowedTopologies: one must hold; none: it provisions everywhere.
  std::vector<NodeSelectorTerm> allowed_topologies;
  // Else somebody makes them beforehand.
  bool makes_volumes() const { return provisioner != "kubernetes.io/no-provisioner"; }
  bool operator==(const StorageClass&) const = default;
};

// How many volumes of which drivers the node of its name takes.
struct CSINode {
  struct Driver {
    std::string name;
    std::optional<std::int32_t> most;  // allocatable.count; absent: as many as there are
    bool operator==(const Driver&) const = default;
  };
  Meta meta;
  std::vector<Driver> drivers;
  bool operator==(const CSINode&) const = default;
};

// A volume that is attached to a node, or on its way there or away.
struct VolumeAttachment {
  Meta meta;
  std::string driver, node;
  std::string volume;  // the PersistentVolume; empty: a volume without one
  bool operator==(const VolumeAttachment&) const = default;
};

struct CSIDriver {
  Meta meta;
  bool tracks_capacity = false;  // spec.storageCapacity: volumes are made where there is storage
  bool operator==(const CSIDriver&) const = default;
};

// How much storage there is on some nodes for volumes of a class.
struct CSIStorageCapacity {
  Meta meta;
  std::string storage_class;
  std::optional<LabelSelector> nodes;  // nodeTopology; absent: none
  std::optional<std::int64_t> capacity, largest_volume;
  // The largest volume that is made of it; absent: none.
  std::optional<std::int64_t> largest() const { return largest_volume ? largest_volume : capacity; }
  bool operator==(const CSIStorageCapacity&) const = default;
};

// Kubernetes' rule of which volume a claim may be bound to, in two parts: whether the volume is
// large and able enough; and whether it is one of those that the claim wants.
bool IsEnough(const VolumeAsk& ask, const PersistentVolume& volume);
bool IsWanted(const VolumeAsk& ask, const PersistentVolume& volume);
// Whether a volume that is nobody's may be taken for any such claim.
bool MayBeTaken(const VolumeAsk& ask, const PersistentVolume& volume);
// Whether it is kept for that claim, "namespace/name", or is its already. One that names another
// uid is for a claim that is no more.
bool IsKeptFor(std::string_view claim, std::string_view uid, const PersistentVolume& volume);

// A claim that is not bound, as the engine sees it: one of the volumes that are there is taken for
// it, the smallest that will do; or one is made for it. Equal ones share one pointer.
struct VolumeWish {
  std::uint64_t number = 0;  // of what is asked: the same in every process
  std::int64_t bytes = 0;
  bool may_be_made = false;                  // where nothing that is there will do …
  std::vector<NodeSelectorTerm> made_where;  // … there; empty: everywhere
  // Storage of its class, by name: one is made of the first that reaches the node and suffices.
  struct Storage {
    std::string name;
    LabelSelector nodes;
    std::int64_t largest = 0;
    std::int64_t capacity = 0;
    bool operator==(const Storage&) const = default;
  };
  std::vector<Storage> storage;
  bool by_storage = false;  // else its driver does not say where there is storage
  bool in_making = false;   // its provisioner is at work: it takes storage, and none need be left
  // "namespace/name" where several pods name it, on several nodes perhaps: they have it together.
  std::string shared_claim;
  bool operator==(const VolumeWish&) const = default;
};
using VolumeWishPtr = std::shared_ptr<const VolumeWish>;

}  // namespace fairlead::objects
