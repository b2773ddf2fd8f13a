#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

DecoderTable WithJobs(DecoderTable table) {
  for (const JobRow& row : JobRows()) {
    if (!row.is_generic()) continue;
    table.push_back({row.api_version, row.kind,
                     [&row](const Value& document, std::string_view file, Manifest& into) {
                       DecodeJobObject(row, document, file, into);
                     }});
  }
  return table;
}

}  // namespace

const DecoderTable& CoreDecoders() {
  constexpr std::string_view kOurs = "fairlead.dev/v1alpha1";
  static const DecoderTable kTable = WithJobs({
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
      {kOurs, "SchedulerConfiguration", DecodeConfiguration},
  });
  return kTable;
}

}  // namespace fairlead::objects
