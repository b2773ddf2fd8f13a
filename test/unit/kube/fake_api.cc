#include "unit/kube/fake_api.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "kube/json.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;
using Answer = FakeApi::Answer;

std::string Unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

json::object& Below(json::object& object, std::string_view key) {
  json::value& value = object[key];
  if (!value.is_object()) value = json::object();
  return value.get_object();
}

std::string MetaText(const json::object& object, std::string_view key) {
  const json::value* metadata = object.if_contains("metadata");
  return metadata == nullptr ? std::string() : TextAt(*metadata, key);
}

std::string KeyOf(const json::object& object) {
  const std::string name_space = MetaText(object, "namespace");
  const std::string name = MetaText(object, "name");
  return name_space.empty() ? name : name_space + "/" + name;
}

std::string KeyOf(const FakeApi::Target& target) {
  return target.name_space.empty() ? target.name : target.name_space + "/" + target.name;
}

// A list whose items are told apart by their type, as the strategic merge patch has it.
void MergeByType(json::array& into, const json::array& patch) {
  for (const json::value& item : patch) {
    const auto same = std::find_if(into.begin(), into.end(), [&](const json::value& each) {
      return TextAt(each, "type") == TextAt(item, "type");
    });
    if (same == into.end()) {
      into.push_back(item);
    } else {
      *same = item;
    }
  }
}

// RFC 7386.
void Merge(json::object& into, const json::object& patch) {
  for (const auto& [key, value] : patch) {
    if (value.is_null()) {
      into.erase(key);
    } else if (const json::object* below = value.if_object()) {
      Merge(Below(into, key), *below);
    } else {
      into[key] = value;
    }
  }
}

// "a.b=c,d!=e" over the object's fields.
bool Matches(const json::object& object, const std::string& selector) {
  for (const std::string& part : Split(selector, ',')) {
    const std::size_t equals = part.find('=');
    const bool differs = part[equals - 1] == '!';
    json::value at = object;
    for (const std::string& key : Split(part.substr(0, equals - (differs ? 1 : 0)), '.')) {
      const json::value* below = At(at, key);
      at = below == nullptr ? json::value() : json::value(*below);
    }
    const std::string text = at.is_string() ? std::string(at.get_string()) : std::string();
    if ((text == part.substr(equals + 1)) == differs) return false;
  }
  return true;
}

bool Wanted(const std::optional<json::object>& object, const FakeApi::Target& target) {
  if (!object) return false;
  if (!target.name_space.empty() && MetaText(*object, "namespace") != target.name_space) {
    return false;
  }
  const auto selector = target.query.find("fieldSelector");
  return selector == target.query.end() || Matches(*object, selector->second);
}

Answer NotFound(const FakeApi::Target& target) {
  return StatusAnswer(404, "NotFound",
                      fmt::format("{} \"{}\" not found", target.kind->plural, target.name));
}

Answer Conflict(const FakeApi::Target& target, std::string_view why) {
  return StatusAnswer(409, "Conflict",
                      fmt::format("Operation cannot be fulfilled on {} \"{}\": {}",
                                  target.kind->plural, target.name, why));
}

std::uint64_t VersionIn(const FakeApi::Target& target) {
  const auto version = target.query.find("resourceVersion");
  return version == target.query.end() ? 0 : std::stoull(version->second);
}

Answer TooLarge() {
  return StatusAnswer(
      504, "Timeout", "Too large resource version",
      {{"causes",
        {{{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}}}},
       {"retryAfterSeconds", 1}});
}

Answer Good(const json::value& value, int status = 200) {
  return {.status = status, .body = json::serialize(value) + "\n"};
}

}  // namespace

Answer StatusAnswer(int code, std::string_view reason, std::string_view message,
                    json::object details) {
  json::object status{
      {"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"},       {"code", code},
      {"reason", reason}, {"message", message}, {"metadata", json::object()}};
  if (!details.empty()) status["details"] = std::move(details);
  return Good(status, code);
}

void FakeApi::Serve(Kind kind) {
  const std::string plural = kind.plural;
  Store& store = stores_[plural];
  store.kind = std::move(kind);
  if (std::exchange(store.served, true)) return;
  ++version_;
  for (const auto& listener : listeners_) listener();
}

void FakeApi::Withdraw(const std::string& plural) {
  Store& store = stores_.at(plural);
  store.served = false;
  while (!store.objects.empty()) Erase(plural, std::string(store.objects.begin()->first));
  ++version_;
  for (const auto& listener : listeners_) listener();
}

void FakeApi::TurnBack(std::uint64_t version) {
  version_ = version;
  compacted_ = version;
  for (auto& [plural, store] : stores_) {
    store.events.clear();
    for (auto& [key, object] : store.objects) {
      Below(object, "metadata")["resourceVersion"] = std::to_string(version);
    }
  }
}

FakeApi::Target FakeApi::Parse(const std::string& path) const {
  Target target;
  const std::size_t question = path.find('?');
  std::vector<std::string> parts = Split(path.substr(0, question), '/');
  for (std::string& part : parts) part = Unescaped(part);
  const std::string query = question == std::string::npos ? "" : path.substr(question + 1);
  for (const std::string& field : Split(query, '&')) {
    const std::size_t equals = field.find('=');
    target.query[field.substr(0, equals)] = Unescaped(field.substr(equals + 1));
  }
  const std::size_t group = parts.empty() || parts[0] == "api" ? 2 : 3;
  if (parts.size() <= group) return target;
  const std::string api_version = group == 2 ? parts[1] : parts[1] + "/" + parts[2];
  std::size_t at = group;
  if (parts[at] == "namespaces" && parts.size() > at + 2) {
    target.name_space = parts[at + 1];
    at += 2;
  }
  const auto store = stores_.find(parts[at]);
  if (store == stores_.end() || !store->second.served) return target;
  if (store->second.kind.api_version != api_version) return target;
  target.kind = &store->second.kind;
  if (parts.size() > at + 1) target.name = parts[at + 1];
  if (parts.size() > at + 2) target.subresource = parts[at + 2];
  return target;
}

Answer FakeApi::Handle(const Request& request, Time wall_now) {
  const Target target = Parse(request.path);
  if (target.kind == nullptr) {
    if (request.method == Method::kGet && request.path.find('?') == std::string::npos) {
      return Discover(request.path);
    }
    return {.status = 404, .body = "404 page not found\n"};
  }
  const json::value value = ParseJson(request.body);
  const json::object body = value.is_object() ? value.get_object() : json::object();
  switch (request.method) {
    case Method::kGet: {
      if (target.name.empty()) return List(target);
      const json::object* found = Find(target.kind->plural, KeyOf(target));
      return found == nullptr ? NotFound(target) : Good(*found);
    }
    case Method::kPost:
      if (target.subresource == "binding") return Bind(target, body, wall_now);
      if (target.subresource == "eviction") return Evict(target, body, wall_now);
      return Create(target, body, wall_now);
    case Method::kPut:
      return Replace(target, body);
    case Method::kPatch:
      return Patch(target, request, wall_now);
    case Method::kDelete: {
      const json::value* preconditions = At(value, "preconditions");
      return Delete(target, preconditions == nullptr ? "" : TextAt(*preconditions, "uid"),
                    wall_now);
    }
  }
  return StatusAnswer(405, "MethodNotAllowed", "the method is not supported");
}

Answer FakeApi::Discover(const std::string& path) const {
  json::array resources;
  for (const auto& [plural, store] : stores_) {
    const std::string& api_version = store.kind.api_version;
    const bool core = api_version.find('/') == std::string::npos;
    if (store.served && path == (core ? "/api/" : "/apis/") + api_version) {
      resources.push_back({{"name", plural}, {"kind", store.kind.kind}});
    }
  }
  if (resources.empty()) return {.status = 404, .body = "404 page not found\n"};
  return Good({{"kind", "APIResourceList"}, {"resources", std::move(resources)}});
}

// As they were when `version` was the newest.
std::map<std::string, json::object> FakeApi::ObjectsAt(const Store& store, std::uint64_t version) {
  std::map<std::string, json::object> objects = store.objects;
  for (auto event = store.events.rbegin(); event != store.events.rend() && event->version > version;
       ++event) {
    if (event->before) {
      objects[KeyOf(*event->before)] = *event->before;
    } else {
      objects.erase(KeyOf(*event->after));
    }
  }
  return objects;
}

Answer FakeApi::List(const Target& target) {
  if (VersionIn(target) > version_) return TooLarge();
  const auto field = [&](const char* key) {
    const auto found = target.query.find(key);
    return found == target.query.end() ? std::string() : found->second;
  };
  std::vector<json::value> left;
  std::uint64_t version = version_;
  const std::string token = field("continue");
  if (!token.empty()) {
    version = std::stoull(token);
    const auto pages = pages_.find(token);
    if (version < compacted_ || pages == pages_.end()) {
      return StatusAnswer(410, "Expired", "The provided continue parameter is too old");
    }
    left = std::move(pages->second);
    pages_.erase(pages);
  } else {
    const bool from_cache = cached_ && field("resourceVersion") == "0";
    if (from_cache) version = *cached_;
    const Store& store = stores_.at(target.kind->plural);
    for (const auto& [key, object] : ObjectsAt(store, version)) {
      if (!Wanted(object, target)) continue;
      json::object item = object;
      // As the real one does for its own kinds.
      item.erase("kind");
      item.erase("apiVersion");
      left.emplace_back(std::move(item));
    }
  }
  json::object metadata{{"resourceVersion", std::to_string(version)}};
  const std::string limit_text = field("limit");
  const std::size_t limit = limit_text.empty() || VersionIn(target) != 0
                                ? left.size()
                                : std::min(left.size(), std::size_t(std::stoul(limit_text)));
  const auto rest = left.begin() + static_cast<std::ptrdiff_t>(limit);
  json::array items(std::make_move_iterator(left.begin()), std::make_move_iterator(rest));
  if (rest != left.end()) {
    const std::string next = fmt::format("{}:{}", version, ++uids_);
    metadata["continue"] = next;
    pages_[next].assign(std::make_move_iterator(rest), std::make_move_iterator(left.end()));
  }
  return Good({{"kind", target.kind->kind + "List"},
               {"apiVersion", target.kind->api_version},
               {"metadata", std::move(metadata)},
               {"items", std::move(items)}});
}

Answer FakeApi::Create(const Target& target, json::object object, Time wall_now) {
  Store& store = stores_.at(target.kind->plural);
  object["apiVersion"] = target.kind->api_version;
  object["kind"] = target.kind->kind;
  json::object& metadata = Below(object, "metadata");
  if (target.kind->namespaced) metadata["namespace"] = target.name_space;
  const std::string key = KeyOf(object);
  if (store.objects.contains(key)) {
    return StatusAnswer(409, "AlreadyExists",
                        fmt::format("{} \"{}\" already exists", target.kind->plural, key));
  }
  metadata["uid"] = fmt::format("uid-{}", ++uids_);
  metadata["creationTimestamp"] = FormatTime({wall_now.us / 1'000'000 * 1'000'000});
  Record(store, std::nullopt, std::move(object));
  return Good(store.objects.at(key), 201);
}

Answer FakeApi::Update(Store& store, const std::string& key, json::object object) {
  const json::object& before = store.objects.at(key);
  for (const char* fixed : {"uid", "name", "namespace", "creationTimestamp", "resourceVersion"}) {
    const json::value* value = before.at("metadata").get_object().if_contains(fixed);
    if (value != nullptr) Below(object, "metadata")[fixed] = *value;
  }
  // A write that changes nothing makes no version.
  if (object != before) Record(store, before, std::move(object));
  return Good(store.objects.at(key));
}

Answer FakeApi::Replace(const Target& target, const json::object& object) {
  Store& store = stores_.at(target.kind->plural);
  const auto found = store.objects.find(KeyOf(target));
  if (found == store.objects.end()) return NotFound(target);
  const std::string version = MetaText(object, "resourceVersion");
  if (!version.empty() && version != MetaText(found->second, "resourceVersion")) {
    return Conflict(target,
                    "the object has been modified; please apply your changes to the latest "
                    "version and try again");
  }
  json::object after = target.subresource == "status" ? found->second : object;
  if (target.subresource == "status") after["status"] = object.at("status");
  return Update(store, found->first, std::move(after));
}

// A status as it is when one of its managers applied what he says of it. `fairlead` owns all of it
// but conditions of others, and what it does not say any more goes; others own conditions alone.
json::object FakeApi::Applied(const Target& target, const json::object& before,
                              const json::object& status) {
  const std::string& manager = target.query.at("fieldManager");
  auto& managers = owned_conditions_[target.kind->plural + "/" + KeyOf(target)];
  std::set<std::string> said;
  if (const json::value* list = status.if_contains("conditions")) {
    for (const json::value& each : list->as_array()) said.insert(TextAt(each, "type"));
  }
  const std::set<std::string> had = std::exchange(managers[manager], said);
  json::array conditions;
  const json::value* shown = before.if_contains("status");
  shown = shown == nullptr ? nullptr : At(*shown, "conditions");
  for (const json::value& each : shown == nullptr ? json::array() : shown->as_array()) {
    const std::string type = TextAt(each, "type");
    const bool of_others = std::any_of(managers.begin(), managers.end(), [&](const auto& other) {
      return other.first != manager && other.second.contains(type);
    });
    if (of_others || (manager != "fairlead" && !had.contains(type))) conditions.push_back(each);
  }
  json::object after = status;
  if (manager != "fairlead") {
    after = before.contains("status") ? before.at("status").as_object() : json::object();
  }
  if (const json::value* list = status.if_contains("conditions")) {
    MergeByType(conditions, list->as_array());
  }
  after.erase("conditions");
  if (!conditions.empty()) after["conditions"] = std::move(conditions);
  return after;
}

Answer FakeApi::Patch(const Target& target, const Request& request, Time wall_now) {
  Store& store = stores_.at(target.kind->plural);
  const json::object patch = ParseJson(request.body).as_object();
  const bool custom = target.kind->api_version.find("fairlead") != std::string::npos;
  const bool strategic = request.content_type == "application/strategic-merge-patch+json";
  if (strategic && custom) {
    return StatusAnswer(415, "UnsupportedMediaType",
                        "the body of the request was in an unknown "
                        "format");
  }
  const auto found = store.objects.find(KeyOf(target));
  if (found == store.objects.end()) {
    const bool apply = request.content_type == "application/apply-patch+yaml";
    return apply && target.subresource.empty() ? Create(target, patch, wall_now) : NotFound(target);
  }
  for (const char* guard : {"resourceVersion", "uid"}) {
    const std::string wanted = MetaText(patch, guard);
    if (!wanted.empty() && wanted != MetaText(found->second, guard)) {
      return Conflict(target, fmt::format("{} differs", guard));
    }
  }
  json::object after = found->second;
  if (target.subresource == "status") {
    if (patch.contains("status")) {
      const json::object& status = patch.at("status").as_object();
      if (request.content_type == "application/apply-patch+yaml") {
        after["status"] = Applied(target, after, status);
        return Update(store, found->first, std::move(after));
      }
      json::object& into = Below(after, "status");
      const json::value* shown = into.if_contains("conditions");
      const json::value* patched = status.if_contains("conditions");
      if (strategic && shown != nullptr && patched != nullptr) {
        json::array merged = shown->as_array();
        MergeByType(merged, patched->as_array());
        json::object rest = status;
        rest["conditions"] = std::move(merged);
        Merge(into, rest);
      } else {
        Merge(into, status);
      }
    }
  } else {
    Merge(after, patch);
  }
  return Update(store, found->first, std::move(after));
}

Answer FakeApi::Delete(const Target& target, const std::string& uid, Time wall_now) {
  Store& store = stores_.at(target.kind->plural);
  const auto found = store.objects.find(KeyOf(target));
  if (found == store.objects.end()) return NotFound(target);
  if (!uid.empty() && uid != MetaText(found->second, "uid")) {
    return Conflict(target, "Precondition failed: UID in precondition differs");
  }
  Delete(target.kind->plural, found->first, wall_now);
  return StatusAnswer(200, "", "");
}

Answer FakeApi::Bind(const Target& target, const json::object& binding, Time wall_now) {
  Store& store = stores_.at(target.kind->plural);
  const auto found = store.objects.find(KeyOf(target));
  if (found == store.objects.end()) return NotFound(target);
  const std::string uid = MetaText(binding, "uid");
  if (!uid.empty() && uid != MetaText(found->second, "uid")) {
    return Conflict(target, "Precondition failed: UID in precondition differs");
  }
  json::object after = found->second;
  const std::string node = TextAt(binding.at("target"), "name");
  const std::string assigned = TextAt(after.at("spec"), "nodeName");
  if (!MetaText(after, "deletionTimestamp").empty()) {
    return Conflict(target, "pod is being deleted, cannot be assigned to a host");
  }
  if (!assigned.empty()) {
    return Conflict(
        target, fmt::format("pod {} is already assigned to node \"{}\"", target.name, assigned));
  }
  if (on_binding) on_binding(KeyOf(target), node);
  Below(after, "spec")["nodeName"] = node;
  if (const json::value* annotations = At(binding.at("metadata"), "annotations")) {
    Merge(Below(Below(after, "metadata"), "annotations"), annotations->as_object());
  }
  json::value& conditions = Below(after, "status")["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  MergeByType(conditions.get_array(), {{{"type", "PodScheduled"},
                                        {"status", "True"},
                                        {"lastTransitionTime", FormatTime(wall_now)}}});
  ++bindings_;
  Update(store, found->first, std::move(after));
  return StatusAnswer(201, "", "");
}

Answer FakeApi::Evict(const Target& target, const json::object& eviction, Time wall_now) {
  if (budgets.contains(KeyOf(target))) {
    ++evictions_refused_;
    json::object details{
        {"causes",
         {{{"reason", "DisruptionBudget"}, {"message", "The disruption budget needs 1"}}}},
        {"retryAfterSeconds", retry_after_seconds}};
    return StatusAnswer(429, "TooManyRequests",
                        "Cannot evict pod as it would violate the pod's disruption budget.",
                        std::move(details));
  }
  ++evictions_;
  const json::value value(eviction);
  const json::value* options = At(value, "deleteOptions");
  const json::value* preconditions = options == nullptr ? nullptr : At(*options, "preconditions");
  const std::string uid = preconditions == nullptr ? "" : TextAt(*preconditions, "uid");
  const json::object* pod = Find("pods", KeyOf(target));
  const bool is_it = pod != nullptr && (uid.empty() || uid == MetaText(*pod, "uid"));
  if (on_eviction && is_it) on_eviction(KeyOf(target));
  return Delete(target, uid, wall_now);
}

void FakeApi::Record(Store& store, std::optional<json::object> before,
                     std::optional<json::object> after) {
  ++version_;
  json::object& object = after ? *after : *before;
  const std::string key = KeyOf(object);
  if (!after) {
    store.objects.erase(key);
    // A deletion has a version of its own, which its event shows.
    Below(object, "metadata")["resourceVersion"] = std::to_string(version_);
  } else {
    Below(object, "metadata")["resourceVersion"] = std::to_string(version_);
    store.objects[key] = object;
  }
  store.events.push_back({.version = version_, .before = std::move(before), .after = after});
  for (const auto& listener : listeners_) listener();
}

std::optional<Answer> FakeApi::RefuseWatch(const Target& target) const {
  if (target.kind == nullptr) return Answer{.status = 404, .body = "404 page not found\n"};
  if (VersionIn(target) > version_) return TooLarge();
  if (target.query.contains("sendInitialEvents")) {
    if (streams_lists) return std::nullopt;
    return StatusAnswer(422, "Invalid", "sendInitialEvents: Forbidden: it is not enabled");
  }
  if (VersionIn(target) < compacted_) {
    return StatusAnswer(410, "Expired", "too old resource version");
  }
  return std::nullopt;
}

void FakeApi::ForgetHistory() {
  Compact();
  for (auto& [plural, store] : stores_) store.events.clear();
}

std::string FakeApi::InitialEvents(const Target& target, std::uint64_t& version) const {
  const auto asked = target.query.find("resourceVersion");
  const bool from_cache = cached_ && asked != target.query.end() && asked->second == "0";
  version = from_cache ? *cached_ : version_;
  std::string lines;
  const Store& store = stores_.at(target.kind->plural);
  for (const auto& [key, object] : ObjectsAt(store, version)) {
    if (!Wanted(object, target)) continue;
    lines += json::serialize(json::object{{"type", "ADDED"}, {"object", object}}) + "\n";
  }
  return lines +
         json::serialize(
             json::object{{"type", "BOOKMARK"},
                          {"object",
                           {{"kind", target.kind->kind},
                            {"apiVersion", target.kind->api_version},
                            {"metadata",
                             {{"resourceVersion", std::to_string(version)},
                              {"annotations", {{"k8s.io/initial-events-end", "true"}}}}}}}}) +
         "\n";
}

std::string FakeApi::EventsAfter(const Target& target, std::uint64_t& version) const {
  std::string lines;
  const auto store = stores_.find(target.kind->plural);
  if (store == stores_.end()) return lines;
  const std::deque<Event>& events = store->second.events;
  auto event = std::upper_bound(events.begin(), events.end(), version,
                                [](std::uint64_t v, const Event& e) { return v < e.version; });
  for (; event != events.end(); ++event) {
    const bool was = Wanted(event->before, target), is = Wanted(event->after, target);
    version = event->version;
    if (!was && !is) continue;
    json::object object = event->after ? *event->after : *event->before;
    lines += json::serialize(json::object{{"type", !is   ? "DELETED"
                                                   : was ? "MODIFIED"
                                                         : "ADDED"},
                                          {"object", std::move(object)}});
    lines += '\n';
  }
  return lines;
}

std::string FakeApi::Bookmark(const Target& target) const {
  json::object object{{"kind", target.kind->kind},
                      {"apiVersion", target.kind->api_version},
                      {"metadata", {{"resourceVersion", std::to_string(version_)}}}};
  return json::serialize(json::object{{"type", "BOOKMARK"}, {"object", std::move(object)}}) + "\n";
}

void FakeApi::Put(const std::string& plural, json::object object) {
  Store& store = stores_.at(plural);
  const std::string key = KeyOf(object);
  const auto found = store.objects.find(key);
  object["apiVersion"] = store.kind.api_version;
  object["kind"] = store.kind.kind;
  if (found != store.objects.end()) {
    Update(store, key, std::move(object));
    return;
  }
  Below(object, "metadata")["uid"] = fmt::format("uid-{}", ++uids_);
  Record(store, std::nullopt, std::move(object));
}

void FakeApi::Erase(const std::string& plural, const std::string& key) {
  Store& store = stores_.at(plural);
  Record(store, store.objects.at(key), std::nullopt);
}

void FakeApi::Delete(const std::string& plural, const std::string& key, Time wall_now) {
  Store& store = stores_.at(plural);
  const json::object& shown = store.objects.at(key);
  if (!graceful || plural != "pods" || TextAt(shown.at("spec"), "nodeName").empty()) {
    Erase(plural, key);
    return;
  }
  if (!MetaText(shown, "deletionTimestamp").empty()) return;
  json::object marked = shown;
  Below(marked, "metadata")["deletionTimestamp"] = FormatTime(wall_now);
  Update(store, key, std::move(marked));
}

const json::object* FakeApi::Find(const std::string& plural, const std::string& key) const {
  const auto store = stores_.find(plural);
  if (store == stores_.end()) return nullptr;
  const auto found = store->second.objects.find(key);
  return found == store->second.objects.end() ? nullptr : &found->second;
}

const std::map<std::string, json::object>& FakeApi::All(const std::string& plural) {
  static const std::map<std::string, json::object> kNone;
  const auto store = stores_.find(plural);
  return store == stores_.end() ? kNone : store->second.objects;
}

}  // namespace fairlead::kube
