#include "policy/eviction_cost.h"

#include <algorithm>

namespace fairlead::policy {

void EvictionCost::Add(const EvictionCost& more) {
  highest_priority = std::max(highest_priority, more.highest_priority);
  workloads_stopped += more.workloads_stopped;
  work_lost += more.work_lost;
  pods += more.pods;
}

std::int64_t DominantPart(const state::Cluster& cluster, state::ShapeId s) {
  constexpr std::int64_t kBillion = 1'000'000'000;
  std::int64_t dominant = 0;
  for (const state::Amount& a : cluster.shapes()[s].request) {
    const std::int64_t capacity = cluster.queues().capacity(a.resource);
    if (!cluster.queues().Counts(a.resource) || capacity <= 0) continue;
    const Work part = (static_cast<Work>(a.amount) * kBillion + static_cast<Work>(capacity) - 1) /
                      static_cast<Work>(capacity);
    dominant = std::max(dominant, static_cast<std::int64_t>(part));
  }
  return dominant;
}

Work WorkLost(const state::Cluster& cluster, state::PodId p, std::int64_t dominant_part, Time now) {
  const Time since = cluster.pods()[p].scheduled;
  if (since >= now) return 0;  // or not known
  return static_cast<Work>(dominant_part) * static_cast<Work>((now - since).WholeSeconds());
}

bool GivesFirst(const state::Cluster& cluster, state::WorkloadId a, state::WorkloadId b) {
  const state::Workload& x = cluster.workloads()[a];
  const state::Workload& y = cluster.workloads()[b];
  if (x.priority != y.priority) return x.priority < y.priority;
  if (x.start != y.start) return x.start > y.start;
  return a != b && cluster.NameOf(a) < cluster.NameOf(b);
}

bool IsYounger(const state::Cluster& cluster, state::PodId a, state::PodId b) {
  const state::Pod& x = cluster.pods()[a];
  const state::Pod& y = cluster.pods()[b];
  if (x.scheduled != y.scheduled) return x.scheduled > y.scheduled;
  if (x.created != y.created) return x.created > y.created;
  return cluster.pods().name(a) < cluster.pods().name(b);
}

}  // namespace fairlead::policy
