#include "kube/template_pods.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "jobs/job_kind.h"
#include "kube/json.h"
#include "kube/requests.h"
#include "kube/resources.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

constexpr Duration kMuchLater = Duration::Seconds(30);

std::string NameSpaceOf(const std::string& key) { return key.substr(0, key.find('/')); }
std::string NameOf(const std::string& key) { return key.substr(key.find('/') + 1); }

json::object ObjectAt(const json::object& in, std::string_view key) {
  const json::value* value = in.if_contains(key);
  return value != nullptr && value->is_object() ? value->get_object() : json::object();
}

json::object PodFrom(const json::object& pod_template, const std::string& name,
                     const std::string& pod_set, const std::string& workload,
                     std::string_view workload_uid, const std::string& scheduler_name) {
  const json::object from = ObjectAt(pod_template, "metadata");
  json::object labels = ObjectAt(from, "labels");
  labels["fairlead.dev/workload"] = NameOf(workload);
  labels["fairlead.dev/pod-set"] = pod_set;
  json::object spec = ObjectAt(pod_template, "spec");
  if (TextAt(spec, "schedulerName").empty()) spec["schedulerName"] = scheduler_name;
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata",
           {{"name", name},
            {"namespace", NameSpaceOf(workload)},
            {"labels", std::move(labels)},
            {"annotations", ObjectAt(from, "annotations")},
            {"ownerReferences", json::array{{{"apiVersion", "fairlead.dev/v1alpha1"},
                                             {"kind", "Workload"},
                                             {"name", NameOf(workload)},
                                             {"uid", workload_uid},
                                             {"controller", true},
                                             {"blockOwnerDeletion", true}}}}}},
          {"spec", std::move(spec)}};
}

}  // namespace

TemplatePods::TemplatePods(Loop& loop, Writer& writer, const Held& held, std::string scheduler_name,
                           std::function<void(const std::string&)> on_problem)
    : writer_(writer),
      held_(held),
      scheduler_name_(std::move(scheduler_name)),
      on_problem_(std::move(on_problem)),
      timers_(loop) {}

void TemplatePods::Remove(const std::string& workload, const std::string& pod_set,
                          std::int32_t surplus) {
  const auto* pods = held_.PodsOf(workload);
  if (pods == nullptr) return;
  // Unbound ones first, then by name, from the last.
  for (const bool bound : {false, true}) {
    for (auto pod = pods->rbegin(); pod != pods->rend() && surplus > 0; ++pod) {
      const HeldPod& held = pod->second;
      if (held.pod_set != pod_set || held.bound != bound || held.finished) continue;
      --surplus;
      if (held.terminating) continue;
      writer_.Send("Pod " + pod->first, Delete(Pods(), pod->first, held.uid), nullptr);
    }
  }
}

std::vector<TemplatePods::Missing> TemplatePods::MissingOf(const std::string& workload,
                                                           const objects::Workload& shown,
                                                           Making& making) {
  std::vector<Missing> all;
  const auto* pods = held_.PodsOf(workload);
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
    const std::string stem = workload + "-" + set.name + "-";
    for (const std::string& name : making.names) here += name.starts_with(stem) ? 1 : 0;
    if (here > wanted) Remove(workload, set.name, here - wanted);
    Missing missing{.pod_set = set.name, .names = {}};
    for (std::int32_t i = 0; here < wanted; ++i) {
      std::string name = stem + std::to_string(i);
      if (held_.Pod(name) != nullptr || making.names.contains(name)) continue;
      missing.names.push_back(std::move(name));
      ++here;
    }
    if (!missing.names.empty()) all.push_back(std::move(missing));
  }
  return all;
}

void TemplatePods::Sync(const std::string& workload) {
  const objects::Workload* shown = held_.Workload(workload);
  if (shown == nullptr || shown->meta.deletion_time) {
    making_.erase(workload);
    return;
  }
  const bool has_template =
      std::any_of(shown->pod_sets.begin(), shown->pod_sets.end(),
                  [](const objects::PodSet& set) { return set.pod_template.has_value(); });
  // A job's pods are made by its own controller.
  if (!has_template || held_.JobOf(workload) != nullptr) return;
  Making& making = making_[workload];
  if (making.reading || MissingOf(workload, *shown, making).empty()) return;
  making.reading = true;
  writer_.Send("Workload " + workload, Get(Workloads(), workload),
               [this, workload](const WriteResult& result) {
                 const auto at = making_.find(workload);
                 if (at == making_.end()) return;
                 at->second.reading = false;
                 if (result.done) Make(workload, result.body);
               });
}

// `body` is the Workload as the server has it: what we hold of a template is only what decides.
void TemplatePods::Make(const std::string& workload, const std::string& body) {
  const objects::Workload* shown = held_.Workload(workload);
  const json::value document = ParseJson(body);
  const json::value* spec = At(document, "spec");
  const json::value* sets = spec == nullptr ? nullptr : At(*spec, "podSets");
  const json::value* meta = At(document, "metadata");
  if (shown == nullptr || sets == nullptr || !sets->is_array() || meta == nullptr) return;
  const std::string uid = TextAt(*meta, "uid");
  Making& making = making_[workload];
  for (const Missing& missing : MissingOf(workload, *shown, making)) {
    const json::value* pod_template = nullptr;
    for (const json::value& set : sets->get_array()) {
      const std::string name = TextAt(set, "name");
      if ((name.empty() ? "main" : name) == missing.pod_set) pod_template = At(set, "template");
    }
    if (pod_template == nullptr || !pod_template->is_object()) continue;
    for (const std::string& key : missing.names) {
      making.names.insert(key);
      json::object pod = PodFrom(pod_template->get_object(), NameOf(key), missing.pod_set, workload,
                                 uid, scheduler_name_);
      writer_.Send(
          "Pod " + key, Create(Pods(), NameSpaceOf(workload), std::move(pod)),
          [this, workload, key](const WriteResult& result) {
            if (result.done || IsAlreadyExists(result.status)) return;
            on_problem_(fmt::format("cannot make pod {}: {}", key, result.status.ToString()));
            // A quota or a webhook: it may be mended.
            timers_.After(kMuchLater, [this, workload, key] {
              making_[workload].names.erase(key);
              Sync(workload);
            });
          });
    }
  }
}

}  // namespace fairlead::kube
