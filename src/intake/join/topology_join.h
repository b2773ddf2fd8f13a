#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/join/topologies.h"
#include "intake/kueue/kueue_queues.h"
#include "intake/tables/tables.h"

namespace fairlead::intake {

// What a workload asks of where its pods stand to each other.
struct TopologyJoined {
  // One of all pod sets together comes first, then by the first of their pod sets.
  std::vector<state::TopologyConstraint> constraints;
  std::optional<state::Reason> hold;  // why one of them cannot be followed
};

// Puts together what is asked of all pods of a workload (by it, by its job, or by its group), what
// of each pod set (by it, by its template, else by its pods), and the Topologies that are there.
//
// - Pod sets of one group count as one.
// - What KAI's keys say in a template, or on pods, holds for all pods of the workload where nothing
//   else does, but for segments, which are of the pod set.
//
// Keeps nothing. Cost: nothing where nothing is asked, as by most.
class TopologyJoin {
 public:
  TopologyJoin(const Tables& tables, const Topologies& topologies, const KueueQueues& kueue)
      : tables_(tables), topologies_(topologies), kueue_(kueue) {}

  // `queue`: that the workload is in. REQUIRES: gang.source is not kNone, its families are joined.
  TopologyJoined Of(const GangRow& gang, std::string_view queue) const;

  // Of a pod that is a workload of its own: it only has to be in a domain, which is to be on a node
  // that has the labels of the levels down to it.
  struct Alone {
    std::vector<std::string> node_labels;
    std::optional<state::Reason> hold;
  };
  Alone OfPod(std::string_view topology, std::string_view queue) const;

 private:
  struct Asks;
  Asks AsksOf(const GangRow& gang) const;
  // Of each pod set what its pods ask, packed; of several the first by its text.
  std::vector<std::string_view> AsksOfPods(const GangRow& gang) const;
  std::span<const std::string> OfFlavors(std::string_view queue) const;

  const Tables& tables_;
  const Topologies& topologies_;
  const KueueQueues& kueue_;
};

// The needs with nodes demanded that carry these labels.
state::NeedsPtr WithNodeLabels(const Tables& tables, const state::NeedsPtr& needs,
                               const std::vector<std::string>& keys);

}  // namespace fairlead::intake
