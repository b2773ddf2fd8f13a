// The scopes of a search, from the outside in (semantics.md §4.3):
//
//   reclaim:  on the guarantee, then on the fair share;
//     leaving every donor its fair share, then its guarantee, then less;
//       from the donor that is most over its share, then the two that are, and so on.
//   preempt:  from lower priorities of its own queue.
//   both:     as reclaim, with its own lower priorities among the donors.
//
// The first scope in which a scenario stands is the answer. A wider scope of one right holds all
// scenarios of the narrower ones: where the widest has none, the others are not searched.

#include "engine/room/make_room.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "engine/room/contenders.h"
#include "policy/limits.h"

namespace fairlead::engine {

using policy::Entitlement;
using policy::Right;
using policy::Tier;
using state::QueueId;
using state::Trial;
using state::WorkloadId;

std::vector<state::PodId> ClaimsOf(const state::Cluster& cluster, WorkloadId w) {
  std::vector<state::PodId> pods;
  if (!cluster.workloads()[w].in_use) return pods;
  cluster.ForEachPodOf(w, [&](state::PodId p) {
    if (cluster.pods()[p].claims()) pods.push_back(p);
  });
  cluster.pods().SortByName(pods);
  return pods;
}

void MakeRoom::Start(Time now, const RoomLeniency& leniency) {
  now_ = now;
  leniency_ = leniency;
  search_.Start(now);
}

bool MakeRoom::PreemptsAnybody(QueueId queue, std::int32_t priority) const {
  const auto& placed = cluster_.queues().PlacedPriorities(queue);
  return cluster_.configuration().preempt_enabled && cluster_.queues()[queue].asks.preempts &&
         !placed.empty() && placed.begin()->first < priority;
}

std::int64_t MakeRoom::ReclaimsBelow(QueueId queue, std::int32_t priority, Right right) const {
  if (leniency_.entitlement) return std::numeric_limits<std::int64_t>::max();
  return policy::ReclaimsBelow(cluster_.queues(), queue, priority, right);
}

bool MakeRoom::ReclaimsOnAnyRight(QueueId queue, std::int32_t priority,
                                  const state::Amounts& request, bool leaves) {
  if (!cluster_.configuration().reclaim_enabled) return false;
  for (const Right which : {Right::kGuarantee, Right::kShare}) {
    if (ReclaimsBelow(queue, priority, which) == policy::kNobodyBelow) continue;
    if (leniency_.entitlement) {
      if (Entitlement(cluster_.queues(), which, request).applies()) return true;
    } else if (policy::IsEntitled(cluster_.queues(), which, queue, request) &&
               (leaves || above_.AnyBeside(queue, which))) {
      return true;
    }
  }
  return false;
}

bool MakeRoom::MayAsk(QueueId queue, std::int32_t priority, const state::Amounts& request,
                      bool leaves) {
  return PreemptsAnybody(queue, priority) || ReclaimsOnAnyRight(queue, priority, request, leaves);
}

bool MakeRoom::MayReclaim(QueueId queue, bool leaves) {
  if (!cluster_.configuration().reclaim_enabled) return false;
  for (const Right right : {Right::kGuarantee, Right::kShare}) {
    const bool reclaims = policy::ReclaimsOn(cluster_.queues(), queue, right);
    if (reclaims && (leaves || above_.AnyBeside(queue, right))) return true;
  }
  return false;
}

void MakeRoom::LeftByRights(QueueId queue, std::vector<std::int64_t>& into) const {
  const state::QueueTree& queues = cluster_.queues();
  into.assign(cluster_.resources().size(), std::numeric_limits<std::int64_t>::min());
  for (const Right right : {Right::kGuarantee, Right::kShare}) {
    if (!policy::ReclaimsOn(queues, queue, right) || !policy::LooksAtAny(cluster_, right)) continue;
    for (std::uint32_t i = 0; i < into.size(); ++i) {
      const auto left = policy::LeftBy(queues, right, queue, state::ResourceId(i));
      into[i] = std::max(into[i], left.value_or(state::kUnlimited));
    }
  }
}

RoomAnswer MakeRoom::Find(const RoomStep& step, const std::vector<WorkloadId>& claimants,
                          Trial& trial) {
  DCHECK(trial.steps().empty());
  RoomAnswer answer;
  if (ComesAnyway(step, trial)) {
    answer.verdict = RoomAnswer::Verdict::kComing;
    return answer;
  }
  if (OutranksClaims(step, claimants, trial, answer) && IsKept(step, trial, answer)) {
    answer.verdict = RoomAnswer::Verdict::kFound;
    return answer;
  }
  if (cluster_.workloads()[step.workload].never_preempts || LacksLendingAlone(step, trial)) {
    return answer;
  }
  const bool reclaims =
      ReclaimsOnAnyRight(step.queue, step.priority, step.request, /*leaves=*/false);
  const bool preempts = PreemptsAnybody(step.queue, step.priority);
  if (!reclaims && !preempts) return answer;
  // More than the nodes hold when they are empty: nobody's leaving helps.
  if (!MightEverFit(cluster_, placer_, step)) return answer;
  preemptor_ = {.workload = step.workload,
                .queue = step.queue,
                .priority = step.priority,
                .request = step.request,
                .now = now_};
  if (cluster_.queues().PlacedPriorities(state::QueueTree::Root()).empty()) return answer;
  const bool found =
      (reclaims && SearchRights(step, Sources::kOthers, trial, answer)) ||
      (preempts &&
       SearchField(FieldOf(nullptr, Tier::kAny, {{.queue = step.queue, .beside = {}}}), step, trial,
                   answer) &&
       IsKept(step, trial, answer)) ||
      (preempts && cluster_.configuration().reclaim_enabled &&
       SearchRights(step, Sources::kBoth, trial, answer));
  if (found) {
    answer.verdict =
        answer.victims.empty() ? RoomAnswer::Verdict::kComing : RoomAnswer::Verdict::kFound;
  }
  return answer;
}

std::optional<Time> MakeRoom::ServedFrom(const RoomStep& step, Time first_lapse) const {
  MakeRoom ahead(cluster_, placer_, contenders_);
  auto find_at = [&](Time at, const RoomLeniency& leniency) {
    ahead.Start(at, leniency);
    Trial trial(cluster_);
    return ahead.Find(step, trial);
  };
  using Verdict = RoomAnswer::Verdict;
  std::optional<Time> at = first_lapse;
  const std::int64_t searches = kMostLooks / (std::int64_t{cluster_.nodes().size()} + 1);
  if (searches == 0) return at;
  const auto serves_without = [&](const policy::Leniency& rules) {
    return find_at(now_, {.rules = rules}).verdict == Verdict::kFound;
  };
  const bool bounds_losses = policy::BoundsLosses(cluster_, step.queue);
  if (!serves_without({.protection = true, .loss = bounds_losses})) return std::nullopt;
  // What may be lost stands in the way, too: its lapse says when, as far as it can be said.
  if (bounds_losses && !serves_without({.protection = true})) return at;
  for (std::int64_t i = 0; i < std::min(kMostLapses, searches) && at; ++i) {
    const RoomAnswer answer = find_at(*at, {});
    if (answer.verdict == Verdict::kFound || !answer.lapse) return at;
    at = answer.lapse;
  }
  return at;
}

// Whether nobody takes back what its own queue alone gave; else that is undone.
bool MakeRoom::IsKept(const RoomStep& step, Trial& trial, RoomAnswer& answer) const {
  if (contenders_ == nullptr || leniency_.contenders) return true;
  if (!contenders_->WouldTakeBack(step, trial)) return true;
  trial.UndoTo(0);
  answer.victims.clear();
  answer.outranked.clear();
  return false;
}

// Claims of lower priorities of its own queue, the least first, until it fits; those that turn
// out not to be in the way stand.
bool MakeRoom::OutranksClaims(const RoomStep& step, const std::vector<WorkloadId>& claimants,
                              Trial& trial, RoomAnswer& answer) {
  struct Claimant {
    WorkloadId workload;
    std::vector<Claimed> pods;
  };
  const bool may = cluster_.configuration().preempt_enabled &&
                   cluster_.queues()[step.queue].asks.preempts &&
                   !cluster_.workloads()[step.workload].never_preempts;
  std::vector<Claimant> claims;
  for (WorkloadId w : claimants) {
    if (!may) break;
    claims.push_back({.workload = w, .pods = {}});
    for (state::PodId p : ClaimsOf(cluster_, w)) {
      claims.back().pods.emplace_back(p, cluster_.pods()[p].node);
    }
  }
  std::sort(claims.begin(), claims.end(), [this](const Claimant& a, const Claimant& b) {
    return policy::GivesFirst(cluster_, a.workload, b.workload);
  });
  const std::size_t mark = trial.Mark();
  auto fits = [&] {
    return !policy::FirstBreach(cluster_, step.workload, step.request) &&
           PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kLater, trial) ==
               GangVerdict::kPlaced;
  };
  std::size_t taken = 0;
  bool found = false;
  while (!found && taken < claims.size()) {
    for (const auto& [p, n] : claims[taken++].pods) trial.Release(p);
    found = fits();
  }
  if (!found) {
    trial.UndoTo(mark);
    return false;
  }
  for (std::size_t i = taken; i-- > 0;) {
    const bool stands =
        WithinLimits(claims[i].workload, claims[i].pods) &&
        std::all_of(claims[i].pods.begin(), claims[i].pods.end(), [&](const auto& claim) {
          return placer_.Fits(cluster_.pods()[claim.first].shape, claim.second,
                              state::When::kLater);
        });
    if (stands && i + 1 < taken) {
      for (const auto& [p, n] : claims[i].pods) trial.Put(p, n, state::When::kLater);
    } else {
      answer.outranked.push_back(claims[i].workload);
    }
  }
  return true;
}

// Whether the workload could be given a claim on room for these pods once more.
bool MakeRoom::WithinLimits(WorkloadId w, std::span<const Claimed> pods) const {
  state::Amounts request;
  for (const auto& [p, n] : pods) {
    state::AddTo(request, cluster_.shapes()[cluster_.pods()[p].shape].request, 1);
  }
  return !policy::FirstBreach(cluster_, w, request);
}

bool MakeRoom::ComesAnyway(const RoomStep& step, Trial& trial) {
  if (cluster_.nodes().nodes_in_turnover().empty()) return false;
  if (policy::FirstBreach(cluster_, step.workload, step.request)) {
    return false;
  }
  return PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kLater, trial) ==
         GangVerdict::kPlaced;
}

// Whether it has room, which stays idle for others: nobody is asked for that.
bool MakeRoom::LacksLendingAlone(const RoomStep& step, Trial& trial) {
  const auto breach = policy::FirstBreach(cluster_, step.workload, step.request);
  if (!breach || !breach->not_lent()) return false;
  const std::size_t mark = trial.Mark();
  const GangVerdict verdict =
      PlaceGang(placer_, cluster_, step.workload, step.parts, state::When::kLater, trial);
  trial.UndoTo(mark);
  return verdict == GangVerdict::kPlaced;
}

// Queues beside one of the preemptor's that are above their right, the most over-share first. Who
// is beside a queue of the preemptor's that would go beyond its own right cannot be asked, unless
// victims below that queue make up for it.
std::vector<Donor> MakeRoom::DonorsBeside(const Entitlement& right, const RoomStep& step,
                                          Sources sources) const {
  const state::QueueTree& queues = cluster_.queues();
  std::vector<Donor> donors;
  bool below_gives = sources == Sources::kBoth;
  for (QueueId q = step.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    const bool allowed = leniency_.entitlement || right.Allows(q, step.request);
    if (!allowed && !below_gives) break;
    for (QueueId beside : queues[queues[q].parent].children) {
      if (beside == q || !(leniency_.entitlement || right.IsAbove(beside, {}))) continue;
      donors.push_back({.queue = beside, .beside = q});
      below_gives = true;
    }
  }
  struct Asked {
    Donor donor;
    Entitlement::Saturation saturation;
  };
  std::vector<Asked> asked;
  asked.reserve(donors.size());
  for (const Donor& donor : donors) asked.push_back({donor, right.SaturationOf(donor.queue)});
  const bool one_level = std::all_of(donors.begin(), donors.end(), [&](const Donor& donor) {
    return donor.beside == donors.front().beside;
  });
  // Siblings come by name: there only what is more saturated has to move.
  std::stable_sort(asked.begin(), asked.end(), [&](const Asked& a, const Asked& b) {
    return one_level ? Entitlement::Less(b.saturation, a.saturation)
                     : right.GivesFirst(a.donor.queue, a.saturation, b.donor.queue, b.saturation);
  });
  for (std::size_t i = 0; i < asked.size(); ++i) donors[i] = asked[i].donor;
  return donors;
}

bool MakeRoom::SearchRights(const RoomStep& step, Sources sources, Trial& trial,
                            RoomAnswer& answer) {
  for (const Right which : {Right::kGuarantee, Right::kShare}) {
    preemptor_.reclaims_below = ReclaimsBelow(step.queue, step.priority, which);
    if (preemptor_.reclaims_below == policy::kNobodyBelow) continue;
    preemptor_.ceiling = policy::LossCeiling::Of(cluster_, step.queue, which, step.request,
                                                 WaitsSince(cluster_, step), now_);
    const Entitlement right(cluster_.queues(), which, step.request);
    if (!right.applies()) continue;
    std::vector<Donor> donors = DonorsBeside(right, step, sources);
    if (donors.empty()) continue;
    if (sources == Sources::kBoth) {
      donors.insert(donors.begin(), {.queue = step.queue, .beside = {}});
    }
    if (SearchPrefixes(right, std::move(donors), step, trial, answer)) return true;
  }
  return false;
}

void MakeRoom::NoteLapse(Time at, RoomAnswer& answer) {
  answer.lapse = std::min(answer.lapse.value_or(at), at);
}

bool MakeRoom::SearchPrefixes(const Entitlement& right, std::vector<Donor> donors,
                              const RoomStep& step, Trial& trial, RoomAnswer& answer) {
  const std::size_t least = donors.front().own() ? 2 : 1;
  const std::size_t all = donors.size();
  const std::size_t mark = trial.Mark();
  // Nobody else's leaving helps where all of theirs does not.
  const VictimScope widest = FieldOf(&right, Tier::kAny, donors);
  if (!search_.rights().MightServe(widest, step)) return false;
  if (!search_.losses().MightServe(widest, step)) {
    if (const auto lapse = widest.earliest_lapse()) NoteLapse(*lapse, answer);
    return false;
  }
  if (all > least || PodsOf(step) > 1) {
    const bool could = search_.CouldServe(widest, step);
    if (const auto lapse = widest.earliest_lapse()) NoteLapse(*lapse, answer);
    if (!could) return false;
  }
  // What the last search found is in the trial.
  auto serves = [&](Tier tier, std::size_t prefix) {
    trial.UndoTo(mark);
    if (tier == Tier::kAny && prefix == all) return SearchField(widest, step, trial, answer);
    const auto end = donors.begin() + static_cast<std::ptrdiff_t>(prefix);
    const VictimScope scope = FieldOf(&right, tier, {donors.begin(), end});
    return search_.rights().MightServe(scope, step) && SearchField(scope, step, trial, answer);
  };
  if (serves(Tier::kAboveShare, least)) return true;
  if (all > least && !serves(Tier::kAny, all)) return false;
  for (const Tier tier : {Tier::kAboveShare, Tier::kAboveGuarantee, Tier::kAny}) {
    // Doubling until it serves, then halving the step in between.
    std::size_t fails = tier == Tier::kAboveShare ? least : least - 1;
    std::size_t tried = fails + 1;
    while (tried <= all && !serves(tier, tried)) {
      fails = tried;
      tried = tried == all ? all + 1 : std::min(all, 2 * tried);
    }
    if (tried > all) continue;
    std::size_t last = tried;
    while (tried - fails > 1) {
      last = fails + (tried - fails) / 2;
      (serves(tier, last) ? tried : fails) = last;
    }
    return last == tried || serves(tier, tried);
  }
  trial.UndoTo(mark);
  return false;
}

VictimScope MakeRoom::FieldOf(const Entitlement* right, Tier tier,
                              std::vector<Donor> donors) const {
  return {cluster_,        preemptor_,           right, tier, std::move(donors),
          leniency_.rules, leniency_.entitlement};
}

bool MakeRoom::SearchField(const VictimScope& scope, const RoomStep& step, Trial& trial,
                           RoomAnswer& answer) {
  FieldAnswer of_field = AsksTopology(cluster_, step.workload)
                             ? near_each_other_.Search(scope, step, trial)
                             : search_.Search(scope, step, trial);
  if (const auto lapse = scope.earliest_lapse()) NoteLapse(*lapse, answer);
  if (!of_field.found) {
    answer.proven &= of_field.proven;
    return false;
  }
  answer.victims = std::move(of_field.victims);
  // A scope before this one may have been given up without a proof.
  answer.least_proven = of_field.proven && answer.proven;
  answer.fewest_proven = (of_field.proven || of_field.fewest_proven) && answer.proven;
  return true;
}

}  // namespace fairlead::engine
