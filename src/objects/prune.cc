#include "objects/prune.h"

#include <span>

namespace fairlead::objects {
namespace {

struct Row {
  std::string_view key;
  Region region = Region::kSkipped;
};

// Keys that have no row are kept. A decoder that starts to read a field must have no row for it
// here; decode tests read whole manifests, so a missing field shows there.
constexpr Row kRoot[] = {{"metadata", Region::kMetadata}};
constexpr Row kPod[] = {
    {"metadata", Region::kMetadata}, {"spec", Region::kPodSpec}, {"status", Region::kPodStatus}};
constexpr Row kNode[] = {{"metadata", Region::kMetadata}, {"status", Region::kNodeStatus}};
constexpr Row kTemplated[] = {{"metadata", Region::kMetadata}, {"spec", Region::kTemplatedSpec}};
constexpr Row kMetadata[] = {{"managedFields"}, {"annotations", Region::kAnnotations}};
constexpr Row kAnnotations[] = {{"kubectl.kubernetes.io/last-applied-configuration"}};
constexpr Row kPodSpec[] = {
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
constexpr Row kContainer[] = {
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
constexpr Row kVolume[] = {{"projected"}, {"configMap"},   {"secret"},
                           {"hostPath"},  {"downwardAPI"}, {"emptyDir"}};
constexpr Row kPodStatus[] = {
    {"conditions", Region::kPodCondition},
    {"containerStatuses", Region::kContainerStatus},
    {"initContainerStatuses"},
    {"ephemeralContainerStatuses"},
    {"podIPs"},
    {"hostIPs"},
};
constexpr Row kContainerStatus[] = {
    {"lastState"},    {"image"},     {"imageID"},
    {"containerID"},  {"resources"}, {"allocatedResources"},
    {"volumeMounts"}, {"user"},      {"allocatedResourcesStatus"},
};
constexpr Row kCondition[] = {{"message"}, {"reason"}, {"lastProbeTime"}};
constexpr Row kPodCondition[] = {{"message"}, {"lastProbeTime"}};
constexpr Row kNodeStatus[] = {
    {"conditions", Region::kCondition},
    {"images"},
    {"nodeInfo"},
    {"addresses"},
    {"daemonEndpoints"},
    {"volumesAttached"},
    {"volumesInUse"},
    {"runtimeHandlers"},
};
constexpr Row kResourceQuota[] = {{"metadata", Region::kMetadata}, {"status"}};
constexpr Row kVolumeClaim[] = {{"metadata", Region::kMetadata}};
constexpr Row kPersistentVolume[] = {
    {"metadata", Region::kMetadata}, {"spec", Region::kVolumeSpec}, {"status"}};
constexpr Row kVolumeSpec[] = {{"csi"}, {"mountOptions"}, {"capacity"}};
constexpr Row kTemplatedSpec[] = {{"template", Region::kTemplate},
                                  {"mpiReplicaSpecs", Region::kReplicaSpecs}};
constexpr Row kReplicaSpecs[] = {{"Launcher", Region::kTemplatedSpec},
                                 {"Worker", Region::kTemplatedSpec}};
constexpr Row kTemplate[] = {{"metadata", Region::kMetadata}, {"spec", Region::kPodSpec}};

std::span<const Row> RowsOf(Region region) {
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
    case Region::kPersistentVolume:
      return kPersistentVolume;
    case Region::kVolumeSpec:
      return kVolumeSpec;
    case Region::kTemplatedSpec:
      return kTemplatedSpec;
    case Region::kReplicaSpecs:
      return kReplicaSpecs;
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
  if (kind == "PersistentVolume") return Region::kPersistentVolume;
  if (kind == "Job" || kind == "MPIJob" || kind == "DaemonSet") return Region::kTemplated;
  return Region::kRoot;
}

Region Below(Region region, std::string_view key) {
  if (region == Region::kSkipped) return Region::kSkipped;
  for (const Row& row : RowsOf(region)) {
    if (row.key == key) return row.region;
  }
  return Region::kKept;
}

}  // namespace fairlead::objects
