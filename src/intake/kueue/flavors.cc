#include "intake/kueue/flavors.h"

#include <algorithm>

namespace fairlead::intake {

using objects::FlavorQuotas;
using objects::FlavorResource;
using objects::ResourceGroup;

namespace {

// Whether no node can have both.
bool AreApart(const objects::Labels& a, const objects::Labels& b) {
  return std::ranges::any_of(a, [&](const auto& label) {
    const std::string* other = objects::FindLabel(b, label.first);
    return other != nullptr && *other != label.second;
  });
}

}  // namespace

std::int64_t AmountIn(const Sums& sums, std::string_view resource) {
  auto found = sums.find(resource);
  return found == sums.end() ? 0 : found->second;
}

std::int64_t PlusQuota(std::int64_t a, std::int64_t b) {
  return std::min(kMostQuota, std::min(a, kMostQuota) + std::min(b, kMostQuota));
}

Flavors::Flavors(const KueueObjects& objects) : objects_(objects) {
  const auto find = [this](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups) {
      if (group.flavors.size() < 2 || !AreApart(group)) continue;
      for (const FlavorQuotas& quotas : group.flavors) counted_[quotas.flavor];
    }
  };
  for (const auto& [name, row] : objects_.cluster_queues) find(row.object.groups);
  for (const auto& [name, row] : objects_.cohorts) find(row.object.groups);
  const auto note = [this](const std::vector<ResourceGroup>& groups) {
    for (const ResourceGroup& group : groups) {
      for (const FlavorQuotas& quotas : UsedOf(group)) {
        auto counted = counted_.find(quotas.flavor);
        if (counted == counted_.end()) continue;
        for (const FlavorResource& each : quotas.resources) counted->second.insert(each.resource);
      }
    }
  };
  for (const auto& [name, row] : objects_.cluster_queues) note(row.object.groups);
  for (const auto& [name, row] : objects_.cohorts) note(row.object.groups);
}

std::vector<CountedFlavor> Flavors::Counted() const {
  std::vector<CountedFlavor> all;
  for (const auto& [flavor, resources] : counted_) {
    all.push_back({.flavor = flavor,
                   .labels = Find(flavor)->node_labels,
                   .resources = {resources.begin(), resources.end()}});
  }
  return all;
}

const objects::ResourceFlavor* Flavors::Find(const std::string& name) const {
  auto found = objects_.flavors.find(name);
  return found == objects_.flavors.end() ? nullptr : &found->second.object;
}

// Whether no node can be of two of its flavors.
bool Flavors::AreApart(const ResourceGroup& group) const {
  for (std::size_t i = 0; i < group.flavors.size(); ++i) {
    const objects::ResourceFlavor* flavor = Find(group.flavors[i].flavor);
    if (flavor == nullptr) return false;
    for (std::size_t j = 0; j < i; ++j) {
      const objects::ResourceFlavor* before = Find(group.flavors[j].flavor);
      if (!intake::AreApart(flavor->node_labels, before->node_labels)) return false;
    }
  }
  return true;
}

std::span<const FlavorQuotas> Flavors::UsedOf(const ResourceGroup& group) const {
  const bool all = std::ranges::all_of(group.flavors, [this](const FlavorQuotas& quotas) {
    return counted_.contains(quotas.flavor);
  });
  return std::span(group.flavors).first(all && AreApart(group) ? group.flavors.size() : 1);
}

KueueQuotas Flavors::QuotasOf(const std::vector<ResourceGroup>& groups) const {
  KueueQuotas quotas;
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& used : UsedOf(group)) {
      const bool counted = counted_.contains(used.flavor);
      for (const FlavorResource& resource : used.resources) {
        const std::string name =
            counted ? CountedName(resource.resource, used.flavor) : resource.resource;
        quotas[name] = {.nominal = std::min(resource.nominal, kMostQuota),
                        .borrowing = resource.borrowing_limit,
                        .lending = resource.lending_limit,
                        .flavor = used.flavor};
        if (!counted) continue;
        KueueQuota& sum = quotas[resource.resource];
        sum.nominal = PlusQuota(sum.nominal, resource.nominal);
      }
    }
  }
  return quotas;
}

std::shared_ptr<const FlavorDemands> Flavors::DemandsOf(const objects::ClusterQueue& queue) const {
  FlavorDemands demands;
  for (const ResourceGroup& group : queue.groups) {
    GroupDemand demand;
    bool demands_any = false;
    for (const FlavorQuotas& quotas : UsedOf(group)) {
      const objects::ResourceFlavor* flavor = Find(quotas.flavor);
      if (flavor == nullptr) break;
      const bool counted = counted_.contains(quotas.flavor);
      demands_any |= counted || !flavor->node_labels.empty() || !flavor->tolerations.empty();
      demand.flavors.push_back({.flavor = quotas.flavor,
                                .labels = flavor->node_labels,
                                .tolerations = flavor->tolerations,
                                .taints = flavor->node_taints,
                                .counted = counted});
    }
    if (!demands_any) continue;
    for (const FlavorResource& resource : group.flavors.front().resources) {
      demand.resources.push_back(resource.resource);
    }
    demands.push_back(std::move(demand));
  }
  if (demands.empty()) return nullptr;
  return std::make_shared<const FlavorDemands>(std::move(demands));
}

std::vector<std::string> Flavors::TopologiesOf(const objects::ClusterQueue& queue) const {
  std::vector<std::string> topologies;
  for (const ResourceGroup& group : queue.groups) {
    for (const FlavorQuotas& quotas : UsedOf(group)) {
      const objects::ResourceFlavor* flavor = Find(quotas.flavor);
      if (flavor == nullptr || flavor->topology.empty()) continue;
      if (std::ranges::find(topologies, flavor->topology) == topologies.end()) {
        topologies.push_back(flavor->topology);
      }
    }
  }
  return topologies;
}

std::vector<std::string> Flavors::MissingIn(const objects::ClusterQueue& queue) const {
  std::vector<std::string> missing;
  for (const ResourceGroup& group : queue.groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      const bool told = std::ranges::find(missing, quotas.flavor) != missing.end();
      if (!told && Find(quotas.flavor) == nullptr) missing.push_back(quotas.flavor);
    }
  }
  return missing;
}

}  // namespace fairlead::intake
