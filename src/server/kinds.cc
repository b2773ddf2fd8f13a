#include "server/kinds.h"

#include <algorithm>
#include <array>

namespace fairlead::server {
namespace {

constexpr std::array<Kind, 20> kKinds = {{
    {"SchedulerConfiguration", "schedulerconfigurations", "sc", "fairlead.dev/v1alpha1", false},
    {"Node", "nodes", "no", "v1", false},
    {"Namespace", "namespaces", "ns", "v1", false},
    {"PriorityClass", "priorityclasses", "pc", "scheduling.k8s.io/v1", false},
    {"Queue", "queues", "q", "fairlead.dev/v1alpha1", false},
    {"ElasticQuota", "elasticquotas", "eq", "scheduling.x-k8s.io/v1alpha1", true},
    {"ResourceQuota", "resourcequotas", "quota", "v1", true},
    {"ResourceFlavor", "resourceflavors", "rf", "kueue.x-k8s.io/v1beta2", false},
    {"Cohort", "cohorts", "", "kueue.x-k8s.io/v1beta2", false},
    {"ClusterQueue", "clusterqueues", "cq", "kueue.x-k8s.io/v1beta2", false},
    {"LocalQueue", "localqueues", "lq", "kueue.x-k8s.io/v1beta2", true},
    {"Workload", "workloads", "wl", "fairlead.dev/v1alpha1", true},
    {"Job", "jobs", "", "batch/v1", true},
    {"MPIJob", "mpijobs", "", "kubeflow.org/v2beta1", true},
    {"DaemonSet", "daemonsets", "ds", "apps/v1", true},
    {"PodDisruptionBudget", "poddisruptionbudgets", "pdb", "policy/v1", true},
    {"PersistentVolume", "persistentvolumes", "pv", "v1", false},
    {"PersistentVolumeClaim", "persistentvolumeclaims", "pvc", "v1", true},
    {"Pod", "pods", "po", "v1", true},
    {"Event", "events", "ev", "fairlead.dev/v1alpha1", true},
}};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace

std::span<const Kind> AllKinds() { return kKinds; }

const Kind* FindKind(std::string_view name) {
  const std::string wanted = Lower(name);
  for (const Kind& kind : kKinds) {
    if (wanted == kind.plural || wanted == Lower(kind.kind) ||
        (!kind.short_name.empty() && wanted == kind.short_name)) {
      return &kind;
    }
  }
  return nullptr;
}

std::vector<std::string> KindNames() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) {
    names.emplace_back(kind.plural);
    names.push_back(Lower(kind.kind));
    if (!kind.short_name.empty()) names.emplace_back(kind.short_name);
  }
  return names;
}

}  // namespace fairlead::server
