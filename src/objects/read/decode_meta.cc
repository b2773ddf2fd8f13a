#include <algorithm>
#include <string>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::size_t kMaxNameLength = 253;
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

bool IsDnsName(std::string_view name, NameRule rule) {
  if (name.empty() || name.size() > kMaxNameLength) return false;
  const auto plain = [rule](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (rule == NameRule::kCapitals && c >= 'A' && c <= 'Z');
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (plain(name[i])) continue;
    // A dash or a point stands between letters; a dash may have dashes beside it.
    if (name[i] != '-' && name[i] != '.') return false;
    if (i == 0 || i + 1 == name.size()) return false;
    if (name[i] == '.' && (!plain(name[i - 1]) || !plain(name[i + 1]))) return false;
  }
  return true;
}

// What Kubernetes would make of `generateName`: here by the order of the input, so that it is the
// same on every run.
std::string GeneratedName(std::string_view prefix, std::size_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 5) digits.insert(0, 5 - digits.size(), '0');
  return std::string(prefix) + digits;
}

void ReadName(FieldReader& fields, const Value& document, const Value* metadata, NameRule rule,
              Meta& meta) {
  const bool generated = fields.String(metadata, "generateName", meta.generate_name);
  if (fields.String(metadata, "name", meta.name) && !meta.name.empty()) {
    CheckName(fields, *metadata->Find("name"), rule);
    return;
  }
  if (generated && !meta.generate_name.empty()) {
    meta.name = GeneratedName(meta.generate_name, fields.object_count());
    if (!IsDnsName(meta.name, rule)) {
      fields.Unexpected(*metadata->Find("generateName"), "the beginning of a name");
    }
    return;
  }
  if (!fields.ok()) return;
  if (metadata == nullptr) {
    fields.Missing(document, "metadata.name", "a name");
  } else {
    fields.Missing(*metadata, "name", "a name");
  }
}

void ReadOwners(FieldReader& fields, const Value* metadata, Meta& meta) {
  const Value* owners = fields.List(metadata, "ownerReferences");
  if (owners == nullptr) return;
  for (const Value* item : owners->items()) {
    if (!fields.IsMapping(*item)) continue;
    OwnerReference owner;
    fields.String(item, "apiVersion", owner.api_version);
    fields.String(item, "kind", owner.kind);
    fields.String(item, "name", owner.name);
    fields.String(item, "uid", owner.uid);
    fields.Bool(item, "controller", owner.controller);
    if (owner.controller && meta.Controller() != nullptr) {
      fields.Fault(*item, "found a second controller, expected one at most; the first is " +
                              meta.Controller()->kind + " " + meta.Controller()->name);
    }
    meta.owners.push_back(std::move(owner));
  }
}

}  // namespace

void CheckName(FieldReader& fields, const Value& at, NameRule rule) {
  if (IsDnsName(at.text(), rule)) return;
  fields.Unexpected(at, rule == NameRule::kCapitals
                            ? "a name of letters, digits, - and ., at most 253"
                            : "a name of lower-case letters, digits, - and ., at most 253");
}

void ReadLabels(FieldReader& fields, const Value* metadata, Labels& labels, Labels& annotations) {
  fields.Strings(fields.Mapping(metadata, "labels"), labels);
  const Value* given = fields.Mapping(metadata, "annotations");
  fields.Strings(given, annotations);
  std::erase_if(annotations, [](const auto& entry) { return entry.first == kLastApplied; });
  for (const std::string_view key : {"fairlead.dev/arrives-at", "fairlead.dev/run-duration"}) {
    const Value* value = FieldReader::Get(given, key);
    Duration checked;
    if (value == nullptr) {  // `null` says nothing; "" would be a fault
      std::erase_if(annotations, [&](const auto& entry) { return entry.first == key; });
    } else if (value->kind() == Value::Kind::kString) {
      fields.ReadDuration(*value, checked);
    }
  }
}

void ReadMeta(FieldReader& fields, const Value& document, Meta& meta, NameRule rule) {
  meta.source = std::string(fields.file()) + ":" + std::to_string(document.line());
  const Value* metadata = fields.Mapping(&document, "metadata");
  ReadName(fields, document, metadata, rule, meta);
  if (fields.scope() == Scope::kNamespaced) {
    fields.String(metadata, "namespace", meta.name_space);
    if (meta.name_space.empty()) {
      meta.name_space = "default";
    } else {
      CheckName(fields, *metadata->Find("namespace"), NameRule::kSubdomain);
    }
  }
  fields.String(metadata, "uid", meta.uid);
  ReadLabels(fields, metadata, meta.labels, meta.annotations);
  fields.Time(metadata, "creationTimestamp", meta.creation_time);
  fields.Time(metadata, "deletionTimestamp", meta.deletion_time);
  ReadOwners(fields, metadata, meta);
}

void KnownMeta(FieldReader& fields, const Value& document) {
  fields.Known(
      FieldReader::Get(&document, "metadata"),
      {"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
       "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "labels",
       "annotations", "ownerReferences", "finalizers", "managedFields"});
}

void ReadConditions(FieldReader& fields, const Value* status, std::vector<Condition>& out) {
  const Value* list = fields.List(status, "conditions");
  if (list == nullptr) return;
  for (const Value* item : list->items()) {
    if (!fields.IsMapping(*item)) continue;
    Condition condition;
    fields.String(item, "type", condition.type);
    condition.holds = IsTrue(item);
    fields.String(item, "reason", condition.reason);
    fields.String(item, "message", condition.message);
    fields.Time(item, "lastTransitionTime", condition.since);
    out.push_back(std::move(condition));
  }
}

const Value* FindCondition(const Value* conditions, std::string_view type) {
  if (conditions == nullptr) return nullptr;
  for (const Value* condition : conditions->items()) {
    const Value* value = condition->Find("type");
    if (value != nullptr && value->text() == type) return condition;
  }
  return nullptr;
}

bool IsTrue(const Value* condition) {
  const Value* status = FieldReader::Get(condition, "status");
  return status != nullptr && status->kind() == Value::Kind::kString && status->text() == "True";
}

}  // namespace fairlead::objects
