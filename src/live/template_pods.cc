#include "live/template_pods.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/integer.h"
#include "effects/template_pods.h"
#include "jobs/job_kind.h"
#include "kube/version.h"
#include "live/requests.h"
#include "live/resources.h"
#include "objects/key.h"
#include "objects/read/json_fields.h"

namespace fairlead::live {
namespace {

using objects::At;
using objects::ParseJson;
using objects::TextAt;

namespace json = boost::json;

json::object CopyAt(const json::object& in, std::string_view key) {
  const json::object* found = objects::ObjectAt(in, key);
  return found != nullptr ? *found : json::object();
}

// Of keys: "namespace/trainer-worker-".
std::string StemOf(const std::string& workload, std::string_view pod_set) {
  return effects::TemplatePodStem(workload, pod_set) + "-";
}

std::int32_t IndexIn(std::string_view key, std::string_view stem) {
  if (!key.starts_with(stem)) return -1;
  return ParseInteger<std::int32_t>(key.substr(stem.size())).value_or(-1);
}

json::object PodFrom(const json::object& pod_template, std::string_view name,
                     const std::string& pod_set, const std::string& workload,
                     std::string_view workload_uid, const std::string& scheduler_name) {
  const auto [name_space, owner] = objects::SplitKey(workload);
  const json::object from = CopyAt(pod_template, "metadata");
  json::object labels = CopyAt(from, "labels");
  for (const auto& [key, value] : effects::TemplatePodLabels(owner, pod_set)) labels[key] = value;
  json::object spec = CopyAt(pod_template, "spec");
  if (TextAt(spec, "schedulerName").empty()) spec["schedulerName"] = scheduler_name;
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata",
           {{"name", name},
            {"namespace", name_space},
            {"labels", std::move(labels)},
            {"annotations", CopyAt(from, "annotations")},
            {"ownerReferences", json::array{{{"apiVersion", "fairlead.dev/v1alpha1"},
                                             {"kind", "Workload"},
                                             {"name", owner},
                                             {"uid", workload_uid},
                                             {"controller", true},
                                             {"blockOwnerDeletion", true}}}}}},
          {"spec", std::move(spec)}};
}

}  // namespace

TemplatePods::TemplatePods(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                           std::string scheduler_name,
                           std::function<void(const std::string&)> on_problem)
    : writer_(writer),
      cache_(cache),
      scheduler_name_(std::move(scheduler_name)),
      on_problem_(std::move(on_problem)),
      timers_(loop) {}

void TemplatePods::Remove(const std::string& workload, const std::string& pod_set,
                          std::int32_t surplus) {
  const auto* pods = cache_.PodsOf(workload);
  if (pods == nullptr) return;
  const std::string stem = StemOf(workload, pod_set);
  std::vector<std::pair<effects::SurplusPod, const std::string*>> staying;  // with their uids
  for (const auto& [name, pod] : *pods) {
    if (pod.pod_set != pod_set || pod.finished) continue;
    if (pod.terminating) {
      --surplus;
      continue;
    }
    staying.emplace_back(effects::SurplusPod{.bound = pod.bound,
                                             .scheduled = pod.scheduled,
                                             .created = pod.created,
                                             .index = IndexIn(name, stem),
                                             .name = name},
                         &pod.uid);
  }
  std::sort(staying.begin(), staying.end(),
            [](const auto& a, const auto& b) { return effects::LeavesBefore(a.first, b.first); });
  for (const auto& [pod, uid] : staying) {
    if (surplus-- <= 0) break;
    const std::string key(pod.name);
    writer_.Send(
        "Pod " + key, Delete(resources::Pods(), key, *uid),
        [this, name = key](const WriteResult& result) {
          if (result.done || kube::IsNotFound(result.status)) return;
          on_problem_(fmt::format("cannot remove pod {}: {}", name, result.status.ToString()));
        });
  }
}

std::vector<TemplatePods::Missing> TemplatePods::MissingOf(const std::string& workload,
                                                           const objects::Workload& shown,
                                                           Making& making) {
  std::vector<Missing> all;
  const auto* pods = cache_.PodsOf(workload);
  for (const objects::PodSet& set : shown.pod_sets) {
    if (!set.pod_template) continue;
    const std::int32_t wanted = jobs::CountOf(shown.admission, set.name).value_or(0);
    std::int32_t here = 0;
    if (pods != nullptr) {
      for (const auto& [name, pod] : *pods) {
        making.names.erase(name);
        if (pod.pod_set == set.name && (!pod.finished || pod.succeeded)) ++here;
      }
    }
    const std::string stem = StemOf(workload, set.name);
    for (const auto& [name, version] : making.names) here += name.starts_with(stem) ? 1 : 0;
    if (here > wanted) Remove(workload, set.name, here - wanted);
    Missing missing{.pod_set = set.name, .names = {}};
    for (std::int32_t i = 0; here < wanted; ++i) {
      std::string name = stem + std::to_string(i);
      if (cache_.Pod(name) || making.names.contains(name)) continue;
      missing.names.push_back(std::move(name));
      ++here;
    }
    if (!missing.names.empty()) all.push_back(std::move(missing));
  }
  return all;
}

void TemplatePods::Sync(const std::string& workload) {
  const CachedObject* held = cache_.Find("Workload", workload);
  const objects::Workload* shown = cache_.Workload(workload);
  if (shown == nullptr || shown->meta.deletion_time) {
    making_.erase(workload);
    return;
  }
  const bool has_template =
      std::any_of(shown->pod_sets.begin(), shown->pod_sets.end(),
                  [](const objects::PodSet& set) { return set.pod_template.has_value(); });
  // A job's pods are made by its own controller.
  if (!has_template || cache_.JobOf(workload) != nullptr) return;
  Making& making = making_[workload];
  // Those of another Workload of that name go with it.
  if (making.uid != held->ref.uid) making = {.uid = held->ref.uid};
  if (!making.reading && !MissingOf(workload, *shown, making).empty()) Read(workload);
}

// What we hold of a template is only what decides: the rest is read when pods are made.
void TemplatePods::Read(const std::string& workload) {
  making_.at(workload).reading = true;
  writer_.Send(
      "Workload " + workload, Get(resources::Workloads(), workload),
      [this, workload](const WriteResult& result) {
        const auto at = making_.find(workload);
        if (at == making_.end()) return;
        at->second.reading = false;
        if (result.done) return Make(workload, result.body);
        if (kube::IsNotFound(result.status)) return;
        on_problem_(fmt::format("cannot read Workload {}: {}", workload, result.status.ToString()));
        timers_.After(kube::kAfterRefusal, [this, workload] { Sync(workload); });
      });
}

void TemplatePods::Make(const std::string& workload, const std::string& body) {
  const objects::Workload* shown = cache_.Workload(workload);
  const json::value document = ParseJson(body);
  const json::value* spec = At(document, "spec");
  const json::value* sets = spec == nullptr ? nullptr : At(*spec, "podSets");
  const json::value* meta = At(document, "metadata");
  if (shown == nullptr || sets == nullptr || !sets->is_array() || meta == nullptr) return;
  Making& making = making_.at(workload);
  // Another has the name by now, and will be seen.
  if (TextAt(*meta, "uid") != making.uid) return;
  for (const Missing& missing : MissingOf(workload, *shown, making)) {
    const json::value* pod_template = nullptr;
    for (const json::value& set : sets->get_array()) {
      const std::string name = TextAt(set, "name");
      if ((name.empty() ? "main" : name) == missing.pod_set) pod_template = At(set, "template");
    }
    if (pod_template == nullptr || !pod_template->is_object()) continue;
    for (const std::string& key : missing.names) {
      making.names[key];
      const auto [name_space, name] = objects::SplitKey(key);
      json::object pod = PodFrom(pod_template->get_object(), name, missing.pod_set, workload,
                                 making.uid, scheduler_name_);
      writer_.Send(
          "Pod " + key, Create(resources::Pods(), name_space, std::move(pod)),
          [this, workload, key](const WriteResult& result) { Made(workload, key, result); });
    }
  }
}

void TemplatePods::Made(const std::string& workload, const std::string& pod,
                        const WriteResult& result) {
  const auto at = making_.find(workload);
  if (at == making_.end()) return;
  const auto name = at->second.names.find(pod);
  if (name == at->second.names.end()) return;  // seen already
  if (result.done) {
    const json::value document = ParseJson(result.body);
    const json::value* meta = At(document, "metadata");
    if (meta != nullptr) name->second = TextAt(*meta, "resourceVersion");
    unseen_.insert(workload);
    return;
  }
  // It is there: by a request of ours that nobody answered, perhaps. Else a quota or a webhook,
  // which may be mended.
  if (!kube::IsAlreadyExists(result.status)) {
    on_problem_(fmt::format("cannot make pod {}: {}", pod, result.status.ToString()));
  }
  timers_.After(kube::kAfterRefusal, [this, workload, pod] {
    const auto later = making_.find(workload);
    if (later == making_.end()) return;
    later->second.names.erase(pod);
    Sync(workload);
  });
}

// Who is not seen by the version in which he was made is gone again.
void TemplatePods::PodsReached(std::string_view version) {
  for (const std::string& workload : std::exchange(unseen_, {})) {
    const auto at = making_.find(workload);
    if (at == making_.end()) continue;
    std::erase_if(at->second.names, [&](const auto& name) {
      return !name.second.empty() && !kube::IsOlder(version, name.second);
    });
    const bool more = std::any_of(at->second.names.begin(), at->second.names.end(),
                                  [](const auto& name) { return !name.second.empty(); });
    if (more) unseen_.insert(workload);
    Sync(workload);
  }
}

}  // namespace fairlead::live
