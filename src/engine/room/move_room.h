#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/room/free_in_sum.h"
#include "engine/room/landings.h"
#include "engine/room/mover_slots.h"
#include "engine/room/room_search.h"

namespace fairlead::engine {

// Who would have to move for work that finds no room otherwise, and where to.
struct MoveAnswer {
  bool found = false;
  std::vector<VictimUnit> movers;  // in the order of giving
  std::vector<Landing> landings;   // of each of their pods
  bool least_proven = true;        // found: no cheaper movers serve
  bool proven = true;              // not found: nobody's moving helps
  // Not found: the earliest lapse of a protection that was met.
  std::optional<Time> lapse;
};

// Until when work that runs stays where it is, were it for itself alone: as long as it has just
// started or moved; for good (Time::Max()), where nobody makes its pods again, or it asks to stay.
// Empty: it may move.
std::optional<Time> StaysUntil(const state::Cluster& cluster, state::WorkloadId w, Time now);

// Room by moves (time.md §6): work that runs anywhere goes elsewhere, all of it, so that a workload
// within its guarantee or its fair share has room. It is the search for victims (RoomSearch), in a
// scope in which everybody may be asked and a set of victims stands only where all of them land
// elsewhere; cheapest by what it costs to stop them.
//
// Worked: a and b have 8 GPUs each. On a run x (2, 5 h) and y (2, 1 h), on b z (5, 3 h), and c has
// 4 free. G asks 8: x and y move to c for 12 GPU hours, z nowhere fits: a is G's.
class MoveRoom {
 public:
  MoveRoom(state::Cluster& cluster, Placer& placer)
      : cluster_(cluster), placer_(placer), free_(cluster), search_(cluster, placer) {}

  // Until when a workload stays where it is; Time::Max(): for good; empty: it may move.
  using Stays = std::function<std::optional<Time>(state::WorkloadId)>;

  // Who may move, whoever asks for room.
  struct Movers {
    bool any = false;
    std::optional<Time> lapse;  // when the first of the others may, if time alone brings that
    MoverSlots slots;
  };

  // A bound: no is a proof.
  bool Might(const RoomStep& step);
  // REQUIRES: nothing is kept back from anybody.
  Movers WhoMayMove(const Stays& stays);

  // `stays`: who is left alone beside those whom rules of room protect.
  // What is found is left in the trial: movers evicted, the step's pods as claims on what is free
  // later; landings hold nothing. `movers`: WhoMayMove(stays), where that is known: then most of
  // what is asked in vain is refused by it. Null: it is not.
  // REQUIRES: nothing has been done in the trial, and the step has no room without moves.
  MoveAnswer Find(const RoomStep& step, Time now, const Stays& stays, state::Trial& trial,
                  const Movers* movers = nullptr);

 private:
  static constexpr std::int32_t kMostTries = 4;
  std::optional<policy::Right> RightOf(const RoomStep& step) const;
  bool LacksRoom(const RoomStep& step);

  state::Cluster& cluster_;
  Placer& placer_;
  FreeOnAllNodes free_;
  RoomSearch search_;
};

}  // namespace fairlead::engine
