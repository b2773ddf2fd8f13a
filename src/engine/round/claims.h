#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "engine/round/job_admission.h"
#include "engine/round/placements.h"
#include "engine/round/round_context.h"
#include "state/trial.h"

namespace fairlead::engine {

// A workload by queue and priority.
using Claimant = std::tuple<state::QueueId, std::int32_t, state::WorkloadId>;
Claimant ClaimantOf(const state::Cluster& cluster, state::WorkloadId w);

// Workloads that hold room until others have left it (semantics.md §9). A claim is taken up once
// they are gone, or before where room comes free elsewhere, and given up where it can no longer be
// had. The cluster shows it as the pod's nominated node.
//
// Not of DaemonSets' pods, which hold their one node: see NodeReservations.
class Claims {
 public:
  Claims(RoundContext& round, JobAdmission& admission, Placements& placements)
      : round_(round),
        cluster_(round.cluster),
        placer_(round.placer),
        backlog_(round.backlog),
        plan_(round.plan),
        admission_(admission),
        placements_(placements) {}

  // After anything happened to the workload's pods: what it claims, and what the cluster shows of
  // that wrongly.
  void Note(state::WorkloadId w);
  // All who claim, to be noted again.
  std::vector<state::WorkloadId> TakeAll();

  // Whose claims work of a queue and priority would be entitled to: lower priorities of the queue.
  bool Outranks(state::QueueId queue, std::int32_t priority) const;
  std::vector<state::WorkloadId> Outranked(state::QueueId queue, std::int32_t priority) const;

  // Takes up what can be, in the order of serving; gives up what can no longer be had, the least
  // first.
  void Serve();

  // Room that the pods claim is theirs by now: all of them at once, where they claim it or
  // elsewhere. No: nothing is done. The pods of a step start together.
  bool TakeUp(state::WorkloadId w, std::vector<state::PodId>& pods);
  void GiveTakenUp(state::WorkloadId w, const std::vector<state::PodId>& pods);

  // Tells that pods hold room until others have left.
  void Give(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void Nominate(state::PodId p, const std::vector<state::PodId>& leaving_for_limit);

  // The cluster shows a claim that does not stand any more.
  void Renounce(state::PodId p);
  // What this very plan had told of a claim was never told. Whether it had; what it took back
  // before that stays taken back.
  bool Recall(state::PodId p);
  // Somebody else has what these claimed: they wait again.
  void TakeBack(const std::vector<state::WorkloadId>& workloads);
  void Release(const std::vector<state::PodId>& pods);

 private:
  bool StandsAgain(state::PodId p);
  void ChooseDevicesAnew(const std::vector<state::WorkloadId>& order);
  bool StandsOnClosed(state::WorkloadId w, const std::vector<state::PodId>& pods) const;
  bool Holds(state::WorkloadId w, const std::vector<state::PodId>& pods);
  bool TakeUpInPlace(std::vector<state::PodId>& pods);
  bool DemandsOthers(const std::vector<state::PodId>& pods) const;
  bool OthersStillAllow(state::WorkloadId w, const std::vector<state::PodId>& pods);
  bool PlaceElsewhere(state::WorkloadId w, std::vector<state::PodId>& pods);

  RoundContext& round_;
  state::Cluster& cluster_;
  Placer& placer_;
  Backlog& backlog_;
  PlanWriter& plan_;
  JobAdmission& admission_;
  Placements& placements_;
  std::set<Claimant> claimants_;
};

}  // namespace fairlead::engine
