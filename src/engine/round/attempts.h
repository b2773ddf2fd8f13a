#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/round/moves.h"
#include "engine/round/node_reservations.h"
#include "engine/round/reserved_starts.h"
#include "engine/round/room_requests.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// What a group of waiting work can do next, and doing it: start in free room, in room that others
// give, or with fewer pods; hold its node; or wait, and for what.
class Attempts {
 public:
  Attempts(RoundContext& round, JobAdmission& admission, Placements& placements, Claims& claims,
           RoomRequests& rooms, NodeReservations& reservations, ReservedStarts& reserved,
           Moves& moves)
      : round_(round),
        cluster_(round.cluster),
        placer_(round.placer),
        backlog_(round.backlog),
        admission_(admission),
        placements_(placements),
        claims_(claims),
        rooms_(rooms),
        reservations_(reservations),
        reserved_(reserved),
        moves_(moves) {}

  // Whether the group can start; no: it waits from now on.
  //
  // Queues are compared by work that could start in the state as the round finds it. What cannot is
  // left out before any turn is taken: so it makes no difference whether an earlier round has found
  // that out already, and the same state gives the same plan whatever came before it.
  bool CanStart(GroupId g);
  // Tries its next step; whatever comes of it, the group is where it belongs afterwards.
  void Try(GroupId g);
  // Starts work for which room is kept, before any turn, where it finds free room.
  // `might`: as it was said before the first of them was tried.
  bool MightStartReserved(GroupId g);
  bool StartReserved(GroupId g, bool might);

  // Of a DaemonSet's pod that has one node.
  bool IsPinned(GroupId g);
  // A full node that is there at last, or suits them again, can be reserved.
  void WakePinned();
  // Another scheduler's pods on these nodes may have given their ports up, or anybody elsewhere may
  // have made a difference to the domains of nodes.
  void WakeClashing(const std::vector<state::NodeId>& touched);

 private:
  bool QueueClosed(GroupId g);
  bool IsPutOff(GroupId g);
  // Which limit stands against the group's next step; not valid: none does.
  Backlog::Limit LimitedBy(GroupId g) const;
  bool FitsNow(GroupId g);
  void KeepFrom(GroupId g);
  bool MayAskOthers(GroupId g, Backlog::Limit limit);
  bool AwaitsLandings(GroupId g) const;
  bool NowAsksOthers(GroupId g, Backlog::Limit limit);
  bool OnlyKeptRoomFits(GroupId g);
  bool FitsOnLoan(GroupId g);
  bool StartOnLoan(GroupId g);
  template <typename Serves>
  bool OnLoan(GroupId g, Serves serves);
  // Starts its next step, where it fits now, in room of the lender's if need be.
  bool TryNext(GroupId g, state::WorkloadId lender = {});
  bool TryPod(GroupId g, state::WorkloadId lender = {});
  void StartPod(GroupId g, state::PodId p, state::NodeId n);
  bool TryGang(GroupId g, state::WorkloadId lender = {});
  void StartAsTried(GroupId g, bool waits, state::Trial& trial);
  bool StartInSeats(GroupId g);
  bool StartsWithFewer(GroupId g);
  bool TryFewer(GroupId g);
  void Block(GroupId g, std::optional<Time> lapse);

  bool CanReserve(GroupId g);
  bool TryPinned(GroupId g);
  void BlockPinned(GroupId g);
  bool LimitYields(GroupId g, state::Trial& trial);
  bool CouldTakeLimit(GroupId g, state::Trial& trial);
  void TakeLimit(GroupId g);

  RoundContext& round_;
  state::Cluster& cluster_;
  Placer& placer_;
  Backlog& backlog_;
  JobAdmission& admission_;
  Placements& placements_;
  Claims& claims_;
  RoomRequests& rooms_;
  NodeReservations& reservations_;
  ReservedStarts& reserved_;
  Moves& moves_;
  std::set<GroupId> unplaceable_pinned_;  // whose node is not there or does not suit them
  std::set<std::pair<state::NodeId, GroupId>> clashing_pinned_;  // wait for a foreign pod's port
  std::set<GroupId> kept_off_;  // … or for what happens elsewhere in a domain of their node
};

}  // namespace fairlead::engine
