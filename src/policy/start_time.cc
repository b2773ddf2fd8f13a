#include "policy/start_time.h"

#include <algorithm>
#include <utility>

namespace fairlead::policy {

std::optional<Time> DerivedStart(std::span<const PlacedSet> sets) {
  std::optional<Time> start;
  std::optional<Time> first;  // of all pods
  for (const PlacedSet& set : sets) {
    for (const Time since : set.since) first = std::min(first.value_or(since), since);
    const std::int32_t left = set.min_count - set.succeeded;
    // Of a minimum that has succeeded nothing tells but what is left of the set.
    if (set.min_count == 0 || (left <= 0 && set.live == 0)) continue;
    const auto m = static_cast<std::size_t>(std::max(1, left));
    if (m > set.since.size()) return std::nullopt;
    std::vector<Time> since = set.since;
    const auto last = since.begin() + static_cast<std::ptrdiff_t>(m) - 1;
    std::nth_element(since.begin(), last, since.end());
    start = std::max(start.value_or(*last), *last);
  }
  return start ? start : first;
}

namespace {

// Of a gang that has started, nobody knows when, and of which less than its minimum is left: at the
// latest with the youngest of these.
std::optional<Time> StartOfLeft(std::vector<PlacedSet> sets) {
  for (PlacedSet& set : sets) {
    const auto left = static_cast<std::int32_t>(set.since.size());
    set.min_count = std::min(set.min_count, set.succeeded + left);
  }
  return DerivedStart(sets);
}

// By those pods that `counts` takes.
template <typename Counts>
std::optional<Time> StartBy(const state::Cluster& cluster, state::WorkloadId w, Time now,
                            Counts counts) {
  const state::Gang& gang = cluster.workloads().gang(w);
  std::vector<PlacedSet> sets;
  Time oldest = Time::Max();
  for (const state::PodSet& set : gang.sets) {
    PlacedSet& placed = sets.emplace_back();
    placed.min_count = set.min_count;
    placed.succeeded = set.succeeded;
    for (const state::PodId p : set.pods) {
      const state::Pod& pod = cluster.pods()[p];
      if (pod.expected || !counts(pod)) continue;
      ++placed.live;
      if (pod.scheduled != Time::Max()) placed.since.push_back(pod.scheduled);
      oldest = std::min(oldest, pod.created);
    }
  }
  const std::optional<Time> derived = DerivedStart(sets);
  if (!gang.recorded_start) return derived;
  // All of its pods are others since it was moved: it goes on.
  const std::optional<Time> moved = cluster.workloads().moved_at(w);
  if (moved && *gang.recorded_start <= *moved) oldest = cluster.workloads()[w].created;
  const bool believable =
      *gang.recorded_start >= oldest && *gang.recorded_start <= derived.value_or(now);
  if (believable) return gang.recorded_start;
  return derived ? derived : StartOfLeft(std::move(sets));
}

}  // namespace

std::optional<Time> StartOf(const state::Cluster& cluster, state::WorkloadId gang, Time now) {
  return StartBy(cluster, gang, now, [](const state::Pod& pod) { return pod.live(); });
}

Time WaitsSince(const state::Cluster& cluster, state::WorkloadId w) {
  Time since = cluster.workloads()[w].created;
  since = std::max(since, cluster.workloads().waits_anew(w).value_or(since));
  if (!cluster.pods().AnyUngated()) return since;
  cluster.ForEachPodOf(w, [&](state::PodId p) {
    since = std::max(since, cluster.pods().Ungated(p).value_or(since));
  });
  return since;
}

std::optional<Time> StartOfLeaving(const state::Cluster& cluster, state::WorkloadId w, Time now) {
  const state::Workload& workload = cluster.workloads()[w];
  if (!workload.solo()) {
    return StartBy(cluster, w, now, [](const state::Pod& pod) { return pod.leaves(); });
  }
  const Time scheduled = cluster.pods()[workload.only_pod].scheduled;
  return scheduled == Time::Max() ? std::nullopt : std::optional(scheduled);
}

}  // namespace fairlead::policy
