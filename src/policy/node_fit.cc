#include "policy/node_fit.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/time.h"
#include "policy/dynamic_demand.h"

namespace fairlead::policy {
namespace {

using state::Cluster;
using state::NodeId;
using state::Shape;

bool InPool(const Cluster& cluster, const Shape&, NodeId n) { return cluster.nodes().exists(n); }

bool KnownRoom(const Cluster& cluster, const Shape&, NodeId n) {
  return cluster.nodes().misread_pod(n).empty();
}

std::string MisreadPod(const Cluster& cluster, const Shape&, NodeId n) {
  return "Pod " + cluster.nodes().misread_pod(n);
}

bool OnNamedNode(const Cluster& cluster, const Shape& shape, NodeId n) {
  return shape.needs->node_name.empty() || shape.needs->node_name == cluster.nodes().name(n);
}

bool SelectorMatches(const Cluster& cluster, const Shape& shape, NodeId n) {
  return objects::HasAll(cluster.nodes().labels(n), shape.needs->node_selector);
}

bool OneHolds(const Cluster& cluster, const std::vector<objects::NodeSelectorTerm>& terms,
              NodeId n) {
  return objects::Matches(terms, cluster.nodes().labels(n), cluster.nodes().name(n));
}

bool AffinityMatches(const Cluster& cluster, const Shape& shape, NodeId n) {
  return !shape.needs->has_required_terms || OneHolds(cluster, shape.needs->required_terms, n);
}

bool VolumesReach(const Cluster& cluster, const Shape& shape, NodeId n) {
  const auto& reach = shape.needs->rare->volumes_reach;
  return std::all_of(reach.begin(), reach.end(),
                     [&](const auto& terms) { return OneHolds(cluster, terms, n); });
}

bool TaintsTolerated(const Cluster& cluster, const Shape& shape, NodeId n) {
  const auto& taints = cluster.nodes().taints(n);
  return std::all_of(taints.begin(), taints.end(),
                     [&](const objects::Taint& taint) { return IsTolerated(shape, taint); });
}

bool PortsFreeNow(const Cluster& cluster, const Shape& shape, NodeId n) {
  return NobodyRefuses(cluster, shape, n, state::When::kNow, state::TermKind::kHostPort);
}

bool RepelsNobody(const Cluster& cluster, const Shape& shape, NodeId n) {
  return NobodyRefuses(cluster, shape, n, state::When::kNow, state::TermKind::kSelected);
}

bool RepelledByNobody(const Cluster& cluster, const Shape& shape, NodeId n) {
  return NobodyRefuses(cluster, shape, n, state::When::kNow, state::TermKind::kRepels);
}

bool AttractedNow(const Cluster& cluster, const Shape& shape, NodeId n) {
  return shape.dynamic->attracted_by.empty() || IsAttracted(cluster, shape, n, state::When::kNow);
}

bool SharedNow(const Cluster& cluster, const Shape& shape, NodeId n) {
  return SharedVolumesFit(cluster, shape, n, state::When::kNow);
}
bool EvenNow(const Cluster& cluster, const Shape& shape, NodeId n) {
  return StaysEven(cluster, shape, n);
}

using state::NodeRefusals;

// Null: it was not refused there, or may go there again.
template <NodeRefusals::By by>
const NodeRefusals::Avoidance* Refused(const Cluster& cluster, const Shape& shape, NodeId n) {
  if (!shape.avoids_nodes) return nullptr;
  return cluster.refusals().Find({.shape = shape.id, .node = n, .by = by});
}

template <NodeRefusals::By by>
bool NotRefused(const Cluster& cluster, const Shape& shape, NodeId n) {
  return Refused<by>(cluster, shape, n) == nullptr;
}

template <NodeRefusals::By by>
std::string WordsOfRefusal(const Cluster& cluster, const Shape& shape, NodeId n) {
  const NodeRefusals::Avoidance& refused = *Refused<by>(cluster, shape, n);
  return fmt::format("{} until {}: {}", cluster.nodes().name(n), FormatTime(refused.Until()),
                     refused.message);
}

bool ClaimsFreeNow(const Cluster& cluster, const Shape& shape, NodeId n) {
  return NobodyRefuses(cluster, shape, n, state::When::kNow, state::TermKind::kOnePodClaim);
}

// The first by name of those there that stand in the way.
std::string PodInTheWay(const Cluster& cluster, const Shape& shape, NodeId n) {
  std::string_view first;
  ForEachInTheWay(cluster, shape, n, [&](state::PodId p) {
    const std::string_view name = cluster.pods().name(p);
    if (first.empty() || name < first) first = name;
  });
  return first.empty() ? "of a pod that leaves" : std::string("Pod ").append(first);
}

bool AvoidsSome(const Shape& shape) { return shape.avoids_nodes; }
bool IsRefusedBySome(const Shape& shape) { return !shape.dynamic->refused_by.empty(); }

using By = NodeRefusals::By;
using Names = NodeDemand::Names;
constexpr auto kDemands = std::to_array<NodeDemand>({
    {.name = "node", .nodes = "that are not there", .met = InPool},
    {.name = "known room",
     .nodes = "with a pod whose resources cannot be read",
     .met = KnownRoom,
     .by_others = true,
     .what = MisreadPod},
    {.name = "node name",
     .nodes = "other than the one it names",
     .met = OnNamedNode,
     .made_by = [](const Shape& s) { return !s.needs->node_name.empty(); }},
    {.name = "node selector",
     .nodes = "without the labels of its node selector",
     .met = SelectorMatches,
     .made_by = [](const Shape& s) { return !s.needs->node_selector.empty(); },
     .names = Names::kLabels},
    {.name = "node affinity",
     .nodes = "outside its node affinity",
     .met = AffinityMatches,
     .made_by = [](const Shape& s) { return s.needs->has_required_terms; }},
    {.name = "volumes",
     .nodes = "that its volumes do not reach",
     .met = VolumesReach,
     .made_by = [](const Shape& s) { return !s.needs->rare->volumes_reach.empty(); }},
    {.name = "taints",
     .nodes = "with taints that it does not tolerate",
     .met = TaintsTolerated,
     .names = Names::kTaints},
    {.name = "kubelet",
     .nodes = "whose kubelet refused a pod like it",
     .met = NotRefused<By::kKubelet>,
     .made_by = AvoidsSome,
     .tells_classes = false,
     .by_others = true,
     .what = WordsOfRefusal<By::kKubelet>},
    {.name = "volumes to make",
     .nodes = "where no volume could be had for a pod like it",
     .met = NotRefused<By::kProvisioner>,
     .made_by = AvoidsSome,
     .tells_classes = false,
     .by_others = true,
     .what = WordsOfRefusal<By::kProvisioner>},
    {.name = "others' anti-affinity",
     .nodes = "where the anti-affinity of a pod that runs refuses it",
     .met = RepelledByNobody,
     .made_by = IsRefusedBySome,
     .tells_classes = false,
     .by_others = true,
     .what = PodInTheWay},
    {.name = "host ports",
     .nodes = "with its host ports in use",
     .met = PortsFreeNow,
     .made_by = IsRefusedBySome,
     .tells_classes = false},
    {.name = "pod anti-affinity",
     .nodes = "where its anti-affinity selects a pod",
     .met = RepelsNobody,
     .made_by = IsRefusedBySome,
     .tells_classes = false,
     .by_others = true,
     .what = PodInTheWay,
     .nodes_of = RepelledText},
    {.name = "pod affinity",
     .nodes = "where its affinity selects no pod",
     .met = AttractedNow,
     .made_by = [](const Shape& s) { return !s.dynamic->attracted_by.empty(); },
     .tells_classes = false,
     .by_others = true,
     .nodes_of = UnattractedText},
    {.name = "claims in use",
     .nodes = "where another pod has its ReadWriteOncePod claim",
     .met = ClaimsFreeNow,
     .made_by = IsRefusedBySome,
     .tells_classes = false,
     .by_others = true,
     .what = PodInTheWay},
    {.name = "volumes to take",
     .nodes = "without an available volume for its claims",
     .met = VolumesSuffice,
     .made_by = [](const Shape& s) { return s.dynamic->takes_volumes; },
     .tells_classes = false,
     .nodes_of = NoVolumeText},
    {.name = "volumes to attach",
     .nodes = "where a volume that it shares can be attached no more",
     .met = SharedNow,
     .made_by = [](const Shape& s) { return s.dynamic->shares_volumes; },
     .tells_classes = false},
    {.name = "spread",
     .nodes = "where its spread would be uneven",
     .met = EvenNow,
     .made_by = [](const Shape& s) { return !s.dynamic->spread.empty(); },
     .tells_classes = false,
     .by_others = true,
     .nodes_of = UnevenText},
});

}  // namespace

std::span<const NodeDemand> NodeDemands() { return kDemands; }

bool IsTolerated(const Shape& shape, const objects::Taint& taint) {
  return taint.effect == objects::TaintEffect::kPreferNoSchedule ||
         objects::Tolerates(shape.needs->tolerations, taint);
}

bool IsRefusedBy(const Cluster& cluster, const Shape& shape, NodeId n) {
  return !NotRefused<By::kKubelet>(cluster, shape, n) ||
         !NotRefused<By::kProvisioner>(cluster, shape, n);
}

bool FitsClass(const Cluster& cluster, const Shape& shape, NodeId n) {
  return std::all_of(kDemands.begin(), kDemands.end(), [&](const NodeDemand& demand) {
    return !demand.tells_classes || demand.met(cluster, shape, n);
  });
}

bool SuitsWhenEmpty(const Cluster& cluster, const Shape& shape, NodeId n) {
  return std::all_of(kDemands.begin(), kDemands.end(), [&](const NodeDemand& demand) {
    return !demand.tells_classes || demand.by_others || demand.met(cluster, shape, n);
  });
}

bool FitsWhenEmpty(const Cluster& cluster, const Shape& shape, NodeId n) {
  const std::int64_t* row = cluster.nodes().allocatable(n);
  for (const state::Amount& a : shape.request) {
    if (row[a.resource.value()] < a.amount) return false;
  }
  return SuitsWhenEmpty(cluster, shape, n);
}

}  // namespace fairlead::policy
