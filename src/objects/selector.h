#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "objects/meta.h"

namespace fairlead::objects {

enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };

struct Requirement {
  std::string key;
  Operator op = Operator::kIn;
  std::vector<std::string> values;
  bool operator==(const Requirement&) const = default;
};

// Kubernetes' rule: NotIn and DoesNotExist hold for an absent key; Gt and Lt compare integers and
// hold for none where either side is not one.
bool Matches(const Requirement& requirement, const std::string* value);

// matchLabels and matchExpressions, all of which must hold. An empty selector selects everything.
struct LabelSelector {
  std::vector<Requirement> requirements;
  bool operator==(const LabelSelector&) const = default;
};
bool Matches(const LabelSelector& selector, const Labels& labels);

// One term of a required node affinity: all of its requirements must hold. A term without any
// selects nothing. Terms are alternatives.
struct NodeSelectorTerm {
  std::vector<Requirement> labels;  // matchExpressions
  std::vector<Requirement> fields;  // matchFields; metadata.name is the only field there is
  bool operator==(const NodeSelectorTerm&) const = default;
};
bool Matches(const NodeSelectorTerm& term, const Labels& labels, const std::string& node_name);
bool Matches(const std::vector<NodeSelectorTerm>& terms, const Labels& labels,
             const std::string& node_name);

// A nodeSelector: each of `wanted` is there, with its value.
bool HasAll(const Labels& labels, const Labels& wanted);

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key, value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  auto operator<=>(const Taint&) const = default;
};

struct Toleration {
  std::string key;      // empty with kExists: every taint
  bool exists = false;  // operator Exists; false: Equal
  std::string value;
  std::optional<TaintEffect> effect;  // absent: every effect
  bool operator==(const Toleration&) const = default;
};
bool Tolerates(const Toleration& toleration, const Taint& taint);
bool Tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);  // one of them

}  // namespace fairlead::objects
