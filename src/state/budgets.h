#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/name_map.h"
#include "state/change.h"
#include "state/ids.h"

namespace fairlead::state {

// A disruption budget and the pods that it selects, those of other schedulers that are bound too.
struct Budget {
  std::string name;     // "namespace/name"
  bool exists = false;  // false: pods name it, but it has not been seen or is gone: binds nothing
  std::optional<objects::IntOrPercent> min_available, max_unavailable;
  std::optional<std::int32_t> status_allowed;
  std::vector<PodId> members;  // by number
};

// Budgets by dense number, their pods, and the budgets of a pod. Most pods have none: they take
// no room here and cost one look at an empty table.
//
// Invariant: p is in members of b exactly while b is in Of(p).
// Budgets and pods may come in any order. A number is used again once its budget is gone and
// selects no pod: nobody keeps it from one round to the next.
// Thread safety: none.
class BudgetTable {
 public:
  // Of these three each returns whether something changed.
  bool Update(const BudgetChange& change);
  bool Retire(std::string_view name);
  // All budgets that select the pod; `names` without doubles. For a pod that leaves: none.
  bool SetBudgets(PodId p, const std::vector<std::string>& names) {
    return names.empty() && by_pod_.empty() ? false : ReplaceBudgets(p, names);
  }

  BudgetId Find(std::string_view name) const;  // only those that exist; else invalid
  const Budget& operator[](BudgetId b) const { return budgets_[b.value()]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(budgets_.size()); }  // rows

  // Another number: they may allow more than they did, for a pod of theirs that stays now.
  std::uint64_t eased() const { return eased_; }
  void NoteEased() { ++eased_; }

  // By name of the budget. Valid until the next change.
  const std::vector<BudgetId>& Of(PodId p) const;

 private:
  BudgetId Intern(std::string_view name);
  void DropIfUnused(BudgetId b);
  bool ReplaceBudgets(PodId p, const std::vector<std::string>& names);

  std::vector<Budget> budgets_;
  std::vector<BudgetId> unused_;
  std::uint64_t eased_ = 0;
  NameMap<BudgetId> by_name_;
  boost::unordered_flat_map<std::uint32_t, std::vector<BudgetId>> by_pod_;
};

}  // namespace fairlead::state
