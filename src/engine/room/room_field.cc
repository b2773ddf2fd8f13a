#include "engine/room/room_field.h"

#include <algorithm>

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

RoomField::RoomField(const state::Cluster& cluster, const policy::Taker& taker,
                     const policy::Entitlement* right, policy::Tier tier, std::vector<Giver> givers,
                     const policy::Leniency& leniency, bool forgoes_entitlement)
    : cluster_(cluster),
      taker_(taker),
      right_(right),
      tier_(tier),
      givers_(std::move(givers)),
      leniency_(leniency),
      forgoes_entitlement_(forgoes_entitlement) {
  giver_of_queue_.assign(cluster.queues().size(), kUnknown);
  std::vector<QueueId> besides;  // each once: there are as many as the taker has queues above it
  for (std::uint32_t i = 0; i < givers_.size(); ++i) {
    const Giver& giver = givers_[i];
    if (giver.own()) {
      own_ = static_cast<std::int32_t>(i);
      continue;
    }
    giver_of_queue_[giver.queue.value()] = static_cast<std::int32_t>(i);
    if (std::find(besides.begin(), besides.end(), giver.beside) == besides.end()) {
      besides.push_back(giver.beside);
    }
  }
  for (const QueueId beside : besides) {
    givers_help_ |= std::any_of(givers_.begin(), givers_.end(), [&](const Giver& g) {
      return cluster.queues().IsWithin(g.queue, beside);
    });
  }
  path_.resize(cluster.queues()[taker.queue].depth + std::size_t{1});
  for (QueueId q = taker.queue; q.valid(); q = cluster.queues()[q].parent) {
    path_[cluster.queues()[q].depth] = q;
  }
  BoundLeaves();
}

std::uint32_t RoomField::RightFrom(std::span<const VictimUnit> units) const {
  std::uint32_t depth = kNowhere;
  for (const VictimUnit& unit : units) {
    const Giver& giver = givers_[unit.giver];
    if (!giver.own()) depth = std::min(depth, cluster_.queues()[giver.beside].depth);
  }
  return depth;
}

// Up to the child of the lowest common ancestor.
std::int32_t RoomField::FindGiver(QueueId q) const {
  if (q == taker_.queue) return own_;
  for (;;) {
    const QueueId parent = cluster_.queues()[q].parent;
    if (!parent.valid()) return kNobody;
    const std::uint32_t depth = cluster_.queues()[parent].depth;
    if (depth < path_.size() && path_[depth] == parent) break;
    q = parent;
  }
  const std::int32_t known = giver_of_queue_[q.value()];
  return known == kUnknown ? kNobody : known;
}

std::optional<std::uint32_t> RoomField::GiverOfQueue(QueueId q) const {
  std::int32_t& known = giver_of_queue_[q.value()];
  if (known == kUnknown) known = FindGiver(q);
  if (known == kNobody) return std::nullopt;
  return static_cast<std::uint32_t>(known);
}

std::optional<std::uint32_t> RoomField::GiverOf(WorkloadId w) const {
  if (!policy::MayGive(cluster_, taker_, w)) return std::nullopt;
  const state::Workload& workload = cluster_.workloads()[w];
  const auto giver = GiverOfQueue(workload.queue);
  if (!giver) return std::nullopt;
  if (givers_[*giver].own() && workload.priority >= taker_.priority) return std::nullopt;
  const auto refused = policy::RefusedUntil(cluster_, taker_,
                                            {.workload = w, .action = ActionOf(*giver)}, leniency_);
  if (!refused) return giver;
  NoteLapse(*refused);
  return std::nullopt;
}

bool RoomField::MayStop(WorkloadId w, std::uint32_t giver) const {
  if (leniency_.protection) return true;
  const auto kept =
      policy::MinimumKeptUntil(cluster_, taker_, {.workload = w, .action = ActionOf(giver)});
  if (kept) NoteLapse(*kept);
  return !kept;
}

void RoomField::NoteLapse(Time at) const {
  if (at == Time::Max()) return;
  earliest_lapse_ = std::min(earliest_lapse_.value_or(at), at);
}

bool RoomField::LeavesInOrder(std::span<const VictimUnit* const> units, bool have_left,
                              const Amounts& remaining) const {
  if (right_ == nullptr || forgoes_entitlement_) return true;
  std::vector<const VictimUnit*> order(units.begin(), units.end());
  std::stable_sort(order.begin(), order.end(), [this](const VictimUnit* a, const VictimUnit* b) {
    return policy::GivesFirst(cluster_, a->candidate.workload, b->candidate.workload);
  });
  std::vector<Amounts> gone(givers_.size());
  if (have_left) {
    for (const VictimUnit* unit : order) state::AddTo(gone[unit->giver], unit->amounts, -1);
  }
  for (const VictimUnit* unit : order) {
    const Giver& giver = givers_[unit->giver];
    if (!giver.own()) {
      if (!right_->IsAbove(giver.queue, gone[unit->giver])) return false;
      if (!right_->KeepsTier(giver.queue, tier_, gone[unit->giver], unit->amounts)) return false;
    }
    state::AddTo(gone[unit->giver], unit->amounts, +1);
  }
  return std::all_of(order.begin(), order.end(), [&](const VictimUnit* unit) {
    const Giver& giver = givers_[unit->giver];
    if (giver.own()) return true;
    // What leaves from below the taker's queue makes it less saturated.
    Amounts more = remaining;
    for (std::size_t g = 0; g < givers_.size() && !have_left; ++g) {
      if (cluster_.queues().IsWithin(givers_[g].queue, giver.beside)) {
        state::AddTo(more, gone[g], -1);
      }
    }
    return !right_->TurnsAbout(giver.beside, more, giver.queue, gone[unit->giver]);
  });
}

bool RoomField::MayLeave(std::span<const VictimUnit* const> units, const Amounts& remaining) const {
  return LeavesInOrder(units, false, remaining);
}

bool RoomField::MightLeave(std::span<const VictimUnit* const> units) const {
  return LeavesInOrder(units, true, {});
}

bool RoomField::MayLeave(std::uint32_t g, const Amounts& request, std::int64_t times,
                         const Amounts& remaining) const {
  const Giver& giver = givers_[g];
  if (right_ == nullptr || forgoes_entitlement_ || giver.own() || times == 0) return true;
  Amounts gone;
  state::AddTo(gone, request, times - 1);
  if (!right_->IsAbove(giver.queue, gone)) return false;
  state::AddTo(gone, request, 1);
  if (!right_->KeepsTier(giver.queue, tier_, {}, gone)) return false;
  return !right_->TurnsAbout(giver.beside, remaining, giver.queue, gone);
}

void RoomField::BoundLeaves() {
  const bool one = right_ != nullptr && !forgoes_entitlement_ && right_->looks_at().size() == 1;
  if (!one || own_ != kNobody || givers_help_) return;
  bounded_ = right_->looks_at().front();
  leaves_ = LeavesNow(taker_.request);
  for (std::size_t i = 0; i < givers_.size(); ++i) {
    most_in_all_ += std::min(
        leaves_[i].in_all, cluster_.queues().Get(givers_[i].queue, Figure::kAllocated, *bounded_));
  }
}

RoomField::Leaves RoomField::LeavesNow(const Amounts& remaining) const {
  Leaves leaves;
  for (const Giver& giver : givers_) {
    leaves.push_back(right_->MostThatLeaves(giver.beside, remaining, giver.queue, tier_));
  }
  return leaves;
}

// What is not preemptible gives way to nobody: its guarantee is used up for good.
bool RoomField::GuaranteeIsUsedUp(QueueId q) const {
  const state::QueueTree& queues = cluster_.queues();
  return std::any_of(taker_.request.begin(), taker_.request.end(), [&](const state::Amount& a) {
    return queues.Counts(a.resource) && queues.GuaranteedInTree(a.resource) &&
           queues.Get(q, Figure::kNonPreemptible, a.resource) + a.amount >
               queues.Get(q, Figure::kGuaranteed, a.resource);
  });
}

void RoomField::AddNeedsOf(QueueId q, Need& need) const {
  Amounts& needs = need.amounts;
  const state::QueueTree& queues = cluster_.queues();
  for (const state::Amount& a : taker_.request) {
    const std::int64_t over = queues.Get(q, Figure::kAllocated, a.resource) + a.amount -
                              queues.Get(q, Figure::kLimit, a.resource);
    if (queues.Counts(a.resource) && over > 0) needs.push_back({a.resource, over});
  }
  need.of_limit = !needs.empty();
  const bool takes_from_beside =
      right_ != nullptr && !forgoes_entitlement_ &&
      std::any_of(givers_.begin(), givers_.end(), [&](const Giver& giver) {
        return !giver.own() && queues[giver.beside].depth <= queues[q].depth;
      });
  if (!takes_from_beside) return;
  for (const state::Amount& lack : right_->Lacks(q, taker_.request)) {
    const std::int64_t more = lack.amount - state::AmountOf(needs, lack.resource);
    if (more > 0) state::AddTo(needs, Amounts{{lack.resource, more}}, 1);
  }
}

std::optional<std::vector<RoomField::Need>> RoomField::Needs(bool preemptible) const {
  const state::QueueTree& queues = cluster_.queues();
  std::vector<Need> needs;
  for (QueueId q = taker_.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    if (!preemptible && GuaranteeIsUsedUp(q)) return std::nullopt;
    Need& need = needs.emplace_back();
    need.queue = q;
    AddNeedsOf(q, need);
    if (need.amounts.empty()) {
      needs.pop_back();
      continue;
    }
    const bool can_be_met = std::any_of(givers_.begin(), givers_.end(), [&](const Giver& giver) {
      return queues.IsWithin(giver.queue, q);
    });
    if (!can_be_met) return std::nullopt;
  }
  return needs;
}

bool RoomField::IsWithin(WorkloadId w, QueueId q) const {
  return cluster_.queues().IsWithin(cluster_.workloads()[w].queue, q);
}

}  // namespace fairlead::engine
