#include "unit/live/job_controllers.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "jobs/job_kind.h"
#include "objects/read/json_fields.h"
#include "objects/read/reader.h"
#include "objects/write/writer.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::JobObject;
using objects::JobRow;
using objects::TextAt;

namespace json = boost::json;

json::array OwnedBy(std::string_view api_version, std::string_view kind, std::string_view name,
                    std::string_view uid) {
  return {{{"apiVersion", api_version},
           {"kind", kind},
           {"name", name},
           {"uid", uid},
           {"controller", true}}};
}
json::array OwnedBy(const JobObject& job) {
  return OwnedBy(job.api_version(), job.row->kind, job.meta.name, job.meta.uid);
}

bool HasPods(const JobObject& job) { return !job.suspend && !job.complete(); }

// By way of Jobs, whose pods have the labels all the same.
bool IsRunByJobs(const JobObject& job, const JobObject::Replicas& set) {
  return job.row->kind == "JobSet" || (job.row->kind == "MPIJob" && set.name == "launcher");
}

// What the operator writes where its pods say their pod set: of a group it is their index in it.
std::string SetLabelOf(const JobRow& row, const std::string& pod_set, std::int64_t index) {
  if (!row.pod_labels.group.empty()) return std::to_string(index);
  for (const auto& [value, named] : row.pod_labels.values) {
    if (named == pod_set && value != "*") return value;
  }
  return pod_set;
}

json::object LabelsOf(const JobObject& job, const JobObject::Replicas& set, std::int64_t group,
                      std::int64_t unit, std::int64_t index) {
  json::object labels;
  const auto say = [&labels](const std::string& label, const std::string& value) {
    if (!label.empty()) labels[label] = value;
  };
  const JobRow::PodLabels& of = job.row->pod_labels;
  say(of.job, job.meta.name);
  say(of.pod_set, SetLabelOf(*job.row, set.name, index));
  say(of.group, std::to_string(group));
  say(set.row->index_label, std::to_string(index));
  say(set.row->unit_label, std::to_string(unit));
  return labels;
}

bool Says(const json::object& pod, const std::string& label, std::string_view value) {
  const json::value* labels = At(pod.at("metadata"), "labels");
  return label.empty() || (labels != nullptr && TextAt(*labels, label) == value);
}

// Of the pods with the job's labels: whoever owns them.
bool IsOf(const json::object& pod, const JobObject& job, const JobObject::Replicas& set) {
  const json::value* labels = At(pod.at("metadata"), "labels");
  const JobRow::PodLabels& of = job.row->pod_labels;
  if (labels == nullptr || TextAt(*labels, of.job) != job.meta.name) return false;
  return of.pod_set.empty() ||
         jobs::FindKind(job.row->kind)->PodSetOf(TextAt(*labels, of.pod_set)) == set.name;
}

json::value SpecOfPods(const JobObject::Replicas& set) {
  objects::Pod pod;
  pod.spec = set.pod_template.spec;
  return objects::ToJson(pod).at("spec");
}

}  // namespace

objects::Object ReadShown(const json::object& shown) {
  objects::Manifest manifest;
  objects::ReadText(json::serialize(shown), "shown", objects::CoreDecoders(), manifest);
  for (const objects::Fault& fault : manifest.faults) ADD_FAILURE() << fault.ToString();
  CHECK(manifest.objects.size() == 1);
  return std::move(manifest.objects.front());
}

const JobObject& JobControllers::Read(const JobRow& row, const json::object& shown) {
  const json::value& meta = shown.at("metadata");
  const std::string version = TextAt(meta, "resourceVersion");
  const std::string key = row.plural + "/" + TextAt(meta, "namespace") + "/" + TextAt(meta, "name");
  const auto known = read_.find(key);
  if (known != read_.end() && known->second.first == version) return known->second.second;
  JobObject job = std::get<JobObject>(ReadShown(shown));
  return read_.insert_or_assign(key, std::pair(version, std::move(job))).first->second.second;
}

void JobControllers::Sync() {
  live_.clear();
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (!IsOver(pod) && !IsMarked(pod)) live_[OwnerUid(pod)].push_back(key);
  }
  for (const JobRow& row : objects::JobRows()) {
    std::vector<std::string> keys;
    for (const auto& [key, job] : world_.api.All(row.plural)) keys.push_back(key);
    for (const std::string& key : keys) {
      if (row.is_generic()) {
        SyncJobObject(row, key);
      } else {
        SyncBatchJob(key);
      }
    }
  }
}

// As the Job controller: as many pods as it says, none while it is suspended.
void JobControllers::SyncBatchJob(const std::string& key) {
  const json::object& job = *world_.api.Find("jobs", key);
  const json::object& spec = job.at("spec").as_object();
  const json::value* suspend = spec.if_contains("suspend");  // absent is false, as the API has it
  const bool suspended = suspend != nullptr && suspend->as_bool();
  const bool has_pods = !suspended && !Holds(job, "Complete") && !Holds(job, "Failed");
  const std::string name = TextAt(job.at("metadata"), "name");
  const std::string uid = TextAt(job.at("metadata"), "uid");
  const auto wanted = has_pods ? static_cast<std::size_t>(spec.at("parallelism").as_int64()) : 0;
  const std::vector<std::string>& live = live_[uid];
  for (std::size_t i = wanted; i < live.size(); ++i) world_.Delete("pods", live[i]);
  for (std::size_t i = live.size(); i < wanted; ++i) {
    json::object meta{{"name", fmt::format("{}-{}", name, made_["jobs/" + key]++)},
                      {"namespace", "team"},
                      {"creationTimestamp", world_.Stamp()},
                      {"ownerReferences", OwnedBy("batch/v1", "Job", name, uid)}};
    if (const json::value* of_pods = At(spec.at("template"), "metadata")) {
      meta["labels"] = of_pods->at("labels");
    }
    world_.api.Put("pods",
                   {{"metadata", std::move(meta)}, {"spec", spec.at("template").at("spec")}});
  }
}

void JobControllers::SyncJobObject(const JobRow& row, const std::string& key) {
  const json::object* shown = world_.api.Find(row.plural, key);
  if (shown == nullptr) return;  // another look took it away
  const JobObject& job = Read(row, *shown);
  if (!row.makes.empty()) return SyncMade(job);
  if (!row.components.empty()) return SyncComponents(job);
  if (row.is_let_go_by_pods()) {
    for (std::int64_t group = 0; group < job.groups.value_or(1); ++group) SyncGroup(job, group);
    return;
  }
  for (const JobObject::Replicas& set : job.pod_sets) {
    if (IsRunByJobs(job, set)) {
      SyncInnerJobs(job, set);
    } else {
      SyncPods(job, set);
    }
    if (HasPods(job) && job.is_in_order() && !HaveBegun(job, set, 0)) return;
  }
}

void JobControllers::SyncInnerJobs(const JobObject& job, const JobObject::Replicas& set) {
  for (std::int64_t unit = 0; unit < set.units(); ++unit) {
    const std::string name = fmt::format("{}-{}-{}", job.meta.name, set.name, unit);
    if (const json::object* shown = world_.api.Find("jobs", "team/" + name)) {
      if (shown->at("spec").at("suspend").as_bool() != HasPods(job)) continue;
      json::object inner = *shown;
      inner["spec"].as_object()["suspend"] = !HasPods(job);
      world_.api.Put("jobs", std::move(inner));
      continue;
    }
    const std::int64_t pods = set.pods_per_unit();
    world_.api.Put("jobs", {{"metadata",
                             {{"name", name},
                              {"namespace", "team"},
                              {"creationTimestamp", world_.Stamp()},
                              {"ownerReferences", OwnedBy(job)}}},
                            {"spec",
                             {{"suspend", !HasPods(job)},
                              {"parallelism", pods},
                              {"completions", pods},
                              {"completionMode", "Indexed"},
                              {"template",
                               {{"metadata", {{"labels", LabelsOf(job, set, 0, unit, unit)}}},
                                {"spec", SpecOfPods(set)}}}}}});
  }
}

// Each is a Job of its own name.
void JobControllers::SyncComponents(const JobObject& job) {
  for (const JobObject::Replicas& set : job.pod_sets) {
    const bool there = world_.api.Find("jobs", "team/" + set.component->name) != nullptr;
    if (there && !HasPods(job)) world_.Delete("jobs", "team/" + set.component->name);
    if (!there && HasPods(job)) PutJobOf(job, set, set.component->name, set.count());
  }
}

// Not suspended, and its pods say whose they are.
void JobControllers::PutJobOf(const JobObject& job, const JobObject::Replicas& set,
                              const std::string& name, std::int64_t pods) {
  json::object labels;
  if (!job.row->pod_labels.job.empty()) labels[job.row->pod_labels.job] = job.meta.name;
  world_.api.Put(
      "jobs", {{"metadata",
                {{"name", name},
                 {"namespace", "team"},
                 {"creationTimestamp", world_.Stamp()},
                 {"ownerReferences", OwnedBy(job)}}},
               {"spec",
                {{"parallelism", pods},
                 {"completions", pods},
                 {"template",
                  {{"metadata", {{"labels", std::move(labels)}}}, {"spec", SpecOfPods(set)}}}}}});
}

// What it makes by a Job of its own name comes when the other one's pods run.
void JobControllers::SyncSubmitter(const JobObject& job, const std::string& made_uid) {
  const bool there = world_.api.Find("jobs", "team/" + job.meta.name) != nullptr;
  if (!HasPods(job)) {
    if (there) world_.Delete("jobs", "team/" + job.meta.name);
    return;
  }
  const JobObject::Replicas& last = job.pod_sets.back();
  if (there || !job.is_in_order() || made_uid.empty()) return;
  std::int64_t wanted = 0, running = 0;
  for (const JobObject::Replicas& set : job.pod_sets) wanted += set.count();
  for (const auto& [key, pod] : world_.api.All("pods")) {
    running += OwnerUid(pod) == made_uid && IsRunning(pod) ? 1 : 0;
  }
  if (running >= wanted - last.count()) PutJobOf(job, last, job.meta.name, last.count());
}

void JobControllers::SyncMade(const JobObject& job) {
  const JobRow& row = *objects::FindJobRow(job.row->makes.front().kind);
  std::string there;
  for (const auto& [key, shown] : world_.api.All(row.plural)) {
    if (OwnerUid(shown) == job.meta.uid) there = key;
  }
  SyncSubmitter(job, there.empty()
                         ? std::string()
                         : TextAt(world_.api.Find(row.plural, there)->at("metadata"), "uid"));
  if (!HasPods(job)) {
    if (!there.empty()) world_.Delete(row.plural, there);
    return;
  }
  if (!there.empty()) return;
  JobObject made(row);
  made.meta.name = fmt::format("{}-{}", job.meta.name, made_[job.row->plural + job.meta.name]++);
  made.meta.name_space = "team";
  made.meta.labels = job.meta.labels;
  made.meta.creation_time = world_.WallNow();
  for (JobObject::Replicas set : job.pod_sets) {
    const auto at = set.row - job.row->pod_sets.data();
    if (at >= std::ssize(row.pod_sets)) continue;  // of another that it makes
    set.row = &row.pod_sets[static_cast<std::size_t>(at)];
    set.sidecars.resize(set.row->sidecars.size());
    made.pod_sets.push_back(std::move(set));
  }
  json::object shown = objects::ToJson(made).as_object();
  shown["metadata"].as_object()["ownerReferences"] = OwnedBy(job);
  world_.api.Put(row.plural, std::move(shown));
}

void JobControllers::SyncPods(const JobObject& job, const JobObject::Replicas& set) {
  const std::int64_t wanted = HasPods(job) ? set.count() : 0;
  std::vector<std::string> live;
  for (const std::string& key : live_[job.meta.uid]) {
    const json::object* pod = world_.Pod(key);
    if (pod != nullptr && IsOf(*pod, job, set)) live.push_back(key);
  }
  const std::string stem = job.meta.name + "-" + set.name;
  if (set.row->index_label.empty()) {
    for (auto i = wanted; i < std::ssize(live); ++i) {
      world_.Delete("pods", live[static_cast<std::size_t>(i)]);
    }
    for (auto i = std::ssize(live); i < wanted; ++i) {
      const std::string name = fmt::format("{}-{}", stem, made_[job.row->plural + stem]++);
      MakePod(job, set, name, {.unit = i / set.pods_per_unit(), .index = i});
    }
    return;
  }
  for (const std::string& key : live) {
    const std::string index = key.substr(key.rfind('-') + 1);
    if (std::stoll(index) >= wanted) world_.Delete("pods", key);
  }
  for (std::int64_t i = 0; i < wanted; ++i) {
    const std::string name = fmt::format("{}-{}", stem, i);
    if (world_.Pod("team/" + name) != nullptr) continue;
    MakePod(job, set, name, {.unit = i / set.pods_per_unit(), .index = i});
  }
}

void JobControllers::SyncGroup(const JobObject& job, std::int64_t group) {
  const JobRow::PodLabels& labels = job.row->pod_labels;
  std::int64_t wanted = 0;
  for (const JobObject::Replicas& set : job.pod_sets) wanted += set.count();
  std::int64_t there = 0;
  std::vector<std::string> staying;
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (!Says(pod, labels.job, job.meta.name) || !Says(pod, labels.group, std::to_string(group))) {
      continue;
    }
    ++there;
    if (!IsMarked(pod)) staying.push_back(key);
  }
  const std::string name = fmt::format("{} {}", job.meta.uid, group);
  if (there == wanted) whole_.insert(name);
  const bool lost_some = there < wanted && whole_.contains(name);
  if (there == 0) whole_.erase(name);
  if (there > 0 && (lost_some || std::ssize(staying) < there)) {
    for (const std::string& key : staying) world_.Delete("pods", key);
    return;
  }
  std::int64_t index = 0;
  for (const JobObject::Replicas& set : job.pod_sets) {
    for (std::int64_t i = 0; i < set.count(); ++i, ++index) {
      std::string pod = fmt::format("{}-{}", job.meta.name, group);
      if (index > 0) pod += fmt::format("-{}", index);
      if (world_.Pod("team/" + pod) != nullptr) continue;
      MakePod(job, set, pod, {.group = group, .index = index});
    }
    if (job.is_in_order() && !HaveBegun(job, set, group)) return;
  }
  whole_.insert(name);
}

void JobControllers::MakePod(const JobObject& job, const JobObject::Replicas& set,
                             const std::string& name, const Place& place) {
  // A StatefulSet's pods go with the set that goes with the job.
  json::array owner = job.row->is_let_go_by_pods()
                          ? OwnedBy("apps/v1", "StatefulSet", job.meta.name, job.meta.uid)
                          : OwnedBy(job);
  world_.api.Put("pods", {{"metadata",
                           {{"name", name},
                            {"namespace", "team"},
                            {"creationTimestamp", world_.Stamp()},
                            {"labels", LabelsOf(job, set, place.group, place.unit, place.index)},
                            {"ownerReferences", std::move(owner)}}},
                          {"spec", SpecOfPods(set)}});
}

bool JobControllers::HaveBegun(const JobObject& job, const JobObject::Replicas& set,
                               std::int64_t group) const {
  std::int64_t running = 0;
  for (const auto& [key, pod] : world_.api.All("pods")) {
    if (!IsOf(pod, job, set) || !Says(pod, job.row->pod_labels.group, std::to_string(group))) {
      continue;
    }
    running += IsRunning(pod) ? 1 : 0;
  }
  return running >= set.count();
}

}  // namespace fairlead::live
