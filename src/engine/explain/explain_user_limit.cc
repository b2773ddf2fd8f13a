#include "engine/explain/explain_user_limit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "engine/explain/explain.h"
#include "policy/queue_order.h"
#include "policy/run_time.h"

namespace fairlead::engine {
namespace {

using state::AccountId;
using state::WorkloadId;

constexpr std::size_t kMostNamed = 10;

std::string WhoText(const state::Account& account) {
  return fmt::format("{} {}", account.of_group ? "group" : "user", account.name);
}

// In no order.
template <typename Which>
std::vector<WorkloadId> WorkloadsOf(const state::Cluster& cluster, AccountId account, Which which) {
  std::vector<WorkloadId> all;
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const WorkloadId w(i);
    const state::Workload& workload = cluster.workloads()[w];
    if (!workload.in_use) continue;
    if (!cluster.queues().accounts().Contains(workload.accounts, account)) continue;
    if (which(w)) all.push_back(w);
  }
  return all;
}

std::vector<WorkloadId> RunningOf(const state::Cluster& cluster, AccountId account) {
  std::vector<WorkloadId> running = WorkloadsOf(
      cluster, account, [&](WorkloadId w) { return cluster.queues().accounts().IsRunning(w); });
  std::sort(running.begin(), running.end(), [&](WorkloadId a, WorkloadId b) {
    const Time start_a = cluster.workloads()[a].start;
    const Time start_b = cluster.workloads()[b].start;
    return start_a != start_b ? start_a < start_b : cluster.NameOf(a) < cluster.NameOf(b);
  });
  return running;
}

std::int64_t HasOf(const state::Cluster& cluster, WorkloadId w, state::ResourceId r) {
  if (!r.valid()) return 1;
  std::int64_t has = 0;
  cluster.ForEachPodOf(w, [&](state::PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (pod.counts()) has += state::AmountOf(cluster.shapes()[pod.shape].request, r);
  });
  return has;
}

// When enough of them have ended; absent: nobody knows.
std::optional<Time> FreeAt(const state::Cluster& cluster, const policy::LimitBreach& breach,
                           const std::vector<WorkloadId>& running, Time now) {
  std::vector<std::pair<Time, std::int64_t>> ends;
  for (const WorkloadId w : running) {
    const std::optional<Time> end = policy::ExpectedEnd(cluster, w, now);
    if (end) ends.emplace_back(*end, HasOf(cluster, w, breach.resource));
  }
  std::sort(ends.begin(), ends.end());
  const state::Account& account = cluster.queues().accounts()[breach.account];
  std::int64_t over = 0;
  if (!breach.resource.valid()) {
    over = account.running + 1 - *account.max_running;
  } else {
    for (const state::Account::Line& line : account.max) {
      if (line.resource == breach.resource) over = line.allocated + breach.requested - line.max;
    }
  }
  for (const auto& [at, has] : ends) {
    over -= has;
    if (over <= 0) return at;
  }
  return std::nullopt;
}

state::Reason ReasonOf(const state::Cluster& cluster, AccountId a) {
  const state::Account& account = cluster.queues().accounts()[a];
  state::Reason reason{.code = state::ReasonCode::kUserLimit,
                       .queue = cluster.queues()[account.queue].name};
  (account.of_group ? reason.group : reason.user) = account.name;
  return reason;
}

// The first of them.
std::vector<std::string> NamesOf(const state::Cluster& cluster,
                                 const std::vector<WorkloadId>& workloads) {
  std::vector<std::string> names;
  for (const WorkloadId w : workloads) {
    if (names.size() == kMostNamed) break;
    names.emplace_back(cluster.NameOf(w));
  }
  return names;
}

void Name(const state::Cluster& cluster, const std::vector<WorkloadId>& filled_by,
          state::Reason& reason) {
  reason.filled_by = NamesOf(cluster, filled_by);
  if (reason.filled_by.empty()) return;
  reason.message += fmt::format("; taken by {}", reason.filled_by.front());
  if (filled_by.size() > 1) reason.message += fmt::format(" and {} more", filled_by.size() - 1);
}

}  // namespace

std::string UserLimitText(const state::Cluster& cluster, const policy::LimitBreach& breach) {
  const state::Account& account = cluster.queues().accounts()[breach.account];
  const std::string& queue = cluster.queues()[account.queue].name;
  if (!breach.resource.valid()) {
    return fmt::format("{} may have {} {} running in queue \"{}\", and has {}", WhoText(account),
                       *account.max_running, *account.max_running == 1 ? "workload" : "workloads",
                       queue, account.running);
  }
  const state::ResourceTable& resources = cluster.resources();
  const std::string& name = resources.name(breach.resource);
  return fmt::format("{} may use {} more before a limit of queue \"{}\", {} asked",
                     WhoText(account),
                     AmountText(name, resources.Format(breach.resource, breach.available)), queue,
                     BareAmountText(name, resources.Format(breach.resource, breach.requested)));
}

state::Reason UserLimitReason(const state::Cluster& cluster, const policy::LimitBreach& breach,
                              Time now) {
  const state::Account& account = cluster.queues().accounts()[breach.account];
  const state::ResourceTable& resources = cluster.resources();
  state::Reason reason = ReasonOf(cluster, breach.account);
  reason.message = UserLimitText(cluster, breach);
  if (breach.resource.valid()) {
    reason.resource = resources.name(breach.resource);
    reason.requested = resources.Format(breach.resource, breach.requested);
    reason.available = resources.Format(breach.resource, breach.available);
    const auto line =
        std::ranges::find(account.max, breach.resource, &state::Account::Line::resource);
    reason.limit =
        fmt::format("{}={}", reason.resource, resources.Format(line->resource, line->max));
  } else {
    reason.limit = fmt::format("maxRunning={}", *account.max_running);
  }
  std::vector<WorkloadId> running = RunningOf(cluster, breach.account);
  std::erase_if(running, [&](WorkloadId w) { return HasOf(cluster, w, breach.resource) == 0; });
  Name(cluster, running, reason);
  reason.until = FreeAt(cluster, breach, running, now);
  return reason;
}

state::Reason BeyondLineReason(const state::Cluster& cluster, WorkloadId w) {
  const state::Accounts& accounts = cluster.queues().accounts();
  state::Reason reason;
  for (const AccountId a : accounts[cluster.workloads()[w].accounts]) {
    const state::Account& account = accounts[a];
    if (!account.max_waiting) continue;
    std::vector<WorkloadId> before = WorkloadsOf(cluster, a, [&](WorkloadId other) {
      const state::Workload& workload = cluster.workloads()[other];
      return workload.open() && !accounts.IsRunning(other) && IsPending(cluster, other);
    });
    if (std::cmp_less(before.size(), *account.max_waiting)) continue;
    std::sort(before.begin(), before.end(),
              [&](WorkloadId x, WorkloadId y) { return policy::IsServedFirst(cluster, x, y); });
    reason = ReasonOf(cluster, a);
    reason.limit = fmt::format("maxWaiting={}", *account.max_waiting);
    reason.message = fmt::format(
        "{} may have {} {} waiting in queue \"{}\", and others go before this one",
        WhoText(account), *account.max_waiting,
        *account.max_waiting == 1 ? "workload" : "workloads", cluster.queues()[account.queue].name);
    reason.filled_by = NamesOf(cluster, before);
    break;
  }
  return reason;
}

}  // namespace fairlead::engine
