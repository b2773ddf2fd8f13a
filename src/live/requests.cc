#include "live/requests.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kube/query.h"
#include "live/resources.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "objects/write/write_parts.h"
#include "objects/write/writer.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

json::object MetaOf(std::string_view key, std::string_view uid) {
  const auto [name_space, name] = objects::SplitKey(key);
  json::object meta{{"name", name}};
  if (!name_space.empty()) meta["namespace"] = name_space;
  if (!uid.empty()) meta["uid"] = uid;
  return meta;
}

// Rounded up: 0 would delete a pod while its containers still run.
std::int64_t WholeSeconds(Duration duration) {
  const std::int64_t second = Duration::Seconds(1).us;
  return (duration.us + second - 1) / second;
}

// Strategic merge: conditions are merged by their type.
kube::Request PatchStatus(const kube::Resource& resource, std::string_view key,
                          std::string_view uid, json::object status) {
  return {.method = kube::Method::kPatch,
          .lane = kube::Lane::kWrites,
          .path = PathOf(resource, key) + "/status",
          .content_type = "application/strategic-merge-patch+json",
          .body = json::serialize(
              json::object{{"metadata", {{"uid", uid}}}, {"status", std::move(status)}})};
}

}  // namespace

std::string PathOf(const kube::Resource& resource, std::string_view key) {
  const auto [name_space, name] = objects::SplitKey(key);
  kube::Resource in = resource;
  in.name_space = std::string(name_space);
  return in.Path() + "/" + kube::Escaped(name);
}

kube::Request Get(const kube::Resource& resource, std::string_view key) {
  return {.method = kube::Method::kGet,
          .lane = kube::Lane::kReads,
          .path = PathOf(resource, key),
          .content_type = {}};
}

kube::Request Create(const kube::Resource& resource, std::string_view name_space,
                     const json::value& object) {
  kube::Resource in = resource;
  in.name_space = std::string(name_space);
  return {.method = kube::Method::kPost,
          .lane = kube::Lane::kWrites,
          .path = in.Path() + "?fieldManager=" + std::string(kFieldManager),
          .content_type = {},
          .body = json::serialize(object)};
}

kube::Request Delete(const kube::Resource& resource, std::string_view key, std::string_view uid,
                     std::optional<Duration> grace) {
  json::object options{{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  if (grace) options["gracePeriodSeconds"] = WholeSeconds(*grace);
  if (!uid.empty()) options["preconditions"] = json::object{{"uid", uid}};
  return {.method = kube::Method::kDelete,
          .lane = kube::Lane::kWrites,
          .path = PathOf(resource, key),
          .content_type = {},
          .body = json::serialize(options)};
}

kube::Request Bind(const effects::BindPod& bind, std::string_view uid) {
  json::object meta = MetaOf(bind.pod, uid);
  if (bind.gpu_device >= 0) {
    meta["annotations"] =
        json::object{{"fairlead.dev/gpu-device", fmt::to_string(bind.gpu_device)}};
  }
  const json::object binding{
      {"apiVersion", "v1"},
      {"kind", "Binding"},
      {"metadata", std::move(meta)},
      {"target", {{"apiVersion", "v1"}, {"kind", "Node"}, {"name", bind.node}}}};
  return {.method = kube::Method::kPost,
          .lane = kube::Lane::kBindings,
          .path = PathOf(resources::Pods(), bind.pod) + "/binding",
          .content_type = {},
          .body = json::serialize(binding)};
}

kube::Request Evict(std::string_view pod, std::string_view uid, std::optional<Duration> grace) {
  json::object options{{"preconditions", {{"uid", uid}}}};
  if (grace) options["gracePeriodSeconds"] = WholeSeconds(*grace);
  const json::object eviction{{"apiVersion", "policy/v1"},
                              {"kind", "Eviction"},
                              {"metadata", MetaOf(pod, {})},
                              {"deleteOptions", std::move(options)}};
  return {.method = kube::Method::kPost,
          .lane = kube::Lane::kWrites,
          .path = PathOf(resources::Pods(), pod) + "/eviction",
          .content_type = {},
          .body = json::serialize(eviction)};
}

kube::Request SetCondition(std::string_view pod, std::string_view uid,
                           const effects::ConditionText& condition, Time now) {
  return PatchStatus(
      resources::Pods(), pod, uid,
      {{"conditions", json::array{json::object{{"type", condition.type},
                                               {"status", condition.holds ? "True" : "False"},
                                               {"reason", condition.reason},
                                               {"message", condition.message},
                                               {"lastTransitionTime", FormatTime(now)}}}}});
}

kube::Request SetNominatedNode(std::string_view pod, std::string_view uid, std::string_view node) {
  return PatchStatus(resources::Pods(), pod, uid, {{"nominatedNodeName", node}});
}

namespace {

// By the status, which may carry annotations along: no right to change pods themselves is needed.
kube::Request SetPodAnnotation(std::string_view pod, std::string_view uid, std::string_view key,
                               json::value value) {
  kube::Request request = PatchStatus(resources::Pods(), pod, uid, {});
  json::object annotations;
  annotations[key] = std::move(value);
  request.body = json::serialize(json::object{
      {"metadata", json::object{{"uid", uid}, {"annotations", std::move(annotations)}}}});
  return request;
}

}  // namespace

kube::Request SetReservation(std::string_view pod, std::string_view uid,
                             const std::optional<objects::Reservation>& reservation) {
  return SetPodAnnotation(pod, uid, objects::kReservationAnnotation,
                          reservation ? json::value(objects::TextOf(*reservation)) : json::value());
}

kube::Request SetLandings(std::string_view pod, std::string_view uid,
                          const objects::Landings& landings) {
  return SetPodAnnotation(
      pod, uid, objects::kLandingsAnnotation,
      landings.empty() ? json::value() : json::value(objects::TextOf(landings)));
}

kube::Request SetGroupStatus(std::string_view api_version, std::string_view group,
                             std::string_view uid, const objects::Condition& condition) {
  return PatchStatus(resources::NativeGroups(api_version), group, uid,
                     {{"conditions", objects::ConditionsToJson({condition})}});
}

json::value MergePatch(const json::value& before, const json::value& after) {
  if (!before.is_object() || !after.is_object()) return before == after ? json::value() : after;
  json::object patch;
  for (const auto& [key, value] : after.get_object()) {
    const json::value* had = before.get_object().if_contains(key);
    if (had == nullptr) {
      patch[key] = value;
    } else if (*had != value) {
      patch[key] = MergePatch(*had, value);
    }
  }
  for (const auto& member : before.get_object()) {
    if (after.get_object().contains(member.key())) continue;
    if (!member.value().is_object()) {
      patch[member.key()] = nullptr;
    } else if (json::value gone = MergePatch(member.value(), json::object()); !gone.is_null()) {
      patch[member.key()] = std::move(gone);
    }
  }
  if (patch.empty()) return {};
  return patch;
}

bool ReplacesList(const json::value& patch) {
  if (!patch.is_object()) return patch.is_array();
  return std::ranges::any_of(patch.get_object(),
                             [](const auto& member) { return ReplacesList(member.value()); });
}

bool CarryOver(const json::value& before, const json::value& after, json::value& whole) {
  if (before == after) return true;
  if (before.is_array() && after.is_array()) {
    const std::size_t size = before.get_array().size();
    if (!whole.is_array() || whole.get_array().size() != size || after.get_array().size() != size) {
      return false;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (!CarryOver(before.get_array()[i], after.get_array()[i], whole.get_array()[i]))
        return false;
    }
    return true;
  }
  if (!before.is_object() || !after.is_object()) {
    whole = after;
    return true;
  }
  if (!whole.is_object()) whole = json::object();
  json::object& into = whole.get_object();
  for (const auto& member : before.get_object()) {
    json::value* there = into.if_contains(member.key());
    if (there == nullptr || after.get_object().contains(member.key())) continue;
    if (!member.value().is_object()) {
      into.erase(member.key());
    } else if (!CarryOver(member.value(), json::object(), *there)) {
      return false;
    }
  }
  for (const auto& member : after.get_object()) {
    const json::value* had = before.get_object().if_contains(member.key());
    if (had != nullptr && *had == member.value()) continue;  // it need not be written there so
    json::value& to = into[member.key()];
    const bool merges = had != nullptr || (to.is_object() && member.value().is_object());
    if (!merges) {
      to = member.value();
    } else if (!CarryOver(had != nullptr ? *had : json::value(json::object()), member.value(),
                          to)) {
      return false;
    }
  }
  return true;
}

kube::Request Patch(const kube::Resource& resource, const kube::ObjectRef& ref, json::value patch) {
  json::object body = std::move(patch.as_object());
  json::value& meta = body["metadata"];
  if (!meta.is_object()) meta = json::object();
  meta.as_object()["uid"] = ref.uid;
  if (!ref.version.empty()) meta.as_object()["resourceVersion"] = ref.version;
  return {.method = kube::Method::kPatch,
          .lane = kube::Lane::kWrites,
          .path = PathOf(resource, ref.Key()) + "?fieldManager=" + std::string(kFieldManager),
          .content_type = "application/merge-patch+json",
          .body = json::serialize(body)};
}

kube::Request SetAnnotation(const kube::Resource& resource, const kube::ObjectRef& ref,
                            std::string_view key, std::optional<std::string_view> value) {
  json::object annotations;
  annotations[key] = value ? json::value(*value) : json::value();
  return Patch(resource, ref,
               json::object{{"metadata", json::object{{"annotations", std::move(annotations)}}}});
}

kube::Request Apply(const kube::Resource& resource, std::string_view key, const json::value& object,
                    std::string_view subresource, std::string_view manager) {
  std::string path = PathOf(resource, key);
  if (!subresource.empty()) path += "/" + std::string(subresource);
  return {.method = kube::Method::kPatch,
          .lane = kube::Lane::kWrites,
          .path = path + "?force=true&fieldManager=" + std::string(manager),
          .content_type = "application/apply-patch+yaml",
          .body = json::serialize(object)};
}

kube::Request ApplyStatus(const kube::Resource& resource, const objects::Object& object) {
  const std::string key = objects::MetaOf(object).Key();
  json::object status = objects::ToJson(object).as_object();
  status.erase("spec");
  return Apply(resource, key, std::move(status), "status");
}

namespace {

// Events of what is in no namespace are in that one.
std::string_view NameSpaceOf(const EventObject& event) {
  const std::string_view name_space = objects::SplitKey(event.object).name_space;
  return name_space.empty() ? std::string_view("default") : name_space;
}

}  // namespace

std::string NameOf(const EventObject& event, const EventSource& source) {
  const std::string_view name = objects::SplitKey(event.object).name;
  return fmt::format("{}.{:x}{:x}", name.substr(0, 200), source.run, event.number);
}

kube::Request CreateEvent(const EventObject& event, const EventSource& source) {
  const auto [name_space, name] = objects::SplitKey(event.object);
  json::object regarding{
      {"apiVersion", event.api_version.view()}, {"kind", event.kind.view()}, {"name", name}};
  if (!name_space.empty()) regarding["namespace"] = name_space;
  if (!event.uid.empty()) regarding["uid"] = event.uid.ToString();
  const std::string_view in = NameSpaceOf(event);
  json::object object{{"apiVersion", "v1"},
                      {"kind", "Event"},
                      {"metadata", {{"name", NameOf(event, source)}, {"namespace", in}}},
                      {"involvedObject", std::move(regarding)},
                      {"type", event.type},
                      {"reason", event.reason.view()},
                      {"action", event.action},
                      // The API server refuses longer ones.
                      {"message", event.note.view().substr(0, 1024)},
                      {"source", {{"component", source.reporter}}},
                      {"reportingComponent", source.reporter},
                      {"reportingInstance", source.instance},
                      {"firstTimestamp", FormatTime(event.first)},
                      {"lastTimestamp", FormatTime(event.last)},
                      {"count", event.count}};
  kube::Request request = Create(resources::Events(), in, std::move(object));
  request.lane = kube::Lane::kEvents;
  return request;
}

kube::Request RepeatEvent(const EventObject& event, const EventSource& source) {
  const std::string key = objects::JoinKey(NameSpaceOf(event), NameOf(event, source));
  return {.method = kube::Method::kPatch,
          .lane = kube::Lane::kEvents,
          .path = PathOf(resources::Events(), key),
          .content_type = "application/merge-patch+json",
          .body = json::serialize(
              json::object{{"count", event.count}, {"lastTimestamp", FormatTime(event.last)}})};
}

}  // namespace fairlead::live
