
#include "base/integer.h"
#include "base/sorted_set.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, Operator> kOperators[] = {
    {"In", Operator::kIn},
    {"NotIn", Operator::kNotIn},
    {"Exists", Operator::kExists},
    {"DoesNotExist", Operator::kDoesNotExist},
};
constexpr std::pair<std::string_view, Operator> kNodeOperators[] = {
    {"In", Operator::kIn},         {"NotIn", Operator::kNotIn},
    {"Exists", Operator::kExists}, {"DoesNotExist", Operator::kDoesNotExist},
    {"Gt", Operator::kGt},         {"Lt", Operator::kLt},
};

// How many values an operator takes.
void CheckValues(FieldReader& fields, const Value& expression, const Requirement& requirement) {
  const std::size_t count = requirement.values.size();
  switch (requirement.op) {
    case Operator::kIn:
    case Operator::kNotIn:
      if (count == 0) fields.Missing(expression, "values", "one or more");
      return;
    case Operator::kExists:
    case Operator::kDoesNotExist:
      if (count != 0) {
        fields.FaultBelow(expression, "values", "found some, expected none with this operator");
      }
      return;
    case Operator::kGt:
    case Operator::kLt:
      if (count != 1 || !ParseInteger<std::int64_t>(requirement.values[0])) {
        fields.FaultBelow(expression, "values", "found something else, expected one whole number");
      }
      return;
  }
}

}  // namespace

bool ReadRequirement(FieldReader& fields, const Value& expression, Selecting selecting,
                     Requirement& out) {
  if (!fields.IsMapping(expression)) return false;
  if (!fields.String(&expression, "key", out.key) || out.key.empty()) {
    if (expression.Find("key") == nullptr || out.key.empty()) {
      fields.Missing(expression, "key", "a name");
    }
    return false;
  }
  if (expression.Find("operator") == nullptr) {
    fields.Missing(expression, "operator", "one such as In");
    return false;
  }
  const bool known = selecting == Selecting::kNodes
                         ? fields.Enum(&expression, "operator", kNodeOperators, out.op)
                         : fields.Enum(&expression, "operator", kOperators, out.op);
  if (!known) return false;
  if (const Value* values = fields.List(&expression, "values")) {
    for (const Value* value : values->items()) {
      std::string text;
      if (fields.ReadString(*value, text)) out.values.push_back(std::move(text));
    }
  }
  if (fields.ok()) CheckValues(fields, expression, out);
  MakeSet(out.values);
  return true;
}

void ReadLabelSelector(FieldReader& fields, const Value& selector, LabelSelector& out) {
  Labels labels;
  fields.Strings(fields.Mapping(&selector, "matchLabels"), labels);
  for (auto& [key, value] : labels) {
    out.requirements.push_back({.key = key, .op = Operator::kIn, .values = {value}});
  }
  const Value* expressions = fields.List(&selector, "matchExpressions");
  if (expressions == nullptr) return;
  for (const Value* expression : expressions->items()) {
    Requirement requirement;
    if (ReadRequirement(fields, *expression, Selecting::kLabels, requirement)) {
      out.requirements.push_back(std::move(requirement));
    }
  }
}

}  // namespace fairlead::objects
