#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "engine/place/placer.h"
#include "engine/room/room_field.h"
#include "engine/room/room_step.h"

namespace fairlead::engine {

// How many pods the nodes would hold if the givers gave what their rights let them give, and
// nothing else were asked: upper bounds, at a few instructions a pod. Most questions for room are
// refused here, before any victim is looked at.
//
// All units of a giver but the last leave before it is down to its line; together they leave no
// more than keeps it as saturated as the taker, and as its tier wants it.
class RightsBound {
 public:
  RightsBound(const state::Cluster& cluster, Placer& placer) : cluster_(cluster), placer_(placer) {}

  // Before questions in fields whose givers are the first of `widest`'s. Forgets what it knew of
  // the nodes: until the next Start they stay as they are.
  void Start(const RoomField& widest);
  // Whether the rights might let the step be placed: no is a proof; yes, where they cannot tell.
  bool MightServe(const RoomField& field, const RoomStep& step);

  // One node, as it is now, where so much may leave the field's givers. REQUIRES: field.bounded().
  struct OfNode {
    std::int64_t pods = 0;
    bool refused = false;  // none, while without the rights there might be some
  };
  OfNode Of(const RoomField& field, const RoomField::Leaves& leaves, state::ShapeId s,
            state::NodeId n);

 private:
  // What leaves a node together, of the bounded resource.
  struct Unit {
    std::uint32_t giver = 0;
    std::int64_t amount = 0;
    std::int64_t everywhere = 0;  // with what leaves other nodes: at most so much
  };
  // Of one giver, on all nodes.
  struct AllUnits {
    std::int64_t largest = 0, divisor = 0;
  };
  struct Survey {
    std::uint32_t number = 0;                       // of the Start that it is of
    boost::container::small_vector<Unit, 8> units;  // by giver, the smallest first
    std::vector<std::int64_t> room;  // by resource, of others than the bounded what all may free
  };
  void Look(const RoomField& field, state::NodeId n, Survey& survey) const;
  const Survey& SurveyOf(state::NodeId n);
  std::int64_t MostOf(std::span<const Unit> units, const policy::Entitlement::Leave& leave);
  OfNode Judge(const RoomField& field, const RoomField::Leaves& leaves, const state::Shape& shape,
               const Survey& survey);
  std::int64_t Budget(const RoomField& field);
  void SumUpUnits();
  bool MightHold(const RoomField& field, state::ShapeId s, std::int64_t pods);

  const state::Cluster& cluster_;
  Placer& placer_;
  const RoomField* widest_ = nullptr;
  std::uint32_t number_ = 0;
  std::vector<Survey> surveys_;      // by node
  Survey now_;                       // of one node that is asked for by itself
  std::vector<std::int64_t> room_;   // by resource
  std::vector<AllUnits> all_units_;  // by giver; empty: not asked for yet
  std::vector<std::int64_t> sums_;   // that some units of a giver come to
};

}  // namespace fairlead::engine
