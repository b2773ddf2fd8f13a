#include "engine/room/victim_scope.h"

#include <algorithm>
#include <utility>

#include "policy/limits.h"

namespace fairlead::engine {

using state::Amounts;
using state::Figure;
using state::QueueId;
using state::WorkloadId;

std::vector<policy::LeavingPods> LeavingOf(std::span<const VictimUnit> units) {
  std::vector<policy::LeavingPods> leaving;
  leaving.reserve(units.size());
  for (const VictimUnit& unit : units) leaving.push_back(unit.leaving());
  return leaving;
}

policy::EvictionCost CostOf(std::span<const VictimUnit> units) {
  policy::EvictionCost cost;
  for (const VictimUnit& unit : units) cost.Add(unit.cost);
  return cost;
}

bool IsLastOfItsWorkload(std::span<const VictimUnit> units, std::size_t i) {
  return std::ranges::none_of(units.subspan(i + 1), [&](const VictimUnit& later) {
    return later.candidate.workload == units[i].candidate.workload;
  });
}

VictimScope::VictimScope(const state::Cluster& cluster, const policy::Preemptor& preemptor,
                         const policy::Entitlement* right, policy::Tier tier,
                         std::vector<Donor> donors, const policy::Leniency& leniency,
                         bool forgoes_entitlement)
    : cluster_(cluster),
      preemptor_(preemptor),
      right_(right),
      tier_(tier),
      donors_(std::move(donors)),
      leniency_(leniency),
      forgoes_entitlement_(forgoes_entitlement),
      ceiling_(leniency.loss ? policy::LossCeiling() : preemptor.ceiling) {
  donor_of_queue_.assign(cluster.queues().size(), kUnknown);
  std::vector<QueueId>
      besides;  // each once: there are as many as the preemptor has queues above it
  for (std::uint32_t i = 0; i < donors_.size(); ++i) {
    const Donor& donor = donors_[i];
    if (donor.own()) {
      own_ = static_cast<std::int32_t>(i);
      continue;
    }
    donor_of_queue_[donor.queue.value()] = static_cast<std::int32_t>(i);
    if (std::find(besides.begin(), besides.end(), donor.beside) == besides.end()) {
      besides.push_back(donor.beside);
    }
  }
  for (const QueueId beside : besides) {
    donors_help_ |= std::any_of(donors_.begin(), donors_.end(), [&](const Donor& g) {
      return state::IsWithin(cluster.queues(), g.queue, beside);
    });
  }
  path_.resize(cluster.queues()[preemptor.queue].depth + std::size_t{1});
  for (QueueId q = preemptor.queue; q.valid(); q = cluster.queues()[q].parent) {
    path_[cluster.queues()[q].depth] = q;
  }
  BoundLeaves();
}

VictimScope VictimScope::OfMovers(const state::Cluster& cluster, const policy::Preemptor& preemptor,
                                  Stays stays, const policy::Leniency& leniency) {
  VictimScope scope(cluster, preemptor, nullptr, policy::Tier::kAny,
                    {{.queue = state::QueueTree::Root(), .beside = {}}}, leniency);
  scope.stays_ = std::move(stays);
  return scope;
}

std::uint32_t VictimScope::RightFrom(std::span<const VictimUnit> units) const {
  std::uint32_t depth = kNowhere;
  for (const VictimUnit& unit : units) {
    const Donor& donor = donors_[unit.donor];
    if (!donor.own()) depth = std::min(depth, cluster_.queues()[donor.beside].depth);
  }
  return depth;
}

// Up to the child of the lowest common ancestor.
std::int32_t VictimScope::FindDonor(QueueId q) const {
  if (q == preemptor_.queue) return own_;
  for (;;) {
    const QueueId parent = cluster_.queues()[q].parent;
    if (!parent.valid()) return kNobody;
    const std::uint32_t depth = cluster_.queues()[parent].depth;
    if (depth < path_.size() && path_[depth] == parent) break;
    q = parent;
  }
  const std::int32_t known = donor_of_queue_[q.value()];
  return known == kUnknown ? kNobody : known;
}

std::optional<std::uint32_t> VictimScope::DonorOfQueue(QueueId q) const {
  if (moves()) return 0;
  std::int32_t& known = donor_of_queue_[q.value()];
  if (known == kUnknown) known = FindDonor(q);
  if (known == kNobody) return std::nullopt;
  return static_cast<std::uint32_t>(known);
}

std::optional<std::uint32_t> VictimScope::DonorOf(WorkloadId w) const {
  if (!policy::MayGive(cluster_, preemptor_, w)) return std::nullopt;
  const state::Workload& workload = cluster_.workloads()[w];
  const auto donor = DonorOfQueue(workload.queue);
  if (!donor) return std::nullopt;
  const bool may =
      moves() ? !stays_(w) : !donors_[*donor].own() || workload.priority < preemptor_.priority;
  if (!may) return std::nullopt;
  const auto refused = policy::RefusedUntil(cluster_, preemptor_,
                                            {.workload = w, .action = ActionOf(*donor)}, leniency_);
  if (!refused) return donor;
  NoteLapse(*refused);
  return std::nullopt;
}

bool VictimScope::MayStop(WorkloadId w, std::uint32_t donor) const {
  if (leniency_.protection) return true;
  const auto kept =
      policy::MinimumKeptUntil(cluster_, preemptor_, {.workload = w, .action = ActionOf(donor)});
  if (kept) NoteLapse(*kept);
  return !kept;
}

void VictimScope::NoteLapse(Time at) const {
  if (at == Time::Max()) return;
  earliest_lapse_ = std::min(earliest_lapse_.value_or(at), at);
}

bool VictimScope::LeavesInOrder(std::span<const VictimUnit* const> units, bool have_left,
                                const Amounts& remaining) const {
  if (right_ == nullptr || forgoes_entitlement_) return true;
  std::vector<const VictimUnit*> order(units.begin(), units.end());
  std::stable_sort(order.begin(), order.end(), [this](const VictimUnit* a, const VictimUnit* b) {
    return policy::GivesFirst(cluster_, a->candidate.workload, b->candidate.workload);
  });
  std::vector<Amounts> gone(donors_.size());
  if (have_left) {
    for (const VictimUnit* unit : order) state::AddTo(gone[unit->donor], unit->amounts, -1);
  }
  for (const VictimUnit* unit : order) {
    const Donor& donor = donors_[unit->donor];
    if (!donor.own()) {
      if (!right_->IsAbove(donor.queue, gone[unit->donor])) return false;
      if (!right_->KeepsTier(donor.queue, tier_, gone[unit->donor], unit->amounts)) return false;
    }
    state::AddTo(gone[unit->donor], unit->amounts, +1);
  }
  return std::all_of(order.begin(), order.end(), [&](const VictimUnit* unit) {
    const Donor& donor = donors_[unit->donor];
    if (donor.own()) return true;
    // What leaves from below the preemptor's queue makes it less saturated.
    Amounts more = remaining;
    for (std::size_t g = 0; g < donors_.size() && !have_left; ++g) {
      if (state::IsWithin(cluster_.queues(), donors_[g].queue, donor.beside)) {
        state::AddTo(more, gone[g], -1);
      }
    }
    return !right_->TurnsAbout(donor.beside, more, donor.queue, gone[unit->donor]);
  });
}

bool VictimScope::MayLeave(std::span<const VictimUnit* const> units,
                           const Outstanding& outstanding) const {
  if (ceiling_.binds()) {
    policy::Work lost = 0;
    for (const VictimUnit* unit : units) lost += LostByOthers(*unit);
    if (lost > outstanding.may_lose) {
      NoteTooGreat({.lost = lost}, outstanding);  // as if it did not grow: that is early
      return false;
    }
  }
  return LeavesInOrder(units, false, outstanding.request);
}

void VictimScope::NoteTooGreat(policy::Loss more, const Outstanding& outstanding) const {
  more.lost += ceiling_.most() - outstanding.may_lose;
  NoteLapse(ceiling_.AllowsFrom(more));
}

policy::Work VictimScope::LostByOthers(std::span<const VictimUnit> units) const {
  policy::Work lost = 0;
  if (!ceiling_.binds()) return lost;
  for (const VictimUnit& unit : units) lost += LostByOthers(unit);
  return lost;
}

bool VictimScope::MightLeave(std::span<const VictimUnit* const> units) const {
  return LeavesInOrder(units, true, {});
}

bool VictimScope::MayLeave(std::uint32_t g, const Amounts& request, std::int64_t times,
                           const Amounts& remaining) const {
  const Donor& donor = donors_[g];
  if (right_ == nullptr || forgoes_entitlement_ || donor.own() || times == 0) return true;
  Amounts gone;
  state::AddTo(gone, request, times - 1);
  if (!right_->IsAbove(donor.queue, gone)) return false;
  state::AddTo(gone, request, 1);
  if (!right_->KeepsTier(donor.queue, tier_, {}, gone)) return false;
  return !right_->TurnsAbout(donor.beside, remaining, donor.queue, gone);
}

void VictimScope::BoundLeaves() {
  const bool one = right_ != nullptr && !forgoes_entitlement_ && right_->looks_at().size() == 1;
  if (!one || own_ != kNobody || donors_help_) return;
  bounded_ = right_->looks_at().front();
  leaves_ = LeavesNow(preemptor_.request);
  for (std::size_t i = 0; i < donors_.size(); ++i) {
    most_in_all_ += std::min(
        leaves_[i].in_all, cluster_.queues().Get(donors_[i].queue, Figure::kAllocated, *bounded_));
  }
}

VictimScope::Leaves VictimScope::LeavesNow(const Amounts& remaining) const {
  Leaves leaves;
  for (const Donor& donor : donors_) {
    leaves.push_back(right_->MostThatLeaves(donor.beside, remaining, donor.queue, tier_));
  }
  return leaves;
}

// What is not preemptible gives way to nobody: its guarantee is used up for good.
bool VictimScope::GuaranteeIsUsedUp(QueueId q) const {
  const state::QueueTree& queues = cluster_.queues();
  return std::any_of(preemptor_.request.begin(), preemptor_.request.end(),
                     [&](const state::Amount& a) {
                       return queues.Counts(a.resource) && queues.GuaranteedInTree(a.resource) &&
                              queues.Get(q, Figure::kNonPreemptible, a.resource) + a.amount >
                                  queues.Get(q, Figure::kGuaranteed, a.resource);
                     });
}

void VictimScope::AddNeedsOf(QueueId q, Need& need) const {
  Amounts& needs = need.amounts;
  const state::QueueTree& queues = cluster_.queues();
  for (const state::Amount& a : preemptor_.request) {
    const std::int64_t over = queues.Get(q, Figure::kAllocated, a.resource) + a.amount -
                              queues.Get(q, Figure::kLimit, a.resource);
    if (queues.Counts(a.resource) && over > 0) needs.push_back({a.resource, over});
  }
  need.of_limit = !needs.empty();
  const bool takes_from_beside =
      right_ != nullptr && !forgoes_entitlement_ &&
      std::any_of(donors_.begin(), donors_.end(), [&](const Donor& donor) {
        return !donor.own() && queues[donor.beside].depth <= queues[q].depth;
      });
  if (!takes_from_beside) return;
  for (const state::Amount& lack : right_->Lacks(q, preemptor_.request)) {
    const std::int64_t more = lack.amount - state::AmountOf(needs, lack.resource);
    if (more > 0) state::AddTo(needs, Amounts{{lack.resource, more}}, 1);
  }
}

std::optional<std::vector<VictimScope::Need>> VictimScope::Needs(bool preemptible) const {
  const state::QueueTree& queues = cluster_.queues();
  std::vector<Need> needs;
  for (QueueId q = preemptor_.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    if (!preemptible && GuaranteeIsUsedUp(q)) return std::nullopt;
    Need& need = needs.emplace_back();
    need.queue = q;
    AddNeedsOf(q, need);
    if (need.amounts.empty()) {
      needs.pop_back();
      continue;
    }
    const bool can_be_met = std::any_of(donors_.begin(), donors_.end(), [&](const Donor& donor) {
      return state::IsWithin(queues, donor.queue, q);
    });
    if (!can_be_met) return std::nullopt;
  }
  Need& idle = needs.emplace_back();
  idle.queue = state::QueueTree::Root();
  idle.of_limit = true;
  policy::AddNotLent(cluster_, preemptor_.workload, preemptor_.request, idle.amounts);
  if (idle.amounts.empty()) needs.pop_back();
  return needs;
}

bool VictimScope::IsWithin(WorkloadId w, QueueId q) const {
  return state::IsWithin(cluster_.queues(), cluster_.workloads()[w].queue, q);
}

}  // namespace fairlead::engine
