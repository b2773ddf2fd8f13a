#include "intake/join/budgets.h"

#include <algorithm>
#include <utility>

#include "base/sorted_set.h"

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

void Budgets::Upsert(const objects::PodDisruptionBudget& budget) {
  const std::string key = budget.meta.Key();
  auto [at, added] = budgets_.try_emplace(key);
  BudgetRow& row = at->second;
  const bool same =
      !added && row.selects_nothing == budget.selects_nothing && row.selector == budget.selector;
  if (!same) {
    lists_.Leave(row, row.lists);
    row.name_space = budget.meta.name_space;
    row.selector = budget.selector;
    row.selects_nothing = budget.selects_nothing;
    row.lists.clear();
    if (!row.selects_nothing) {
      row.lists = lists_.asked().ListsOf(row.selector, {&row.name_space, 1});
    }
    lists_.Enter(row, row.lists);
  }
  row.change = {.name = key,
                .min_available = budget.min_available,
                .max_unavailable = budget.max_unavailable,
                .status_allowed = budget.disruptions_allowed};
  changed_.insert(key);
}

bool Budgets::Remove(std::string_view key) {
  auto found = budgets_.find(key);
  if (found == budgets_.end()) return false;
  lists_.Leave(found->second, found->second.lists);
  changed_.insert(found->first);
  budgets_.erase(found);
  return true;
}

std::vector<std::string> Budgets::Selecting(std::string_view name_space,
                                            const objects::Labels& labels) const {
  std::vector<std::string> names;
  lists_.ForEachOf(name_space, labels, [&](const BudgetRow& row) {
    if (row.name_space == name_space && Matches(row.selector, labels)) {
      names.push_back(row.change.name);
    }
  });
  MakeSet(names);
  return names;
}

void Budgets::List(LabelsId id) {
  const LabelsRow& row = tables_.labels[id];
  lists_.asked().ForEachList(row.name_space, row.labels,
                             [&](LabelListId list) { labels_in_.Add(list, id); });
}

void Budgets::ListAll() {
  labels_in_.Clear();
  tables_.labels.ForEach([this](LabelsId id, const LabelsRow& /*row*/) { List(id); });
  labels_in_.Added();
}

bool Budgets::MoveToLabels(PodId id, const objects::Meta& meta) {
  PodRow& row = tables_.pods[id];
  if (row.labels.valid() && tables_.labels[row.labels].labels == meta.labels) return false;
  PackLabels(meta, key_);
  LabelsId to = tables_.labels.Find(key_);
  if (!to.valid()) {
    to = tables_.labels.Add(key_);
    tables_.labels[to].name_space = meta.name_space;
    tables_.labels[to].labels = meta.labels;
    tables_.labels[to].budgets = Selecting(meta.name_space, meta.labels);
    List(to);
  }
  const bool other =
      row.labels.valid() ? tables_.labels[row.labels].budgets != tables_.labels[to].budgets : true;
  LeaveLabels(id);
  std::vector<PodId>& pods = tables_.labels[to].pods;
  row.labels = to;
  row.labels_place = static_cast<std::uint32_t>(pods.size());
  pods.push_back(id);
  return other;
}

void Budgets::LeaveLabels(PodId id) {
  const LabelsId from = std::exchange(tables_.pods[id].labels, LabelsId());
  if (!from.valid()) return;
  std::vector<PodId>& pods = tables_.labels[from].pods;
  const std::uint32_t place = tables_.pods[id].labels_place;
  pods[place] = pods.back();
  tables_.pods[pods[place]].labels_place = place;
  pods.pop_back();
  if (pods.empty()) tables_.labels.Erase(from);
}

void Budgets::Spread() {
  if (lists_.asked().TakeGrown() || labels_in_.IsStale()) ListAll();
  for (const LabelsId id : labels_in_.In(lists_.TakeChanged())) {
    if (!tables_.labels.InUse(id)) continue;
    LabelsRow& row = tables_.labels[id];
    std::vector<std::string> fresh = Selecting(row.name_space, row.labels);
    if (fresh == row.budgets) continue;
    row.budgets = std::move(fresh);
    marks_.MarkPodsOf(row);
  }
}

void Budgets::Take(std::vector<state::Change>& out) {
  if (changed_.empty()) return;
  for (const std::string& name : std::exchange(changed_, {})) {
    auto found = budgets_.find(name);
    auto given = given_.find(name);
    if (found == budgets_.end()) {
      if (given == given_.end()) continue;
      marks_.Removed(state::RowKind::kBudget, name);
      given_.erase(given);
      continue;
    }
    const state::BudgetChange& fresh = found->second.change;
    if (given != given_.end() && given->second == fresh) continue;
    given_.insert_or_assign(name, fresh);
    out.emplace_back(fresh);
  }
}

}  // namespace fairlead::intake
