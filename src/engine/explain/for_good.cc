#include "engine/explain/for_good.h"

#include "base/quantity.h"

namespace fairlead::engine {
namespace {

using state::ReasonCode;

bool AnyNode(const state::Cluster& cluster) {
  const state::NodeTable& nodes = cluster.nodes();
  for (const state::NodeId n : nodes.by_name()) {
    if (nodes.exists(n)) return true;
  }
  return false;
}

// Whether some pod of the workload fits no node of the cluster, not even an empty one.
bool FitsNowhere(const state::Cluster& cluster, state::WorkloadId w) {
  const auto fits = [&](state::ShapeId shape) {
    return !shape.valid() || cluster.shapes()[shape].placeable;
  };
  const state::Workload& row = cluster.workloads()[w];
  if (row.solo()) return !fits(cluster.pods()[row.only_pod].shape);
  for (const state::PodSet& pod_set : cluster.workloads().gang(w).sets) {
    if (!fits(pod_set.expected_shape)) return true;
    for (const state::PodId p : pod_set.pods) {
      if (!fits(cluster.pods()[p].shape)) return true;
    }
  }
  return false;
}

// Whether what it asks at once is more than the queue may ever have of that.
bool PassesAll(const state::Cluster& cluster, const state::Reason& reason, state::Figure figure) {
  const state::QueueId q = cluster.queues().Find(reason.queue);
  const state::ResourceId r = cluster.resources().Find(reason.resource);
  const auto asked = ParseQuantity(reason.requested, ScaleOf(reason.resource));
  if (!q.valid() || !r.valid() || !asked) return false;
  return *asked > cluster.queues().Row(q, figure)[r.value()];
}

}  // namespace

bool WaitsForGood(const state::Cluster& cluster, state::WorkloadId w, const state::Reason& reason) {
  switch (reason.code) {
    case ReasonCode::kNoNodeFits:
    case ReasonCode::kRequiredNodeNotFound:
      return FitsNowhere(cluster, w) && AnyNode(cluster);
    case ReasonCode::kQueueLimit:
      return PassesAll(cluster, reason, state::Figure::kLimit);
    case ReasonCode::kNonPreemptibleOverGuarantee:
      return PassesAll(cluster, reason, state::Figure::kGuaranteed);
    case ReasonCode::kQueueNotFound:
    case ReasonCode::kQueueNotReady:
    case ReasonCode::kQueueNotAllowed:
    case ReasonCode::kWorkloadNotFound:
    case ReasonCode::kOtherScheduler:
    case ReasonCode::kUnsupportedConstraint:
    case ReasonCode::kTopologyNotFound:
    case ReasonCode::kGroupInvalid:
    case ReasonCode::kStopped:
      return true;
    default:
      return false;
  }
}

}  // namespace fairlead::engine
