#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "base/check.h"
#include "policy/disruption_budget.h"
#include "policy/entitlement.h"
#include "policy/eviction_cost.h"
#include "policy/victims.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Somebody who may be asked for room: a queue beside one of the preemptor's queues (the child of
// their lowest common ancestor), or the preemptor's own queue, whose lower priorities give.
struct Donor {
  state::QueueId queue;
  state::QueueId beside;  // the preemptor's queue next to it; invalid: the preemptor's own
  bool own() const { return !beside.valid(); }
};

// What leaves together: a workload, or a surplus pod of an elastic one.
struct VictimUnit {
  policy::Candidate candidate;
  std::uint32_t donor = 0;
  bool stops = false;  // its workload is brought below its minimum
  boost::container::small_vector<state::PodId, 1> pods;
  state::Amounts amounts;
  policy::EvictionCost cost;

  policy::LeavingPods leaving() const { return {pods.data(), pods.size()}; }
  // No pod is of two units.
  bool IsIn(std::span<const VictimUnit> units) const {
    return std::ranges::any_of(
        units, [this](const VictimUnit& other) { return other.pods.front() == pods.front(); });
  }
};

policy::EvictionCost CostOf(std::span<const VictimUnit> units);
// Whether none of those behind it is of its workload, which gives them in this order.
bool IsLastOfItsWorkload(std::span<const VictimUnit> units, std::size_t i);

// In the middle of a search: what of the step is not placed yet, and how much work other queues may
// still lose for it.
struct Outstanding {
  state::Amounts request;
  policy::Work may_lose = policy::LossCeiling::kAny;

  void Lose(policy::Work lost) { may_lose -= std::min(may_lose, lost); }
};

// As budgets are asked. Valid as long as `units`.
std::vector<policy::LeavingPods> LeavingOf(std::span<const VictimUnit> units);

// Where one search may look (semantics.md §4.3): which queues give, on which right, and what must
// be left to them. Judges by the queues' figures as they are in the middle of the search's trial.
class VictimScope {
 public:
  // `right`: null for preempt alone. `forgoes_entitlement`: whatever the right says, for
  // explanations.
  VictimScope(const state::Cluster& cluster, const policy::Preemptor& preemptor,
              const policy::Entitlement* right, policy::Tier tier, std::vector<Donor> donors,
              const policy::Leniency& leniency, bool forgoes_entitlement = false);

  // Who is left alone whatever else is asked of him.
  using Stays = std::function<bool(state::WorkloadId)>;
  // Of moves (time.md §6): whoever runs gives his place, of any queue and priority, as he has
  // another one then: so no queue loses what it has a right to. He is protected as from preempt.
  static VictimScope OfMovers(const state::Cluster& cluster, const policy::Preemptor& preemptor,
                              Stays stays, const policy::Leniency& leniency);
  bool moves() const { return stays_ != nullptr; }

  const policy::Preemptor& preemptor() const { return preemptor_; }
  const std::vector<Donor>& donors() const { return donors_; }
  const policy::Entitlement* right() const { return right_; }
  policy::Tier tier() const { return tier_; }
  const policy::Leniency& leniency() const { return leniency_; }
  policy::RoomAction ActionOf(std::uint32_t donor) const {
    return donors_[donor].own() ? policy::RoomAction::kPreempt : policy::RoomAction::kReclaim;
  }

  // Whether one donor's leaving can bring another's within the preemptor's rights: what it gives
  // counts for the preemptor's queue beside the other.
  bool donors_help() const { return donors_help_; }

  // Whether some units may help others' to leave by right: then none may go for that alone.
  bool some_help_rights() const {
    return (own_ != kNobody || donors_help_) && right_ != nullptr && !forgoes_entitlement_;
  }
  // From this depth on down the right must hold for the preemptor's queues: there somebody beside
  // them leaves. kNowhere: only own units do.
  std::uint32_t RightFrom(std::span<const VictimUnit> units) const;
  // Whether what a donor's units leave counts for the right that must hold from this depth on.
  bool CountsFrom(std::uint32_t donor, std::uint32_t depth) const {
    if (depth == kNowhere) return false;
    return donors_[donor].own() || cluster_.queues()[donors_[donor].beside].depth > depth;
  }
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  // The donor that the workload's pods would count for; empty: it is no candidate. Notes until when
  // a filter refuses it.
  std::optional<std::uint32_t> DonorOf(state::WorkloadId w) const;
  // Calls visit(workload, donor) for all candidates `within` a queue, in no order, until it returns
  // false. Cost: the workloads of the donors' queues.
  template <typename Visit>
  void ForEachCandidate(state::QueueId within, Visit visit) const {
    for (const Donor& donor : donors_) {
      if (!state::IsWithin(cluster_.queues(), donor.queue, within)) continue;
      for (std::vector<state::QueueId> open = {donor.queue}; !open.empty();) {
        const state::QueueId q = open.back();
        open.pop_back();
        const auto& below = cluster_.queues()[q].children;
        open.insert(open.end(), below.begin(), below.end());
        for (const state::WorkloadId w : cluster_.workloads().OfQueue(q)) {
          const auto of = DonorOf(w);
          if (of && !visit(w, *of)) return;
        }
      }
    }
  }
  // Whether an elastic candidate may be brought below its minimum.
  bool MayStop(state::WorkloadId w, std::uint32_t donor) const;

  // Whether the units may leave, one after the other in the order of giving, as far as their donors
  // and what they may lose are concerned.
  bool MayLeave(std::span<const VictimUnit* const> units, const Outstanding& outstanding) const;
  // The same once all of them have left.
  bool MightLeave(std::span<const VictimUnit* const> units) const;
  // For pods of one request, the common case: whether the donor's rights let `times` of them leave.
  bool MayLeave(std::uint32_t donor, const state::Amounts& request, std::int64_t times,
                const state::Amounts& remaining) const;

  // Of the work that a right lets others lose. Own units lose as they like; movers do not.
  const policy::LossCeiling& ceiling() const { return ceiling_; }
  bool BoundsLoss(std::uint32_t donor) const {
    return ceiling_.binds() && (moves() || !donors_[donor].own());
  }
  // So much more would be lost than may be: notes from when on it may.
  void NoteTooGreat(policy::Loss more, const Outstanding& outstanding) const;
  policy::Work LostByOthers(const VictimUnit& unit) const {
    return BoundsLoss(unit.donor) ? unit.cost.work_lost : 0;
  }
  policy::Work LostByOthers(std::span<const VictimUnit> units) const;

  // The donor that the queue's work counts for; empty: none.
  std::optional<std::uint32_t> DonorOfQueue(state::QueueId q) const;

  // Where one resource decides what the rights let leave; empty: they set no bound.
  std::optional<state::ResourceId> bounded() const { return bounded_; }
  // What may leave each donor. REQUIRES: bounded().
  using Leaves = boost::container::small_vector<policy::Entitlement::Leave, 16>;
  // As the rights were when the scope was made.
  const Leaves& leaves() const {
    DCHECK(bounded_);
    return leaves_;
  }
  // As they are now, with `remaining` of the request still to be placed: never more.
  Leaves LeavesNow(const state::Amounts& remaining) const;
  // Of all donors together, when the scope was made.
  std::int64_t MostInAll() const { return most_in_all_; }

  // What must leave from within a queue: to bring it under its limit, or within its right where the
  // donors are beside it.
  struct Need {
    state::QueueId queue;
    state::Amounts amounts;
    bool of_limit = false;  // room under a limit is of use wherever it comes from
  };
  // REQUIRES: nothing has been done yet. Empty optional: no victims can help.
  std::optional<std::vector<Need>> Needs(bool preemptible) const;
  bool IsWithin(state::WorkloadId w, state::QueueId q) const;
  bool PreemptorMay(state::QueueId q, const state::Amounts& more) const {
    return forgoes_entitlement_ || right_->Allows(q, more);
  }

  // The earliest moment at which a candidate that was refused so far no longer is.
  std::optional<Time> earliest_lapse() const { return earliest_lapse_; }
  void NoteLapse(Time at) const;

 private:
  bool GuaranteeIsUsedUp(state::QueueId q) const;
  void AddNeedsOf(state::QueueId q, Need& need) const;
  bool LeavesInOrder(std::span<const VictimUnit* const> units, bool have_left,
                     const state::Amounts& remaining) const;

  const state::Cluster& cluster_;
  const policy::Preemptor& preemptor_;
  const policy::Entitlement* right_;
  policy::Tier tier_;
  std::vector<Donor> donors_;
  std::vector<state::QueueId> path_;  // by depth: the preemptor's queues
  policy::Leniency leniency_;
  bool forgoes_entitlement_ = false;
  Stays stays_;  // set: it is of moves
  policy::LossCeiling ceiling_;
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::int32_t kUnknown = -2;
  std::int32_t FindDonor(state::QueueId q) const;
  std::int32_t own_ = kNobody;  // index of the preemptor's own queue among the donors
  mutable std::vector<std::int32_t> donor_of_queue_;  // donors, and what has been asked for
  bool donors_help_ = false;
  mutable std::optional<Time> earliest_lapse_;
  void BoundLeaves();
  std::optional<state::ResourceId> bounded_;
  Leaves leaves_;
  std::int64_t most_in_all_ = 0;
};

}  // namespace fairlead::engine
