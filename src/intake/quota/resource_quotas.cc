#include "intake/quota/resource_quotas.h"

#include <algorithm>

namespace fairlead::intake {

bool ResourceQuotas::Upsert(const objects::ResourceQuota& quota) {
  const std::string key = quota.meta.Key();
  if (!quota.scopes.empty()) return Remove(key);
  hard_[key] = quota.hard;
  return true;
}

bool ResourceQuotas::Remove(std::string_view key) {
  const auto found = hard_.find(key);
  if (found == hard_.end()) return false;
  hard_.erase(found);
  return true;
}

std::optional<ResourceQuotas::Allowed> ResourceQuotas::AllowedIn(
    std::string_view name_space) const {
  std::optional<Allowed> all;
  const std::string prefix = std::string(name_space).append(1, '/');
  for (auto at = hard_.lower_bound(prefix); at != hard_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    if (!all) all.emplace();
    all->names += (all->names.empty() ? "" : ", ") + at->first;
    for (const auto& [resource, amount] : at->second) {
      auto said = std::ranges::find(
          all->hard, resource, [](const auto& entry) -> const std::string& { return entry.first; });
      if (said == all->hard.end()) {
        all->hard.emplace_back(resource, amount);
      } else {
        said->second = std::min(said->second, amount);
      }
    }
  }
  return all;
}

}  // namespace fairlead::intake
