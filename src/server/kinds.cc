#include "server/kinds.h"

#include <iterator>

#include "base/ascii.h"
#include "objects/job_rows.h"
#include "objects/topology.h"

namespace fairlead::server {
namespace {

constexpr Kind kBeforeJobs[] = {
    {"SchedulerConfiguration", "schedulerconfigurations", "sc", "fairlead.dev/v1alpha1", false},
    {"Node", "nodes", "no", "v1", false},
    {"Namespace", "namespaces", "ns", "v1", false},
    {"PriorityClass", "priorityclasses", "pc", "scheduling.k8s.io/v1", false},
    {"Queue", "queues", "q", "fairlead.dev/v1alpha1", false},
    {"User", "users", "", "fairlead.dev/v1alpha1", false},
    {"Topology", "topologies", "topo", "fairlead.dev/v1alpha1", false},
    {"Window", "windows", "win", "fairlead.dev/v1alpha1", false},
    {objects::kHyperNode, "hypernodes", "hn", objects::kHyperNodeVersion, false},
    {"ElasticQuota", "elasticquotas", "eq", "scheduling.x-k8s.io/v1alpha1", true},
    {"ResourceQuota", "resourcequotas", "quota", "v1", true},
    {"ResourceFlavor", "resourceflavors", "rf", "kueue.x-k8s.io/v1beta2", false},
    {"Cohort", "cohorts", "", "kueue.x-k8s.io/v1beta2", false},
    {"ClusterQueue", "clusterqueues", "cq", "kueue.x-k8s.io/v1beta2", false},
    {"LocalQueue", "localqueues", "lq", "kueue.x-k8s.io/v1beta2", true},
    {"WorkloadPriorityClass", "workloadpriorityclasses", "", "kueue.x-k8s.io/v1beta2", false},
    {"Workload", "workloads", "wl", "fairlead.dev/v1alpha1", true},
    {"PodGroup", "podgroups", "pg", "scheduling.k8s.io/v1beta1", true},
};
constexpr Kind kBehindJobs[] = {
    {"DaemonSet", "daemonsets", "ds", "apps/v1", true},
    {"PodDisruptionBudget", "poddisruptionbudgets", "pdb", "policy/v1", true},
    {"StorageClass", "storageclasses", "", "storage.k8s.io/v1", false},
    {"CSINode", "csinodes", "", "storage.k8s.io/v1", false},
    {"VolumeAttachment", "volumeattachments", "", "storage.k8s.io/v1", false},
    {"CSIDriver", "csidrivers", "", "storage.k8s.io/v1", false},
    {"CSIStorageCapacity", "csistoragecapacities", "", "storage.k8s.io/v1", true},
    {"PersistentVolume", "persistentvolumes", "pv", "v1", false},
    {"PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "v1", true},
    {"Pod", "pods", "po", "v1", true},
    {"Event", "events", "ev", "fairlead.dev/v1alpha1", true},
};

std::vector<Kind> MakeKinds() {
  std::vector<Kind> all(std::begin(kBeforeJobs), std::end(kBeforeJobs));
  for (const objects::JobRow& row : objects::JobRows()) {
    all.push_back({row.kind, row.plural, "", row.api_versions.front(), true});
  }
  all.insert(all.end(), std::begin(kBehindJobs), std::end(kBehindJobs));
  return all;
}

const std::vector<Kind>& Kinds() {
  static objects::OfJobRows<std::vector<Kind>> kinds(MakeKinds);
  return kinds.Get();
}

}  // namespace

std::span<const Kind> AllKinds() { return Kinds(); }

const Kind* FindKind(std::string_view name) {
  const std::string wanted = LowerCase(name);
  for (const Kind& kind : Kinds()) {
    if (wanted == kind.plural || wanted == LowerCase(kind.kind) ||
        (!kind.short_name.empty() && wanted == kind.short_name)) {
      return &kind;
    }
  }
  return nullptr;
}

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const Kind& kind : Kinds()) {
    names.emplace_back(kind.plural);
    names.push_back(LowerCase(kind.kind));
    if (!kind.short_name.empty()) names.emplace_back(kind.short_name);
  }
  return names;
}

}  // namespace fairlead::server
