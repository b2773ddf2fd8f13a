#include <string>

#include "objects/keys.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

bool HasItems(const Value* list) { return list != nullptr && !list->items().empty(); }

void ReadRequirements(FieldReader& fields, const Value& term, std::string_view key,
                      std::vector<Requirement>& out) {
  const Value* expressions = fields.List(&term, key);
  if (expressions == nullptr) return;
  for (const Value* expression : expressions->items()) {
    Requirement requirement;
    if (!ReadRequirement(fields, *expression, Selecting::kNodes, requirement)) continue;
    if (key == "matchFields" && requirement.key != "metadata.name") {
      fields.FaultBelow(*expression, "key",
                        "found \"" + requirement.key + "\", expected metadata.name");
      continue;
    }
    out.push_back(std::move(requirement));
  }
}

}  // namespace

void ReadNodeSelector(FieldReader& fields, const Value& selector,
                      std::vector<NodeSelectorTerm>& out) {
  const Value* terms = fields.List(&selector, "nodeSelectorTerms");
  if (!HasItems(terms)) {
    if (fields.ok()) {
      fields.FaultBelow(selector, "nodeSelectorTerms", "found none, expected one or more");
    }
    return;
  }
  for (const Value* item : terms->items()) {
    if (!fields.IsMapping(*item)) continue;
    NodeSelectorTerm term;
    ReadRequirements(fields, *item, "matchExpressions", term.labels);
    ReadRequirements(fields, *item, "matchFields", term.fields);
    out.push_back(std::move(term));
  }
}

void ReadAffinity(FieldReader& fields, const Value& spec, PodNeeds& needs) {
  const Value* affinity = fields.Mapping(&spec, "affinity");
  const Value* of_nodes = fields.Mapping(affinity, "nodeAffinity");
  const Value* required = fields.Mapping(of_nodes, kRequiredTerms);
  if (required != nullptr) {
    needs.has_required_terms = true;
    ReadNodeSelector(fields, *required, needs.required_terms);
  }
  for (const std::string_view name : {"nodeAffinity", "podAffinity", "podAntiAffinity"}) {
    if (!HasItems(fields.List(fields.Mapping(affinity, name), kPreferredTerms))) continue;
    needs.rare.Edit().passed_over.push_back("spec.affinity." + std::string(name) + "." +
                                            std::string(kPreferredTerms));
  }
}

}  // namespace fairlead::objects
