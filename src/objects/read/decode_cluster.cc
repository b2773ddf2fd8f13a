// The small kinds of Kubernetes: Namespace, PriorityClass, PodDisruptionBudget.

#include <limits>

#include "base/integer.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// "3" or "25%", as a number or a string.
void ReadIntOrPercent(FieldReader& fields, const Value* spec, std::string_view key,
                      std::optional<IntOrPercent>& out) {
  const Value* value = FieldReader::Get(spec, key);
  if (value == nullptr) return;
  const bool scalar =
      value->kind() == Value::Kind::kString || value->kind() == Value::Kind::kNumber;
  std::string_view digits = scalar ? value->text() : std::string_view();
  IntOrPercent read;
  if (value->kind() == Value::Kind::kString && digits.ends_with('%')) {
    read.percent = true;
    digits.remove_suffix(1);
  }
  const auto number = ParseInteger<std::int64_t>(digits);
  const std::int64_t most = read.percent ? 100 : std::numeric_limits<std::int32_t>::max();
  if (!number || *number < 0 || *number > most) {
    fields.Unexpected(*value, "a whole number that is not negative, or a percentage such as 25%");
    return;
  }
  read.value = *number;
  out = read;
}

}  // namespace

void DecodeNamespace(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "Namespace", Scope::kCluster, file, into);
  Namespace name_space;
  ReadMeta(fields, document, name_space.meta);
  if (fields.ok()) into.objects.emplace_back(std::move(name_space));
}

void DecodePriorityClass(const Value& document, std::string_view file, Manifest& into) {
  constexpr std::pair<std::string_view, bool> kPolicies[] = {{"PreemptLowerPriority", false},
                                                             {"Never", true}};
  FieldReader fields(document, "PriorityClass", Scope::kCluster, file, into);
  PriorityClass priority_class;
  ReadMeta(fields, document, priority_class.meta);
  fields.Integer(&document, "value", priority_class.value);
  fields.Bool(&document, "globalDefault", priority_class.global_default);
  fields.Enum(&document, "preemptionPolicy", kPolicies, priority_class.never_preempts);
  if (fields.ok()) into.objects.emplace_back(std::move(priority_class));
}

void DecodePodDisruptionBudget(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "PodDisruptionBudget", Scope::kNamespaced, file, into);
  PodDisruptionBudget budget;
  ReadMeta(fields, document, budget.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  const Value* selector = fields.Mapping(spec, "selector");
  budget.selects_nothing = selector == nullptr;
  if (selector != nullptr) ReadLabelSelector(fields, *selector, budget.selector);
  ReadIntOrPercent(fields, spec, "minAvailable", budget.min_available);
  ReadIntOrPercent(fields, spec, "maxUnavailable", budget.max_unavailable);
  if (budget.min_available && budget.max_unavailable) {
    fields.FaultBelow(*spec, "maxUnavailable", "found both this and minAvailable, expected one");
  }
  fields.Count(fields.Mapping(&document, "status"), "disruptionsAllowed",
               budget.disruptions_allowed);
  if (fields.ok()) into.objects.emplace_back(std::move(budget));
}

}  // namespace fairlead::objects
