#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/place/placer.h"
#include "policy/dynamic_demand.h"
#include "state/cluster.h"
#include "state/trial.h"

namespace fairlead::engine {

// Places a gang whose pods are kept apart, drawn together or spread over domains of several nodes:
// all of it through `trial`, or nothing. What they demand of each other is judged once all of them
// are placed (demands.md §5), so that two pods may each want the other beside them; a spread is
// judged at each of them, in the order of the trial's steps.
class DemandingGang {
 public:
  DemandingGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
                const std::vector<GangPart>& parts, state::When when, state::Trial& trial);

  // REQUIRES: DependOnDomains(cluster, parts), and each shape by itself has room for its pods.
  GangVerdict Run();

 private:
  // Where pods that want others of the gang beside them may go.
  struct Domain {
    state::ColumnId column;
    state::DomainId domain;
    policy::NodePlace place = 0;  // of its best node
  };
  const state::Shape& ShapeOf(std::size_t k) const { return cluster_.shapes()[parts_[k].shape]; }
  bool GreedyIsExact() const;
  bool OrderMatters() const;
  bool Greedy(const std::optional<Domain>& only);
  bool ByDomain();
  std::vector<Domain> DomainsToTry();
  state::NodeId BestIn(std::size_t k, const Domain& domain, policy::Asked asked);
  state::NodeId Pick(std::size_t k, const std::optional<Domain>& only);
  bool MayYetBeAttracted(std::size_t k) const;
  bool CanBeMet(std::size_t mark) const;
  bool IsMet(std::size_t mark) const;
  void PlaceOne(std::size_t k, state::NodeId n);
  void UndoTo(std::size_t mark, std::size_t k);
  bool Deep();
  bool DeepWith(std::size_t k);
  bool AreTheSame(state::NodeId a, state::NodeId b) const;

  Placer& placer_;
  state::Cluster& cluster_;
  state::WorkloadId workload_;
  const std::vector<GangPart>& parts_;
  state::When when_;
  state::Trial& trial_;
  std::size_t start_;                     // of the trial's steps
  std::vector<std::int64_t> placed_;      // by part: how many
  std::vector<state::TermId> terms_;      // that make a difference to some part
  std::vector<state::ColumnId> columns_;  // of these
  std::int64_t steps_ = 0;
};

}  // namespace fairlead::engine
