#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "state/cluster.h"

namespace fairlead::policy {

inline constexpr std::int64_t kAnyDisruptions = std::numeric_limits<std::int64_t>::max();

// How many pods of the budget may be evicted now (semantics.md §4).
//   - What its status says, where it says something, less the members that we evict already and the
//     cluster does not show yet.
//   - Else Kubernetes' rule over the members that are here: healthy − desired, where
//       maxUnavailable: desired = expected − maxUnavailable; minAvailable: desired is that; a
//       percentage is of expected, rounded up; neither: nothing may go.
//     healthy: members that are placed and not on their way out. expected: members that have not
//     finished; the real controller asks their owners how many there should be, which we do not
//     know.
// Never below 0. kAnyDisruptions: the budget is not there, and binds nothing.
// Cost: O(members).
std::int64_t DisruptionsAllowed(const state::Cluster& cluster, state::BudgetId b);

// The same without that bound: below 0, more are on their way out than may go.
std::int64_t DisruptionsLeft(const state::Cluster& cluster, state::BudgetId b);

// Whether budgets bind only for what queues have within their guarantees.
inline bool BudgetsYield(const state::Cluster& cluster) {
  return cluster.configuration().budgets_on_borrowed_room == objects::OnBorrowedRoom::kYield;
}

// Pods that leave together: a pod by itself, a surplus one, a gang's minimum.
using LeavingPods = std::span<const state::PodId>;

// Budgets bind for a unit that leaves, one after the other, as follows. With `onBorrowedRoom: Bind`
// always. With `Yield` not where its queue, before it leaves, has more than it is guaranteed of
// something that the unit holds and that is guaranteed in the tree; nor where it holds nothing of
// the kind: all that it has is borrowed.

// For whom they leave, where a trial has placed a part of it already, or all: that is nothing that
// its queue had before they left. Not owned.
struct PreemptorInTrial {
  state::QueueId queue;
  const state::Amounts* request = nullptr;    // all that it asks …
  const state::Amounts* remaining = nullptr;  // … and what of it is not placed; null: all of it is
};

// Whether the disruption budgets let these units go, in this order, besides those that are leaving
// already. Those that a budget does not bind for use it up all the same: the API server counts
// them.
bool BudgetsAllow(const state::Cluster& cluster, std::span<const LeavingPods> units,
                  const PreemptorInTrial& preemptor = {});
inline bool BudgetsAllow(const state::Cluster& cluster, LeavingPods unit) {
  return BudgetsAllow(cluster, {&unit, 1}, {});
}
// The same of units that have left in a trial, in this order.
bool BudgetsKept(const state::Cluster& cluster, std::span<const LeavingPods> units,
                 const PreemptorInTrial& preemptor = {});

// Of units that have left, in this order: the pods that go although a budget of theirs is short, as
// it does not bind for them.
std::vector<state::PodId> PastBudgets(const state::Cluster& cluster,
                                      std::span<const LeavingPods> units);
// The first budget, in their order, that is short and binds; invalid: none. REQUIRES: they are
// still there.
state::BudgetId BudgetInTheWay(const state::Cluster& cluster, std::span<const LeavingPods> units,
                               const PreemptorInTrial& preemptor = {});

}  // namespace fairlead::policy
