#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace fairlead::objects {

// Sorted by key, keys unique.
using Labels = std::vector<std::pair<std::string, std::string>>;

// The value under `key`, or null.
const std::string* FindLabel(const Labels& labels, std::string_view key);

// Resource name → amount in that resource's Scale (base/quantity.h). Sorted by name, names unique.
using ResourceList = std::vector<std::pair<std::string, std::int64_t>>;
std::int64_t AmountOf(const ResourceList& list, std::string_view resource);  // 0 when absent

struct OwnerReference {
  std::string api_version, kind, name, uid;
  bool controller = false;
  bool operator==(const OwnerReference&) const = default;
};

struct Meta {
  std::string name;
  std::string
      name_space;  // "" for cluster-scoped kinds; "default" where a namespaced one names none
  std::string generate_name;  // of whoever had its name made from this beginning
  std::string uid;
  Labels labels;
  Labels annotations;
  std::optional<Time> creation_time;
  std::optional<Time> deletion_time;
  std::vector<OwnerReference> owners;
  std::string source;  // "FILE:LINE" where it was read, for messages; empty otherwise
  bool operator==(const Meta&) const = default;

  // "namespace/name", or "name" for cluster-scoped kinds.
  std::string Key() const;
  const OwnerReference* Controller() const;
  // Who manages it: its controller, or its only owner, as manifests that are written by hand often
  // leave `controller: true` out. Null: nobody.
  const OwnerReference* Manager() const;
};

// One of a status, of the kinds that keep several.
struct Condition {
  std::string type;
  bool holds = false;
  std::string reason, message;
  std::optional<Time> since;  // lastTransitionTime
  bool operator==(const Condition&) const = default;
};

}  // namespace fairlead::objects
