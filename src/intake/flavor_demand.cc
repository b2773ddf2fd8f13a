#include "intake/flavor_demand.h"

#include <algorithm>

namespace fairlead::intake {
namespace {

bool Asks(const objects::PodNeeds& needs, const std::string& resource) {
  if (resource == "pods") return true;
  if (resource == "nvidia.com/gpu" && needs.gpu_milli > 0) return true;
  return objects::AmountOf(needs.request, resource) > 0;
}

// A pod that asks another value of the same label fits nowhere: both are demanded.
void DemandLabel(const std::pair<std::string, std::string>& label, objects::PodNeeds& needs) {
  objects::Labels& selector = needs.node_selector;
  const auto at =
      std::lower_bound(selector.begin(), selector.end(), label.first,
                       [](const auto& entry, const std::string& key) { return entry.first < key; });
  if (at == selector.end() || at->first != label.first) {
    selector.insert(at, label);
    return;
  }
  if (at->second == label.second) return;
  const objects::Requirement demand{
      .key = label.first, .op = objects::Operator::kIn, .values = {label.second}};
  if (!needs.has_required_terms) {
    needs.required_terms.push_back({.labels = {demand}, .fields = {}});
    needs.has_required_terms = true;
    return;
  }
  for (objects::NodeSelectorTerm& term : needs.required_terms) {
    const bool selects_nothing = term.labels.empty() && term.fields.empty();
    if (!selects_nothing) term.labels.push_back(demand);
  }
}

}  // namespace

objects::PodNeeds WithDemands(objects::PodNeeds needs, const FlavorDemands& demands) {
  for (const FlavorDemand& demand : demands) {
    const bool asks = std::ranges::any_of(
        demand.resources, [&](const std::string& resource) { return Asks(needs, resource); });
    if (!asks) continue;
    for (const auto& label : demand.labels) DemandLabel(label, needs);
    for (const objects::Toleration& toleration : demand.tolerations) {
      if (std::ranges::find(needs.tolerations, toleration) == needs.tolerations.end()) {
        needs.tolerations.push_back(toleration);
      }
    }
  }
  return needs;
}

}  // namespace fairlead::intake
