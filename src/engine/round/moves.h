#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/room/move_room.h"
#include "engine/round/claims.h"
#include "engine/round/gang_starts.h"
#include "engine/round/placements.h"
#include "engine/round/reserved_starts.h"
#include "engine/round/room_requests.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// Work that runs goes elsewhere, so that work which finds no room otherwise has some (time.md §6).
//
// Whoever moves is evicted, and what he will need is held where he is to land, until his controller
// has made the next pod: a landing. For whom he left claims the room that he leaves, and starts
// once all landings are taken, or were held for as long as admitted room is. All of them stand in
// the status of that work until then, and are read there again: what is held is a claim by a record
// of its own (state::HoldLanding), which is made anew wherever it is missing.
//
// Worked: p (8 GPUs) waits, x of ReplicaSet r (4) runs on a, b has 4 free. x is evicted, 4 of b are
// held for r, and p claims a. r makes y at once, which is bound to b: then p is to a.
class Moves {
 public:
  Moves(RoundContext& round, GangStarts& starts, Placements& placements, Claims& claims,
        RoomRequests& rooms, ReservedStarts& reserved)
      : round_(round),
        cluster_(round.cluster),
        placer_(round.placer),
        backlog_(round.backlog),
        plan_(round.plan),
        starts_(starts),
        placements_(placements),
        claims_(claims),
        rooms_(rooms),
        reserved_(reserved),
        search_(round.cluster, round.placer) {}

  // After anything happened to the workload's pods.
  void Note(state::WorkloadId w);
  // Landings: given to pods that have come, and held for those that have not. Once none is awaited
  // any more they are over. Returns whether those of some workload are: it may start.
  bool Serve();
  // When the next of them is over.
  std::optional<Time> NextDue() const;

  // Others are asked anew who can start.
  void StartPass();
  bool enabled() const { return cluster_.configuration().consolidation.enabled; }
  // Whether others' moving might give the group room: no is a proof. REQUIRES: it has work.
  bool MightAsk(GroupId g);
  // Whether it could; nothing is done. No: `lapse` is no later than when time alone changes that.
  bool CouldMove(GroupId g, std::optional<Time>& lapse);
  // Has them move, and the group's next work claim their room. No: as CouldMove.
  bool Move(GroupId g, std::optional<Time>& lapse);

 private:
  struct Hold {
    state::WorkloadId beneficiary;
    objects::Landing landing;
    std::string room;    // the record that holds it, by name; empty: none does
    std::string taker;   // the pod that has it by now; empty: none has
    bool taken = false;  // and stands there
  };
  enum class Outlook : std::uint8_t { kAwaited, kTaken, kOver };
  struct Refusal {
    std::uint32_t after = 0;  // so many steps
    std::optional<Time> lapse;
  };
  // All that makes a difference to the search (kept_answers.h), and what is kept back besides.
  using Ask = std::vector<std::uint64_t>;
  // As of so many steps, and of so much news.
  struct KnownMovers {
    std::uint32_t after = 0;
    std::uint64_t workloads = 0;
    MoveRoom::Movers movers;
  };

  bool any() const { return !holds_.empty() || cluster_.workloads().any_landings(); }
  bool MayHave(GroupId g) const;
  Ask AskOf(const RoomStep& step) const;
  bool WasRefused(GroupId g, const RoomStep& step, std::optional<Time>& lapse) const;
  bool Refuse(GroupId g, const RoomStep& step, const MoveAnswer& answer,
              std::optional<Time>& lapse);
  const MoveRoom::Movers& WhoMayMove();
  MoveAnswer Find(GroupId g, const RoomStep& step, state::Trial& trial);
  bool IsAwaited(std::string_view owner) const;
  bool IsOf(state::PodId p, const objects::Landing& landing) const;
  bool IsNext(state::PodId p, const objects::Landing& landing) const;
  bool HasStayed(const objects::Landing& landing) const;
  Outlook Look(Hold& hold);
  state::PodId TakerOn(state::NodeId n, const objects::Landing& landing) const;
  std::vector<state::PodId> NextOf(const objects::Landing& landing) const;
  void NoteWaiting(const objects::Landings& landings);
  bool IsTaker(std::string_view pod) const;
  bool Land(Hold& hold, state::PodId p, state::NodeId n);
  bool HoldRoom(Hold& hold, state::NodeId n);
  bool IsOverdrawn(state::PodId p) const;
  void LetGoOverdrawn();
  void LetGo(Hold& hold);
  void Lift(Hold& hold);
  void Tell(state::WorkloadId w, const objects::Landings& landings);
  state::WorkloadId GangOf(const objects::Landing& landing) const;
  void SetMoving(const objects::Landings& landings);
  void SetMoving(state::WorkloadId w, bool moving);
  void EndMoving();
  objects::Landing LandingOf(const Landing& found) const;

  RoundContext& round_;
  state::Cluster& cluster_;
  Placer& placer_;
  Backlog& backlog_;
  PlanWriter& plan_;
  GangStarts& starts_;
  Placements& placements_;
  Claims& claims_;
  RoomRequests& rooms_;
  ReservedStarts& reserved_;
  MoveRoom search_;
  std::vector<Hold> holds_;              // by their workloads' names, then as these have them
  std::vector<Hold> before_;             // in Serve: what has not been looked at yet
  std::set<state::WorkloadId> arrived_;  // that may have pods which are awaited
  std::set<state::WorkloadId> moving_;   // gangs of which such pods are
  std::map<GroupId, Refusal> refused_;   // in the round at hand
  std::map<Ask, Refusal> alike_;         // in the pass: for all who ask the same
  std::optional<KnownMovers> movers_;    // likewise
};

}  // namespace fairlead::engine
