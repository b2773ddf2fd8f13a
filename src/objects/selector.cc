#include "objects/selector.h"

#include <algorithm>
#include <cstdint>

#include "base/integer.h"

namespace fairlead::objects {
namespace {

// As Go reads it: with an optional plus.
std::optional<std::int64_t> AsInteger(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return ParseInteger<std::int64_t>(text);
}

bool Compares(const Requirement& requirement, const std::string& value) {
  if (requirement.values.size() != 1) return false;
  const auto left = AsInteger(value);
  const auto right = AsInteger(requirement.values[0]);
  if (!left || !right) return false;
  return requirement.op == Operator::kGt ? *left > *right : *left < *right;
}

}  // namespace

bool Matches(const Requirement& requirement, const std::string* value) {
  const auto among = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), *value) !=
           requirement.values.end();
  };
  switch (requirement.op) {
    case Operator::kIn:
      return value != nullptr && among();
    case Operator::kNotIn:
      return value == nullptr || !among();
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
    case Operator::kGt:
    case Operator::kLt:
      return value != nullptr && Compares(requirement, *value);
  }
  return false;
}

bool Matches(const LabelSelector& selector, const Labels& labels) {
  return std::all_of(selector.requirements.begin(), selector.requirements.end(),
                     [&](const Requirement& r) { return Matches(r, FindLabel(labels, r.key)); });
}

bool Matches(const NodeSelectorTerm& term, const Labels& labels, const std::string& node_name) {
  if (term.labels.empty() && term.fields.empty()) return false;
  return std::all_of(term.labels.begin(), term.labels.end(),
                     [&](const Requirement& r) { return Matches(r, FindLabel(labels, r.key)); }) &&
         std::all_of(term.fields.begin(), term.fields.end(),
                     [&](const Requirement& r) { return Matches(r, &node_name); });
}

bool Matches(const std::vector<NodeSelectorTerm>& terms, const Labels& labels,
             const std::string& node_name) {
  return std::any_of(terms.begin(), terms.end(), [&](const NodeSelectorTerm& term) {
    return Matches(term, labels, node_name);
  });
}

bool HasAll(const Labels& labels, const Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& each) {
    const std::string* value = FindLabel(labels, each.first);
    return value != nullptr && *value == each.second;
  });
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.exists || (!toleration.key.empty() && toleration.value == taint.value);
}

bool Tolerates(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& each) { return Tolerates(each, taint); });
}

}  // namespace fairlead::objects
