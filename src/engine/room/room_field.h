#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "base/check.h"
#include "policy/disruption_budget.h"
#include "policy/entitlement.h"
#include "policy/harm.h"
#include "policy/victims.h"
#include "state/cluster.h"

namespace fairlead::engine {

// Somebody who may be asked for room: a queue beside one of the taker's queues (the child of their
// lowest common ancestor), or the taker's own queue, whose lower priorities give.
struct Giver {
  state::QueueId queue;
  state::QueueId beside;  // the taker's queue next to it; invalid: the taker's own
  bool own() const { return !beside.valid(); }
};

// What leaves together: a workload, or a surplus pod of an elastic one.
struct VictimUnit {
  policy::Candidate candidate;
  std::uint32_t giver = 0;
  bool stops = false;  // its workload is brought below its minimum
  boost::container::small_vector<state::PodId, 1> pods;
  state::Amounts amounts;
  policy::Harm harm;

  policy::LeavingPods leaving() const { return {pods.data(), pods.size()}; }
};

// As budgets are asked. Valid as long as `units`.
std::vector<policy::LeavingPods> LeavingOf(std::span<const VictimUnit> units);

// Where one search may look (semantics.md §4.3): which queues give, on which right, and what must
// be left to them. Judges by the queues' figures as they are in the middle of the search's trial.
class RoomField {
 public:
  // `right`: null for preempt alone. `forgoes_entitlement`: whatever the right says, for
  // explanations.
  RoomField(const state::Cluster& cluster, const policy::Taker& taker,
            const policy::Entitlement* right, policy::Tier tier, std::vector<Giver> givers,
            const policy::Leniency& leniency, bool forgoes_entitlement = false);

  const policy::Taker& taker() const { return taker_; }
  const std::vector<Giver>& givers() const { return givers_; }
  const policy::Entitlement* right() const { return right_; }
  policy::Tier tier() const { return tier_; }
  const policy::Leniency& leniency() const { return leniency_; }
  policy::RoomAction ActionOf(std::uint32_t giver) const {
    return givers_[giver].own() ? policy::RoomAction::kPreempt : policy::RoomAction::kReclaim;
  }

  // Whether one giver's leaving can bring another's within the taker's rights: what it gives counts
  // for the taker's queue beside the other.
  bool givers_help() const { return givers_help_; }

  // Whether some units may help others' to leave by right: then none may go for that alone.
  bool some_help_rights() const {
    return (own_ != kNobody || givers_help_) && right_ != nullptr && !forgoes_entitlement_;
  }
  // From this depth on down the right must hold for the taker's queues: there somebody beside them
  // leaves. kNowhere: only own units do.
  std::uint32_t RightFrom(std::span<const VictimUnit> units) const;
  // Whether what a giver's units leave counts for the right that must hold from this depth on.
  bool CountsFrom(std::uint32_t giver, std::uint32_t depth) const {
    if (depth == kNowhere) return false;
    return givers_[giver].own() || cluster_.queues()[givers_[giver].beside].depth > depth;
  }
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  // The giver that the workload's pods would count for; empty: it is no candidate. Notes until when
  // a filter refuses it.
  std::optional<std::uint32_t> GiverOf(state::WorkloadId w) const;
  // Calls visit(workload, giver) for all candidates `within` a queue, in no order, until it returns
  // false. Cost: the workloads of the givers' queues.
  template <typename Visit>
  void ForEachCandidate(state::QueueId within, Visit visit) const {
    for (const Giver& giver : givers_) {
      if (!cluster_.queues().IsWithin(giver.queue, within)) continue;
      for (std::vector<state::QueueId> open = {giver.queue}; !open.empty();) {
        const state::QueueId q = open.back();
        open.pop_back();
        const auto& below = cluster_.queues()[q].children;
        open.insert(open.end(), below.begin(), below.end());
        for (const state::WorkloadId w : cluster_.workloads().OfQueue(q)) {
          const auto of = GiverOf(w);
          if (of && !visit(w, *of)) return;
        }
      }
    }
  }
  // Whether an elastic candidate may be brought below its minimum.
  bool MayStop(state::WorkloadId w, std::uint32_t giver) const;

  // Whether the units may leave, one after the other in the order of giving, as far as their givers
  // are concerned. `remaining`: of the taker's request, what is not placed yet.
  bool MayLeave(std::span<const VictimUnit* const> units, const state::Amounts& remaining) const;
  // The same once all of them have left.
  bool MightLeave(std::span<const VictimUnit* const> units) const;
  // For pods of one request, the common case: whether `times` of them may leave `giver`.
  bool MayLeave(std::uint32_t giver, const state::Amounts& request, std::int64_t times,
                const state::Amounts& remaining) const;

  // The giver that the queue's work counts for; empty: none.
  std::optional<std::uint32_t> GiverOfQueue(state::QueueId q) const;

  // Where one resource decides what the rights let leave; empty: they set no bound.
  std::optional<state::ResourceId> bounded() const { return bounded_; }
  // What may leave each giver. REQUIRES: bounded().
  using Leaves = boost::container::small_vector<policy::Entitlement::Leave, 16>;
  // As the rights were when the field was made.
  const Leaves& leaves() const {
    DCHECK(bounded_);
    return leaves_;
  }
  // As they are now, with `remaining` of the request still to be placed: never more.
  Leaves LeavesNow(const state::Amounts& remaining) const;
  // Of all givers together, when the field was made.
  std::int64_t MostInAll() const { return most_in_all_; }

  // What must leave from within a queue: to bring it under its limit, or within its right where the
  // givers are beside it.
  struct Need {
    state::QueueId queue;
    state::Amounts amounts;
    bool of_limit = false;  // room under a limit is of use wherever it comes from
  };
  // REQUIRES: nothing has been done yet. Empty optional: no victims can help.
  std::optional<std::vector<Need>> Needs(bool preemptible) const;
  bool IsWithin(state::WorkloadId w, state::QueueId q) const;
  bool TakerMay(state::QueueId q, const state::Amounts& more) const {
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
  const policy::Taker& taker_;
  const policy::Entitlement* right_;
  policy::Tier tier_;
  std::vector<Giver> givers_;
  std::vector<state::QueueId> path_;  // by depth: the taker's queues
  policy::Leniency leniency_;
  bool forgoes_entitlement_ = false;
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::int32_t kUnknown = -2;
  std::int32_t FindGiver(state::QueueId q) const;
  std::int32_t own_ = kNobody;  // index of the taker's own queue among the givers
  mutable std::vector<std::int32_t> giver_of_queue_;  // givers, and what has been asked for
  bool givers_help_ = false;
  mutable std::optional<Time> earliest_lapse_;
  void BoundLeaves();
  std::optional<state::ResourceId> bounded_;
  Leaves leaves_;
  std::int64_t most_in_all_ = 0;
};

}  // namespace fairlead::engine
