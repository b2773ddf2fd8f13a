#include "policy/disruption_budget.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "policy/lending.h"

namespace fairlead::policy {
namespace {

// Rounded up, as Kubernetes does for both fields.
std::int64_t Scaled(const objects::IntOrPercent& part, std::int64_t expected) {
  return part.percent ? (expected * part.value + 99) / 100 : part.value;
}

std::int64_t Desired(const state::Budget& budget, std::int64_t expected) {
  if (budget.max_unavailable) {
    return std::max<std::int64_t>(0, expected - Scaled(*budget.max_unavailable, expected));
  }
  return budget.min_available ? Scaled(*budget.min_available, expected) : expected;
}

// Members whose eviction is decided but not shown: the status still counts them as healthy.
std::int64_t LeavingUnseen(const state::Cluster& cluster, const state::Budget& budget) {
  return std::ranges::count_if(budget.members,
                               [&](state::PodId p) { return cluster.pods()[p].evicted; });
}

}  // namespace

std::int64_t DisruptionsLeft(const state::Cluster& cluster, state::BudgetId b) {
  const state::Budget& budget = cluster.budgets()[b];
  if (!budget.exists) return kAnyDisruptions;
  if (budget.status_allowed) return *budget.status_allowed - LeavingUnseen(cluster, budget);
  const auto healthy = std::ranges::count_if(
      budget.members, [&](state::PodId p) { return cluster.pods()[p].live(); });
  const std::int64_t expected = std::ssize(budget.members);  // finished pods are in no table
  return healthy - Desired(budget, expected);
}

std::int64_t DisruptionsAllowed(const state::Cluster& cluster, state::BudgetId b) {
  return std::max<std::int64_t>(0, DisruptionsLeft(cluster, b));
}

namespace {

// Which units budgets bind for, where they leave one after the other.
class BudgetBonds {
 public:
  explicit BudgetBonds(const state::Cluster& cluster, const PreemptorInTrial& preemptor = {})
      : cluster_(cluster) {
    if (preemptor.request == nullptr || !BudgetsYield(cluster)) return;
    state::AddTo(OffsetOf(preemptor.queue), *preemptor.request, -1);
    if (preemptor.remaining != nullptr)
      state::AddTo(OffsetOf(preemptor.queue), *preemptor.remaining, +1);
  }

  // In the order in which they leave; what was asked about before counts as gone.
  bool BindsNext(LeavingPods unit);
  // Of units that have left in a trial already, from the last to the first.
  bool BoundLast(LeavingPods unit);

 private:
  bool Binds(state::QueueId queue, const state::Amounts& unit) const;
  state::Amounts& OffsetOf(state::QueueId queue);
  void SumOf(LeavingPods unit);

  const state::Cluster& cluster_;
  std::vector<std::pair<state::QueueId, state::Amounts>> offsets_;  // to what queues have allocated
  state::QueueId queue_;                                            // of the unit at hand …
  state::Amounts sum_;                                              // … and what it holds
};

bool BudgetBonds::Binds(state::QueueId queue, const state::Amounts& unit) const {
  const state::QueueTree& queues = cluster_.queues();
  const auto offset = std::find_if(offsets_.begin(), offsets_.end(),
                                   [&](const auto& of) { return of.first == queue; });
  bool any_guaranteed = false;
  for (const state::Amount& a : unit) {
    if (!queues.GuaranteedInTree(a.resource) || !queues.Counts(a.resource)) continue;
    any_guaranteed = true;
    const std::int64_t moved =
        offset == offsets_.end() ? 0 : state::AmountOf(offset->second, a.resource);
    const std::int64_t has = queues.Get(queue, state::Figure::kAllocated, a.resource) + moved;
    if (has > state::GuaranteeOf(queues, queue, a.resource)) return false;
  }
  return any_guaranteed;
}

state::Amounts& BudgetBonds::OffsetOf(state::QueueId queue) {
  for (auto& [of, offset] : offsets_) {
    if (of == queue) return offset;
  }
  offsets_.emplace_back().first = queue;
  return offsets_.back().second;
}

void BudgetBonds::SumOf(LeavingPods unit) {
  queue_ = cluster_.workloads()[cluster_.pods()[unit.front()].workload].queue;
  sum_ = state::RequestOf(cluster_, unit);
}

bool BudgetBonds::BindsNext(LeavingPods unit) {
  if (!BudgetsYield(cluster_)) return true;
  if (unit.empty()) return false;
  SumOf(unit);
  const bool binds = Binds(queue_, sum_);
  state::AddTo(OffsetOf(queue_), sum_, -1);
  return binds;
}

bool BudgetBonds::BoundLast(LeavingPods unit) {
  if (!BudgetsYield(cluster_)) return true;
  if (unit.empty()) return false;
  SumOf(unit);
  state::AddTo(OffsetOf(queue_), sum_, 1);
  return Binds(queue_, sum_);
}

bool HasBudget(const state::Cluster& cluster, LeavingPods unit) {
  return std::any_of(unit.begin(), unit.end(),
                     [&](state::PodId p) { return !cluster.budgets().Of(p).empty(); });
}

bool AnyHasBudget(const state::Cluster& cluster, std::span<const LeavingPods> units) {
  if (cluster.budgets().size() == 0) return false;
  return std::any_of(units.begin(), units.end(),
                     [&](LeavingPods unit) { return HasBudget(cluster, unit); });
}

// The budgets of those that budgets bind for, each once, in the order in which they are met.
void AddBudgets(const state::Cluster& cluster, LeavingPods unit,
                std::vector<state::BudgetId>& budgets) {
  for (state::PodId p : unit) {
    for (state::BudgetId b : cluster.budgets().Of(p)) {
      if (std::find(budgets.begin(), budgets.end(), b) == budgets.end()) budgets.push_back(b);
    }
  }
}

// How many of the pods the budget selects.
std::int64_t CountOf(const state::Cluster& cluster, state::BudgetId b,
                     std::span<const LeavingPods> units) {
  std::int64_t count = 0;
  for (LeavingPods unit : units) {
    count += std::count_if(unit.begin(), unit.end(), [&](state::PodId p) {
      const auto& of = cluster.budgets().Of(p);
      return std::find(of.begin(), of.end(), b) != of.end();
    });
  }
  return count;
}

}  // namespace

state::BudgetId BudgetInTheWay(const state::Cluster& cluster, std::span<const LeavingPods> units,
                               const PreemptorInTrial& preemptor) {
  DCHECK(std::all_of(units.begin(), units.end(), [&](LeavingPods unit) {
    return std::all_of(unit.begin(), unit.end(),
                       [&](state::PodId p) { return cluster.pods()[p].node.valid(); });
  }));
  if (!AnyHasBudget(cluster, units)) return state::BudgetId();
  std::vector<state::BudgetId> bound;
  BudgetBonds bonds(cluster, preemptor);
  for (LeavingPods unit : units) {
    if (bonds.BindsNext(unit)) AddBudgets(cluster, unit, bound);
  }
  const auto is_short = [&](state::BudgetId b) {
    return CountOf(cluster, b, units) > DisruptionsLeft(cluster, b);
  };
  const auto found = std::find_if(bound.begin(), bound.end(), is_short);
  return found == bound.end() ? state::BudgetId() : *found;
}

bool BudgetsAllow(const state::Cluster& cluster, std::span<const LeavingPods> units,
                  const PreemptorInTrial& preemptor) {
  return !BudgetInTheWay(cluster, units, preemptor).valid();
}

bool BudgetsKept(const state::Cluster& cluster, std::span<const LeavingPods> units,
                 const PreemptorInTrial& preemptor) {
  if (!AnyHasBudget(cluster, units)) return true;
  std::vector<state::BudgetId> bound;
  BudgetBonds bonds(cluster, preemptor);
  for (std::size_t i = units.size(); i-- > 0;) {
    if (bonds.BoundLast(units[i])) AddBudgets(cluster, units[i], bound);
  }
  return std::all_of(bound.begin(), bound.end(),
                     [&](state::BudgetId b) { return DisruptionsLeft(cluster, b) >= 0; });
}

std::vector<state::PodId> PastBudgets(const state::Cluster& cluster,
                                      std::span<const LeavingPods> units) {
  std::vector<state::PodId> past;
  if (!AnyHasBudget(cluster, units)) return past;
  BudgetBonds bonds(cluster);
  for (std::size_t i = units.size(); i-- > 0;) {
    if (bonds.BoundLast(units[i])) continue;
    for (state::PodId p : units[i]) {
      const auto& budgets = cluster.budgets().Of(p);
      const bool is_short = std::any_of(budgets.begin(), budgets.end(), [&](state::BudgetId b) {
        return DisruptionsLeft(cluster, b) < 0;
      });
      if (is_short) past.push_back(p);
    }
  }
  std::sort(past.begin(), past.end());
  return past;
}

}  // namespace fairlead::policy
