#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/name_map.h"
#include "intake/intake.h"
#include "jobs/queued_job.h"
#include "kube/reflector.h"
#include "objects/objects.h"

namespace fairlead::live {

// What is kept of a pod that a Workload controls.
struct CachedPod {
  std::string uid;
  std::string pod_set;
  bool bound = false, finished = false, succeeded = false, terminating = false;
  Time scheduled = Time::Max(), created = Time::Max();  // Max(): not known
};

// An object of another kind, as it was told last.
struct CachedObject {
  objects::Object object;
  kube::ObjectRef ref;
  std::string api_version;
};

// What the cluster shows of the objects that are written to, or whose owners are told: pods as
// intake has them, Workloads, native PodGroups, jobs, queues, volumes and their claims, quotas and
// Kueue's objects about quota whole. Thread safety: none. Cost: a hash lookup a change.
class ObjectCache {
 public:
  // `intake` is told of every object before this is; it must outlive it.
  explicit ObjectCache(const intake::Intake& intake) : intake_(intake) {}

  // `object` may be of any kind; kinds that nobody writes to, nor tells of, are passed over.
  void Upsert(const objects::Object& object, const kube::ObjectRef& ref,
              std::string_view api_version);
  void Remove(const kube::Resource& resource, const kube::ObjectRef& ref);

  std::optional<intake::ShownPod> Pod(std::string_view key) const { return intake_.FindShown(key); }
  // "namespace/name" of the Workload that controls the pod; empty: none does.
  std::string OwnerOf(std::string_view pod) const;
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
  void Disown(std::string_view pod);

  const intake::Intake& intake_;
  NameMap<std::string> owners_;  // by pod: the Workload that controls it
  std::map<std::string, std::map<std::string, CachedPod, std::less<>>, std::less<>> owned_;
  std::map<std::string, std::map<std::string, CachedObject, std::less<>>, std::less<>> objects_;
};

}  // namespace fairlead::live
