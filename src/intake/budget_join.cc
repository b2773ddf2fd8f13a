#include <algorithm>
#include <utility>

#include "intake/store.h"
#include "objects/key.h"

// Which disruption budgets select a pod. Pods with the same labels in one namespace are one row of
// labels_: a budget that comes, changes or goes looks at the rows of its namespace, and only the
// pods of rows that are selected otherwise than before are given to the engine again.

namespace fairlead::intake {
namespace {

// Lengths stand before texts, so that no character is special.
void PackLabels(const objects::Meta& meta, std::string& key) {
  const auto add = [&](const std::string& text) {
    const auto size = static_cast<std::uint32_t>(text.size());
    key.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
  };
  key.clear();
  add(meta.name_space);
  for (const auto& [name, value] : meta.labels) {
    add(name);
    add(value);
  }
}

}  // namespace

void Intake::Store::Upsert(const objects::PodDisruptionBudget& budget) {
  const std::string key = budget.meta.Key();
  auto [at, added] = budgets_.try_emplace(key);
  BudgetRow& row = at->second;
  if (added || row.selects_nothing != budget.selects_nothing || row.selector != budget.selector) {
    reselected_.insert(budget.meta.name_space);
  }
  row.selector = budget.selector;
  row.selects_nothing = budget.selects_nothing;
  row.change = {.name = key,
                .min_available = budget.min_available,
                .max_unavailable = budget.max_unavailable,
                .status_allowed = budget.disruptions_allowed};
  dirty_budgets_.insert(key);
}

bool Intake::Store::RemoveBudget(std::string_view key) {
  auto found = budgets_.find(key);
  if (found == budgets_.end()) return false;
  reselected_.emplace(objects::SplitKey(key).name_space);
  dirty_budgets_.insert(found->first);
  budgets_.erase(found);
  return true;
}

std::vector<std::string> Intake::Store::BudgetsFor(std::string_view name_space,
                                                   const objects::Labels& labels) const {
  std::vector<std::string> names;
  if (budgets_.empty()) return names;
  const std::string prefix = std::string(name_space).append(1, '/');
  for (auto at = budgets_.lower_bound(prefix); at != budgets_.end(); ++at) {
    if (!at->first.starts_with(prefix)) break;
    const BudgetRow& row = at->second;
    if (!row.selects_nothing && Matches(row.selector, labels)) names.push_back(at->first);
  }
  return names;
}

bool Intake::Store::MoveToLabels(PodId id, const objects::Meta& meta) {
  PodRow& row = pods_[id];
  if (row.labels.valid() && labels_[row.labels].labels == meta.labels) return false;
  PackLabels(meta, labels_key_);
  LabelsId to = labels_.Find(labels_key_);
  if (!to.valid()) {
    to = labels_.Add(labels_key_);
    labels_[to].name_space = meta.name_space;
    labels_[to].labels = meta.labels;
    labels_[to].budgets = BudgetsFor(meta.name_space, meta.labels);
  }
  ++labels_[to].pods;
  const bool other = row.labels.valid() ? labels_[row.labels].budgets != labels_[to].budgets : true;
  LeaveLabels(id);
  row.labels = to;
  return other;
}

void Intake::Store::LeaveLabels(PodId id) {
  const LabelsId from = std::exchange(pods_[id].labels, LabelsId());
  if (from.valid() && --labels_[from].pods == 0) labels_.Erase(from);
}

void Intake::Store::SpreadBudgets() {
  if (reselected_.empty()) return;
  bool any = false;
  labels_.ForEach([&](LabelsId, LabelsRow& row) {
    if (!reselected_.contains(row.name_space)) return;
    std::vector<std::string> fresh = BudgetsFor(row.name_space, row.labels);
    if (fresh == row.budgets) return;
    row.budgets = std::move(fresh);
    row.reselected = any = true;
  });
  reselected_.clear();
  if (!any) return;
  pods_.ForEach([&](PodId id, const PodRow& row) {
    if (!labels_[row.labels].reselected) return;
    if (row.facts.state != state::PodState::kFinished) Mark(id);
  });
  labels_.ForEach([](LabelsId, LabelsRow& row) { row.reselected = false; });
}

void Intake::Store::TakeBudgets(std::vector<state::Change>& out) {
  for (const std::string& name : std::exchange(dirty_budgets_, {})) {
    auto found = budgets_.find(name);
    auto given = given_budgets_.find(name);
    if (found == budgets_.end()) {
      if (given == given_budgets_.end()) continue;
      removals_.push_back({.kind = state::RowKind::kBudget, .name = name});
      given_budgets_.erase(given);
      continue;
    }
    const state::BudgetChange& fresh = found->second.change;
    if (given != given_budgets_.end() && given->second == fresh) continue;
    given_budgets_.insert_or_assign(name, fresh);
    out.emplace_back(fresh);
  }
}

}  // namespace fairlead::intake
