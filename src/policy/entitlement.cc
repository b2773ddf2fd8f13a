#include "policy/entitlement.h"

#include <algorithm>

#include "base/check.h"
#include "base/wide_int.h"
#include "policy/queue_order.h"

namespace fairlead::policy {

using state::Figure;
using state::QueueId;
using state::ResourceId;

namespace {

bool LooksAt(const state::QueueTree& queues, Right right, ResourceId r) {
  return queues.Counts(r) && (right == Right::kShare || queues.GuaranteedInTree(r));
}

bool IsShare(Right right) { return right == Right::kShare; }
bool IsShare(Tier tier) { return tier == Tier::kAboveShare; }

// What a queue is entitled to: its share, or its guarantee.
std::int64_t LineOf(const state::QueueTree& queues, QueueId q, bool share, Side side,
                    ResourceId r) {
  if (queues[q].health != state::QueueHealth::kReady) return 0;
  return share ? ShareOf(queues, q, r, side) : queues.Get(q, Figure::kGuaranteed, r);
}

}  // namespace

std::int64_t ShareOf(const state::QueueTree& queues, QueueId q, ResourceId r, Side side) {
  const std::int64_t by_usage = queues.Get(q, Figure::kFairShare, r);
  if (!queues.usage().counts()) return by_usage;
  const std::int64_t plain = queues.Get(q, Figure::kPlainShare, r);
  return side == Side::kTaker ? std::min(by_usage, plain) : std::max(by_usage, plain);
}

bool LooksAtAny(const state::Cluster& cluster, Right right) {
  for (std::uint32_t i = 0; i < cluster.resources().size(); ++i) {
    if (LooksAt(cluster.queues(), right, ResourceId(i))) return true;
  }
  return false;
}

std::optional<std::int64_t> LeftBy(const state::QueueTree& queues, Right right, QueueId q,
                                   ResourceId r) {
  if (!LooksAt(queues, right, r)) return std::nullopt;
  return LineOf(queues, q, IsShare(right), Side::kTaker, r) - queues.Get(q, Figure::kAllocated, r);
}

bool IsEntitled(const state::QueueTree& queues, Right right, QueueId q,
                const state::Amounts& request) {
  bool applies = false;
  for (const state::Amount& a : request) {
    const std::optional<std::int64_t> left = LeftBy(queues, right, q, a.resource);
    applies |= left.has_value();
    if (left && a.amount > *left) return false;
  }
  return applies;
}

Entitlement::Entitlement(const state::QueueTree& queues, Right right, const state::Amounts& request)
    : queues_(queues), right_(right) {
  for (const state::Amount& a : request) {
    if (LooksAt(queues, right, a.resource)) looks_at_.push_back(a.resource);
  }
}

std::int64_t Entitlement::Lack(QueueId q, const state::Amounts& more, ResourceId r) const {
  return queues_.Get(q, Figure::kAllocated, r) + state::AmountOf(more, r) -
         LineOf(queues_, q, IsShare(right_), Side::kTaker, r);
}

state::Amounts Entitlement::Lacks(QueueId q, const state::Amounts& more) const {
  state::Amounts lacks;
  for (ResourceId r : looks_at_) {
    if (const std::int64_t over = Lack(q, more, r); over > 0) lacks.push_back({r, over});
  }
  return lacks;
}

bool Entitlement::Allows(QueueId q, const state::Amounts& more) const {
  return std::all_of(looks_at_.begin(), looks_at_.end(),
                     [&](ResourceId r) { return Lack(q, more, r) <= 0; });
}

bool Entitlement::IsAbove(QueueId donor, const state::Amounts& gone) const {
  bool above = false;
  bool any_guaranteed = false;
  bool above_guarantee = false;
  for (ResourceId r : looks_at_) {
    const std::int64_t allocated =
        queues_.Get(donor, Figure::kAllocated, r) - state::AmountOf(gone, r);
    above |= allocated > LineOf(queues_, donor, IsShare(right_), Side::kGiver, r);
    if (!queues_.GuaranteedInTree(r)) continue;
    any_guaranteed = true;
    above_guarantee |= allocated > LineOf(queues_, donor, false, Side::kGiver, r);
  }
  return above && (!any_guaranteed || above_guarantee);
}

bool Entitlement::MayBeAbove(const state::Cluster& cluster, Right right, QueueId donor) {
  const state::QueueTree& queues = cluster.queues();
  for (std::uint32_t i = 0; i < cluster.resources().size(); ++i) {
    const ResourceId r(i);
    const bool above = queues.Get(donor, Figure::kAllocated, r) >
                       LineOf(queues, donor, IsShare(right), Side::kGiver, r);
    if (above && LooksAt(queues, right, r)) return true;
  }
  return false;
}

bool Entitlement::KeepsTier(QueueId donor, Tier tier, const state::Amounts& gone,
                            const state::Amounts& unit) const {
  if (tier == Tier::kAny) return true;
  return std::all_of(looks_at_.begin(), looks_at_.end(), [&](ResourceId r) {
    const std::int64_t before =
        queues_.Get(donor, Figure::kAllocated, r) - state::AmountOf(gone, r);
    const std::int64_t line = LineOf(queues_, donor, IsShare(tier), Side::kGiver, r);
    return before < line || before - state::AmountOf(unit, r) >= line;
  });
}

bool Entitlement::Less(const Saturation& a, const Saturation& b) {
  return LessShare(a.allocated, a.share, b.allocated, b.share);
}

Entitlement::Saturation Entitlement::SaturationOf(QueueId q, Side side, const state::Amounts& more,
                                                  const state::Amounts& gone) const {
  Saturation most;
  for (ResourceId r : looks_at_) {
    const Saturation in_r{
        queues_.Get(q, Figure::kAllocated, r) + state::AmountOf(more, r) - state::AmountOf(gone, r),
        ShareOf(queues_, q, r, side)};
    if (in_r.allocated > 0 && Less(most, in_r)) most = in_r;
  }
  return most;
}

Entitlement::Leave Entitlement::MostThatLeaves(QueueId preemptor, const state::Amounts& more,
                                               QueueId donor, Tier tier) const {
  DCHECK(looks_at_.size() == 1);
  const ResourceId r = looks_at_.front();
  const std::int64_t allocated = queues_.Get(donor, Figure::kAllocated, r);
  std::int64_t line = LineOf(queues_, donor, IsShare(right_), Side::kGiver, r);
  if (queues_.GuaranteedInTree(r))
    line = std::max(line, LineOf(queues_, donor, false, Side::kGiver, r));
  Leave leave{.before_last = allocated - line - 1, .in_all = state::kUnlimited};
  if (leave.before_last < 0) return {};
  // Who is below the tier's line already may go on giving.
  if (tier != Tier::kAny) {
    const std::int64_t above = allocated - LineOf(queues_, donor, IsShare(tier), Side::kGiver, r);
    if (above >= 0) leave.in_all = above;
  }
  const std::int64_t donor_share = ShareOf(queues_, donor, r, Side::kGiver);
  const std::int64_t preemptor_share = ShareOf(queues_, preemptor, r, Side::kTaker);
  if (right_ != Right::kShare || donor_share <= 0 || preemptor_share <= 0) return leave;
  // (allocated − gone) / donor_share must stay at least (its own + more) / preemptor_share.
  const WideInt taken =
      WideInt{queues_.Get(preemptor, Figure::kAllocated, r)} + state::AmountOf(more, r);
  const WideInt kept = (taken * donor_share + preemptor_share - 1) / preemptor_share;
  const std::int64_t most = kept >= allocated ? 0 : allocated - static_cast<std::int64_t>(kept);
  leave.in_all = std::min(leave.in_all, most);
  return leave;
}

bool Entitlement::TurnsAbout(QueueId preemptor, const state::Amounts& more, QueueId donor,
                             const state::Amounts& gone) const {
  return right_ == Right::kShare && Less(SaturationOf(donor, Side::kGiver, {}, gone),
                                         SaturationOf(preemptor, Side::kTaker, more, {}));
}

bool Entitlement::GivesFirst(QueueId a, const Saturation& of_a, QueueId b,
                             const Saturation& of_b) const {
  if (Less(of_b, of_a)) return true;
  if (Less(of_a, of_b)) return false;
  return queues_[a].name < queues_[b].name;
}

}  // namespace fairlead::policy
