#include "policy/victims.h"

#include <algorithm>
#include <array>
#include <utility>

#include "policy/disruption_budget.h"
#include "policy/min_runtime.h"

namespace fairlead::policy {
namespace {

bool GivesSingly(const state::Cluster& cluster, state::WorkloadId w) {
  return !cluster.workloads()[w].solo() && cluster.workloads().gang(w).gives_singly();
}

std::optional<Time> ProtectedUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                   const Candidate& candidate) {
  return ProtectedUntil(cluster, candidate.workload, candidate.action, preemptor.queue,
                        preemptor.now, preemptor.ceiling.deadline());
}

// Some queues may reclaim from lower priorities only.
std::optional<Time> PriorityTooHigh(const state::Cluster& cluster, const Preemptor& preemptor,
                                    const Candidate& candidate) {
  if (candidate.action != RoomAction::kReclaim) return std::nullopt;
  const bool below = cluster.workloads()[candidate.workload].priority < preemptor.reclaims_below;
  return below ? std::nullopt : std::optional(Time::Max());
}

// semantics.md §6: a workload that is not elastic and is protected is no candidate.
std::optional<Time> ProtectedWhole(const state::Cluster& cluster, const Preemptor& preemptor,
                                   const Candidate& candidate) {
  if (GivesSingly(cluster, candidate.workload)) return std::nullopt;
  return ProtectedUntil(cluster, preemptor, candidate);
}

// An elastic one may give its surplus at any time, and its minimum when it is no longer protected.
std::optional<Time> ProtectedMinimum(const state::Cluster& cluster, const Preemptor& preemptor,
                                     const Scenario& scenario) {
  std::optional<Time> until;
  for (const Scenario::Victim& victim : scenario.victims) {
    if (!victim.stops) continue;
    const auto kept = MinimumKeptUntil(cluster, preemptor, victim.candidate);
    if (kept) until = std::max(until.value_or(*kept), *kept);
  }
  return until;
}

// What leaves has left already in the trial, and the preemptor is placed.
std::optional<Time> BudgetsOverdrawn(const state::Cluster& cluster, const Preemptor& preemptor,
                                     const Scenario& scenario) {
  if (cluster.budgets().size() == 0) return std::nullopt;
  std::vector<LeavingPods> units;
  units.reserve(scenario.victims.size());
  for (const Scenario::Victim& victim : scenario.victims) units.push_back(victim.pods);
  const bool kept =
      BudgetsKept(cluster, units, {.queue = preemptor.queue, .request = &preemptor.request});
  return kept ? std::nullopt : std::optional(Time::Max());
}

// The work of others that is lost in all (time.md §5.1).
std::optional<Time> LossTooGreat(const state::Cluster& cluster, const Preemptor& preemptor,
                                 const Scenario& scenario) {
  if (!preemptor.ceiling.binds()) return std::nullopt;
  Loss loss;
  for (const Scenario::Victim& victim : scenario.victims) {
    if (victim.candidate.action != RoomAction::kReclaim) continue;
    for (const state::PodId p : victim.pods) {
      const std::int64_t dominant = DominantPart(cluster, cluster.pods()[p].shape);
      loss.Add(LossOf(cluster, p, dominant, preemptor.now));
    }
  }
  if (loss.lost <= preemptor.ceiling.most()) return std::nullopt;
  return preemptor.ceiling.AllowsFrom(loss);
}

constexpr auto kFilters = std::to_array<VictimFilter>({
    {VictimRule::kPriority, PriorityTooHigh},
    {VictimRule::kProtection, ProtectedWhole},
});
constexpr auto kValidators = std::to_array<ScenarioValidator>({
    {VictimRule::kProtection, ProtectedMinimum},
    {VictimRule::kBudgets, BudgetsOverdrawn},
    {VictimRule::kLoss, LossTooGreat},
});

// The latest moment until which one of the rules refuses.
// The table is a constant, so that its rules are called without a pointer: it is asked of every
// workload that runs.
template <const auto& kRules, typename Asked>
std::optional<Time> LatestRefusal(const state::Cluster& cluster, const Preemptor& preemptor,
                                  const Asked& asked, const Leniency& leniency) {
  std::optional<Time> until;
  const auto note = [&](const std::optional<Time>& refused) {
    if (refused) until = std::max(until.value_or(*refused), *refused);
  };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (..., (leniency.ForgoesRule(kRules[i].rule)
               ? void()
               : note(kRules[i].refuses_until(cluster, preemptor, asked))));
  }(std::make_index_sequence<kRules.size()>());
  return until;
}

state::Donors DonorsOn(const state::Asks& asks, Right right) {
  return right == Right::kShare ? asks.by_share : asks.by_guarantee;
}

}  // namespace

bool ReclaimsOn(const state::QueueTree& queues, state::QueueId queue, Right right) {
  return DonorsOn(queues[queue].asks, right) != state::Donors::kNobody;
}

std::int64_t ReclaimsBelow(const state::QueueTree& queues, state::QueueId queue,
                           std::int32_t priority, Right right) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  if (!ReclaimsOn(queues, queue, right)) return kNobodyBelow;
  const state::Asks& asks = queues[queue].asks;
  const bool lower_only = DonorsOn(asks, right) == state::Donors::kLowerPriority;
  const std::int64_t below = lower_only ? priority : kAny;
  return right == Right::kShare ? std::min(below, std::int64_t{asks.by_share_up_to} + 1) : below;
}

bool MayGive(const state::Cluster& cluster, const Preemptor& preemptor, state::WorkloadId w) {
  const state::Workload& workload = cluster.workloads()[w];
  return workload.preemptible && w != preemptor.workload && workload.live > 0 &&
         (workload.solo() || cluster.workloads().gang(w).known);
}

std::optional<Time> RefusedUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                 const Candidate& candidate, const Leniency& leniency) {
  return LatestRefusal<kFilters>(cluster, preemptor, candidate, leniency);
}

std::optional<Time> InvalidUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                 const Scenario& scenario, const Leniency& leniency) {
  return LatestRefusal<kValidators>(cluster, preemptor, scenario, leniency);
}

std::optional<Time> MinimumKeptUntil(const state::Cluster& cluster, const Preemptor& preemptor,
                                     const Candidate& candidate) {
  if (!GivesSingly(cluster, candidate.workload)) return std::nullopt;
  return ProtectedUntil(cluster, preemptor, candidate);
}

}  // namespace fairlead::policy
