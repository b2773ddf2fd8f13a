#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "objects/meta.h"

// Kubernetes' PersistentVolumeClaim and PersistentVolume, as far as they say whether a claim ties a
// pod to some nodes.

namespace fairlead::objects {

struct PersistentVolumeClaim {
  Meta meta;
  std::string volume;         // spec.volumeName; empty: none
  bool one_pod_only = false;  // accessModes has ReadWriteOncePod
  bool bound = false;         // status.phase is Bound
  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct PersistentVolume {
  Meta meta;
  std::string claim;  // spec.claimRef as "namespace/name"; empty: none
  bool has_node_affinity = false;
  bool operator==(const PersistentVolume&) const = default;
};

}  // namespace fairlead::objects
