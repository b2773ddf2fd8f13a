#include "engine/explain/explain_room.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "engine/explain/explain_budget.h"
#include "engine/room/booking.h"
#include "engine/round/reserved_starts.h"
#include "policy/disruption_budget.h"
#include "policy/max_loss.h"
#include "policy/min_runtime.h"
#include "policy/windows.h"
#include "state/kept_back.h"

namespace fairlead::engine {

using state::Figure;
using state::QueueId;
using state::Reason;
using state::ReasonCode;

std::string FirstAndMore(const std::set<std::string>& names) {
  if (names.empty()) return "others";
  if (names.size() == 1) return *names.begin();
  return fmt::format("{} and {} more", *names.begin(), names.size() - 1);
}

void AddLeaving(const state::Cluster& cluster, state::NodeId n, std::set<std::string>& names) {
  for (state::PodId p : cluster.nodes().pods(n)) {
    if (cluster.pods()[p].leaves()) names.emplace(cluster.pods().name(p));
  }
}

RoomReasons::RoomReasons(const Scheduler& scheduler, Time now)
    : cluster_(scheduler.cluster()),
      now_(now),
      what_if_(scheduler),
      room_(what_if_.cluster(), what_if_.placer(), &what_if_.contenders()),
      moves_(what_if_.cluster(), what_if_.placer()) {}

RoomAnswer RoomReasons::Try(const RoomStep& step, const RoomLeniency& leniency, Time now) {
  room_.Start(now, leniency);
  state::Trial trial(what_if_.cluster());
  return room_.Find(step, trial);
}

std::vector<Reason> RoomReasons::Of(const RoomStep& step) {
  using Verdict = RoomAnswer::Verdict;
  const RoomAnswer as_it_is = Try(step, {}, now_);
  if (as_it_is.verdict == Verdict::kComing) return {Coming(step)};
  if (as_it_is.verdict == Verdict::kFound) return {};
  std::vector<Reason> reasons = Obstacles(step, as_it_is);
  if (auto moves = Moves(step)) reasons.push_back(*std::move(moves));
  return reasons;
}

// Why others do not leave for it.
std::vector<Reason> RoomReasons::Obstacles(const RoomStep& step, const RoomAnswer& as_it_is) {
  using Verdict = RoomAnswer::Verdict;
  std::vector<Reason> reasons;
  if (cluster_.workloads()[step.workload].never_preempts) return {};
  const RoomLeniency all{.rules = {.protection = true, .budgets = true, .loss = true},
                         .entitlement = true,
                         .contenders = true};
  if (Try(step, all, now_).verdict != Verdict::kFound) return {};
  // What alone stands in the way; else what has to be put aside among other things.
  auto found = [&](const RoomLeniency& leniency, std::vector<VictimUnit>& victims) {
    RoomAnswer answer = Try(step, leniency, now_);
    victims = std::move(answer.victims);
    return answer.verdict == Verdict::kFound;
  };
  std::vector<VictimUnit> victims;
  if (found({.contenders = true}, victims)) return {Contended(step)};
  if (found({.rules = {}, .entitlement = true}, victims)) {
    reasons.push_back(Entitlement(step));
  }
  if (found({.rules = {.protection = true}}, victims)) {
    reasons.push_back(Protection(step, victims, as_it_is.lapse));
  }
  if (found({.rules = {.budgets = true}}, victims)) reasons.push_back(Budgets(step, victims));
  if (found({.rules = {.loss = true}}, victims)) {
    reasons.push_back(TooGreatLoss(step, victims, as_it_is.lapse));
  }
  if (reasons.empty()) {
    if (!found({.rules = all.rules, .contenders = true}, victims))
      reasons.push_back(Entitlement(step));
    if (!found({.rules = {.budgets = true, .loss = true}, .entitlement = true}, victims)) {
      found(all, victims);
      reasons.push_back(Protection(step, victims, as_it_is.lapse));
    }
    if (!found({.rules = {.protection = true, .loss = true}, .entitlement = true}, victims)) {
      found(all, victims);
      reasons.push_back(Budgets(step, victims));
    }
    if (!found({.rules = {.protection = true, .budgets = true}, .entitlement = true}, victims)) {
      found(all, victims);
      reasons.push_back(TooGreatLoss(step, victims, as_it_is.lapse));
    }
  }
  if (!as_it_is.proven) {
    for (Reason& reason : reasons) reason.proven = false;
  }
  return reasons;
}

// Who would have to go elsewhere. Room that is kept for others, or closed to it, is left alone.
std::optional<Reason> RoomReasons::Moves(const RoomStep& step) {
  const Bookings others = what_if_.KeptForOthers(step.workload);
  state::KeptBack kept(what_if_.cluster()), closed(what_if_.cluster());
  KeepFor(cluster_, others, std::vector<bool>(others.size(), true), kept);
  const policy::Windows& windows = what_if_.windows();
  windows.Close(windows.ClosedTo(policy::Windows::StartOf(cluster_, step.workload, now_)), closed);
  const auto stays = [this](state::WorkloadId w) { return StaysUntil(cluster_, w, now_); };
  state::Trial trial(what_if_.cluster());
  const MoveAnswer answer = moves_.Find(step, now_, stays, trial);
  if (!answer.found || answer.movers.empty()) return std::nullopt;
  const policy::Work lost = CostOf(answer.movers).work_lost;
  const Landing& first = answer.landings.front();
  Reason reason{.code = ReasonCode::kRoomByMoves,
                .queue = cluster_.queues()[step.queue].name,
                .node = cluster_.nodes().name(first.node)};
  const std::string where =
      answer.landings.size() == 1
          ? fmt::format("from {} to {}", cluster_.nodes().name(cluster_.pods()[first.mover].node),
                        reason.node)
          : fmt::format("elsewhere, {} pods in all", answer.landings.size());
  reason.message = fmt::format("it would have room if {} moved {}, which would lose {}",
                               FirstAndMore(NamesOf(answer.movers)), where,
                               policy::LossText(cluster_, lost, step.request));
  if (!answer.least_proven) reason.proven = false;
  return reason;
}

std::set<std::string> RoomReasons::NamesOf(std::span<const VictimUnit> units) const {
  std::set<std::string> names;
  for (const VictimUnit& unit : units) names.emplace(cluster_.NameOf(unit.candidate.workload));
  return names;
}

Reason RoomReasons::Coming(const RoomStep& step) const {
  std::set<std::string> leaving;
  for (std::uint32_t i = 0; i < cluster_.pods().size(); ++i) {
    const state::PodId p(i);
    const state::Pod& pod = cluster_.pods()[p];
    if (!pod.in_use || !pod.placed() || !pod.leaves()) continue;
    const bool serves = std::any_of(step.parts.begin(), step.parts.end(), [&](const auto& part) {
      return what_if_.placer().classes().Fits(part.shape, pod.node);
    });
    if (serves) leaving.emplace(cluster_.pods().name(p));
  }
  return {.code = ReasonCode::kWaitingForVictims,
          .message = fmt::format("there is room for it once {} have left", FirstAndMore(leaving))};
}

Reason RoomReasons::Contended(const RoomStep& step) const {
  Reason reason{.code = ReasonCode::kNotEntitled, .queue = cluster_.queues()[step.queue].name};
  reason.message = fmt::format(
      "in the place of lower priorities it would bring queue \"{}\" beyond what it is entitled to, "
      "and others who wait would take the room back",
      reason.queue);
  return reason;
}

// The first queue on its way up that would go beyond its fair share, and by what.
Reason RoomReasons::Entitlement(const RoomStep& step) const {
  const state::QueueTree& queues = cluster_.queues();
  const state::Asks& may_ask = queues[step.queue].asks;
  if (const auto most = std::max(may_ask.by_guarantee, may_ask.by_share);
      most != state::Donors::kAnybody) {
    const bool nobody = most == state::Donors::kNobody;
    Reason reason{.code = ReasonCode::kNotEntitled, .queue = queues[step.queue].name};
    reason.message = fmt::format("queue \"{}\" takes {} from other queues", reason.queue,
                                 nobody ? "no room" : "room of lower priorities only");
    return reason;
  }
  const bool by_share = may_ask.by_share != state::Donors::kNobody;
  const policy::Entitlement right(
      queues, by_share ? policy::Right::kShare : policy::Right::kGuarantee, step.request);
  for (QueueId q = step.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    const state::Amounts lacks = right.Lacks(q, step.request);
    if (lacks.empty()) continue;
    const state::ResourceId r = lacks.front().resource;
    const state::ResourceTable& resources = cluster_.resources();
    const std::int64_t asks = state::AmountOf(step.request, r);
    const std::int64_t left = std::max<std::int64_t>(0, asks - lacks.front().amount);
    const std::int64_t line = by_share ? policy::ShareOf(queues, q, r, policy::Side::kTaker)
                                       : queues.Get(q, Figure::kGuaranteed, r);
    Reason reason{.code = ReasonCode::kNotEntitled,
                  .queue = queues[q].name,
                  .resource = resources.name(r),
                  .requested = resources.Format(r, asks),
                  .available = resources.Format(r, left)};
    reason.message = fmt::format(
        "queue \"{}\" may take room from others up to its {} of {}: {} left of it, {} asked",
        reason.queue, by_share ? "fair share" : "guarantee",
        AmountText(reason.resource, resources.Format(r, line)),
        BareAmountText(reason.resource, reason.available),
        BareAmountText(reason.resource, reason.requested));
    return reason;
  }
  bool any_above = false;
  for (QueueId q = step.queue; q != state::QueueTree::Root(); q = queues[q].parent) {
    for (QueueId beside : queues[queues[q].parent].children) {
      any_above |= beside != q && right.IsAbove(beside, {});
    }
  }
  Reason reason{.code = ReasonCode::kNotEntitled, .queue = queues[step.queue].name};
  reason.message =
      any_above ? fmt::format(
                      "what others use beyond their share does not suffice, or queue \"{}\" would "
                      "be further over its share than they are once it had taken it",
                      reason.queue)
                : "the queues that could make room do not use more than they are entitled to";
  return reason;
}

Reason RoomReasons::Protection(const RoomStep& step, const std::vector<VictimUnit>& anyway,
                               std::optional<Time> first_lapse) {
  Reason reason{.code = ReasonCode::kVictimsProtected};
  if (first_lapse) reason.until = room_.ServedFrom(step, *first_lapse);
  // Of the victims that would go then, the one that is protected longest.
  std::vector<VictimUnit> then;
  if (reason.until) then = Try(step, {}, *reason.until).victims;
  const std::vector<VictimUnit>& victims = then.empty() ? anyway : then;
  const VictimUnit* longest = nullptr;
  std::optional<Time> latest;
  for (const VictimUnit& unit : victims) {
    const auto until = policy::ProtectedUntil(cluster_, unit.candidate.workload,
                                              unit.candidate.action, step.queue, now_);
    if (!until || (latest && *until <= *latest)) continue;
    latest = until;
    longest = &unit;
  }
  if (longest == nullptr) {
    reason.message = "what could make room for it is protected by a minimum runtime";
    return reason;
  }
  const state::WorkloadId w = longest->candidate.workload;
  const policy::MinRuntime runtime =
      policy::ProtectionOf(cluster_, w, longest->candidate.action, step.queue);
  if (runtime.from.valid()) reason.queue = cluster_.queues()[runtime.from].name;
  if (!reason.until) reason.until = latest;
  reason.message =
      fmt::format("{} could make room for it, and is protected until {} by {}", cluster_.NameOf(w),
                  FormatTime(*latest), policy::ToText(cluster_, runtime));
  if (victims.size() > 1) reason.message += fmt::format("; {} would go in all", victims.size());
  return reason;
}

// Of those who would go, the one who loses most is named.
Reason RoomReasons::TooGreatLoss(const RoomStep& step, const std::vector<VictimUnit>& victims,
                                 std::optional<Time> first_lapse) {
  Reason reason{.code = ReasonCode::kLossTooGreat, .queue = cluster_.queues()[step.queue].name};
  if (first_lapse) reason.until = room_.ServedFrom(step, *first_lapse);
  policy::Work lost = 0;
  const VictimUnit* most = nullptr;
  for (const VictimUnit& unit : victims) {
    if (unit.candidate.action != policy::RoomAction::kReclaim) continue;
    lost += unit.cost.work_lost;
    if (most == nullptr || unit.cost.work_lost > most->cost.work_lost) most = &unit;
  }
  if (most == nullptr) {
    reason.message = "others would lose more work than may be lost for it";
    return reason;
  }
  const Time start = cluster_.workloads()[most->candidate.workload].start;
  std::string from(cluster_.NameOf(most->candidate.workload));
  if (start < now_) {
    constexpr std::int64_t kMinute = 60;
    const std::int64_t age = (now_ - start).WholeSeconds() / kMinute * kMinute;
    from += fmt::format(" ({})", policy::ToText(Duration::Seconds(age)));
  }
  if (victims.size() > 1) from += fmt::format(" and {} more", victims.size() - 1);
  const policy::Right right =
      policy::IsEntitled(cluster_.queues(), policy::Right::kGuarantee, step.queue, step.request)
          ? policy::Right::kGuarantee
          : policy::Right::kShare;
  const auto ceiling = policy::LossCeiling::Of(cluster_, step.queue, right, step.request,
                                               WaitsSince(cluster_, step), now_);
  reason.message =
      fmt::format("room could be had from {}, who would lose {}; others may lose {} for it now",
                  from, policy::LossText(cluster_, lost, step.request),
                  policy::LossText(cluster_, std::min(ceiling.most(), lost), step.request));
  return reason;
}

Reason RoomReasons::Budgets(const RoomStep& step, const std::vector<VictimUnit>& victims) const {
  Reason reason{.code = ReasonCode::kDisruptionBudget};
  TellBudget(cluster_, victims, "for it", reason);
  return reason.budget.empty() ? reason : StandsOnGuarantee(step, std::move(reason));
}

// Its owner makes a guarantee of somebody else's a matter of his own will: that is said.
Reason RoomReasons::StandsOnGuarantee(const RoomStep& step, Reason reason) const {
  const state::QueueTree& queues = cluster_.queues();
  if (!policy::IsEntitled(queues, policy::Right::kGuarantee, step.queue, step.request)) {
    return reason;
  }
  reason.queue = queues[step.queue].name;
  reason.message += fmt::format(", although queue \"{}\" is guaranteed it", reason.queue);
  return reason;
}

}  // namespace fairlead::engine
