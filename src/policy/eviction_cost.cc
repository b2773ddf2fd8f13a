#include "policy/eviction_cost.h"

#include <algorithm>

namespace fairlead::policy {

void EvictionCost::Add(const EvictionCost& more) {
  highest_priority = std::max(highest_priority, more.highest_priority);
  workloads_stopped += more.workloads_stopped;
  work_lost += more.work_lost;
  pods += more.pods;
}

namespace {

std::int64_t PartOf(const state::Cluster& cluster, const state::Amount& a) {
  const std::int64_t capacity = cluster.queues().capacity(a.resource);
  if (!cluster.queues().Counts(a.resource) || capacity <= 0) return 0;
  const Work part =
      (static_cast<Work>(a.amount) * kWholeCluster + static_cast<Work>(capacity) - 1) /
      static_cast<Work>(capacity);
  return static_cast<std::int64_t>(part);
}

}  // namespace

std::int64_t DominantPart(const state::Cluster& cluster, const state::Amounts& request) {
  std::int64_t dominant = 0;
  for (const state::Amount& a : request) dominant = std::max(dominant, PartOf(cluster, a));
  return dominant;
}

std::int64_t DominantPart(const state::Cluster& cluster, state::ShapeId s) {
  return DominantPart(cluster, cluster.shapes()[s].request);
}

state::ResourceId DominantResource(const state::Cluster& cluster, const state::Amounts& request) {
  return std::ranges::max_element(request, {},
                                  [&](const state::Amount& a) { return PartOf(cluster, a); })
      ->resource;
}

Work WorkLost(const state::Cluster& cluster, state::PodId p, std::int64_t dominant_part, Time now) {
  const state::Pod& pod = cluster.pods()[p];
  if (pod.scheduled >= now) return 0;  // or not known
  Duration lost = now - pod.scheduled;
  if (cluster.workloads()[pod.workload].knows_run_time) {
    lost = cluster.workloads().run_time(pod.workload).LostSince(pod.scheduled, now);
  }
  return static_cast<Work>(dominant_part) * static_cast<Work>(lost.WholeSeconds());
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
