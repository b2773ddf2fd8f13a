#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/room/node_victims.h"
#include "engine/room/rights_bound.h"

namespace fairlead::engine {

// What every node would cost for one more pod of a shape, cheapest first. Follows the state's
// journal: after something was placed or evicted only the touched nodes are looked at again.
//
// Invariant: a node that serves has an entry of its present version, at most as dear as it is:
// donors' rights shrink while they give. An entry is checked again when it comes up.
// Cost: the first use O(candidates), and O(nodes) for many pods; then O(pods of touched nodes × log
// nodes).
class RoomOffers {
 public:
  // For one pod only nodes with candidates are looked at, and the best of those with room anyway.
  enum class For : std::uint8_t { kOnePod, kMany };
  // What makes a node cheap: the cost that is done there; or, before that, how little of the
  // donors' rights is used up (of the resource by which the scope is bounded); or the loss alone
  // (NodeVictims::LossAlone).
  enum class By : std::uint8_t { kCost, kRights, kLoss };

  RoomOffers(state::Cluster& cluster, Placer& placer, NodeVictims& victims, RightsBound& rights,
             state::ShapeId shape, std::int32_t max_priority, For wanted)
      : cluster_(cluster),
        placer_(placer),
        victims_(victims),
        rights_(rights),
        shape_(shape),
        max_priority_(max_priority),
        wanted_(wanted) {}

  // The node that is cheapest now, and its victims. Ties: the first victim in the order of giving;
  // without victims, the better node by placement. Invalid: none serves.
  state::NodeId Best(const VictimScope& scope, const Outstanding& outstanding, By by,
                     NodeOffer& offer);

  // Whether some node was refused by its donors' rights, not for want of room.
  bool refused_by_right() const { return refused_by_right_; }
  // Whether on every node each further pod costs at least as much as the one before.
  bool convex() const { return convex_; }
  // Whether gangs are among the candidates: what one node offers then depends on others, and must
  // be worked out anew for each search.
  bool gangs() const { return gangs_; }
  // What budgets refused is looked at again.
  void AskBudgetsAgain() { budgets_eased_ = kUnknown; }
  // The earliest lapse of a protection met with so far.
  std::optional<Time> earliest_lapse() const { return earliest_lapse_; }

 private:
  struct Entry {
    std::int64_t taken = 0;  // of the bounded resource
    policy::EvictionCost cost;
    state::WorkloadId first;
    std::vector<state::WorkloadId> order;  // of giving, where gangs are among the victims
    std::uint64_t place = 0;               // without victims: by placement
    state::NodeId node;
    std::uint32_t version = 0;
  };
  bool Dearer(const Entry& a, const Entry& b) const;
  Entry EntryOf(const VictimScope& scope, state::NodeId n, const NodeOffer& offer) const;
  void Heapify();
  bool SameOffer(const Entry& a, const Entry& b) const;
  void Follow(const VictimScope& scope, const Outstanding& outstanding);
  bool Solve(const VictimScope& scope, const Outstanding& outstanding, state::NodeId n,
             NodeOffer& offer);
  void Look(const VictimScope& scope, const Outstanding& outstanding, state::NodeId n);
  bool RightsRefuse(const VictimScope& scope, state::NodeId n);
  bool RightsGrew(const VictimScope& scope, const Outstanding& outstanding);
  std::vector<state::NodeId> FirstNodes(const VictimScope& scope) const;
  bool ByDomains() const;
  void NoteSeen();

  state::Cluster& cluster_;
  Placer& placer_;
  NodeVictims& victims_;
  RightsBound& rights_;
  state::ShapeId shape_;
  std::int32_t max_priority_;
  For wanted_;
  By by_ = By::kCost;
  bool built_ = false;
  bool refused_by_right_ = false;
  bool convex_ = true;
  bool gangs_ = false;
  bool met_ceiling_ = false;
  std::uint64_t seen_ = 0;               // of the journal's touched nodes
  std::uint64_t version_ = 0;            // of what others are demanded, when last looked at
  std::vector<std::uint32_t> versions_;  // by node
  std::vector<Entry> heap_;              // the cheapest on top
  VictimScope::Leaves leaves_;           // in this call
  std::vector<std::int64_t> figures_;    // what they hang on, when last looked at
  std::vector<state::NodeId> touched_;
  std::vector<state::NodeId> refused_by_budget_;
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t budgets_eased_ = 0;  // of the cluster, when last looked at
  std::optional<Time> earliest_lapse_;
  state::NodeId preferred_;  // of the nodes with room the best one, in this call
  NodeOffer scratch_;
  // The cheapest node that this very call has looked at, and its offer: as it is now.
  std::optional<Entry> fresh_;
  NodeOffer fresh_offer_;
};

}  // namespace fairlead::engine
