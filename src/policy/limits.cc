#include "policy/limits.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "base/wide_int.h"
#include "state/tally.h"

namespace fairlead::policy {
namespace {

using state::Figure;

// Calls `found` for each breach, until it returns true. Whether it did.
template <state::When when, typename Found>
bool AnyUserBreach(const state::Accounts& accounts, const state::Workload& workload,
                   state::WorkloadId w, const state::Amounts& request, Found found) {
  if (!workload.accounts.valid()) return false;
  constexpr bool kNow = when == state::When::kNow;
  const bool runs = kNow ? accounts.IsPresent(w) : accounts.IsRunning(w);
  for (const state::AccountId a : accounts[workload.accounts]) {
    const state::Account& account = accounts[a];
    LimitBreach breach{.code = state::ReasonCode::kUserLimit, .queue = account.queue, .account = a};
    for (const state::Account::Line& line : account.max) {
      const std::int64_t asked = state::AmountOf(request, line.resource);
      const std::int64_t left = line.max - line.allocated - (kNow ? line.turnover : 0);
      if (asked == 0 || asked <= left) continue;
      breach.resource = line.resource;
      breach.requested = asked;
      breach.available = std::max<std::int64_t>(0, left);
      if (found(breach)) return true;
    }
    const std::int32_t running = kNow ? account.present : account.running;
    if (runs || !account.max_running || running < *account.max_running) continue;
    breach.resource = state::ResourceId();
    breach.requested = 1;
    breach.available = 0;
    if (found(breach)) return true;
  }
  return false;
}

// The same of queues.
template <state::When when, typename Found>
void ForEachQueueBreach(const state::QueueTree& queues, state::QueueId leaf,
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
        const LimitBreach breach{state::ReasonCode::kQueueLimit,
                                 q,
                                 a.resource,
                                 a.amount,
                                 std::max<std::int64_t>(0, under_limit),
                                 state::AccountId()};
        if (found(breach)) return;
      }
      if (preemptible || !queues.GuaranteedInTree(a.resource)) continue;
      const std::int64_t under_guarantee =
          queues.Get(q, Figure::kGuaranteed, a.resource) -
          used(q, Figure::kNonPreemptible, Figure::kTurnoverNonPreemptible, a.resource);
      if (a.amount > under_guarantee) {
        const LimitBreach breach{state::ReasonCode::kNonPreemptibleOverGuarantee,
                                 q,
                                 a.resource,
                                 a.amount,
                                 std::max<std::int64_t>(0, under_guarantee),
                                 state::AccountId()};
        if (found(breach)) return;
      }
    }
  }
}

// Whether it is no start, but a part of what runs.
bool BelongsToWhatRuns(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (workload.solo()) return cluster.pods()[workload.only_pod].of_daemon_set();
  if (!workload.started()) return false;
  std::vector<state::TalliedSet> sets;
  for (const state::PodSet& set : cluster.workloads().gang(w).sets) {
    sets.push_back({.min_count = set.min_count, .succeeded = set.succeeded});
    for (const state::PodId p : set.pods) sets.back().placed += cluster.pods()[p].live() ? 1 : 0;
  }
  return !state::HasMinimum(sets);
}

// Of what queues lend. Worked: 10 GPUs, 7 in use; b is guaranteed 4 and has none, so with lend: 50
// 2 of them stay free. A pod of 1 beyond a's guarantee starts (2 are free then), the next does not.
template <typename Found>
void ForEachLendingBreach(const state::Cluster& cluster, state::WorkloadId w,
                          const state::Amounts& asked, const state::Amounts& more, Found found) {
  const state::QueueTree& queues = cluster.queues();
  if (!queues.idle().kept()) return;
  const state::QueueId leaf = cluster.workloads()[w].queue;
  for (state::QueueId q = queues[leaf].parent; q.valid(); q = queues[q].parent) {
    if (queues[q].lend == 100) continue;
    for (const state::Amount& a : asked) {
      if (!queues.GuaranteedInTree(a.resource)) continue;
      const std::int64_t added = state::AmountOf(more, a.resource);
      const std::int64_t its = queues.Get(leaf, Figure::kAllocated, a.resource) + added;
      if (its <= GuaranteeOf(queues, leaf, a.resource)) continue;
      const std::int64_t idle =
          queues.idle().Of(q, a.resource) - queues.idle().Of(leaf, a.resource);
      const auto kept =
          static_cast<std::int64_t>((WideInt{idle} * (100 - queues[q].lend) + 99) / 100);
      const std::int64_t free =
          queues.capacity(a.resource) -
          queues.Get(state::QueueTree::Root(), Figure::kAllocated, a.resource);
      if (free - added >= kept) continue;
      if (BelongsToWhatRuns(cluster, w)) return;
      const LimitBreach breach{.code = state::ReasonCode::kNotLent,
                               .queue = q,
                               .resource = a.resource,
                               .requested = added,
                               .available = std::max<std::int64_t>(0, free - kept),
                               .account = {},
                               .kept = kept};
      if (found(breach)) return;
    }
  }
}

template <state::When when, typename Found>
void ForEachBreach(const state::Cluster& cluster, state::WorkloadId w,
                   const state::Amounts& request, Found found) {
  const state::QueueTree& queues = cluster.queues();
  const state::Workload& workload = cluster.workloads()[w];
  if (AnyUserBreach<when>(queues.accounts(), workload, w, request, found)) return;
  bool done = false;
  ForEachQueueBreach<when>(queues, workload.queue, request, workload.preemptible,
                           [&](const LimitBreach& breach) { return done = found(breach); });
  if (done || when == state::When::kNow) return;
  ForEachLendingBreach(cluster, w, request, request, found);
}

}  // namespace

std::optional<LimitBreach> FirstBreach(const state::Cluster& cluster, state::WorkloadId w,
                                       const state::Amounts& request, state::When when) {
  std::optional<LimitBreach> first;
  const auto stop_at = [&](const LimitBreach& breach) {
    first = breach;
    return true;
  };
  if (when == state::When::kNow) {
    ForEachBreach<state::When::kNow>(cluster, w, request, stop_at);
  } else {
    ForEachBreach<state::When::kLater>(cluster, w, request, stop_at);
  }
  return first;
}

bool Lends(const state::Cluster& cluster, state::WorkloadId w, const state::Amounts& asked,
           const state::Amounts& more, const state::Amounts& gone) {
  bool lends = true;
  ForEachLendingBreach(cluster, w, asked, more, [&](const LimitBreach& breach) {
    lends = state::AmountOf(gone, breach.resource) >= state::AmountOf(asked, breach.resource);
    return !lends;
  });
  return lends;
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

bool WithinUserLimits(const state::Cluster& cluster, state::WorkloadId w) {
  const state::AccountsId list = cluster.workloads()[w].accounts;
  if (!list.valid()) return true;
  const state::Accounts& accounts = cluster.queues().accounts();
  return std::ranges::all_of(accounts[list], [&](state::AccountId a) {
    const state::Account& account = accounts[a];
    return account.running <= account.max_running.value_or(account.running) &&
           std::ranges::all_of(account.max,
                               [](const auto& line) { return line.allocated <= line.max; });
  });
}

void AddNotLent(const state::Cluster& cluster, state::WorkloadId w, const state::Amounts& request,
                state::Amounts& lacks) {
  ForEachLendingBreach(cluster, w, request, request, [&](const LimitBreach& breach) {
    const std::int64_t lack = breach.requested - breach.available;
    const std::int64_t more = lack - state::AmountOf(lacks, breach.resource);
    if (more > 0) state::AddTo(lacks, state::Amounts{{breach.resource, more}}, 1);
    return false;
  });
}

std::string NotLentText(const state::Cluster& cluster, const LimitBreach& breach) {
  const std::string& resource = cluster.resources().name(breach.resource);
  const auto text = [&](std::int64_t amount) {
    return cluster.resources().Format(breach.resource, amount);
  };
  const bool of_all = breach.queue == state::QueueTree::Root();
  return fmt::format(
      "{} must stay free for those {} who are guaranteed more than they use: {} more may be "
      "borrowed, {} asked",
      AmountText(resource, text(breach.kept)),
      of_all ? "in the cluster"
             : fmt::format("of queue \"{}\"", cluster.queues()[breach.queue].name),
      AmountText(resource, text(breach.available)),
      BareAmountText(resource, text(breach.requested)));
}

std::vector<LimitBreach> AllBreaches(const state::Cluster& cluster, state::WorkloadId w,
                                     const state::Amounts& request) {
  std::vector<LimitBreach> all;
  ForEachBreach<state::When::kLater>(cluster, w, request, [&](const LimitBreach& breach) {
    all.push_back(breach);
    return false;
  });
  return all;
}

}  // namespace fairlead::policy
