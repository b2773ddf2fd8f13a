#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/room/node_victims.h"
#include "engine/room/room_step.h"

namespace fairlead::engine {

// The victims that together make room for several pods of one shape at the least cost: by the cost
// of each number of pods on each node (its curve), and the cheapest sum over the nodes.
//
// Greedy by pods does not see that a victim makes room for several: one small pod costs as little
// as one large pod where a single pod asks, and the large one frees room for four.
class RoomCurves {
 public:
  RoomCurves(state::Cluster& cluster, Placer& placer, NodeVictims& victims)
      : cluster_(cluster), placer_(placer), victims_(victims) {}

  struct Choice {
    std::vector<VictimUnit> units;  // each once
    bool least = false;             // no cheaper set makes the room
    bool gangs = false;             // there are some among the candidates
    // kByPart: no set that makes the room stops fewer workloads. 0: nothing is known.
    std::int64_t fewest = 0;
    // kByPart: which gangs leave which node.
    std::vector<std::pair<VictimUnit, state::NodeId>> by_node;
  };

  // Whether `step` is one that curves are exact for: pods of one shape that take room alone, not
  // so many that the sums are dear.
  bool Suits(const RoomStep& step) const;
  // Victims of at most `max_priority`. A gang's cost counts on each of its nodes as `by` says; with
  // kNoGangs those of `whole` are asked beside the nodes, each once. Absent: there is no such
  // choice. REQUIRES: Suits(step); kWhole was asked first, and nothing done since.
  std::optional<Choice> Cheapest(const VictimScope& scope, const RoomStep& step,
                                 std::int32_t max_priority, NodeVictims::GangCost by,
                                 std::span<const VictimUnit> whole = {});

  // No set that makes the room stops fewer workloads than this, by moving parts of gangs
  // (gang_parts.h) until that is `enough`. 0: nothing is known. REQUIRES: `by_part` was answered
  // since kWhole was, and nothing done.
  std::int64_t FewestWorkloads(const VictimScope& scope, const RoomStep& step,
                               std::int32_t max_priority, Choice by_part, std::int64_t enough);

 private:
  // On one node: what makes room for 1, 2, … pods; the first `free` of them ask nobody. Or a gang:
  // `free` 0, and one cost for all that it makes room for.
  struct Curve {
    state::NodeId node;
    const VictimUnit* gang = nullptr;
    bool has_gangs = false;  // there are some among its candidates
    std::int64_t free = 0;
    std::vector<policy::EvictionCost> costs;  // of free + 1, free + 2, …
    state::WorkloadId first;                  // in the order of giving, of the first of them
  };
  bool MakeCurve(const VictimScope& scope, const RoomStep& step, std::int32_t max_priority,
                 NodeVictims::GangCost by, Curve& curve);
  void AddGangs(const RoomStep& step, std::span<const VictimUnit> whole,
                std::vector<Curve>& curves);
  bool MoveParts(const Choice& by_part);
  std::vector<Curve> CurvesOf(const VictimScope& scope, const RoomStep& step,
                              std::int32_t max_priority, NodeVictims::GangCost by);

  state::Cluster& cluster_;
  Placer& placer_;
  NodeVictims& victims_;
  static constexpr int kMostMoves = 8;
  std::vector<Curve> whole_;  // of kWhole; those without gangs are the same whatever is asked
  // Of kByPart, those with gangs whose parts are the same since.
  std::map<state::NodeId, Curve> parted_;
  // Of all of them:
  bool least_ = false;
  bool gangs_ = false;
};

}  // namespace fairlead::engine
