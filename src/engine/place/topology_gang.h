#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/place/domain_packing.h"
#include "engine/place/gang_part.h"
#include "engine/place/placer.h"

namespace fairlead::engine {

// Whether the workload's pods are to be near each other.
bool AsksTopology(const state::Cluster& cluster, state::WorkloadId w);

// Places a gang whose pods are to be near each other (demands.md §7): all of it through `trial`, or
// nothing. First the domain is chosen, by how many pods each holds (domain_packing.h); then the
// pods walk its used parts in the order of their indices. Where nodes are confined to a domain, it
// is inside that.
class TopologyGang {
 public:
  TopologyGang(Placer& placer, state::Cluster& cluster, state::WorkloadId w,
               const std::vector<GangPart>& parts, state::When when, state::Trial& trial);

  // REQUIRES: AsksTopology(cluster, w).
  GangVerdict Run();
  // The verdict of Run; what it places, the caller undoes.
  GangVerdict Could();

  // Where its pods may be by the demand, whatever room there is: domains of the required level,
  // else all nodes. Empty: those that run are in several already.
  std::vector<state::DomainId> WidestDomains(const state::GangTopology& demand) const;
  // Whether its pods could be placed if all nodes were empty: no is a proof, whoever leaves.
  bool MightEverFit() const;
  // How many of its pods each of these has room for, of the shape that most of them are; and how
  // many there are of that.
  struct Rooms {
    struct OfDomain {
      state::DomainId domain;
      std::int64_t pods = 0;
    };
    state::ShapeId shape;
    std::int64_t wanted = 0;
    std::vector<OfDomain> domains;  // the roomiest first, then by name
  };
  Rooms RoomsAt(const state::GangTopology& demand, std::int32_t level);
  bool HasItems(const state::GangTopology& demand) const { return !ItemsOf(demand).empty(); }
  // The nodes of those of its pods that run.
  std::vector<state::NodeId> RunsOn(const state::GangTopology& demand) const;
  // The domain of the required level in which those are that run: invalid where none do, or none is
  // required; absent: they are in several, or in none of the level.
  std::optional<state::DomainId> HomeOf(const state::GangTopology& demand) const;
  // What of the step is of one slice, and where others of that run, as HomeOf, of its level.
  struct Slice {
    std::int32_t number = 0;
    std::optional<state::DomainId> home;
    std::vector<GangPart> parts;
  };
  std::vector<Slice> SlicesOf(const state::GangTopology& demand) const;  // by number
  // Whether no other would be chosen before it but by its name, whatever room it had.
  bool IsIdeal(const state::GangTopology& demand, state::DomainId d);
  // Whether the first of two is taken, where both hold its pods.
  bool IsChosenBefore(const state::GangTopology& demand, state::DomainId a, state::DomainId b);

 private:
  // Level by level, the narrower first, each in the order of choice.
  using Candidates = std::vector<std::vector<state::DomainId>>;
  // One pod to be placed.
  struct Item {
    std::size_t part = 0;
    std::int64_t i = 0;      // of the part's pods
    std::int32_t index = 0;  // among all pods of the demand's sets
  };
  using Demand = state::GangTopology;
  const state::Gang& gang() const { return cluster_.workloads().gang(workload_); }
  state::ShapeId ShapeOf(const Item& item) const { return parts_[item.part].shape; }
  bool IsExact() const;
  void FindIndices();
  std::vector<Item> ItemsOf(const Demand& demand) const;
  std::int32_t FirstIndexOf(const Demand& demand, std::uint16_t set) const;
  std::vector<Item> Unbound(const Demand& demand, const std::vector<Item>& items) const;
  std::int64_t AskedOf(const Demand& demand, const DomainPacking& packing) const;
  std::vector<state::DomainId> DomainsAt(const Demand& demand, std::int32_t level) const;
  std::vector<std::pair<state::ShapeId, std::int64_t>> CountsOf(
      const std::vector<Item>& items) const;
  DomainPacking Packing(const Demand& demand, const std::vector<Item>& items);
  Candidates CandidatesOf(const Demand& demand, const std::vector<Item>& items);
  GangVerdict PlaceOuter(const Demand& demand, std::span<const Demand> inner);
  GangVerdict PlaceEach(std::span<const Demand> demands);
  GangVerdict PlaceRest(std::span<const Demand> demands);
  GangVerdict PlaceOne(const Demand& demand);
  GangVerdict PlaceIn(const Demand& demand, const std::vector<Item>& items, state::DomainId d);
  bool Walk(const Demand& demand, const std::vector<Item>& items, state::DomainId d);
  bool WalkSlices(const Demand& demand, std::vector<Item> items, state::DomainId d);
  std::optional<state::DomainId> HomeOfSlice(const Demand& demand, std::int32_t slice) const;
  std::int64_t MissingOf(const Demand& demand, std::int32_t slice) const;
  bool PlaceItems(std::span<const Item> items, std::span<const state::NodeId> nodes);

  Placer& placer_;
  state::Cluster& cluster_;
  state::WorkloadId workload_;
  const std::vector<GangPart>& parts_;
  state::When when_;
  state::Trial& trial_;
  // Of each pod of the gang that exists, by pod set; and what its parts' pods have, by part.
  std::vector<std::vector<std::pair<state::PodId, std::int32_t>>> of_pods_;
  std::vector<std::vector<std::int32_t>> of_parts_;
};

}  // namespace fairlead::engine
