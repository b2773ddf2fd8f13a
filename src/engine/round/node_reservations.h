#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/room/daemon_set_room.h"
#include "engine/round/claims.h"
#include "engine/round/reserved_nodes.h"
#include "engine/round/room_requests.h"
#include "engine/round/round_context.h"

namespace fairlead::engine {

// DaemonSets' pods that can run on one node only (semantics.md §7). Where such a pod does not fit,
// its node is reserved: it claims room that is not there yet, so that nobody else is placed into
// what comes free. In the order of waiting each pod of a node is bound, or waits for what is
// leaving, or for its startDelay, or has others leave.
class NodeReservations {
 public:
  NodeReservations(RoundContext& round, JobAdmission& admission, Claims& claims,
                   RoomRequests& rooms)
      : round_(round),
        cluster_(round.cluster),
        placer_(round.placer),
        backlog_(round.backlog),
        plan_(round.plan),
        admission_(admission),
        claims_(claims),
        rooms_(rooms) {}

  // The pod holds its node from now on, and its node is looked at. REQUIRES: it waits in no group.
  void Reserve(state::PodId p, state::NodeId n);
  // Whether it may be placed at once.
  bool FitsWithinLimits(state::PodId p, state::NodeId n);

  // After anything happened to the workload's pods.
  void Note(state::WorkloadId w);
  // What may have changed: on which nodes, or for all of them; and what is looked at with every
  // change, since something far from the node may help.
  ReservedNodes& nodes() { return nodes_; }

  // Looks at all nodes on which something has changed.
  void Serve();
  // From now on, what the state notes of nodes is news.
  void StartRound() { seen_touched_ = cluster_.journal().touched.end(); }
  void EndRound();

  // Who holds a node with less than the priority, in the queue: the last to wait come first.
  std::vector<state::PodId> HoldersBelow(state::QueueId queue, std::int32_t priority);
  bool AnyHolders() const { return !holders_.empty(); }
  // The pod waits again like any other.
  void Release(state::PodId p);

  const DaemonSetCounts& counts() const { return counts_; }

 private:
  bool Reserves(state::PodId p) const;
  void NoteHolder(state::PodId p);
  void ServeTouched();
  std::vector<state::PodId> StillReserved(state::NodeId n);
  void ReleaseOverLimit(std::vector<state::PodId> pods);
  void ServeNode(state::NodeId n);
  bool MayWait(state::PodId p) const;
  bool MayHold(state::PodId p, state::NodeId n) const;
  std::optional<Time> HoldNode(state::PodId p, state::NodeId n);
  void SetReservedOnce(state::PodId p);
  bool MakeRoomOn(state::NodeId n, state::PodId p, std::optional<Time>& lapse);
  void TellReservation(state::PodId p, state::NodeId n);
  void TellClaim(state::PodId p);
  void RecallClaim(state::PodId p);
  std::vector<state::PodId> PutAside(state::NodeId n);
  void PutBack(const std::vector<state::PodId>& claims, state::NodeId n);

  RoundContext& round_;
  state::Cluster& cluster_;
  Placer& placer_;
  Backlog& backlog_;
  PlanWriter& plan_;
  JobAdmission& admission_;
  Claims& claims_;
  RoomRequests& rooms_;
  DaemonSetRoom room_{round_.cluster};
  ReservedNodes nodes_;
  DaemonSetCounts counts_;
  std::uint64_t seen_touched_ = 0;           // of the journal's `touched`
  std::set<Claimant> holders_;               // of their node; some may hold it no more
  std::vector<state::PodId> new_to_rounds_;  // pods that no round has seen before
};

}  // namespace fairlead::engine
