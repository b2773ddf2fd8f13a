#include "state/budgets.h"

#include <algorithm>

namespace fairlead::state {

BudgetId BudgetTable::Find(std::string_view name) const {
  auto found = by_name_.find(name);
  return found == by_name_.end() || !budgets_[found->second.value()].exists ? BudgetId()
                                                                            : found->second;
}

BudgetId BudgetTable::Intern(std::string_view name) {
  auto [at, added] = by_name_.try_emplace(std::string(name));
  if (!added) return at->second;
  if (unused_.empty()) {
    at->second = BudgetId(budgets_.size());
    budgets_.emplace_back();
  } else {
    at->second = unused_.back();
    unused_.pop_back();
  }
  budgets_[at->second.value()].name = name;
  return at->second;
}

void BudgetTable::DropIfUnused(BudgetId b) {
  Budget& budget = budgets_[b.value()];
  if (budget.exists || !budget.members.empty()) return;
  by_name_.erase(budget.name);
  budget = Budget();
  unused_.push_back(b);
}

bool BudgetTable::Update(const BudgetChange& change) {
  Budget& budget = budgets_[Intern(change.name).value()];
  const bool same = budget.exists && budget.min_available == change.min_available &&
                    budget.max_unavailable == change.max_unavailable &&
                    budget.status_allowed == change.status_allowed;
  if (same) return false;
  budget.exists = true;
  budget.min_available = change.min_available;
  budget.max_unavailable = change.max_unavailable;
  budget.status_allowed = change.status_allowed;
  return true;
}

bool BudgetTable::Retire(std::string_view name) {
  const BudgetId b = Find(name);
  if (!b.valid()) return false;
  Budget& budget = budgets_[b.value()];
  budget.exists = false;
  budget.min_available.reset();
  budget.max_unavailable.reset();
  budget.status_allowed.reset();
  DropIfUnused(b);
  return true;
}

const std::vector<BudgetId>& BudgetTable::Of(PodId p) const {
  static const std::vector<BudgetId> kNone;
  auto found = by_pod_.find(p.value());
  return found == by_pod_.end() ? kNone : found->second;
}

bool BudgetTable::ReplaceBudgets(PodId p, const std::vector<std::string>& names) {
  auto found = by_pod_.find(p.value());
  const std::vector<BudgetId> before =
      found == by_pod_.end() ? std::vector<BudgetId>() : std::move(found->second);
  std::vector<BudgetId> after;
  after.reserve(names.size());
  for (const std::string& name : names) after.push_back(Intern(name));
  std::ranges::sort(after, {},
                    [&](BudgetId b) -> const std::string& { return budgets_[b.value()].name; });
  for (const BudgetId b : before) {
    if (std::ranges::find(after, b) != after.end()) continue;
    std::vector<PodId>& members = budgets_[b.value()].members;
    members.erase(std::ranges::lower_bound(members, p));
    DropIfUnused(b);
  }
  for (const BudgetId b : after) {
    if (std::ranges::find(before, b) != before.end()) continue;
    std::vector<PodId>& members = budgets_[b.value()].members;
    members.insert(std::ranges::lower_bound(members, p), p);
  }
  const bool changed = before != after;
  if (after.empty()) {
    by_pod_.erase(p.value());
  } else {
    by_pod_[p.value()] = std::move(after);
  }
  return changed;
}

}  // namespace fairlead::state
