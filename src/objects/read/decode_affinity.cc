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
  const auto passed_over = [&](std::string_view name) {
    needs.rare.Edit().passed_over.push_back("spec.affinity." + std::string(name) + "." +
                                            std::string(kPreferredTerms));
  };
  if (HasItems(fields.List(of_nodes, kPreferredTerms))) passed_over("nodeAffinity");
  for (const std::string_view name : {"podAffinity", "podAntiAffinity"}) {
    const Value* of_pods = fields.Mapping(affinity, name);
    if (HasItems(fields.List(of_pods, kRequiredTerms)) && needs.rare->unsupported_field.empty()) {
      needs.rare.Edit().unsupported_field = "spec.affinity." + std::string(name);
    }
    if (HasItems(fields.List(of_pods, kPreferredTerms))) passed_over(name);
  }
}

// matchLabelKeys and mismatchLabelKeys are in the selector already where the API server took the
// pod; elsewhere the term selects more without them, and nobody too few.
void ReadAntiAffinity(FieldReader& fields, const Value& spec, std::vector<PodTerm>& out) {
  const Value* of_pods = fields.Mapping(fields.Mapping(&spec, "affinity"), "podAntiAffinity");
  const Value* terms = fields.List(of_pods, kRequiredTerms);
  if (terms == nullptr) return;
  for (const Value* item : terms->items()) {
    if (!fields.IsMapping(*item)) continue;
    PodTerm& term = out.emplace_back();
    fields.String(item, "topologyKey", term.topology_key);
    const Value* selector = fields.Mapping(item, "labelSelector");
    term.selects_nothing = selector == nullptr;
    if (selector != nullptr) ReadLabelSelector(fields, *selector, term.selector);
    if (const Value* names = fields.List(item, "namespaces")) {
      for (const Value* name : names->items()) {
        fields.ReadString(*name, term.name_spaces.emplace_back());
      }
    }
    const Value* of_name_spaces = fields.Mapping(item, "namespaceSelector");
    if (of_name_spaces == nullptr) continue;
    ReadLabelSelector(fields, *of_name_spaces, term.name_space_selector.emplace());
  }
}

}  // namespace fairlead::objects
