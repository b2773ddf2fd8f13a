#include "state/resources.h"

#include <algorithm>

#include "base/quantity.h"
#include "objects/keys.h"

namespace fairlead::state {

ResourceTable::ResourceTable() {
  for (const char* name :
       {"cpu", "memory", "pods", "nvidia.com/gpu", "(whole gpus)", "(gpu share)"}) {
    Intern(name);
  }
}

ResourceId ResourceTable::Intern(std::string_view name) {
  auto [it, added] = by_name_.try_emplace(std::string(name),
                                          ResourceId(static_cast<std::uint32_t>(names_.size())));
  if (added) {
    names_.emplace_back(name);
    is_gpu_.push_back(name.ends_with("/gpu"));
    is_slots_.push_back(name.starts_with(objects::kAttachPrefix));
    if (is_gpu_.back()) gpus_.push_back(it->second);
  }
  return it->second;
}

ResourceId ResourceTable::Find(std::string_view name) const {
  return by_name_.at(std::string(name));
}

std::optional<ResourceId> ResourceTable::FindKnown(std::string_view name) const {
  const auto at = by_name_.find(name);
  return at == by_name_.end() ? std::nullopt : std::optional(at->second);
}

std::vector<ResourceId> ResourceTable::SortedByName() const {
  std::vector<ResourceId> ids;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!IsInternal(ResourceId(i)) && !is_slots_[i]) ids.emplace_back(i);
  }
  std::sort(ids.begin(), ids.end(),
            [this](ResourceId a, ResourceId b) { return name(a) < name(b); });
  return ids;
}

std::string ResourceTable::Format(ResourceId id, std::int64_t amount) const {
  return FormatResource(name(id), amount);
}

std::int64_t AmountOf(const Amounts& amounts, ResourceId resource) {
  for (const Amount& a : amounts) {
    if (a.resource == resource) return a.amount;
  }
  return 0;
}

void AddTo(Amounts& into, const Amounts& more, std::int64_t times) {
  for (const Amount& m : more) {
    auto at = std::lower_bound(into.begin(), into.end(), m.resource,
                               [](const Amount& a, ResourceId id) { return a.resource < id; });
    if (at == into.end() || at->resource != m.resource) {
      at = into.insert(at, Amount{m.resource, 0});
    }
    std::int64_t product = 0;
    if (__builtin_mul_overflow(m.amount, times, &product)) {
      product = (m.amount < 0) == (times < 0) ? kMostAmount : -kMostAmount;
    }
    at->amount = std::clamp(at->amount + std::clamp(product, -kMostAmount, kMostAmount),
                            -kMostAmount, kMostAmount);
  }
}

Amounts ToAmounts(const objects::ResourceList& list, ResourceTable& table) {
  Amounts amounts;
  for (const auto& [name, amount] : list) {
    if (amount != 0) AddTo(amounts, Amounts{{table.Intern(name), amount}}, 1);
  }
  return amounts;
}

}  // namespace fairlead::state
