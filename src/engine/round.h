#pragma once

#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/backlog.h"
#include "engine/contenders.h"
#include "engine/daemon_set_room.h"
#include "engine/fewer_pods.h"
#include "engine/freed_room.h"
#include "engine/make_room.h"
#include "engine/placer.h"
#include "engine/plan_writer.h"
#include "engine/reservations.h"
#include "engine/turns.h"
#include "state/cluster.h"

namespace fairlead::engine {

// What the engine keeps between rounds, and the round itself: catch up with what changed, serve the
// claims, then let one queue after the other start its best work until nothing more can start.
//
// That work which could not start before is passed over until something it waits for changes is no
// shortcut in the answer: within a round room only shrinks and what is allocated only grows, and
// where somebody had to give way, those who wait for it are asked again.
class RoundState {
 public:
  RoundState();

  state::Cluster& cluster() { return cluster_; }
  Placer& placer() { return placer_; }
  Time now() const { return now_; }  // of the last round
  Backlog& backlog() { return backlog_; }
  const Contenders& contenders() const { return contenders_; }
  std::uint32_t workloads_placed() const { return workloads_placed_; }
  // The number (workloads_placed) at which a workload was first placed; 0: not by this engine.
  std::uint32_t PlacedAt(state::WorkloadId w) const;

  Plan Run(Time now);

  // Brings every figure up to date with what was applied, and decides nothing.
  void CatchUp();

  const DaemonSetCounts& daemon_set_counts() const { return daemon_set_counts_; }

  // What the group's next step asks of MakeRoom. REQUIRES: it has one.
  RoomStep StepOf(GroupId g);

 private:
  using Claimant = std::tuple<state::QueueId, std::int32_t, state::WorkloadId>;
  Claimant ClaimantOf(state::WorkloadId w) const;
  bool NothingChanged() const;
  void GiveUpLostRoom();
  void RefreshStart(state::WorkloadId w);
  bool HadMinimum(state::WorkloadId w) const;
  void SetHadMinimum(state::WorkloadId w, bool had);
  void GiveAdopted();
  // Of those who ask others for room: `whom`, or all.
  void AskAgain(const std::function<bool(GroupId)>& whom = nullptr);
  void UpdateFairShares();
  void TryAll();
  void WakeByEvictions();
  void WakeByVacated();
  void OfferFreedRoom();
  void WakeByGivenUp();
  std::optional<Time> NextRound();
  const state::Amounts* BestRequest(state::QueueId q) const;

  // Tries the group's next step; whatever comes of it, the group is where it belongs afterwards.
  void Try(GroupId g);
  bool QueueClosed(GroupId g);
  // Where a limit stands against the group's next step; invalid: none does.
  state::QueueId LimitedBy(GroupId g) const;
  // Whether only what is still leaving keeps it from being placed, by a limit (semantics.md §3).
  bool WaitsForLimit(state::WorkloadId w, const state::Amounts& request) const;
  bool FitsNow(GroupId g);
  bool CanStart(GroupId g);
  bool CouldBeGivenRoom(GroupId g, std::optional<Time>& lapse);
  void BlockGroup(GroupId g, std::optional<Time> lapse);
  bool TryPod(GroupId g);
  bool TryGang(GroupId g);
  RoomAnswer FindAgain(GroupId g, const RoomStep& step, state::Trial& trial);
  // `lapse`: where it is not given, when time alone may change that.
  bool TryMakeRoom(GroupId g, std::optional<Time>& lapse);
  bool MayAskForRoom(GroupId g, const state::Amounts& request) const;
  bool MayBeGivenRoom(GroupId g, const state::Amounts& request) const;
  bool MightAskForRoom(GroupId g) const;
  bool IsGiven(const RoomAnswer& answer, const state::Trial& trial) const;
  void GivePlaced(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void GiveBind(state::PodId p);
  void GiveAdmit(state::WorkloadId w, bool starts);
  bool Outranks(state::QueueId queue, std::int32_t priority) const;
  std::vector<state::WorkloadId> Outranked(state::QueueId queue, std::int32_t priority) const;
  void TakeBackOutranked(const std::vector<state::WorkloadId>& outranked);
  void GiveVictims(const RoomAnswer& answer, state::WorkloadId beneficiary);
  bool BoundByThisPlan(state::PodId p) const;
  void Displace(const RoomAnswer& answer);
  void DisplaceRest(state::WorkloadId w);
  void SpareIfDisplacedOften(state::PodId p);
  void GiveNominate(state::PodId p, const std::vector<state::PodId>& leaving_for_limit);
  void GivePromised(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void NotePlaced(state::WorkloadId w);

  // round_admission.cc: jobs that start with fewer pods than they ask, and pods that do not come.
  bool MayStartWithFewer(GroupId g) const;
  state::Amounts LeastRequest(GroupId g) const;
  FewerPods::Others AskOthers(const RoomStep& step);
  bool StartsWithFewer(GroupId g);
  bool TryFewer(GroupId g);
  void RefreshCounts(state::WorkloadId w);
  Time DueAt(state::PodId p) const;
  void AwaitPods(const std::vector<state::PodId>& pods, Time since);
  std::vector<state::PodId> OverdueAt(state::WorkloadId w, Time at) const;
  std::optional<Time> NextDue();
  void GiveUpAwaited();
  void Withdraw(state::WorkloadId w);
  Time AwaitedSince(state::WorkloadId w) const;
  bool HasLapsed(state::WorkloadId w) const;
  void NoteShown(state::WorkloadId w);
  void ServeShown();
  void GiveReduction(state::WorkloadId w);
  bool IsPutOff(GroupId g);

  // round_claims.cc: workloads that were promised room.
  void NoteClaims(state::WorkloadId w);
  void RefreshJournaled();
  void TakeBackPromise(state::PodId p);
  bool KeepsPromise(state::PodId p);
  bool RecallPromise(state::PodId p);
  void ServeClaims();
  void PromiseDevicesAnew(const std::vector<state::WorkloadId>& order);
  bool ClaimHolds(state::WorkloadId w, const std::vector<state::PodId>& pods);
  bool TakeUp(state::WorkloadId w, const std::vector<state::PodId>& pods);
  bool TakeUpInPlace(const std::vector<state::PodId>& pods);
  bool PlaceElsewhere(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void GiveTakenUp(state::WorkloadId w, const std::vector<state::PodId>& pods);
  void ReleaseClaims(const std::vector<state::PodId>& pods);

  // round_reservations.cc: DaemonSets' pods that wait for their one node.
  bool IsPinned(GroupId g);
  bool CanReserve(GroupId g);
  bool TryPinned(GroupId g);
  void BlockPinned(GroupId g);
  bool Reserves(state::PodId p) const;
  void NotePinned(state::WorkloadId w);
  void NoteAllPinned();
  void WakePinned();
  void WakeClashing(const std::vector<state::NodeId>& touched);
  std::vector<state::PodId> ReserversBelow(state::QueueId queue, std::int32_t priority);
  bool LimitYields(GroupId g, state::Trial& trial);
  bool CouldTakeLimit(GroupId g, state::Trial& trial);
  void TakeLimit(GroupId g);
  void NoteReserver(state::PodId p);
  void ServeReservations();
  void ServeTouched();
  void ReleaseOverLimit(std::vector<state::PodId> pods);
  std::vector<state::PodId> StillReserved(state::NodeId n);
  void ServeNode(state::NodeId n);
  void Release(state::PodId p);
  bool FitsWithinLimits(state::PodId p, state::NodeId n);
  bool MayHold(state::PodId p, state::NodeId n) const;
  bool MayWait(state::PodId p) const;
  std::optional<Time> HoldNode(state::PodId p, state::NodeId n);
  bool MakeRoomOn(state::NodeId n, state::PodId p, std::optional<Time>& lapse);
  void TellReservation(state::PodId p, state::NodeId n);
  void TellPromise(state::PodId p);
  void WithdrawPromise(state::PodId p);
  std::vector<state::PodId> PutAside(state::NodeId n);
  void PutBack(const std::vector<state::PodId>& claims, state::NodeId n);

  state::Cluster cluster_;
  Placer placer_{cluster_};
  DaemonSetRoom daemon_set_room_{cluster_};
  Reservations reservations_;
  DaemonSetCounts daemon_set_counts_;
  std::size_t seen_touched_ = 0;  // of the journal's `touched`: those that reservations heard of
  std::set<GroupId> unplaceable_pinned_;  // whose node is not there or does not suit them
  // Groups that wait for a port of another scheduler's pod.
  std::set<std::pair<state::NodeId, GroupId>> clashing_pinned_;
  std::set<Claimant> reservers_;  // pods that hold their node; some may hold it no more
  std::vector<state::PodId> new_of_daemon_sets_;  // pods that no round has seen before
  std::vector<state::NodeId> given_up_;           // nodes on which nothing is held any more
  Backlog backlog_{cluster_};
  Contenders contenders_{cluster_, placer_, backlog_};
  MakeRoom room_{cluster_, placer_, &contenders_};
  Turns turns_{cluster_};
  Time now_ = Time::Max();  // of the last round; before the first nothing is still to come
  PlanWriter plan_;
  std::vector<bool> had_minimum_;         // by workload: since its start, of bound pods
  std::vector<std::uint32_t> placed_at_;  // by workload
  std::uint32_t workloads_placed_ = 0;
  std::uint32_t rounds_ = 0;
  std::uint32_t steps_ = 0;  // that changed the state, in all rounds
  // The last room that was found for a group that asked whether it can start.
  struct Found {
    GroupId group;
    std::uint32_t after = 0;  // steps_ then
    RoomAnswer answer;
    std::vector<state::Trial::Step> steps;
  };
  Found found_;
  // Workloads that have pods that were promised room, by queue and priority.
  std::set<Claimant> claimants_;
  std::vector<state::WorkloadId> shown_;  // whose admission, as the cluster shows it, is to change
  std::set<std::pair<Time, state::WorkloadId>> awaited_;  // until when rooms are held for pods
  bool promises_were_lifted_ = false;  // in this round: others may have what they held

  // This round's evictions.
  std::vector<state::NodeId> vacated_;
  boost::unordered_flat_set<std::uint32_t> is_vacated_;                // the same, by number
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> displaced_;  // by workload: how often
  std::vector<state::PodId> spared_;
  Time spared_at_;
  std::size_t told_vacated_ = 0;  // of these: those who wait have been told
  std::vector<state::QueueId> relieved_;
  FreedRoom freed_{cluster_, placer_};  // by the step that was taken last
};

}  // namespace fairlead::engine
