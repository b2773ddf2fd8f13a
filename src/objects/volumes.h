#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "objects/meta.h"
#include "objects/selector.h"

// Kubernetes' PersistentVolumeClaim, PersistentVolume and StorageClass, as far as they say where
// pods with a claim may run.

namespace fairlead::objects {

struct PersistentVolumeClaim {
  Meta meta;
  std::string volume;         // spec.volumeName; empty: none
  std::string storage_class;  // spec.storageClassName; empty: none
  std::string selected_node;  // annotation volume.kubernetes.io/selected-node
  bool one_pod_only = false;  // accessModes has ReadWriteOncePod
  bool bound = false;         // status.phase is Bound
  bool lost = false;          // … is Lost
  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct PersistentVolume {
  Meta meta;
  std::string claim;  // spec.claimRef as "namespace/name"; empty: none
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

}  // namespace fairlead::objects
