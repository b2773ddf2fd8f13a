#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/room/queues_above.h"
#include "engine/room/room_search.h"
#include "engine/room/topology_room.h"

namespace fairlead::engine {

class Contenders;

// What became of asking others for room.
struct RoomAnswer {
  enum class Verdict : std::uint8_t {
    kNone,    // nobody may be asked, or it does not help
    kComing,  // what is leaving already suffices: nobody has to be asked
    kFound,   // with `victims`
  };
  Verdict verdict = Verdict::kNone;
  std::vector<VictimUnit> victims;  // in the order of giving
  // kFound: lower priorities of its own queue whose claims it takes over instead.
  std::vector<state::WorkloadId> outranked;
  bool least_proven = true;   // kFound: no cheaper victims serve
  bool fewest_proven = true;  // kFound: none that stop fewer workloads serve
  bool proven = true;         // kNone: a proof
  std::optional<Time> lapse;  // kNone: the earliest lapse of a protection that was met
};

// Rules that an explanation may put aside, to find out what stands in the way.
struct RoomLeniency {
  policy::Leniency rules;
  bool entitlement = false;  // whatever the queues' rights are
  bool contenders = false;   // whoever would take it back
};

// Pods of the workload that claim room, by name.
std::vector<state::PodId> ClaimsOf(const state::Cluster& cluster, state::WorkloadId w);

// Room for a workload that does not fit: reclaim from other queues, then preempt in its own, then
// both together (semantics.md §4). What the search finds is left in the trial: victims evicted, the
// workload's pods as claims on what is free later.
class MakeRoom {
 public:
  // `contenders`: null: there are none.
  MakeRoom(state::Cluster& cluster, Placer& placer, const Contenders* contenders)
      : cluster_(cluster),
        placer_(placer),
        contenders_(contenders),
        above_(cluster),
        search_(cluster, placer),
        near_each_other_(cluster, placer, search_) {}

  // Before a round, or an explanation.
  void Start(Time now, const RoomLeniency& leniency = {});

  // As NodeUnits.
  void CatchUp() { search_.rights().CatchUp(); }

  // Whether anybody might be asked at all, by work that may preempt: a few comparisons. No: Find
  // would say kNone; or kComing, unless `leaves`: this plan has others leave, of whose room some
  // may be left.
  bool MayAsk(state::QueueId queue, std::int32_t priority, const state::Amounts& request,
              bool leaves);
  // The same for all work of a queue, which spares asking one by one: whether those of that
  // priority at most might ask others of it; whether there is anybody who could be asked by a
  // right; and how much of each resource may be asked by one at most, whatever else is.
  bool PreemptsAnybody(state::QueueId queue, std::int32_t highest) const;
  bool MayReclaim(state::QueueId queue, bool leaves);
  void LeftByRights(state::QueueId queue, std::vector<std::int64_t>& into) const;

  // REQUIRES: nothing has been done in the trial.
  // `claimants`: workloads that claim room and give way to the step's priority.
  RoomAnswer Find(const RoomStep& step, const std::vector<state::WorkloadId>& claimants,
                  state::Trial& trial);
  RoomAnswer Find(const RoomStep& step, state::Trial& trial) { return Find(step, {}, trial); }

  // From when on the unchanged state would give room, protections lapsing one after the other from
  // `first_lapse` on; or as far as is known after a bounded search: it may be later then. Empty: no
  // lapse helps.
  std::optional<Time> ServedFrom(const RoomStep& step, Time first_lapse) const;

 private:
  static constexpr std::int64_t kMostLapses = 16;
  static constexpr std::int64_t kMostLooks = 300;  // nodes × searches
  enum class Sources : std::uint8_t { kOthers, kOwn, kBoth };
  // Below which priority the queue's work may reclaim on the right; lowest: from nobody.
  std::int64_t ReclaimsBelow(state::QueueId queue, std::int32_t priority,
                             policy::Right right) const;
  bool ReclaimsOnAnyRight(state::QueueId queue, std::int32_t priority,
                          const state::Amounts& request, bool leaves);
  bool OutranksClaims(const RoomStep& step, const std::vector<state::WorkloadId>& claimants,
                      state::Trial& trial, RoomAnswer& answer);
  using Claimed = std::pair<state::PodId, state::NodeId>;
  bool WithinLimits(state::WorkloadId w, std::span<const Claimed> pods) const;
  bool IsKept(const RoomStep& step, state::Trial& trial, RoomAnswer& answer) const;
  bool ComesAnyway(const RoomStep& step, state::Trial& trial);
  bool LacksLendingAlone(const RoomStep& step, state::Trial& trial);
  std::vector<Donor> DonorsBeside(const policy::Entitlement& right, const RoomStep& step,
                                  Sources sources) const;
  bool SearchRights(const RoomStep& step, Sources sources, state::Trial& trial, RoomAnswer& answer);
  bool SearchPrefixes(const policy::Entitlement& right, std::vector<Donor> donors,
                      const RoomStep& step, state::Trial& trial, RoomAnswer& answer);
  static void NoteLapse(Time at, RoomAnswer& answer);
  VictimScope FieldOf(const policy::Entitlement* right, policy::Tier tier,
                      std::vector<Donor> donors) const;
  bool SearchField(const VictimScope& scope, const RoomStep& step, state::Trial& trial,
                   RoomAnswer& answer);

  state::Cluster& cluster_;
  Placer& placer_;
  const Contenders* contenders_;
  QueuesAbove above_;
  RoomSearch search_;
  TopologyRoom near_each_other_;
  RoomLeniency leniency_;
  policy::Preemptor preemptor_;
  Time now_;
};

}  // namespace fairlead::engine
