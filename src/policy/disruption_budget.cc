#include "policy/disruption_budget.h"

#include <algorithm>

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

}  // namespace fairlead::policy
