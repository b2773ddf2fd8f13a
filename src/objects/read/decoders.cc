#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

DecoderTable MakeCoreDecoders() {
  constexpr std::string_view kOurs = "fairlead.dev/v1alpha1";
  DecoderTable table = {
      {"v1", "Pod", DecodePod},
      {"v1", "Node", DecodeNode},
      {"v1", "Namespace", DecodeNamespace},
      {"scheduling.k8s.io/v1", "PriorityClass", DecodePriorityClass},
      {"batch/v1", "Job", DecodeJob},
      {"apps/v1", "DaemonSet", DecodeDaemonSet},
      {"policy/v1", "PodDisruptionBudget", DecodePodDisruptionBudget},
      {"v1", "ResourceQuota", DecodeResourceQuota},
      {"v1", "PersistentVolumeClaim", DecodePersistentVolumeClaim},
      {"v1", "PersistentVolume", DecodePersistentVolume},
      {"storage.k8s.io/v1", "StorageClass", DecodeStorageClass},
      {"storage.k8s.io/v1", "CSINode", DecodeCSINode},
      {"storage.k8s.io/v1", "VolumeAttachment", DecodeVolumeAttachment},
      {"storage.k8s.io/v1", "CSIDriver", DecodeCSIDriver},
      {"storage.k8s.io/v1", "CSIStorageCapacity", DecodeCSIStorageCapacity},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", DecodeElasticQuota},
      {kOurs, "Queue", DecodeQueue},
      {kOurs, "Workload", DecodeWorkload},
      {kOurs, kTopology, DecodeTopology},
      {kOurs, kWindow, DecodeWindow},
      {kOurs, "SchedulerConfiguration", DecodeConfiguration},
  };
  for (const JobRow& row : JobRows()) {
    if (!row.is_generic()) continue;
    for (std::size_t at = 0; at < row.versions.size(); ++at) {
      table.push_back({row.api_versions[at], row.kind,
                       [&row, at](const Value& document, std::string_view file, Manifest& into) {
                         DecodeJobObject(row, at, document, file, into);
                       }});
    }
  }
  return table;
}

}  // namespace

const DecoderTable& CoreDecoders() {
  static OfJobRows<DecoderTable> table(MakeCoreDecoders);
  return table.Get();
}

}  // namespace fairlead::objects
