#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "engine/place/placer.h"
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

  // Before questions in scopes whose donors are the first of `widest`'s. Forgets what it knew of
  // the nodes: until the next Start they stay as they are.
  void Start(const VictimScope& widest);
  // Whether the rights might let the step be placed: no is a proof; yes, where they cannot tell.
  bool MightServe(const VictimScope& scope, const RoomStep& step);

  // One node, as it is now, where so much may leave the scope's donors. REQUIRES: scope.bounded().
  struct OfNode {
    std::int64_t pods = 0;
    bool refused = false;  // none, while without the rights there might be some
  };
  OfNode Of(const VictimScope& scope, const VictimScope::Leaves& leaves, state::ShapeId s,
            state::NodeId n);

 private:
  // What leaves a node together, of the bounded resource.
  struct Unit {
    std::uint32_t donor = 0;
    std::int64_t amount = 0;
    std::int64_t everywhere = 0;  // with what leaves other nodes: at most so much
  };
  // Of one donor, on all nodes.
  struct AllUnits {
    std::int64_t largest = 0, divisor = 0;
  };
  struct Survey {
    std::uint32_t number = 0;                       // of the Start that it is of
    boost::container::small_vector<Unit, 8> units;  // by donor, the smallest first
    std::vector<std::int64_t> room;  // by resource, of others than the bounded what all may free
  };
  void Look(const VictimScope& scope, state::NodeId n, Survey& survey) const;
  const Survey& SurveyOf(state::NodeId n);
  std::int64_t MostOf(std::span<const Unit> units, const policy::Entitlement::Leave& leave);
  OfNode Judge(const VictimScope& scope, const VictimScope::Leaves& leaves,
               const state::Shape& shape, state::NodeId n, const Survey& survey);
  std::int64_t Budget(const VictimScope& scope);
  void SumUpUnits();
  bool MightHold(const VictimScope& scope, state::ShapeId s, std::int64_t pods);

  const state::Cluster& cluster_;
  Placer& placer_;
  const VictimScope* widest_ = nullptr;
  std::uint32_t number_ = 0;
  std::vector<Survey> surveys_;      // by node
  Survey now_;                       // of one node that is asked for by itself
  std::vector<std::int64_t> room_;   // by resource
  std::vector<AllUnits> all_units_;  // by donor; empty: not asked for yet
  std::vector<std::int64_t> sums_;   // that some units of a donor come to
};

}  // namespace fairlead::engine
