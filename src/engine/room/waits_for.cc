#include "engine/room/waits_for.h"

#include <algorithm>
#include <utility>

#include "policy/dynamic_demand.h"
#include "policy/limits.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

namespace {

template <typename Which>
std::vector<PodId> Leaving(const state::Cluster& cluster, Which which) {
  std::vector<PodId> leaving;
  for (const state::NodeId n : cluster.nodes().nodes_in_turnover()) {
    for (PodId p : cluster.nodes().pods(n)) {
      const state::Pod& pod = cluster.pods()[p];
      if (!pod.leaves() || pod.foreign) continue;
      if (which(cluster.workloads()[pod.workload])) leaving.push_back(p);
    }
  }
  return leaving;
}

}  // namespace

// Where nothing leaves nor waits for that, what is allocated says it all.
bool WaitsForLimit(const state::Cluster& cluster, WorkloadId w, const state::Amounts& request) {
  if (cluster.nodes().nodes_in_turnover().empty()) return false;
  return policy::FirstBreach(cluster, w, request, state::When::kNow).has_value();
}

std::vector<PodId> LeavingForLimit(const state::Cluster& cluster, WorkloadId w) {
  state::Amounts claimed;
  cluster.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (pod.claims()) state::AddTo(claimed, cluster.shapes()[pod.shape].request, 1);
  });
  const auto breach = policy::FirstBreach(cluster, w, claimed, state::When::kNow);
  if (!breach) return {};
  return Leaving(cluster, [&](const state::Workload& workload) {
    const state::QueueTree& queues = cluster.queues();
    return breach->by_user() ? queues.accounts().Contains(workload.accounts, breach->account)
                             : state::IsWithin(queues, workload.queue, breach->queue);
  });
}

std::vector<PodId> WaitsFor(const state::Cluster& cluster, std::vector<PodId> leaving_for_limit,
                            std::span<const PodId> claims) {
  std::vector<PodId> leaving = std::move(leaving_for_limit);
  for (const PodId claim : claims) {
    const state::Pod& pod = cluster.pods()[claim];
    const state::Shape& shape = cluster.shapes()[pod.shape];
    for (const PodId p : cluster.nodes().pods(pod.node)) {
      if (cluster.pods()[p].leaves()) leaving.push_back(p);
    }
    if (shape.dynamic->empty()) continue;
    for (const state::NodeId n : cluster.nodes().nodes_in_turnover()) {
      for (const PodId p : cluster.nodes().pods(n)) {
        const state::Pod& other = cluster.pods()[p];
        if (n == pod.node || !other.leaves()) continue;
        if (policy::Exclude(cluster, shape, pod.node, cluster.shapes()[other.shape], n)) {
          leaving.push_back(p);
        }
      }
    }
  }
  cluster.pods().SortByName(leaving);
  leaving.erase(std::unique(leaving.begin(), leaving.end()), leaving.end());
  return leaving;
}

}  // namespace fairlead::engine
