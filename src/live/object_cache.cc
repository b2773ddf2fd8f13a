#include "live/object_cache.h"

#include <algorithm>
#include <utility>

#include "jobs/job_kind.h"
#include "jobs/queued_job.h"
#include "objects/keys.h"

namespace fairlead::live {
namespace {

CachedPod Facts(const objects::Pod& pod) {
  CachedPod held{.uid = pod.meta.uid,
                 .pod_set = {},
                 .bound = !pod.spec.node_name.empty(),
                 .finished = pod.finished(),
                 .succeeded = pod.phase == objects::PodPhase::kSucceeded,
                 .terminating = pod.meta.deletion_time.has_value(),
                 .scheduled = pod.scheduled_time.value_or(Time::Max()),
                 .created = pod.meta.creation_time.value_or(Time::Max())};
  if (const std::string* set = objects::FindLabel(pod.meta.labels, objects::kPodSetLabel)) {
    held.pod_set = *set;
  }
  return held;
}

// The Workload that controls it; empty: none does.
std::string WorkloadOf(const objects::Pod& pod) {
  const objects::OwnerReference* owner = pod.meta.Controller();
  if (owner == nullptr || owner->kind != "Workload" ||
      !owner->api_version.starts_with("fairlead.dev/")) {
    return {};
  }
  return pod.meta.name_space + "/" + owner->name;
}

bool IsOfKueue(const objects::Object& object) {
  return std::holds_alternative<objects::ClusterQueue>(object) ||
         std::holds_alternative<objects::Cohort>(object) ||
         std::holds_alternative<objects::LocalQueue>(object) ||
         std::holds_alternative<objects::ResourceFlavor>(object);
}

bool IsHeld(const objects::Object& object) {
  if (const auto* workload = std::get_if<objects::Workload>(&object)) {
    return workload->dialect_kind.empty();
  }
  if (const auto* group = std::get_if<objects::PodGroup>(&object)) {
    return group->api == objects::GroupApi::kNative;
  }
  if (const auto* queue = std::get_if<objects::Queue>(&object)) return queue->dialect_kind.empty();
  return std::holds_alternative<objects::ElasticQuota>(object) ||
         std::holds_alternative<objects::PersistentVolumeClaim>(object) ||
         std::holds_alternative<objects::PersistentVolume>(object) || IsOfKueue(object) ||
         jobs::KindOf(object) != nullptr;
}

}  // namespace

void ObjectCache::Upsert(const objects::Object& object, const kube::ObjectRef& ref,
                         std::string_view api_version) {
  if (const auto* pod = std::get_if<objects::Pod>(&object)) {
    const std::string owner = WorkloadOf(*pod);
    if (owner.empty() && owners_.empty()) return;
    const std::string key = ref.Key();
    if (OwnerOf(key) != owner) Disown(key);
    if (owner.empty()) return;
    owners_[key] = owner;
    owned_[owner].insert_or_assign(key, Facts(*pod));
    return;
  }
  if (!IsHeld(object)) return;
  objects_[std::string(objects::KindOf(object))][ref.Key()] = {
      .object = object, .ref = ref, .api_version = std::string(api_version)};
}

void ObjectCache::Remove(const kube::Resource& resource, const kube::ObjectRef& ref) {
  if (resource.kind != "Pod") {
    const auto kind = objects_.find(resource.kind);
    if (kind == objects_.end()) return;
    const auto held = kind->second.find(ref.Key());
    // A dialect's object of the same kind and name is another one.
    if (held != kind->second.end() && held->second.ref.uid == ref.uid) kind->second.erase(held);
    return;
  }
  Disown(ref.Key());
}

void ObjectCache::Disown(std::string_view pod) {
  const auto found = owners_.find(pod);
  if (found == owners_.end()) return;
  if (const auto owner = owned_.find(found->second); owner != owned_.end()) {
    if (const auto held = owner->second.find(pod); held != owner->second.end()) {
      owner->second.erase(held);
    }
    if (owner->second.empty()) owned_.erase(owner);
  }
  owners_.erase(found);
}

std::string ObjectCache::OwnerOf(std::string_view pod) const {
  const auto found = owners_.find(pod);
  return found == owners_.end() ? std::string() : found->second;
}

const CachedObject* ObjectCache::Find(std::string_view kind, std::string_view key) const {
  const auto of_kind = objects_.find(kind);
  if (of_kind == objects_.end()) return nullptr;
  const auto held = of_kind->second.find(key);
  return held == of_kind->second.end() ? nullptr : &held->second;
}

const objects::Workload* ObjectCache::Workload(std::string_view key) const {
  const CachedObject* held = Find("Workload", key);
  return held == nullptr ? nullptr : &std::get<objects::Workload>(held->object);
}

const CachedObject* ObjectCache::JobOf(std::string_view workload) const {
  const objects::Workload* stands = Workload(workload);
  const jobs::JobKind* chosen =
      jobs::ChooseJob(stands == nullptr ? nullptr : &stands->meta, JobsNamed(workload));
  return chosen == nullptr ? nullptr : Find(chosen->kind(), workload);
}

jobs::FindJob ObjectCache::JobsNamed(std::string_view key) const {
  return [this, key = std::string(key)](std::string_view kind) -> const objects::Object* {
    const CachedObject* job = Find(kind, key);
    return job == nullptr ? nullptr : &job->object;
  };
}

const std::map<std::string, CachedPod, std::less<>>* ObjectCache::PodsOf(
    std::string_view workload) const {
  const auto owned = owned_.find(workload);
  return owned == owned_.end() ? nullptr : &owned->second;
}

}  // namespace fairlead::live
