#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "policy/entitlement.h"
#include "policy/max_loss.h"
#include "policy/room_action.h"
#include "state/cluster.h"
#include "state/trial.h"

// Who may be asked to give way, and what a whole set of victims must respect. The two extension
// points of making room: a new rule is one function and one line in a table here.

namespace fairlead::policy {

// For whom room is made.
struct Preemptor {
  state::WorkloadId workload;
  state::QueueId queue;
  std::int32_t priority = 0;
  state::Amounts request;  // all that it would place at once
  Time now;
  // Reclaim takes only from priorities below this one: as its queue says of the right in question.
  std::int64_t reclaims_below = std::numeric_limits<std::int64_t>::max();
  LossCeiling ceiling;  // of what others may lose, likewise
};

// Whether a queue's work may reclaim on a right at all, as the queue says.
bool ReclaimsOn(const state::QueueTree& queues, state::QueueId queue, Right right);

// Below which priority a queue's work may reclaim on a right, as the queue says; kNobodyBelow: from
// nobody at all.
inline constexpr std::int64_t kNobodyBelow = std::numeric_limits<std::int64_t>::min();
std::int64_t ReclaimsBelow(const state::QueueTree& queues, state::QueueId queue,
                           std::int32_t priority, Right right);

// A workload that could give, as one action sees it.
struct Candidate {
  state::WorkloadId workload;
  RoomAction action = RoomAction::kReclaim;
};

// A set of victims, evicted in the trial that asks.
struct Scenario {
  struct Victim {
    Candidate candidate;
    std::span<const state::PodId> pods;
    bool stops = false;  // it is brought below its minimum
  };
  std::span<const Victim> victims;
};

// Fundamental: it is preemptible, not the preemptor itself, and known.
bool MayGive(const state::Cluster& cluster, const Preemptor& preemptor, state::WorkloadId w);
// Fundamental: the pod runs, is ours, and could be evicted with effect.
inline bool IsEvictable(const state::Cluster& cluster, state::PodId p) {
  const state::Pod& pod = cluster.pods()[p];
  return !pod.expected && pod.live() && !pod.foreign && !pod.of_daemon_set() && !pod.is_static &&
         cluster.nodes().in_service(pod.node);
}
// And may be at this instant.
inline bool MayBeEvicted(const state::Cluster& cluster, state::PodId p) {
  return !cluster.pods()[p].spared && IsEvictable(cluster, p);
}

enum class VictimRule : std::uint8_t { kPriority, kProtection, kBudgets, kLoss };

// Rules that an explanation may put aside, to find out what stands in the way.
struct Leniency {
  bool protection = false;
  bool budgets = false;
  bool loss = false;
  bool ForgoesRule(VictimRule rule) const {
    return (rule == VictimRule::kProtection && protection) ||
           (rule == VictimRule::kBudgets && budgets) || (rule == VictimRule::kLoss && loss);
  }
};

// Asked of each candidate after the fundamental rules; all must agree. Empty: yes; else until when
// the answer is no.
struct VictimFilter {
  VictimRule rule;
  std::optional<Time> (*refuses_until)(const state::Cluster&, const Preemptor&, const Candidate&);
};

// Asked of each scenario; all must agree. Empty: it stands; else until when it does not.
struct ScenarioValidator {
  VictimRule rule;
  std::optional<Time> (*refuses_until)(const state::Cluster&, const Preemptor&, const Scenario&);
};

// Until when a filter refuses the candidate; empty: none does.
std::optional<Time> RefusedUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                 const Candidate& candidate, const Leniency& leniency);
// The same for a scenario. REQUIRES: in a trial its victims have left, and the preemptor is placed.
std::optional<Time> InvalidUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                 const Scenario& scenario, const Leniency& leniency);

// Whether the minimum runtime keeps an elastic candidate from being stopped, and until when. It is
// what the validator asks; a search asks it first, so as not to try in vain.
std::optional<Time> MinimumKeptUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                     const Candidate& candidate);

}  // namespace fairlead::policy
