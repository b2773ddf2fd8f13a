#include "objects/read/prune.h"

#include <span>

#include "base/same_key.h"
#include "objects/job_rows.h"

namespace fairlead::objects {
namespace {

struct Field {
  std::string_view key;
  Region region = Region::kSkipped;
};

// Keys that have no row are kept. A decoder that starts to read a field must have no row for it
// here; decode tests read whole manifests, so a missing field shows there.
constexpr Field kRoot[] = {{"metadata", Region::kMetadata}};
constexpr Field kPod[] = {
    {"metadata", Region::kMetadata}, {"spec", Region::kPodSpec}, {"status", Region::kPodStatus}};
constexpr Field kNode[] = {{"metadata", Region::kMetadata}, {"status", Region::kNodeStatus}};
constexpr Field kTemplated[] = {{"metadata", Region::kMetadata}, {"spec", Region::kTemplatedSpec}};
constexpr Field kMetadata[] = {{"managedFields"}, {"annotations", Region::kAnnotations}};
constexpr Field kAnnotations[] = {{"kubectl.kubernetes.io/last-applied-configuration"}};
constexpr Field kPodSpec[] = {
    {"containers", Region::kContainer},
    {"initContainers", Region::kContainer},
    {"volumes", Region::kVolume},
    {"ephemeralContainers"},
    {"securityContext"},
    {"imagePullSecrets"},
    {"dnsConfig"},
    {"hostAliases"},
    {"readinessGates"},
};
constexpr Field kContainer[] = {
    {"env"},
    {"envFrom"},
    {"volumeMounts"},
    {"volumeDevices"},
    {"image"},
    {"imagePullPolicy"},
    {"command"},
    {"args"},
    {"livenessProbe"},
    {"readinessProbe"},
    {"startupProbe"},
    {"lifecycle"},
    {"securityContext"},
    {"terminationMessagePath"},
    {"terminationMessagePolicy"},
};
constexpr Field kVolume[] = {{"projected"}, {"configMap"},   {"secret"},
                             {"hostPath"},  {"downwardAPI"}, {"emptyDir"}};
constexpr Field kPodStatus[] = {
    {"conditions", Region::kPodCondition},
    {"containerStatuses", Region::kContainerStatus},
    {"initContainerStatuses"},
    {"ephemeralContainerStatuses"},
    {"podIPs"},
    {"hostIPs"},
};
constexpr Field kContainerStatus[] = {
    {"lastState"},    {"image"},     {"imageID"},
    {"containerID"},  {"resources"}, {"allocatedResources"},
    {"volumeMounts"}, {"user"},      {"allocatedResourcesStatus"},
};
constexpr Field kCondition[] = {{"message"}, {"reason"}, {"lastProbeTime"}};
constexpr Field kPodCondition[] = {{"lastProbeTime"}};
constexpr Field kNodeStatus[] = {
    {"conditions", Region::kCondition},
    {"images"},
    {"nodeInfo"},
    {"addresses"},
    {"daemonEndpoints"},
    {"volumesAttached"},
    {"volumesInUse"},
    {"runtimeHandlers"},
};
constexpr Field kResourceQuota[] = {{"metadata", Region::kMetadata}, {"status"}};
constexpr Field kVolumeClaim[] = {{"metadata", Region::kMetadata}};
constexpr Field kStorageClass[] = {{"metadata", Region::kMetadata}, {"parameters"}};
constexpr Field kPersistentVolume[] = {{"metadata", Region::kMetadata},
                                       {"spec", Region::kVolumeSpec}};
constexpr Field kVolumeSpec[] = {{"csi", Region::kCsi}, {"mountOptions"}};
constexpr Field kCsi[] = {{"volumeAttributes"}};
constexpr Field kTemplatedSpec[] = {{"template", Region::kTemplate}};
constexpr Field kTemplate[] = {{"metadata", Region::kMetadata}, {"spec", Region::kPodSpec}};

std::span<const Field> FieldsOf(Region region) {
  switch (region) {
    case Region::kSkipped:
    case Region::kKept:
      return {};
    case Region::kRoot:
      return kRoot;
    case Region::kPod:
      return kPod;
    case Region::kNode:
      return kNode;
    case Region::kTemplated:
      return kTemplated;
    case Region::kMetadata:
      return kMetadata;
    case Region::kAnnotations:
      return kAnnotations;
    case Region::kPodSpec:
      return kPodSpec;
    case Region::kContainer:
      return kContainer;
    case Region::kVolume:
      return kVolume;
    case Region::kPodStatus:
      return kPodStatus;
    case Region::kContainerStatus:
      return kContainerStatus;
    case Region::kCondition:
      return kCondition;
    case Region::kPodCondition:
      return kPodCondition;
    case Region::kNodeStatus:
      return kNodeStatus;
    case Region::kResourceQuota:
      return kResourceQuota;
    case Region::kVolumeClaim:
      return kVolumeClaim;
    case Region::kStorageClass:
      return kStorageClass;
    case Region::kPersistentVolume:
      return kPersistentVolume;
    case Region::kVolumeSpec:
      return kVolumeSpec;
    case Region::kCsi:
      return kCsi;
    case Region::kTemplatedSpec:
      return kTemplatedSpec;
    case Region::kTemplate:
      return kTemplate;
  }
  return {};
}

}  // namespace

Region RootOf(std::string_view kind, Keep keep) {
  if (keep == Keep::kAll) return Region::kKept;
  if (kind == "Pod") return Region::kPod;
  if (kind == "Node") return Region::kNode;
  if (kind == "ResourceQuota") return Region::kResourceQuota;
  if (kind == "PersistentVolumeClaim") return Region::kVolumeClaim;
  if (kind == "StorageClass") return Region::kStorageClass;
  if (kind == "PersistentVolume") return Region::kPersistentVolume;
  if (kind == "DaemonSet" || FindJobRow(kind) != nullptr) return Region::kTemplated;
  return Region::kRoot;
}

Region Below(Region region, std::string_view key) {
  if (region == Region::kSkipped) return Region::kSkipped;
  for (const Field& field : FieldsOf(region)) {
    if (SameKey(field.key, key)) return field.region;
  }
  if (region == Region::kTemplatedSpec) return region;  // a template may lie deeper
  return Region::kKept;
}

}  // namespace fairlead::objects
