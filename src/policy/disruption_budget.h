#pragma once

#include <cstdint>
#include <limits>

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

}  // namespace fairlead::policy
