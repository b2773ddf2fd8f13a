#include "intake/kueue/flavor_demand.h"

#include <algorithm>

#include "objects/selector.h"

namespace fairlead::intake {
namespace {

constexpr std::string_view kPods = "pods";
constexpr std::string_view kGpu = "nvidia.com/gpu";

std::int64_t AskedOf(const objects::PodNeeds& needs, std::string_view resource) {
  if (resource == kPods) return 1;
  const std::int64_t parts = resource == kGpu ? needs.gpu_milli : 0;
  return objects::AmountOf(needs.request, resource) + parts;
}

void Put(objects::ResourceList& list, std::string name, std::int64_t amount) {
  const auto at = std::ranges::lower_bound(
      list, name, {}, [](const auto& entry) -> const auto& { return entry.first; });
  list.insert(at, {std::move(name), amount});
}

// Whether a term can hold on nodes with those labels, whatever else they have.
bool MayHold(const objects::NodeSelectorTerm& term, const objects::Labels& labels) {
  if (term.labels.empty() && term.fields.empty()) return false;
  return std::ranges::all_of(term.labels, [&](const objects::Requirement& requirement) {
    const std::string* value = objects::FindLabel(labels, requirement.key);
    return value == nullptr || objects::Matches(requirement, value);
  });
}

bool IsTolerated(const objects::Taint& taint, const std::vector<objects::Toleration>& by) {
  return taint.effect == objects::TaintEffect::kPreferNoSchedule || objects::Tolerates(by, taint);
}

bool Suits(const objects::PodNeeds& needs, const FlavorDemand& flavor) {
  const bool selected = std::ranges::all_of(needs.node_selector, [&](const auto& wanted) {
    const std::string* value = objects::FindLabel(flavor.labels, wanted.first);
    return value == nullptr || *value == wanted.second;
  });
  if (!selected) return false;
  const bool near =
      !needs.has_required_terms || std::ranges::any_of(needs.required_terms, [&](const auto& term) {
        return MayHold(term, flavor.labels);
      });
  return near && std::ranges::all_of(flavor.taints, [&](const objects::Taint& taint) {
           return IsTolerated(taint, needs.tolerations) || IsTolerated(taint, flavor.tolerations);
         });
}

// Where none suits it is the first: the pod then fits nowhere, and its reason says why.
const FlavorDemand& FlavorFor(const objects::PodNeeds& needs, const GroupDemand& group,
                              const objects::Labels* node_labels) {
  if (group.flavors.size() == 1) return group.flavors.front();
  const auto is_its = [&](const FlavorDemand& flavor) {
    return node_labels != nullptr ? objects::HasAll(*node_labels, flavor.labels)
                                  : Suits(needs, flavor);
  };
  const auto found = std::ranges::find_if(group.flavors, is_its);
  return found == group.flavors.end() ? group.flavors.front() : *found;
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

objects::PodNeeds WithDemands(objects::PodNeeds needs, const FlavorDemands& demands,
                              const objects::Labels* node_labels) {
  for (const GroupDemand& group : demands) {
    const bool asks = std::ranges::any_of(
        group.resources, [&](const std::string& resource) { return AskedOf(needs, resource) > 0; });
    if (!asks) continue;
    const FlavorDemand& flavor = FlavorFor(needs, group, node_labels);
    for (const auto& label : flavor.labels) DemandLabel(label, needs);
    for (const objects::Toleration& toleration : flavor.tolerations) {
      if (std::ranges::find(needs.tolerations, toleration) == needs.tolerations.end()) {
        needs.tolerations.push_back(toleration);
      }
    }
    if (!flavor.counted) continue;
    for (const std::string& resource : group.resources) {
      const std::int64_t asked = AskedOf(needs, resource);
      if (asked > 0) Put(needs.request, CountedName(resource, flavor.flavor), asked);
    }
  }
  return needs;
}

std::string CountedName(std::string_view resource, std::string_view flavor) {
  return std::string(resource).append("[").append(flavor).append("]");
}

objects::ResourceList WithFlavors(objects::ResourceList allocatable, const objects::Labels& labels,
                                  const std::vector<CountedFlavor>& flavors) {
  for (const CountedFlavor& flavor : flavors) {
    if (!objects::HasAll(labels, flavor.labels)) continue;
    for (const std::string& resource : flavor.resources) {
      const std::int64_t amount = objects::AmountOf(allocatable, resource);
      if (amount > 0) Put(allocatable, CountedName(resource, flavor.flavor), amount);
    }
  }
  return allocatable;
}

}  // namespace fairlead::intake
