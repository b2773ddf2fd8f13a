#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "state/cluster.h"

namespace fairlead::policy {

__extension__ using Work = unsigned __int128;         // parts per 10^9 of the cluster × seconds
inline constexpr Work kWholeCluster = 1'000'000'000;  // in such parts

// What a set of victims costs, compared member by member (semantics.md §4.4).
struct EvictionCost {
  static constexpr std::int32_t kNobody = std::numeric_limits<std::int32_t>::min();
  std::int32_t highest_priority = kNobody;  // that is evicted
  std::int64_t workloads_stopped = 0;       // brought below their minimum
  Work work_lost = 0;
  std::int64_t pods = 0;

  void Add(const EvictionCost& more);
  friend auto operator<=>(const EvictionCost&, const EvictionCost&) = default;
};

// What a pod asks of the whole cluster: its request, dominant against the root's capacity, in parts
// per 10^9, rounded up.
std::int64_t DominantPart(const state::Cluster& cluster, state::ShapeId s);
std::int64_t DominantPart(const state::Cluster& cluster, const state::Amounts& request);
// Of which resource that is. REQUIRES: some is asked.
state::ResourceId DominantResource(const state::Cluster& cluster, const state::Amounts& request);

// What is lost when the pod goes: its dominant part × its own runtime in whole seconds, so far or,
// where it makes checkpoints, since the last.
Work WorkLost(const state::Cluster& cluster, state::PodId p, std::int64_t dominant_part, Time now);

// The order of giving: lower priority first, then the later start, then the name.
bool GivesFirst(const state::Cluster& cluster, state::WorkloadId a, state::WorkloadId b);
// The same among pods of one workload: the youngest first.
bool IsYounger(const state::Cluster& cluster, state::PodId a, state::PodId b);

}  // namespace fairlead::policy
