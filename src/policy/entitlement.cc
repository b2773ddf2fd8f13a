#include "policy/entitlement.h"

#include <algorithm>

#include "policy/queue_order.h"

namespace fairlead::policy {

using state::Figure;
using state::QueueId;
using state::ResourceId;

Entitlement::Entitlement(const state::QueueTree& queues, Right right, const state::Amounts& request)
    : queues_(queues), right_(right) {
  for (const state::Amount& a : request) {
    if (!queues.Counts(a.resource)) continue;
    if (right == Right::kShare || queues.GuaranteedInTree(a.resource)) {
      looks_at_.push_back(a.resource);
    }
  }
}

std::int64_t Entitlement::LineOf(QueueId q, Figure figure, ResourceId r) const {
  return queues_[q].health == state::QueueHealth::kReady ? queues_.Get(q, figure, r) : 0;
}

state::Amounts Entitlement::Lacks(QueueId q, const state::Amounts& more) const {
  state::Amounts lacks;
  for (ResourceId r : looks_at_) {
    const std::int64_t over =
        queues_.Get(q, Figure::kAllocated, r) + state::AmountOf(more, r) - LineOf(q, figure(), r);
    if (over > 0) lacks.push_back({r, over});
  }
  return lacks;
}

bool Entitlement::IsAbove(QueueId giver, const state::Amounts& gone) const {
  bool above = false;
  bool any_guaranteed = false;
  bool above_guarantee = false;
  for (ResourceId r : looks_at_) {
    const std::int64_t allocated =
        queues_.Get(giver, Figure::kAllocated, r) - state::AmountOf(gone, r);
    above |= allocated > LineOf(giver, figure(), r);
    if (!queues_.GuaranteedInTree(r)) continue;
    any_guaranteed = true;
    above_guarantee |= allocated > LineOf(giver, Figure::kGuaranteed, r);
  }
  return above && (!any_guaranteed || above_guarantee);
}

bool Entitlement::KeepsTier(QueueId giver, Tier tier, const state::Amounts& gone,
                            const state::Amounts& unit) const {
  if (tier == Tier::kAny) return true;
  const Figure line_figure = tier == Tier::kAboveShare ? Figure::kFairShare : Figure::kGuaranteed;
  return std::all_of(looks_at_.begin(), looks_at_.end(), [&](ResourceId r) {
    const std::int64_t before =
        queues_.Get(giver, Figure::kAllocated, r) - state::AmountOf(gone, r);
    const std::int64_t line = LineOf(giver, line_figure, r);
    return before < line || before - state::AmountOf(unit, r) >= line;
  });
}

bool Entitlement::Less(const Saturation& a, const Saturation& b) {
  return LessShare(a.allocated, a.share, b.allocated, b.share);
}

Entitlement::Saturation Entitlement::SaturationOf(QueueId q, const state::Amounts& more,
                                                  const state::Amounts& gone) const {
  Saturation most;
  for (ResourceId r : looks_at_) {
    const Saturation in_r{
        queues_.Get(q, Figure::kAllocated, r) + state::AmountOf(more, r) - state::AmountOf(gone, r),
        queues_.Get(q, Figure::kFairShare, r)};
    if (in_r.allocated > 0 && Less(most, in_r)) most = in_r;
  }
  return most;
}

bool Entitlement::TurnsAbout(QueueId taker, const state::Amounts& more, QueueId giver,
                             const state::Amounts& gone) const {
  return right_ == Right::kShare &&
         Less(SaturationOf(giver, {}, gone), SaturationOf(taker, more, {}));
}

bool Entitlement::GivesFirst(QueueId a, const Saturation& of_a, QueueId b,
                             const Saturation& of_b) const {
  if (Less(of_b, of_a)) return true;
  if (Less(of_a, of_b)) return false;
  return queues_[a].name < queues_[b].name;
}

}  // namespace fairlead::policy
