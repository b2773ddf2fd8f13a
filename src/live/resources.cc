#include "live/resources.h"

#include <span>

#include "base/check.h"
#include "objects/job_rows.h"
#include "objects/pod_groups.h"
#include "objects/window.h"

namespace fairlead::live {
namespace {

constexpr std::string_view kOurs = "fairlead.dev";
constexpr std::string_view kKueue = "kueue.x-k8s.io";
const std::vector<std::string_view> kKueueVersions = {"v1beta2", "v1beta1"};

kube::Resource Make(std::string_view group, std::string_view version, std::string_view plural,
                    std::string_view kind) {
  return {.group = std::string(group),
          .version = std::string(version),
          .plural = std::string(plural),
          .kind = std::string(kind)};
}

void AddJobs(bool always_served, std::vector<Watched>& all) {
  for (const objects::JobRow& row : objects::JobRows()) {
    if (row.always_served != always_served) continue;
    all.push_back({row.group,
                   {row.versions.begin(), row.versions.end()},
                   row.plural,
                   row.kind,
                   /*required=*/always_served,
                   /*dispensable=*/!always_served});
  }
}

// "v1beta1" of "scheduling.k8s.io/v1beta1".
std::vector<std::string_view> VersionsOf(std::span<const std::string_view> api_versions) {
  std::vector<std::string_view> versions;
  for (const std::string_view version : api_versions) {
    versions.push_back(version.substr(version.find('/') + 1));
  }
  return versions;
}

void AddGroups(std::vector<Watched>& all) {
  for (const objects::GroupRow& row : objects::GroupRows()) {
    if (row.group.empty()) continue;
    Watched& watched = all.emplace_back();
    watched.group = row.group;
    watched.plural = "podgroups";
    watched.kind = objects::kPodGroup;
    watched.dispensable = true;
    watched.versions = VersionsOf(row.api_versions);
  }
}

void AddTopologies(std::vector<Watched>& all) {
  for (const objects::TopologyRow& row : objects::TopologyRows()) {
    Watched& watched = all.emplace_back();
    watched.group = row.group;
    watched.versions = VersionsOf(row.api_versions);
    watched.plural = "topologies";
    watched.kind = objects::kTopology;
    watched.dispensable = true;
  }
}

std::vector<Watched> MakeAll() {
  std::vector<Watched> all = {
      {.group = "",
       .versions = {"v1"},
       .plural = "nodes",
       .kind = "Node",
       .required = true,
       .many = true},
      {.group = "",
       .versions = {"v1"},
       .plural = "pods",
       .kind = "Pod",
       .required = true,
       .many = true},
      {"", {"v1"}, "namespaces", "Namespace", true},
      {"", {"v1"}, "resourcequotas", "ResourceQuota", true},
      {"", {"v1"}, "persistentvolumes", "PersistentVolume", true},
      {"", {"v1"}, "persistentvolumeclaims", "PersistentVolumeClaim", true},
      {"storage.k8s.io", {"v1"}, "storageclasses", "StorageClass", true},
      {"storage.k8s.io", {"v1"}, "csinodes", "CSINode", true},
      {"storage.k8s.io", {"v1"}, "volumeattachments", "VolumeAttachment", true},
      {"storage.k8s.io", {"v1"}, "csidrivers", "CSIDriver", true},
      {"storage.k8s.io", {"v1"}, "csistoragecapacities", "CSIStorageCapacity", true},
      {"scheduling.k8s.io", {"v1"}, "priorityclasses", "PriorityClass", true},
  };
  AddJobs(/*always_served=*/true, all);
  all.insert(all.end(), {{"apps", {"v1"}, "daemonsets", "DaemonSet", true},
                         {"policy", {"v1"}, "poddisruptionbudgets", "PodDisruptionBudget", true},
                         {kOurs, {"v1alpha1"}, "queues", "Queue"},
                         {kOurs, {"v1alpha1"}, "workloads", "Workload"},
                         {"scheduling.run.ai", {"v2"}, "queues", "Queue"},
                         {"scheduling.x-k8s.io", {"v1alpha1"}, "elasticquotas", "ElasticQuota"},
                         {kKueue, kKueueVersions, "resourceflavors", "ResourceFlavor"},
                         {kKueue, kKueueVersions, "cohorts", "Cohort"},
                         {kKueue, kKueueVersions, "clusterqueues", "ClusterQueue"},
                         {kKueue, kKueueVersions, "localqueues", "LocalQueue"},
                         {kKueue, kKueueVersions, "workloads", "Workload"},
                         {.group = kKueue,
                          .versions = kKueueVersions,
                          .plural = "workloadpriorityclasses",
                          .kind = "WorkloadPriorityClass",
                          .dispensable = true}});
  all.push_back({.group = kOurs,
                 .versions = {"v1alpha1"},
                 .plural = "windows",
                 .kind = objects::kWindow,
                 .dispensable = true});
  AddTopologies(all);
  all.push_back({.group = objects::kHyperNodeGroup,
                 .versions = {"v1alpha1"},
                 .plural = "hypernodes",
                 .kind = objects::kHyperNode,
                 .dispensable = true});
  AddGroups(all);
  AddJobs(/*always_served=*/false, all);
  return all;
}

}  // namespace

kube::Resource Watched::In(std::string_view version) const {
  return Make(group, version, plural, kind);
}

const std::vector<Watched>& AllWatched() {
  static objects::OfJobRows<std::vector<Watched>> all(MakeAll);
  return all.Get();
}

namespace resources {

const kube::Resource& Pods() {
  static const kube::Resource kResource = Make("", "v1", "pods", "Pod");
  return kResource;
}

const kube::Resource& Events() {
  static const kube::Resource kResource = Make("", "v1", "events", "Event");
  return kResource;
}

const kube::Resource& VolumeClaims() {
  static const kube::Resource kResource =
      Make("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim");
  return kResource;
}

const kube::Resource& Volumes() {
  static const kube::Resource kResource = Make("", "v1", "persistentvolumes", "PersistentVolume");
  return kResource;
}

const kube::Resource& Workloads() {
  static const kube::Resource kResource = Make(kOurs, "v1alpha1", "workloads", "Workload");
  return kResource;
}

const kube::Resource& Queues() {
  static const kube::Resource kResource = Make(kOurs, "v1alpha1", "queues", "Queue");
  return kResource;
}

const kube::Resource& ElasticQuotas() {
  static const kube::Resource kResource =
      Make("scheduling.x-k8s.io", "v1alpha1", "elasticquotas", "ElasticQuota");
  return kResource;
}

kube::Resource NativeGroups(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  CHECK(slash != std::string_view::npos);
  return Make(api_version.substr(0, slash), api_version.substr(slash + 1), "podgroups",
              objects::kPodGroup);
}

kube::Resource OfJob(const objects::Object& job) {
  const objects::JobRow* row = objects::FindJobRow(objects::KindOf(job));
  CHECK(row != nullptr);
  const auto* generic = std::get_if<objects::JobObject>(&job);
  const std::size_t version_at = generic == nullptr ? 0 : generic->version_at;
  return Make(row->group, row->versions[version_at], row->plural, row->kind);
}

}  // namespace resources
}  // namespace fairlead::live
