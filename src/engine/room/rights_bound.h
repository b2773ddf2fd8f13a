#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/place/placer.h"
#include "engine/room/node_units.h"
#include "engine/room/room_step.h"
#include "engine/room/victim_scope.h"

namespace fairlead::engine {

// How many pods the nodes would hold if the donors gave what their rights let them give, and
// nothing else were asked: upper bounds, at a few instructions a pod. Most questions for room are
// refused here, before any victim is looked at.
//
// All units of a donor but the last leave before it is down to its line; together they leave no
// more than keeps it as saturated as the preemptor, and as its tier wants it.
class RightsBound {
 public:
  RightsBound(const state::Cluster& cluster, Placer& placer) : cluster_(cluster), placer_(placer) {}

  // Whether the rights might let the step be placed: no is a proof; yes, where they cannot tell.
  bool MightServe(const VictimScope& scope, const RoomStep& step);

  // One node, as it is now, where so much may leave the scope's donors. REQUIRES: scope.bounded().
  struct OfNode {
    std::int64_t pods = 0;
    bool refused = false;  // none, while without the rights there might be some
  };
  OfNode Of(const VictimScope& scope, const VictimScope::Leaves& leaves, state::ShapeId s,
            state::NodeId n);

  // As NodeUnits.
  void CatchUp();

 private:
  // What leaves the node at hand together, of the bounded resource.
  struct Unit {
    std::uint32_t donor = 0;
    std::int64_t amount = 0;
    auto operator<=>(const Unit&) const = default;
  };
  // Of one donor, on all nodes.
  struct AllUnits {
    std::int64_t largest = 0;  // with what leaves other nodes
    std::int64_t divisor = 0;
  };
  // A queue that has units on the node at hand.
  struct OfDonor {
    std::uint32_t donor = 0;
    NodeUnits::OfQueue of_queue;
  };
  // Of the node at hand, of the bounded resource: what leaves as the rights let it, and at all.
  struct Sums {
    std::int64_t most = 0, all = 0;
  };
  NodeUnits& UnitsOf(state::ResourceId r) {
    return nodes_.try_emplace(r, cluster_, r).first->second;
  }
  Sums Gather(const VictimScope& scope, const VictimScope::Leaves& leaves,
              const state::Shape& shape, state::NodeId n);
  std::int64_t MostOf(std::span<const Unit> units, const policy::Entitlement::Leave& leave);
  bool LacksRoom(state::ResourceId r, const state::Shape& shape, state::NodeId n,
                 std::int64_t leaves) const;
  std::int64_t PodsAfter(const VictimScope& scope, const state::Shape& shape, state::NodeId n,
                         std::int64_t leaves);
  std::int64_t Budget(const VictimScope& scope);
  void SumUpUnits(const VictimScope& scope);
  bool MightHold(const VictimScope& scope, state::ShapeId s, std::int64_t pods);

  const state::Cluster& cluster_;
  Placer& placer_;
  std::map<state::ResourceId, NodeUnits> nodes_;
  // Of the node at hand:
  std::vector<OfDonor> queues_;
  std::vector<Unit> units_;          // by donor, the smallest first
  std::vector<std::int64_t> room_;   // by resource
  std::vector<std::int64_t> sums_;   // that some units of a donor come to
  std::vector<AllUnits> all_units_;  // by donor; empty: not asked for yet
};

}  // namespace fairlead::engine
