#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/explain/what_if.h"
#include "engine/room/make_room.h"
#include "engine/room/move_room.h"
#include "engine/scheduler.h"
#include "state/reason.h"

namespace fairlead::engine {

// "x/a and 2 more", by name; "others" where nobody is known.
std::string FirstAndMore(const std::set<std::string>& names);

// Adds the names of the pods that are leaving the node.
void AddLeaving(const state::Cluster& cluster, state::NodeId n, std::set<std::string>& names);

// Why others do not make room for work that does not fit: entitlement, protection, budgets, what
// may be lost; or nothing of these, and then capacity alone stands in the way. Found by searching
// again with one rule put aside: what then serves stood in the way.
//
// Last comes what moves of others would do, where neither free room nor others' leaving helps.
//
// REQUIRES: as Explainer.
class RoomReasons {
 public:
  RoomReasons(const Scheduler& scheduler, Time now);

  // Cost: up to ten searches, each like one of a round.
  std::vector<state::Reason> Of(const RoomStep& step);

 private:
  RoomAnswer Try(const RoomStep& step, const RoomLeniency& leniency, Time now);
  std::vector<state::Reason> Obstacles(const RoomStep& step, const RoomAnswer& as_it_is);
  std::optional<state::Reason> Moves(const RoomStep& step);
  std::set<std::string> NamesOf(std::span<const VictimUnit> units) const;
  state::Reason Coming(const RoomStep& step) const;
  state::Reason Contended(const RoomStep& step) const;
  state::Reason Entitlement(const RoomStep& step) const;
  // `anyway`: who would go if nobody were protected.
  state::Reason Protection(const RoomStep& step, const std::vector<VictimUnit>& anyway,
                           std::optional<Time> first_lapse);
  state::Reason TooGreatLoss(const RoomStep& step, const std::vector<VictimUnit>& victims,
                             std::optional<Time> first_lapse);
  state::Reason Budgets(const RoomStep& step, const std::vector<VictimUnit>& victims) const;
  state::Reason StandsOnGuarantee(const RoomStep& step, state::Reason reason) const;

  const state::Cluster& cluster_;
  Time now_;
  WhatIf what_if_;
  MakeRoom room_;
  MoveRoom moves_;
};

}  // namespace fairlead::engine
