#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/place/topology_gang.h"
#include "engine/room/room_search.h"

namespace fairlead::engine {

// The cheapest victims for pods that are to be near each other: in one scope, domain by domain
// (demands.md §7). What leaves elsewhere is of no use to them, so each domain is a search of its
// own; the cheapest of all counts, then the better domain.
//
// A demand for one domain of one level is exact where the search in each of them is. Slices, and
// demands of single pod sets, are searched one after the other: that is no proof.
class TopologyRoom {
 public:
  TopologyRoom(state::Cluster& cluster, Placer& placer, RoomSearch& search)
      : cluster_(cluster), placer_(placer), search_(search) {}

  // As RoomSearch::Search. REQUIRES: AsksTopology(cluster, step.workload).
  FieldAnswer Search(const VictimScope& scope, const RoomStep& step, state::Trial& trial);

 private:
  // Pods that are to be in one domain of the level (DomainTree::kRoot: anywhere), with those that
  // run of the same: `home` as TopologyGang::HomeOf.
  struct Part {
    state::TreeId tree;
    std::int32_t level = state::DomainTree::kRoot;
    std::optional<state::DomainId> home = state::DomainId();
    RoomStep step;
  };
  // What a domain would cost.
  struct Offer {
    state::DomainId domain;
    policy::EvictionCost cost;
    std::vector<VictimUnit> victims;
    bool ideal = false;  // at equal cost no other domain is chosen but by its name
  };
  const state::Gang& GangOf(const RoomStep& step) const {
    return cluster_.workloads().gang(step.workload);
  }
  bool IsOneDemand(const RoomStep& step) const;
  std::vector<Part> PartsOf(const RoomStep& step, state::Trial& trial) const;
  FieldAnswer SearchAnywhere(const VictimScope& scope, const RoomStep& step, state::Trial& trial);
  FieldAnswer SearchDomains(const VictimScope& scope, const RoomStep& step, state::TreeId tree,
                            const std::vector<state::DomainId>& domains, state::Trial& trial);
  FieldAnswer SearchIn(const VictimScope& scope, const RoomStep& step, state::Trial& trial);
  FieldAnswer SearchPart(const VictimScope& scope, const Part& part, state::Trial& trial);
  template <typename SearchHere>
  std::optional<Offer> CheapestOf(const VictimScope& scope, const RoomStep& step,
                                  state::TreeId tree, const std::vector<state::DomainId>& domains,
                                  state::Trial& trial, SearchHere search, FieldAnswer& answer);
  void NarrowDown(const VictimScope& scope, const RoomStep& step, std::size_t mark,
                  state::Trial& trial, FieldAnswer& answer);
  void PutBack(const VictimScope& scope, const RoomStep& step, std::size_t mark,
               state::Trial& trial, FieldAnswer& answer);
  bool IsBetter(const RoomStep& step, const Offer& a, const Offer& b, state::Trial& trial);
  bool IsIdeal(const RoomStep& step, const Offer& offer, state::Trial& trial);
  void Evict(const Offer& offer, state::Trial& trial);

  state::Cluster& cluster_;
  Placer& placer_;
  RoomSearch& search_;
};

// Whether each of the parts had room if all nodes were empty.
bool FitWhenEmpty(const state::Cluster& cluster, Placer& placer,
                  const std::vector<GangPart>& parts);
// Whether the step had room if all nodes were empty: a bound whoever leaves.
bool MightEverFit(state::Cluster& cluster, Placer& placer, const RoomStep& step);

}  // namespace fairlead::engine
