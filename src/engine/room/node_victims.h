#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/gang_parts.h"
#include "engine/room/victim_scope.h"
#include "engine/room/work_losses.h"

namespace fairlead::engine {

// The cheapest victims that let one more pod of a shape onto one node, wherever they are.
struct NodeOffer {
  policy::EvictionCost cost;
  state::WorkloadId first;        // in the order of giving; invalid: nobody has to go
  std::vector<VictimUnit> units;  // with gangs: in the order of giving
  bool gangs = false;             // some are of gangs
  bool exact = true;              // false: a bounded search, there may be cheaper ones
  bool cheaper_refused = false;   // by the donors' rights as they are now
  // Each further pod costs at least as much as the one before, its victims come on top of theirs,
  // and what leaves for it leaves for no other node. Said of nodes that do not serve, too.
  bool convex = true;
};

// Finds them: all single pods of one request are taken cheapest first; else all combinations of
// kinds of victims are tried, the cheapest of a kind first, up to a bound.
//
// Worked: 3 GPUs are lacking, the node runs low-priority pods of 1, 1, 2 and 4 GPUs. The kinds are
// {1, 1}, {2}, {4}: of the combinations that reach 3, {4} stops one workload and {1, 2} two.
class NodeVictims {
 public:
  // `losses`: as they are now.
  NodeVictims(state::Cluster& cluster, Placer& placer, const WorkLosses& losses)
      : cluster_(cluster), placer_(placer), losses_(losses), gang_parts_(cluster) {}

  // As long as it lives cost is the work that is lost, and then the pods: neither priorities nor
  // workloads count. One at a time.
  class LossAlone {
   public:
    explicit LossAlone(NodeVictims& victims) : victims_(victims) { victims_.loss_alone_ = true; }
    ~LossAlone() { victims_.loss_alone_ = false; }
    LossAlone(const LossAlone&) = delete;
    LossAlone& operator=(const LossAlone&) = delete;

   private:
    NodeVictims& victims_;
  };

  // Victims of at most `max_priority`; where that is a bound, somebody of it is known to have to
  // go, and lower ones are worth no less. Returns whether there are any that serve; `offer` is then
  // filled. `refused_by_right`: set where more may leave the node than the donors' rights, or what
  // may be lost, allow.
  bool Solve(const VictimScope& scope, state::ShapeId s, state::NodeId n, std::int32_t max_priority,
             const Outstanding& outstanding, NodeOffer& offer);

  // What a gang's leaving costs on one of its nodes: all of it; or its part there, in
  // GangParts::kAll-th parts (and that of everybody else in as many); or it is not among those who
  // leave.
  enum class GangCost : std::uint8_t { kWhole, kByPart, kNoGangs };
  GangParts& gang_parts() { return gang_parts_; }
  // A node's victims for several pods of a shape at once, each number of them in a bounded search
  // of its own; who could leave the node is found once. One at a time.
  // REQUIRES: the shape takes room alone: it demands nothing of others, and no part of a device.
  // While it lives nothing is done, nothing else is asked, and the scope stays.
  class Curve {
   public:
    Curve(NodeVictims& victims, GangCost by, const VictimScope& scope, state::ShapeId s,
          state::NodeId n, std::int32_t max_priority);
    ~Curve();
    Curve(const Curve&) = delete;
    Curve& operator=(const Curve&) = delete;

    // As Solve.
    bool SolveFor(std::int64_t pods, const Outstanding& outstanding, NodeOffer& offer);

   private:
    friend class NodeVictims;
    NodeVictims& victims_;
    GangCost by_;
    const VictimScope& scope_;
    state::ShapeId shape_;
    state::NodeId node_;
    std::int32_t max_priority_;
    std::int64_t pods_ = 1;
    // Found for fewer pods: who could leave, and the kinds' units.
    bool collected_ = false;
    bool units_made_ = false;
  };
  bool refused_by_right() const { return refused_by_right_; }
  // Whether budgets kept some of the last node's candidates, which could have served.
  bool refused_by_budget() const { return refused_by_budget_; }
  // Whether what may be lost kept some from being victims.
  bool met_ceiling() const { return met_ceiling_; }
  // Whether gangs were among the candidates of the last node.
  bool had_gangs() const { return !gangs_.empty(); }

  // How many pods of the shape the node would hold if every candidate of it left: an upper bound.
  std::int64_t Bound(const VictimScope& scope, state::ShapeId s, state::NodeId n,
                     std::int32_t max_priority);

  // What the workload gives, in the order of leaving: a single pod itself; an elastic gang its
  // surplus one by one, then its minimum; another gang all of it. What may not leave is left out,
  // and so is what loses too much by itself.
  std::vector<VictimUnit> UnitsOf(const VictimScope& scope, state::WorkloadId w,
                                  std::uint32_t donor) const;
  // Of workloads that give by one unit, those with pods where the shape may run; in no order.
  std::vector<VictimUnit> WholeUnits(const VictimScope& scope, state::ShapeId s,
                                     std::int32_t max_priority) const;

 private:
  policy::EvictionCost CostOf(state::PodId p) const;
  bool LosesTooMuch(const VictimScope& scope, std::uint32_t donor, const policy::EvictionCost& cost,
                    std::span<const state::PodId> pods) const;
  // What comes free on the node, by what it lacks.
  using Freed = boost::container::small_vector<std::int64_t, 4>;
  // Victims of one kind on the node: the first k of its choices leave.
  struct Choice {
    std::uint32_t units = 0;  // how many of the kind's units leave
    policy::EvictionCost cost;
    policy::Work lost = 0;  // of what is bounded (VictimScope::BoundsLoss)
    Freed freed;
  };
  struct Kind {
    std::vector<VictimUnit> units;  // in the order of leaving
    std::vector<Choice> choices;
    std::size_t least = 0;  // so many choices leave in any case
  };
  struct Single {
    state::PodId pod;
    state::WorkloadId workload;
    std::uint32_t donor = 0;
    policy::EvictionCost cost;
  };
  // What a node lacks for the shape.
  struct Lack {
    state::ResourceId resource;
    std::int64_t amount = 0;
  };

  struct Parted {
    std::vector<state::PodId> surplus, minimum;
  };
  Parted Part(const state::Gang& gang) const;
  VictimUnit SingleUnit(const VictimScope& scope, state::PodId p, std::uint32_t donor,
                        const policy::EvictionCost& cost) const;
  policy::EvictionCost CostOfSingle(state::PodId p) const;
  policy::EvictionCost Raised(policy::EvictionCost cost) const;
  bool CollectElsewhere(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
                        std::int32_t max_priority);
  void Collect(const VictimScope& scope, state::NodeId n, std::int32_t max_priority);
  bool IsRequired(state::PodId p) const;
  bool IsElsewhere(state::PodId p) const;
  bool CoversRequired() const;
  bool IsConvexByDomains(const state::Shape& shape) const;
  bool LacksOf(const state::Shape& shape, state::NodeId n);
  bool Holds(state::ShapeId s, state::NodeId n);
  policy::EvictionCost OnNode(const VictimUnit& unit, state::NodeId n) const;
  bool SolveAlike(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
                  const Outstanding& outstanding, NodeOffer& offer);
  bool SolveKinds(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
                  const Outstanding& outstanding, NodeOffer& offer);
  void MakeUnits(const VictimScope& scope);
  void MakeKinds(const VictimScope& scope, state::NodeId n);
  void Combine(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
               const Outstanding& outstanding, std::size_t k, const policy::EvictionCost& cost,
               policy::Work lost);
  bool Serves(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
              const Outstanding& outstanding);
  bool MeetsLacks(const Freed& freed, const Freed& more) const;
  void AddFreed(state::PodId p, Freed& freed) const;
  bool HoldsTwo(const state::Shape& shape, state::NodeId n);
  bool IsConvex(const state::Shape& shape, state::NodeId n, const state::Amounts& request);
  std::vector<const VictimUnit*> ChosenUnits() const;
  bool LessInOrder(const std::vector<const VictimUnit*>& a,
                   const std::vector<const VictimUnit*>& b) const;

  state::Cluster& cluster_;
  Placer& placer_;
  const WorkLosses& losses_;
  GangParts gang_parts_;

  Curve* curve_ = nullptr;  // that is asked; null: none
  GangCost by() const { return curve_ == nullptr ? GangCost::kWhole : curve_->by_; }
  std::int64_t pods() const { return curve_ == nullptr ? 1 : curve_->pods_; }
  std::int64_t most_steps() const;

  // Of the node at hand:
  std::vector<state::PodId> required_;   // must leave: their terms refuse the shape
  std::vector<state::PodId> elsewhere_;  // on other nodes, and may have to leave; sorted
  std::vector<Single> singles_;
  std::vector<std::pair<state::WorkloadId, std::uint32_t>> gangs_;  // and their donors
  std::int32_t least_priority_ = policy::EvictionCost::kNobody;     // that counts
  bool alike_ = true;               // only singles, all of one shape, no budgets
  bool one_by_one_ = false;         // devices, spread: only trying tells whether it serves
  std::vector<std::int64_t> room_;  // by resource: what it would have once some have left
  std::vector<Lack> lacks_;
  std::vector<Kind> kinds_;
  std::vector<std::size_t> chosen_;  // by kind: how many choices
  std::vector<std::size_t> best_;
  std::vector<Freed> rest_;  // by kind: what it and all after it could free
  Freed freed_;
  policy::EvictionCost best_cost_;
  std::optional<policy::EvictionCost> refused_cost_;  // the least that the rights refused
  bool last_refused_ = false;                         // by the rights
  bool found_ = false;
  std::int64_t steps_ = 0;
  bool refused_by_right_ = false;
  bool refused_by_budget_ = false;
  mutable bool met_ceiling_ = false;
  bool loss_alone_ = false;
};

}  // namespace fairlead::engine
