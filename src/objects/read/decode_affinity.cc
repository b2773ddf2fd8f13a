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

void ReadNodeTerm(FieldReader& fields, const Value& item, NodeSelectorTerm& out) {
  ReadRequirements(fields, item, "matchExpressions", out.labels);
  ReadRequirements(fields, item, "matchFields", out.fields);
}

}  // namespace

void ReadWeight(FieldReader& fields, const Value& item, std::int32_t& out) {
  if (item.Find("weight") == nullptr) {
    fields.Missing(item, "weight", "a number from 1 to 100");
    return;
  }
  fields.Integer(&item, "weight", out, 1, 100);
}

void ReadNodeSelector(FieldReader& fields, const Value& selector,
                      std::vector<NodeSelectorTerm>& out) {
  const Value* terms = fields.List(&selector, "nodeSelectorTerms");
  if (!HasItems(terms)) {
    if (fields.ok()) {
      fields.Missing(selector, "nodeSelectorTerms", "one or more");
    }
    return;
  }
  for (const Value* item : terms->items()) {
    if (!fields.IsMapping(*item)) continue;
    ReadNodeTerm(fields, *item, out.emplace_back());
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
  const Value* preferred = fields.List(of_nodes, kPreferredTerms);
  if (!HasItems(preferred)) return;
  for (const Value* item : preferred->items()) {
    if (!fields.IsMapping(*item)) continue;
    Preferences::OfNodes& each = needs.rare.Edit().preferences.nodes.emplace_back();
    ReadWeight(fields, *item, each.weight);
    if (const Value* term = fields.Mapping(item, "preference")) {
      ReadNodeTerm(fields, *term, each.term);
    }
  }
}

}  // namespace fairlead::objects
