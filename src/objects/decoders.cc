#include "objects/decode.h"

namespace fairlead::objects {

const DecoderTable& CoreDecoders() {
  constexpr std::string_view kOurs = "fairlead.dev/v1alpha1";
  static const DecoderTable kTable = {
      {"v1", "Pod", DecodePod},
      {"v1", "Node", DecodeNode},
      {"v1", "Namespace", DecodeNamespace},
      {"scheduling.k8s.io/v1", "PriorityClass", DecodePriorityClass},
      {"batch/v1", "Job", DecodeJob},
      {"apps/v1", "DaemonSet", DecodeDaemonSet},
      {"kubeflow.org/v2beta1", "MPIJob", DecodeMpiJob},
      {"policy/v1", "PodDisruptionBudget", DecodePodDisruptionBudget},
      {"v1", "ResourceQuota", DecodeResourceQuota},
      {"v1", "PersistentVolumeClaim", DecodePersistentVolumeClaim},
      {"v1", "PersistentVolume", DecodePersistentVolume},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", DecodeElasticQuota},
      {kOurs, "Queue", DecodeQueue},
      {kOurs, "Workload", DecodeWorkload},
      {kOurs, "SchedulerConfiguration", DecodeConfiguration},
  };
  return kTable;
}

}  // namespace fairlead::objects
