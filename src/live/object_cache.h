#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/name_map.h"
#include "jobs/queued_job.h"
#include "kube/reflector.h"
#include "objects/objects.h"

namespace fairlead::live {

// What is kept of a pod for those who write to it.
struct CachedPod {
  std::string uid;
  std::string owner;  // "namespace/name" of the Workload that controls it; empty: none
  std::string pod_set;
  bool bound = false, finished = false, succeeded = false, terminating = false;
  Duration grace;  // its own, from an eviction to the end of its containers
  Time scheduled = Time::Max(), created = Time::Max();  // Max(): not known
};

// An object of another kind, as it was told last.
struct CachedObject {
  objects::Object object;
  kube::ObjectRef ref;
  std::string api_version;
};

// What the cluster shows of the objects that are written to, or whose owners are told: pods as far
// as that needs, Workloads, native PodGroups, jobs, queues, volumes and their claims, quotas and
// Kueue's objects about quota whole. Thread safety: none. Cost: a hash lookup a change.
class ObjectCache {
 public:
  // `object` may be of any kind; kinds that nobody writes to, nor tells of, are passed over.
  void Upsert(const objects::Object& object, const kube::ObjectRef& ref,
              std::string_view api_version);
  void Remove(const kube::Resource& resource, const kube::ObjectRef& ref);

  const CachedPod* Pod(std::string_view key) const;
  // `kind` as the resource names it: "Workload", "Job".
  const CachedObject* Find(std::string_view kind, std::string_view key) const;
  const objects::Workload* Workload(std::string_view key) const;  // ours
  // The job that the Workload of that name stands for, or, where there is no Workload, the one that
  // would get it; null: none.
  const CachedObject* JobOf(std::string_view workload) const;
  jobs::FindJob JobsNamed(std::string_view key) const;

  // Calls `take(key, held)` for all of a kind, by key.
  template <typename Take>
  void ForEach(std::string_view kind, Take take) const {
    const auto of_kind = objects_.find(kind);
    if (of_kind == objects_.end()) return;
    for (const auto& [key, held] : of_kind->second) take(key, held);
  }

  // Pods that the Workload controls, by name.
  const std::map<std::string, CachedPod, std::less<>>* PodsOf(std::string_view workload) const;

 private:
  NameMap<CachedPod> pods_;
  std::map<std::string, std::map<std::string, CachedPod, std::less<>>, std::less<>> owned_;
  std::map<std::string, std::map<std::string, CachedObject, std::less<>>, std::less<>> objects_;
};

}  // namespace fairlead::live
