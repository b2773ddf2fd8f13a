#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/plan/daemon_set_counts.h"
#include "engine/room/victim_scope.h"
#include "policy/daemon_set.h"
#include "state/trial.h"

namespace fairlead::engine {

// A pod of the node as the rule sees it.
struct Neighbour {
  enum class Standing : std::uint8_t {
    kMayLeave,
    kLeaving,         // already
    kClaimed,         // it is not there yet
    kOtherScheduler,  //
    kDaemonSet,       //
    kStatic,          //
    kOutOfService,    // its node is cordoned or not ready
    kMovedEnough,     // in the round at hand
    kHigherPriority,  //
    kProtected,       // `until`
  };
  policy::NodePod pod;
  Standing standing = Standing::kMayLeave;
  Time until;
  std::int32_t priority = 0;
  std::size_t giving_class = 0;
  policy::Part share;      // of what is lacking
  policy::Part deviation;  // from what the pod in want asks
};

// What became of the search for victims on one node.
struct DaemonSetAnswer {
  bool found = false;
  objects::VictimSelection by = objects::VictimSelection::kMultiple;
  std::vector<VictimUnit> victims;          // found: in the order of giving
  NoVictims cause = NoVictims::kNotEnough;  // not found
  std::vector<VictimUnit> kept;             // cause kBudgets: who would go, were there no budgets
  bool proven = true;                       // not found: a proof
  std::optional<Time> lapse;                // not found: when protections have lapsed
                                            // so far that it would be
  std::vector<std::pair<state::ResourceId, std::int64_t>> missing;  // not found
};

// Who leaves the one node of a DaemonSet's pod, so that it fits (semantics.md §7.4–7.7).
//
// Worked: 2 units are lacking, regular pods of 1, 1 and 2 units run there. `single` takes the one
// of 2; `multiple`, larger first, the same. With `single` alone and pods of 1 and 1 nobody goes;
// `multiple` takes both.
class DaemonSetRoom {
 public:
  explicit DaemonSetRoom(state::Cluster& cluster) : cluster_(cluster) {}

  // Rules that may be put aside, to find out what stands in the way.
  struct Rules {
    bool bounds = true;
    policy::Leniency leniency;
  };

  // Leaves the victims evicted in the trial; or nothing.
  // REQUIRES: `p` waits, and does not fit even once all that is leaving has left.
  DaemonSetAnswer Find(state::PodId p, state::NodeId n, Time now, state::Trial& trial);

  // All pods of the node by name, as the rule sees them. REQUIRES: as Find.
  std::vector<Neighbour> Survey(state::PodId p, state::NodeId n, Time now);
  // Of the last Survey: what must come free beyond what is leaving. GPUs as thousandths.
  const state::Amounts& lacking() const { return lacking_; }

 private:
  bool Serve(Time now, const Rules& rules, state::Trial& trial, DaemonSetAnswer& answer);
  void Look(Time now, const Rules& rules);
  void FindLacks();
  void MarkBrokenGangs();
  Neighbour::Standing StandingOf(const Neighbour& neighbour) const;
  std::optional<Time> ProtectedUntil(const policy::NodePod& pod) const;
  bool GivesBefore(const Neighbour& a, const Neighbour& b) const;
  const Neighbour& InOrder(std::size_t i);
  bool Fits() const;
  bool MayTake(const policy::NodePod& pod) const;
  bool TakeOne(state::Trial& trial);
  bool TakeSeveral(state::Trial& trial);
  bool TakeFrom(std::size_t i, state::Trial& trial);
  void PutBack(state::Trial& trial);
  NoVictims CauseOf(Time now, state::Trial& trial, std::vector<VictimUnit>& kept);
  std::optional<Time> LapseOf(Time now, state::Trial& trial);

  state::Cluster& cluster_;
  // Of the search at hand:
  state::PodId pod_;
  state::NodeId node_;
  policy::Preemptor preemptor_;
  Rules rules_;
  state::Amounts lacking_;
  std::int64_t excluders_ = 0;
  std::vector<Neighbour> neighbours_;
  std::vector<const Neighbour*> order_;  // who may leave and is of use; of the strategy at hand:
  objects::VictimSelection by_ = objects::VictimSelection::kMultiple;
  std::size_t in_order_ = 0;  // so many of order_ are in the order of giving
  std::vector<state::PodId> taken_;
  std::int64_t steps_ = 0;
};

}  // namespace fairlead::engine
