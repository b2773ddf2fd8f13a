#include "state/cluster.h"

#include <algorithm>
#include <utility>

namespace fairlead::state {

void Cluster::Settle() {
  t_.nodes.Widen(t_.resources);
  t_.queues.Widen(t_.resources);
  if (!t_.queues.Settle()) return;
  ++t_.journal.queues;
  sums_.SettleAccounts();
  for (NodeId n : t_.nodes.nodes_in_turnover()) {
    if (!t_.nodes.exists(n)) continue;
    for (PodId p : t_.nodes.pods(n)) sums_.CountTurnover(p, +1);
  }
}

void SweepShapes(Cluster& cluster, std::span<const ShapeId> kept) {
  Tables& t = cluster.t_;
  std::vector<bool> used(t.shapes.size(), false);
  const auto use = [&](ShapeId s) {
    if (s.valid()) used[s.value()] = true;
  };
  for (const ShapeId s : kept) use(s);
  for (std::uint32_t i = 0; i < t.pods.size(); ++i) {
    if (t.pods[PodId(i)].in_use) use(t.pods[PodId(i)].shape);
  }
  for (std::uint32_t i = 0; i < t.workloads.size(); ++i) {
    const Workload& workload = t.workloads[WorkloadId(i)];
    if (!workload.in_use || workload.solo()) continue;
    for (const PodSet& set : t.workloads.gang(WorkloadId(i)).sets) use(set.expected_shape);
  }
  t.refusals.ForEachShape(use);
  t.shapes.KeepOnly(used);
}

PodId HoldLanding(Cluster& cluster, std::string name, QueueId q, const NeedsPtr& needs, NodeId n) {
  return cluster.decisions_.HoldLanding(std::move(name), q, needs, n);
}

void SetBeyondLine(Cluster& cluster, WorkloadId w, bool beyond) {
  cluster.decisions_.SetBeyondLine(w, beyond);
}

std::string_view Cluster::NameOf(WorkloadId w) const {
  const Workload& workload = t_.workloads[w];
  return workload.solo() ? t_.pods.name(workload.only_pod) : t_.workloads.gang(w).name;
}

const Reason* Cluster::HoldOf(PodId p) const {
  return t_.pods[p].held ? &t_.pod_holds.at(p.value()) : nullptr;
}

WorkloadId FindWorkload(const Cluster& cluster, std::string_view name) {
  if (WorkloadId w = cluster.workloads().FindGang(name); w.valid()) return w;
  const PodId p = cluster.pods().Find(name);
  if (!p.valid() || cluster.pods()[p].foreign) return WorkloadId();
  return cluster.pods()[p].workload;
}

bool HasPlace(const Cluster& cluster, WorkloadId w) {
  bool has = false;
  cluster.ForEachPodOf(w, [&](PodId p) { has = has || cluster.pods()[p].placed(); });
  return has;
}

Amounts RequestOf(const Cluster& cluster, std::span<const PodId> pods) {
  Amounts request;
  for (PodId p : pods) AddTo(request, cluster.shapes()[cluster.pods()[p].shape].request, 1);
  return request;
}

}  // namespace fairlead::state
