#include "policy/limits.h"

#include <algorithm>

namespace fairlead::policy {
namespace {

using state::Figure;

// Calls `found` for each breach; stops when it returns true.
template <state::When when, typename Found>
void ForEachBreach(const state::QueueTree& queues, state::QueueId leaf,
                   const state::Amounts& request, bool preemptible, Found found) {
  const auto used = [&](state::QueueId q, Figure allocated, Figure turnover, state::ResourceId r) {
    const std::int64_t later = queues.Get(q, allocated, r);
    return when == state::When::kNow ? later + queues.Get(q, turnover, r) : later;
  };
  for (state::QueueId q = leaf; q.valid(); q = queues[q].parent) {
    if (q == state::QueueTree::Root()) return;
    for (const state::Amount& a : request) {
      if (!queues.Counts(a.resource)) continue;
      const std::int64_t limit = queues.Get(q, Figure::kLimit, a.resource);
      const std::int64_t under_limit =
          limit - used(q, Figure::kAllocated, Figure::kTurnover, a.resource);
      if (a.amount > under_limit) {
        const LimitBreach breach{state::ReasonCode::kQueueLimit, q, a.resource, a.amount,
                                 std::max<std::int64_t>(0, under_limit)};
        if (found(breach)) return;
      }
      if (preemptible || !queues.GuaranteedInTree(a.resource)) continue;
      const std::int64_t under_guarantee =
          queues.Get(q, Figure::kGuaranteed, a.resource) -
          used(q, Figure::kNonPreemptible, Figure::kTurnoverNonPreemptible, a.resource);
      if (a.amount > under_guarantee) {
        const LimitBreach breach{state::ReasonCode::kNonPreemptibleOverGuarantee, q, a.resource,
                                 a.amount, std::max<std::int64_t>(0, under_guarantee)};
        if (found(breach)) return;
      }
    }
  }
}

}  // namespace

std::optional<LimitBreach> FirstBreach(const state::QueueTree& queues, state::QueueId leaf,
                                       const state::Amounts& request, bool preemptible,
                                       state::When when) {
  std::optional<LimitBreach> first;
  const auto stop_at = [&](const LimitBreach& breach) {
    first = breach;
    return true;
  };
  if (when == state::When::kNow) {
    ForEachBreach<state::When::kNow>(queues, leaf, request, preemptible, stop_at);
  } else {
    ForEachBreach<state::When::kLater>(queues, leaf, request, preemptible, stop_at);
  }
  return first;
}

bool WithinLimits(const state::QueueTree& queues, state::QueueId leaf, const state::Amounts& asked,
                  const state::Amounts& more) {
  for (state::QueueId q = leaf; q != state::QueueTree::Root(); q = queues[q].parent) {
    for (const state::Amount& a : asked) {
      if (!queues.Counts(a.resource)) continue;
      const std::int64_t with =
          queues.Get(q, Figure::kAllocated, a.resource) + state::AmountOf(more, a.resource);
      if (with > queues.Get(q, Figure::kLimit, a.resource)) return false;
    }
  }
  return true;
}

std::vector<LimitBreach> AllBreaches(const state::QueueTree& queues, state::QueueId leaf,
                                     const state::Amounts& request, bool preemptible) {
  std::vector<LimitBreach> all;
  ForEachBreach<state::When::kLater>(queues, leaf, request, preemptible,
                                     [&](const LimitBreach& breach) {
                                       all.push_back(breach);
                                       return false;
                                     });
  return all;
}

}  // namespace fairlead::policy
