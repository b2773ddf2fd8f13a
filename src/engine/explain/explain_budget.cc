#include "engine/explain/explain_budget.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/disruption_budget.h"

namespace fairlead::engine {

void TellBudget(const state::Cluster& cluster, const std::vector<VictimUnit>& victims,
                std::string_view room, state::Reason& reason) {
  const std::vector<policy::LeavingPods> units = LeavingOf(victims);
  const state::BudgetId b = policy::BudgetInTheWay(cluster, units);
  if (!b.valid()) {
    reason.message = fmt::format("disruption budgets keep what could make room {}", room);
    return;
  }
  reason.budget = cluster.budgets()[b].name;
  reason.message =
      fmt::format("disruption budget {} keeps what could make room {}", reason.budget, room);
  for (policy::LeavingPods unit : units) {
    for (state::PodId p : unit) {
      const auto& its = cluster.budgets().Of(p);
      if (std::find(its.begin(), its.end(), b) == its.end()) continue;
      reason.message += fmt::format(" ({})", cluster.pods().name(p));
      return;
    }
  }
}

}  // namespace fairlead::engine
