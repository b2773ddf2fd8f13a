#include "cli/object_json.h"

#include <charconv>
#include <utility>
#include <variant>

#include <boost/json.hpp>

#include "base/quantity.h"
#include "cli/pod_json.h"
#include "server/kinds.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using objects::Value;

json::value NumberToJson(std::string_view text) {
  std::int64_t whole = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) return whole;
  double number = 0;
  const auto real = std::from_chars(text.data(), text.data() + text.size(), number);
  if (real.ec == std::errc() && real.ptr == text.data() + text.size()) return number;
  return json::string(text);  // 0x1F and its like
}

json::object& Child(json::object& parent, std::string_view key) {
  json::value& child = parent[key];
  if (!child.is_object()) child = json::object();
  return child.get_object();
}

json::object LabelsToJson(const objects::Labels& labels) {
  json::object object;
  for (const auto& [key, value] : labels) object[key] = value;
  return object;
}

void SetMeta(const objects::Meta& meta, json::object& into) {
  into["name"] = meta.name;
  if (!meta.name_space.empty()) into["namespace"] = meta.name_space;
  if (!meta.uid.empty()) into["uid"] = meta.uid;
  if (meta.creation_time) into["creationTimestamp"] = FormatTime(*meta.creation_time);
  if (meta.deletion_time) into["deletionTimestamp"] = FormatTime(*meta.deletion_time);
  if (!meta.labels.empty()) into["labels"] = LabelsToJson(meta.labels);
  if (!meta.annotations.empty()) into["annotations"] = LabelsToJson(meta.annotations);
  json::array owners;
  for (const objects::OwnerReference& owner : meta.owners) {
    json::object reference{{"apiVersion", owner.api_version},
                           {"kind", owner.kind},
                           {"name", owner.name},
                           {"uid", owner.uid}};
    if (owner.controller) reference["controller"] = true;
    owners.push_back(std::move(reference));
  }
  if (!owners.empty()) into["ownerReferences"] = std::move(owners);
}

// What changes in an object while the cluster runs, by kind; other kinds stay as submitted.
void SetLive(const objects::Pod& pod, json::object& into) {
  Child(into, "spec")["nodeName"] = pod.spec.node_name;
  if (pod.spec.node_name.empty()) Child(into, "spec").erase("nodeName");
  into["status"] = PodStatusToJson(pod);
}

void SetLive(const objects::Job& job, json::object& into) {
  json::object& spec = Child(into, "spec");
  spec["suspend"] = job.suspend;
  spec["parallelism"] = job.parallelism;
  if (job.completions) spec["completions"] = *job.completions;
  json::object& status = Child(into, "status");
  status["active"] = job.active;
  status["succeeded"] = job.succeeded;
  status["failed"] = job.failed;
  if (job.complete) {
    status["conditions"] = json::array{json::object{{"type", "Complete"}, {"status", "True"}}};
  }
}

void SetLive(const objects::Workload& workload, json::object& into) {
  // A dialect's object (a PodGroup) has a status of its own form, which is left as it was.
  if (!workload.dialect_kind.empty()) return;
  json::object status;
  if (!workload.admission.empty()) {
    json::array assignments;
    for (const objects::PodSetAssignment& assignment : workload.admission) {
      assignments.push_back(json::object{{"name", assignment.name}, {"count", assignment.count}});
    }
    status["admission"] =
        json::object{{"queue", workload.admission_queue}, {"podSetAssignments", assignments}};
  }
  if (workload.start_time) status["startTime"] = FormatTime(*workload.start_time);
  if (!status.empty()) into["status"] = std::move(status);
}

template <typename T>
void SetLive(const T&, json::object&) {}

}  // namespace

json::value DocumentToJson(const Value& document) {
  switch (document.kind()) {
    case Value::Kind::kNull:
      return nullptr;
    case Value::Kind::kBool:
      return document.as_bool();
    case Value::Kind::kNumber:
      return NumberToJson(document.text());
    case Value::Kind::kString:
      return json::string(document.text());
    case Value::Kind::kSequence: {
      json::array array;
      for (const Value* item : document.items()) array.push_back(DocumentToJson(*item));
      return array;
    }
    case Value::Kind::kMapping: {
      json::object object;
      for (const Value::Member& member : document.members()) {
        object[member.key] = DocumentToJson(*member.value);
      }
      return object;
    }
  }
  return nullptr;
}

objects::DecoderTable KeepingDecoders(const objects::DecoderTable& decoders,
                                      std::vector<json::value>& kept) {
  objects::DecoderTable keeping = decoders;
  for (objects::DecoderRow& row : keeping) {
    row.decode = [row, &kept](const Value& document, std::string_view file,
                              objects::Manifest& into) {
      // The objects of a document that turned out to be something else were taken back.
      kept.resize(std::min(kept.size(), into.objects.size()));
      row.decode(document, file, into);
      if (into.objects.size() == kept.size()) return;
      json::value value = DocumentToJson(document);
      if (json::object* object = value.if_object()) {
        // Items of a PodList need not say what they are.
        if (!object->contains("kind")) (*object)["kind"] = row.kind;
        if (!object->contains("apiVersion")) (*object)["apiVersion"] = row.api_version;
      }
      // One document may become several objects, and the objects of an abandoned one are taken
      // back.
      while (kept.size() < into.objects.size()) kept.push_back(value);
    };
  }
  return keeping;
}

json::object ToJson(const objects::Object& object, const json::value* document) {
  json::object result;
  const server::Kind* kind = server::FindKind(objects::KindOf(object));
  if (kind != nullptr) result["apiVersion"] = kind->api_version;
  result["kind"] = objects::KindOf(object);
  const json::object* read = document == nullptr ? nullptr : document->if_object();
  if (read != nullptr) {
    for (const json::key_value_pair& member : *read) result[member.key()] = member.value();
  } else if (const auto* pod = std::get_if<objects::Pod>(&object)) {
    result["metadata"] = json::object();  // before the spec, as one expects
    result["spec"] = PodSpecToJson(pod->spec);
  }
  SetMeta(objects::MetaOf(object), Child(result, "metadata"));
  std::visit([&](const auto& value) { SetLive(value, result); }, object);
  return result;
}

json::object ListOf(json::array items) {
  return {{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
}

}  // namespace fairlead::cli
