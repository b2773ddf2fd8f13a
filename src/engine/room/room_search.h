#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/cost_bound.h"
#include "engine/room/landings.h"
#include "engine/room/loss_bound.h"
#include "engine/room/node_victims.h"
#include "engine/room/rights_bound.h"
#include "engine/room/room_curves.h"
#include "engine/room/room_offers.h"
#include "engine/room/room_step.h"
#include "state/trial.h"

namespace fairlead::engine {

// What a search in one scope came to.
struct FieldAnswer {
  bool found = false;
  // found: no cheaper scenario of the scope serves. Not found: none of it does.
  bool proven = true;
  bool fewest_proven = false;  // found: none of it stops fewer workloads, whatever they lose
  // Each further pod costs at least as much as the one before: pod by pod is exact, rights aside.
  bool convex = true;
  std::vector<VictimUnit> victims;  // found: in the order of giving
};

// Looks for the cheapest victims in one scope that let the whole step be placed (semantics.md
// §4.4), and leaves them evicted, and the step's pods as claims, in the trial; or nothing.
//
// 1. What must leave certain queues (limits, rights) leaves first, cheapest first.
// 2. Pod by pod, largest first, the node that is cheapest now (RoomOffers) takes it.
// 3. What is not needed after all is put back, backwards through the order of giving. Own units
// that
//    only a right would need are put back before it is asked whether the rights hold.
// 4. For several pods of one shape the cheapest sum over all nodes (RoomCurves) is asked too, and
//    taken where it is cheaper.
//
// This is exact for a single pod that only lacks room, and for pods of one request whose victims
// are single pods. Otherwise, and where it finds nothing without a proof, scopes of up to
// kFewUnits units are searched whole, by cost; in larger ones, where the donors' rights bind, what
// takes little of them goes first, and one gang alone is tried.
class RoomSearch {
 public:
  static constexpr std::size_t kFewUnits = 8;

  RoomSearch(state::Cluster& cluster, Placer& placer)
      : cluster_(cluster),
        placer_(placer),
        losses_(cluster),
        victims_(cluster, placer, losses_),
        curves_(cluster, placer, victims_),
        rights_(cluster, placer),
        loss_bound_(cluster, placer, losses_),
        cost_bound_(cluster, placer, losses_),
        landings_(cluster, placer) {}

  // Before a round, or an explanation.
  void Start(Time now);

  FieldAnswer Search(const VictimScope& scope, const RoomStep& step, state::Trial& trial);

  // Whether the nodes would hold the step if every candidate left: no is a proof.
  bool CouldServe(const VictimScope& scope, const RoomStep& step,
                  std::int32_t max_priority = std::numeric_limits<std::int32_t>::max());
  // Whether the units' leaving lets the step be placed, and is valid: then they are `answer`'s
  // victims, and it is done in the trial.
  bool TrySet(const VictimScope& scope, const RoomStep& step, std::vector<VictimUnit> units,
              state::Trial& trial, FieldAnswer& answer);
  // The same by what the rights allow alone, at a fraction of the cost.
  RightsBound& rights() { return rights_; }
  // The same by what may be lost alone.
  LossBound& losses() { return loss_bound_; }
  // What it costs at least.
  CostBound& costs() { return cost_bound_; }
  // Where those who move land (VictimScope::moves).
  Landings& landings() { return landings_; }

  // Has the scope note when each of its candidates may leave, were he asked alone, whoever was
  // looked at in a search: that is another where nodes were met in another order.
  void NoteLapses(const VictimScope& scope) const {
    scope.ForEachCandidate(state::QueueTree::Root(), [&](state::WorkloadId w, std::uint32_t g) {
      (void)victims_.UnitsOf(scope, w, g);
      return true;
    });
  }

 private:
  // Room for pods of one shape, a step's all of it.
  RoomOffers& OffersOf(const VictimScope& scope, state::ShapeId s, std::int32_t max_priority,
                       RoomOffers::For wanted, RoomOffers::By by);
  FieldAnswer SearchByNode(const VictimScope& scope, const RoomStep& step, RoomOffers::By by,
                           state::Trial& trial);
  bool FindCheaper(const VictimScope& scope, const RoomStep& step, state::Trial& trial,
                   FieldAnswer& answer);
  FieldAnswer SearchOtherwise(const VictimScope& scope, const RoomStep& step, state::Trial& trial);
  FieldAnswer SearchByLoss(const VictimScope& scope, const RoomStep& step, state::Trial& trial);
  FieldAnswer SearchOneGang(const VictimScope& scope, const RoomStep& step, state::Trial& trial);
  FieldAnswer PlaceAfter(const VictimScope& scope, const RoomStep& step,
                         std::span<const VictimScope::Need> needs, RoomOffers::By by,
                         state::Trial& trial);
  std::int32_t LowestThatServes(const VictimScope& scope, const RoomStep& step);
  std::vector<VictimUnit> UsableUnits(const VictimScope& scope, const RoomStep& step,
                                      state::WorkloadId w, std::uint32_t donor);
  bool MeetNeed(const VictimScope& scope, const RoomStep& step, const VictimScope::Need& need,
                state::Trial& trial, std::vector<VictimUnit>& units);
  bool PlaceParts(const VictimScope& scope, const RoomStep& step, std::int32_t max_priority,
                  RoomOffers::By by, state::Trial& trial, FieldAnswer& answer);
  void LookAgainAt(state::WorkloadId w);
  bool StandsAgainst(state::ShapeId s, state::ShapeId other) const;
  bool StandTogether(const RoomStep& step);
  bool PlaceAnew(const RoomStep& step, state::Trial& trial);
  void PutBack(const VictimScope& scope, const RoomStep& step, state::Trial& trial,
               std::vector<VictimUnit>& units);
  bool PutBackOne(const VictimScope& scope, const RoomStep& step, state::Trial& trial,
                  std::vector<VictimUnit>& units, std::size_t i);
  bool DropForRight(const VictimScope& scope, const RoomStep& step, std::size_t mark,
                    state::Trial& trial, std::vector<VictimUnit>& units);
  bool ServesWithout(const RoomStep& step, const std::vector<VictimUnit>& units,
                     const std::vector<state::PodId>& stay, state::Trial& trial);
  bool MoveFrom(const RoomStep& step, state::NodeId n, state::Trial& trial);
  bool Stands(const VictimScope& scope, const std::vector<VictimUnit>& units);
  bool MayMove(const VictimScope& scope, const std::vector<VictimUnit>& units);
  bool FiguresHold(const VictimScope& scope, const std::vector<VictimUnit>& units,
                   const state::Amounts& more) const;
  void SortByGiving(std::vector<VictimUnit>& units) const;

  // room_search_whole.cc: every set of units, by cost.
  bool CollectFew(const VictimScope& scope, const RoomStep& step, std::vector<VictimUnit>& units);
  FieldAnswer SearchWhole(const VictimScope& scope, const RoomStep& step,
                          const std::vector<VictimUnit>& units, state::Trial& trial);
  bool StandsSomehow(const VictimScope& scope, const RoomStep& step,
                     const std::vector<VictimUnit>& units, state::Trial& trial, bool& proven);

  state::Cluster& cluster_;
  Placer& placer_;
  WorkLosses losses_;
  NodeVictims victims_;
  RoomCurves curves_;
  RightsBound rights_;
  LossBound loss_bound_;
  CostBound cost_bound_;
  Landings landings_;
  std::map<std::vector<std::uint64_t>, std::unique_ptr<RoomOffers>> offers_;
};

}  // namespace fairlead::engine
