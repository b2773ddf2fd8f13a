#include "engine/round/stop_whole.h"

#include <algorithm>

#include "policy/disruption_budget.h"

namespace fairlead::engine {

using state::PodId;
using state::WorkloadId;

void StopWhole(RoundContext& round, GangStarts& starts, WorkloadId w, policy::RoomAction action,
               WorkloadId lender) {
  state::Cluster& cluster = round.cluster;
  const bool gang = !cluster.workloads()[w].solo();
  const bool announces = gang && cluster.workloads().gang(w).announces;
  std::vector<PodId> leaving, expected;
  cluster.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (!pod.live() || pod.of_daemon_set() || pod.is_static) return;
    (pod.expected ? expected : leaving).push_back(p);
  });
  cluster.pods().SortByName(leaving);
  for (const PodId p : leaving) {
    round.plan.Give({.type = DecisionType::kEvict,
                     .pod = p,
                     .node = cluster.pods()[p].node,
                     .workload = w,
                     .action = action,
                     .beneficiary = lender,
                     .was_on_loan = lender.valid()});
    cluster.Evict(p);
  }
  for (const PodId p : expected) {
    round.notices.given_up.push_back(cluster.pods()[p].node);
    cluster.RemoveExpected(p);
  }
  // It was admitted, and nothing of it has come.
  if (announces && leaving.empty() && !expected.empty()) {
    round.plan.Give({.type = DecisionType::kAdmit, .workload = w, .withdrawn = true});
  }
  starts.Refresh(w);
  if (cluster.workloads()[w].started()) cluster.notes().SetStart(w, Time::Max());
  // A pod that waited to replace another was to join those that leave.
  if (gang) round.backlog.Refresh(w);
  ++round.steps;
}

bool BudgetsLetGo(const state::Cluster& cluster, WorkloadId w) {
  std::vector<PodId> leaving;
  cluster.ForEachPodOf(w, [&](PodId p) {
    const state::Pod& pod = cluster.pods()[p];
    if (pod.live() && !pod.expected) leaving.push_back(p);
  });
  return policy::BudgetsAllow(cluster, leaving);
}

void SortByName(const state::Cluster& cluster, std::vector<WorkloadId>& workloads) {
  std::ranges::sort(workloads, {}, [&cluster](WorkloadId w) { return cluster.NameOf(w); });
}

}  // namespace fairlead::engine
