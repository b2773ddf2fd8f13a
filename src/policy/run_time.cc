#include "policy/run_time.h"

#include <algorithm>

#include <fmt/format.h>

#include "policy/min_runtime.h"

namespace fairlead::policy {

std::optional<Time> ToldEnd(const state::Cluster& cluster, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.in_use || !workload.started()) return std::nullopt;
  const std::optional<Duration> runs = cluster.workloads().run_time(w).least();
  return runs ? std::optional(workload.start + *runs) : std::nullopt;
}

std::optional<Time> ExpectedEnd(const state::Cluster& cluster, state::WorkloadId w, Time now) {
  const std::optional<Time> told = ToldEnd(cluster, w);
  if (!told || *told > now) return told;
  const Duration age = now - cluster.workloads()[w].start;
  return now + Duration{std::max<std::int64_t>(1, age.us / 4)};
}

bool RunTimeMatters(const state::Cluster& cluster, state::QueueId queue) {
  return cluster.configuration().backfill.reservations > 0 || !cluster.windows().all().empty() ||
         cluster.queues()[queue].order == objects::WorkOrder::kShortestFirst;
}

std::string OwnerText(const state::OwnLimit& limit) {
  using By = state::OwnLimit::By;
  if (limit.by == By::kItself) return {};
  return fmt::format("{} of queue {}", limit.by == By::kQueue ? "" : " by default", limit.queue);
}

std::string RanToLimitText(const state::Cluster& cluster, state::WorkloadId w) {
  const state::RareOwnLimit& limit = cluster.workloads().run_time(w).own_limit;
  DCHECK(limit.has_value());
  return fmt::format("ran {}, its limit{}", ToText(limit->after), OwnerText(*limit));
}

state::Reason KeptOutAtLimit(const state::Cluster& cluster, state::WorkloadId w) {
  return {.code = state::ReasonCode::kStopped,
          .message = state::KeptOutText(RanToLimitText(cluster, w))};
}

std::vector<End> EndsOf(const state::Cluster& cluster, Time now) {
  std::vector<End> ends;
  for (std::uint32_t i = 0; i < cluster.workloads().size(); ++i) {
    const state::WorkloadId w(i);
    const Time end = ExpectedEnd(cluster, w, now).value_or(Time::Max());
    if (end != Time::Max()) ends.push_back({end, w});
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

std::vector<std::size_t> GroupsOf(std::span<const End> ends) {
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == 0 || ends[i].at != ends[i - 1].at) groups.push_back(i);
  }
  return groups;
}

}  // namespace fairlead::policy
