#include "policy/limits.h"

#include <algorithm>

namespace fairlead::policy {
namespace {

using state::Figure;

// What the leaves below `q` other than `leaf` are guaranteed and do not use.
std::int64_t UnusedGuarantees(const state::QueueTree& queues, state::QueueId q, state::QueueId leaf,
                              state::ResourceId r) {
  std::int64_t unused = 0;
  for (const state::QueueId child : queues[q].children) {
    unused += UnusedGuarantees(queues, child, leaf, r);
  }
  if (q == leaf || q == state::QueueTree::Root() || !queues[q].children.empty()) return unused;
  const std::int64_t guaranteed =
      std::min(queues.Get(q, Figure::kGuaranteed, r), queues.capacity(r));
  return unused + std::max<std::int64_t>(0, guaranteed - queues.Get(q, Figure::kAllocated, r));
}

// Whether all of `asked` that is guaranteed somewhere is within what the leaf is guaranteed.
bool IsWithinGuarantee(const state::QueueTree& queues, state::QueueId leaf,
                       const state::Amounts& asked, const state::Amounts& more) {
  return std::ranges::all_of(asked, [&](const state::Amount& a) {
    if (!queues.Counts(a.resource) || !queues.GuaranteedInTree(a.resource)) return true;
    return queues.Get(leaf, Figure::kAllocated, a.resource) + state::AmountOf(more, a.resource) <=
           queues.Get(leaf, Figure::kGuaranteed, a.resource);
  });
}

// Calls found(queue, resource, amount that may be lent) for each queue that does not lend what is
// asked, until it returns true. `used(r)`: of the cluster.
template <typename Used, typename Found>
void ForEachNotLent(const state::QueueTree& queues, state::QueueId leaf,
                    const state::Amounts& asked, const state::Amounts& more, Used used,
                    Found found) {
  if (!queues.any_lends_less()) return;
  for (state::QueueId q = leaf; q.valid(); q = queues[q].parent) {
    const std::int64_t kept_percent = 100 - queues[q].lend.value_or(100);
    if (kept_percent == 0 || IsWithinGuarantee(queues, leaf, asked, more)) continue;
    for (const state::Amount& a : asked) {
      if (!queues.Counts(a.resource) || !queues.GuaranteedInTree(a.resource)) continue;
      const std::int64_t unused = UnusedGuarantees(queues, q, leaf, a.resource);
      const std::int64_t kept = (kept_percent * unused + 99) / 100;
      const std::int64_t may_be_lent = queues.capacity(a.resource) - used(a.resource) - kept;
      if (state::AmountOf(more, a.resource) <= may_be_lent) continue;
      if (found(q, a.resource, std::max<std::int64_t>(0, may_be_lent))) return;
    }
  }
}

// Calls `found` for each breach; stops when it returns true.
template <state::When when, typename Found>
void ForEachBreach(const state::QueueTree& queues, state::QueueId leaf,
                   const state::Amounts& request, bool preemptible, bool starts, Found found) {
  const auto used = [&](state::QueueId q, Figure allocated, Figure turnover, state::ResourceId r) {
    const std::int64_t later = queues.Get(q, allocated, r);
    return when == state::When::kNow ? later + queues.Get(q, turnover, r) : later;
  };
  for (state::QueueId q = leaf; q.valid() && q != state::QueueTree::Root(); q = queues[q].parent) {
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
  if (!starts) return;
  ForEachNotLent(
      queues, leaf, request, request,
      [&](state::ResourceId r) {
        return used(state::QueueTree::Root(), Figure::kAllocated, Figure::kTurnover, r);
      },
      [&](state::QueueId q, state::ResourceId r, std::int64_t may_be_lent) {
        return found(LimitBreach{state::ReasonCode::kNotLent, q, r, state::AmountOf(request, r),
                                 may_be_lent});
      });
}

}  // namespace

std::optional<LimitBreach> FirstBreach(const state::QueueTree& queues, state::QueueId leaf,
                                       const state::Amounts& request, bool preemptible,
                                       state::When when, bool starts) {
  std::optional<LimitBreach> first;
  const auto stop_at = [&](const LimitBreach& breach) {
    first = breach;
    return true;
  };
  if (when == state::When::kNow) {
    ForEachBreach<state::When::kNow>(queues, leaf, request, preemptible, starts, stop_at);
  } else {
    ForEachBreach<state::When::kLater>(queues, leaf, request, preemptible, starts, stop_at);
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
  bool lent = true;
  ForEachNotLent(
      queues, leaf, asked, more,
      [&](state::ResourceId r) {
        return queues.Get(state::QueueTree::Root(), Figure::kAllocated, r);
      },
      [&](state::QueueId, state::ResourceId, std::int64_t) {
        lent = false;
        return true;
      });
  return lent;
}

std::vector<LimitBreach> AllBreaches(const state::QueueTree& queues, state::QueueId leaf,
                                     const state::Amounts& request, bool preemptible) {
  std::vector<LimitBreach> all;
  ForEachBreach<state::When::kLater>(queues, leaf, request, preemptible, true,
                                     [&](const LimitBreach& breach) {
                                       all.push_back(breach);
                                       return false;
                                     });
  return all;
}

}  // namespace fairlead::policy
