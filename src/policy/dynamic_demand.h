#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sorted_set.h"
#include "state/cluster.h"

// Demands that are answered by what else is placed, over the store of counts
// (state/demand_counts.h): may it, who stands in the way, how many, whom to wake.

namespace fairlead::policy {

// Which of these demands are asked.
enum class Asked : std::uint8_t {
  kAll,
  // All but pod affinity: others may come who meet it.
  kAllButAffinity,
  // Refusals alone (host ports, anti-affinity, volumes): the fewer pods are placed, the fewer nodes
  // these refuse, and a node that they refuse is refused whatever else is placed. Of the others
  // neither holds.
  kRefusals,
};

// Whether what is placed lets a pod of the shape, which is not placed yet, onto the node.
bool OthersAllow(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                 state::When when, Asked asked = Asked::kAll);

// No is an answer for all nodes that are in the same domains of these columns as this one.
bool OthersMightAllow(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                      state::When when, Asked asked, const std::vector<state::ColumnId>& columns);

// The parts of it. Nobody holds in the node's domains what refuses the shape; of one kind of term,
// or of all.
bool NobodyRefuses(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                   state::When when);
bool NobodyRefuses(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                   state::When when, state::TermKind kind);
// In each of the node's domains somebody stands whom its affinity selects.
bool IsAttracted(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                 state::When when);
// For each of its claims that may take one there is a volume that it can have there, or one may be
// made.
bool VolumesSuffice(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);
// The volumes that it shares with others are attached there, or can be.
bool SharedVolumesFit(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                      state::When when);
// No spread constraint is broken by one more; nor were it so by other counts.
bool StaysEven(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);
bool StaysEven(const state::Cluster& cluster, const state::DemandCounts& counts,
               const state::Shape& shape, state::NodeId n);

// Whether a pod that is placed would be let where it is, by all that is placed beside it. But for
// its spread: that is judged when it comes, and whoever comes later may make it uneven.
bool OthersAllowPlaced(const state::Cluster& cluster, state::PodId p, state::When when);
// The same of its affinity alone.
bool IsAttractedPlaced(const state::Cluster& cluster, state::PodId p, state::When when);

// Whether one of the pods has what the affinity of the other selects.
inline bool MayAttract(const state::Shape& one, const state::Shape& other) {
  return state::Meet(other.dynamic->attracted_by, one.dynamic->holds);
}

// Whether pods of the two shapes, on these nodes, share a domain that they cannot share, whichever
// of them comes first; and whether there are domains at all that they cannot share.
bool Exclude(const state::Cluster& cluster, const state::Shape& a, state::NodeId at,
             const state::Shape& b, state::NodeId there);
bool Exclude(const state::Shape& a, const state::Shape& b);

// Whether what is placed on other nodes than its own makes a difference to a pod of the shape.
bool DependsOnDomains(const state::Cluster& cluster, const state::Shape& shape);

// Who refuses it there: look(pod) for each pod in the node's domains that stays or comes and
// excludes it, in no order. Cost: the pods of those domains in which somebody does.
template <typename Look>
void ForEachInTheWay(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n,
                     Look look) {
  const auto look_at = [&](state::NodeId there) {
    for (const state::PodId p : cluster.nodes().pods(there)) {
      const state::Pod& pod = cluster.pods()[p];
      if (pod.stay() == state::Stay::kLeaves) continue;
      const state::Shape& other = cluster.shapes()[pod.shape];
      if (!other.dynamic->holds.empty() && Exclude(cluster, shape, n, other, there)) look(p);
    }
  };
  std::vector<state::NodeId> nodes;
  for (const state::TermId term : shape.dynamic->refused_by) {
    const state::ColumnId column = cluster.terms().ColumnOf(term);
    const state::DomainId domain = cluster.demands().columns().Of(column, n);
    if (!domain.valid()) continue;
    if (cluster.demands().Against(term, domain, state::When::kLater) == 0) continue;
    if (column == state::DomainColumns::OfNodes()) {
      nodes.push_back(n);
    } else if (cluster.terms().KindOf(term) == state::TermKind::kOnePodClaim) {
      const auto holders = cluster.demands().HoldersOf(term);
      nodes.insert(nodes.end(), holders.begin(), holders.end());
    } else {
      const auto& of_domain = cluster.demands().columns().NodesOf(column, domain);
      nodes.insert(nodes.end(), of_domain.begin(), of_domain.end());
    }
  }
  MakeSet(nodes);
  for (const state::NodeId there : nodes) look_at(there);
}

// Whether others keep it off the node who could not be asked to leave it: another scheduler's pods,
// pods on other nodes, or that somebody whom it wants is not there; or the node's kubelet does. No
// room that could be made or waited for there.
bool IsKeptOffForGood(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);

// For so many of `pods` pods of the shape there are volumes on the node that are nobody's by now.
std::int64_t PodsWithVolumes(const state::Cluster& cluster, const state::Shape& shape,
                             state::NodeId n, std::int64_t pods);

// At most so many pods of the shape go to the node, whatever room there is: one, where none of them
// may stand beside another.
bool IsAloneOn(const state::Cluster& cluster, const state::Shape& shape, state::NodeId n);
inline std::int64_t MostOnNode(const state::Cluster& cluster, const state::Shape& shape,
                               state::NodeId n, std::int64_t with_room) {
  const bool may_be = with_room > 1 && !shape.dynamic->alone_in.empty();
  return may_be && IsAloneOn(cluster, shape, n) ? 1 : with_room;
}

// Whether room alone does not say how many pods of the shape a node holds.
inline bool DependsOnOthers(const state::Shape& shape) { return !shape.dynamic->empty(); }

// Whether a pod that waits may come to fit since others have left its node, for more than their
// room.
inline bool IsWokenByLeaving(const state::Shape& shape) { return DependsOnOthers(shape); }

// Another number: what is placed may let it onto other nodes than it did. Never 0, and the same as
// long as nothing has changed.
std::uint64_t VersionOf(const state::Cluster& cluster, const state::Shape& shape);
// The same, but for what pods of one node refuse on that node alone: for whoever follows the nodes
// that changed anyway.
std::uint64_t VersionOfDomains(const state::Cluster& cluster, const state::Shape& shape);

// For people: how nodes fail that its own anti-affinity, its affinity or its spread excludes.
std::string RepelledText(const state::Shape& shape);
std::string UnattractedText(const state::Shape& shape);
std::string UnevenText(const state::Shape& shape);
std::string NoVolumeText(const state::Shape& shape);

// Who has a claim that the shape's pods name and that one pod alone may use: the first by name.
struct ClaimHolder {
  std::string claim;  // "namespace/name"
  std::string pod;
};
std::optional<ClaimHolder> HolderOfClaim(const state::Cluster& cluster, const state::Shape& shape);

}  // namespace fairlead::policy
