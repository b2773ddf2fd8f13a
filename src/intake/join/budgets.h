#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "intake/join/label_lists.h"
#include "intake/tables/marks.h"
#include "intake/tables/tables.h"
#include "state/change.h"

namespace fairlead::intake {

// Disruption budgets, and which of them select a pod. Pods with the same labels in one namespace
// are one row of Tables::labels: a budget that comes, changes or goes looks at the rows that it may
// select, and only the pods of rows that are selected otherwise than before are given to the engine
// again.
//
// - A row of labels is there while a pod has it; its `budgets` are right after Spread.
//
// Cost: a pod whose labels are as before costs their comparison.
class Budgets {
 public:
  Budgets(Tables& tables, Marks& marks) : tables_(tables), marks_(marks) {}

  void Upsert(const objects::PodDisruptionBudget& budget);
  bool Remove(std::string_view key);  // "namespace/name"

  // The pod has the labels of `meta` now. Whether other budgets select it than before.
  bool MoveToLabels(PodId id, const objects::Meta& meta);
  void LeaveLabels(PodId id);

  // Marks the pods that are selected otherwise since the last call.
  void Spread();
  // Appends the budgets that changed, by name; those that went are told to Marks.
  void Take(std::vector<state::Change>& out);

 private:
  struct BudgetRow {
    std::string name_space;
    objects::LabelSelector selector;
    bool selects_nothing = false;
    std::vector<LabelListId> lists;  // that it stands in
    state::BudgetChange change;
  };
  void List(LabelsId id);
  void ListAll();
  std::vector<std::string> Selecting(std::string_view name_space,
                                     const objects::Labels& labels) const;

  Tables& tables_;
  Marks& marks_;
  Tables::ByName<BudgetRow> budgets_;           // by "namespace/name"
  Tables::ByName<state::BudgetChange> given_;   // what the engine has
  std::set<std::string, std::less<>> changed_;  // budgets
  SelectorLists<BudgetRow> lists_;
  LabelLists<LabelsId> labels_in_;
  std::string key_;  // so that a look-up does not allocate
};

}  // namespace fairlead::intake
