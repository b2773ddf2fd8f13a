#include "engine/waits_for.h"

#include <algorithm>
#include <utility>

#include "policy/limits.h"

namespace fairlead::engine {

using state::PodId;
using state::QueueId;
using state::WorkloadId;

namespace {

void AddLeavingQueue(const state::Cluster& cluster, QueueId queue, std::vector<PodId>& leaving) {
  for (std::vector<QueueId> open = {queue}; !open.empty();) {
    const QueueId q = open.back();
    open.pop_back();
    const auto& below = cluster.queues()[q].children;
    open.insert(open.end(), below.begin(), below.end());
    for (const WorkloadId w : cluster.workloads().OfQueue(q)) {
      cluster.ForEachPodOf(w, [&](PodId p) {
        const state::Pod& pod = cluster.pods()[p];
        if (pod.placed() && pod.leaves()) leaving.push_back(p);
      });
    }
  }
}

}  // namespace

state::Amounts RequestOf(const state::Cluster& cluster, std::span<const PodId> pods) {
  state::Amounts request;
  for (PodId p : pods) state::AddTo(request, cluster.shapes()[cluster.pods()[p].shape].request, 1);
  return request;
}

std::vector<PodId> LeavingForLimit(const state::Cluster& cluster, WorkloadId w) {
  state::Amounts claimed;
  cluster.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (pod.claims()) state::AddTo(claimed, cluster.shapes()[pod.shape].request, 1);
  });
  const state::Workload& workload = cluster.workloads()[w];
  const auto breach = policy::FirstBreach(cluster.queues(), workload.queue, claimed,
                                          workload.preemptible, state::When::kNow);
  std::vector<PodId> leaving;
  if (breach) AddLeavingQueue(cluster, breach->queue, leaving);
  return leaving;
}

std::vector<PodId> WaitsFor(const state::Cluster& cluster, std::vector<PodId> leaving_for_limit,
                            std::span<const state::NodeId> nodes) {
  std::vector<PodId> leaving = std::move(leaving_for_limit);
  for (const state::NodeId n : nodes) {
    for (PodId p : cluster.nodes().pods(n)) {
      if (cluster.pods()[p].leaves()) leaving.push_back(p);
    }
  }
  cluster.SortByName(leaving);
  leaving.erase(std::unique(leaving.begin(), leaving.end()), leaving.end());
  return leaving;
}

}  // namespace fairlead::engine
