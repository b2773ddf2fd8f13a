#include "engine/explain/explain_node.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/amount_text.h"
#include "base/check.h"
#include "engine/explain/explain_budget.h"
#include "engine/explain/explain_room.h"
#include "engine/explain/what_if.h"
#include "policy/disruption_budget.h"

namespace fairlead::engine {
namespace {

using objects::VictimSelection;
using state::NodeId;
using state::PodId;
using state::Reason;
using state::ReasonCode;
using state::Trial;
using Standing = Neighbour::Standing;

Time OldEnough(const state::Cluster& cluster, PodId p) {
  const state::Pod& pod = cluster.pods()[p];
  const Time since = pod.reserved == Time::Max() ? pod.created : pod.reserved;
  return since + cluster.configuration().daemon_set_preemption.start_delay;
}

// The pod waits, and so does whoever comes after it on the node.
void ReleaseFrom(const state::Cluster& cluster, PodId p, Trial& trial) {
  const NodeId n = cluster.pods()[p].node;
  const std::vector<PodId> pods = cluster.nodes().pods(n);
  for (PodId other : pods) {
    const bool behind = cluster.pods()[other].claims() && policy::PinnedTo(cluster, other) == n &&
                        !policy::WaitsBefore(cluster, other, p);
    if (behind) trial.Release(other);
  }
}

bool WillFit(const WhatIf& what_if, PodId p, NodeId n) {
  const state::ShapeId s = what_if.cluster().pods()[p].shape;
  return what_if.placer().Fits(s, n, state::When::kLater);
}

std::string LeavingOn(const state::Cluster& cluster, NodeId n) {
  std::set<std::string> leaving;
  AddLeaving(cluster, n, leaving);
  return FirstAndMore(leaving);
}

bool OnlySingle(const state::Cluster& cluster) {
  const auto& selection = cluster.configuration().daemon_set_preemption.victim_selection;
  return std::find(selection.begin(), selection.end(), VictimSelection::kMultiple) ==
         selection.end();
}

std::string BoundsText(const state::Cluster& cluster, const std::string& node) {
  const auto& rules = cluster.configuration().daemon_set_preemption;
  if (OnlySingle(cluster)) {
    return fmt::format(
        "no pod of node {} that makes room alone deviates from it by at most {} %, which is "
        "singleMaxDeviationPercent",
        node, rules.single_max_deviation_percent);
  }
  return fmt::format("more than {} pods of node {} would have to go, which is multipleMaxVictims",
                     rules.multiple_max_victims, node);
}

Reason NoVictimsReason(const state::Cluster& cluster, const DaemonSetAnswer& answer, NodeId n) {
  const std::string& node = cluster.nodes().name(n);
  Reason reason{.code = ReasonCode::kNoVictims, .node = node, .until = answer.lapse};
  if (!answer.proven) reason.proven = false;
  switch (answer.cause) {
    case NoVictims::kNotEnough: {
      reason.message =
          fmt::format("no pods of node {} that may be asked to leave would make room", node);
      if (answer.missing.empty()) break;
      const auto& [resource, amount] = answer.missing.front();
      reason.resource = cluster.resources().name(resource);
      reason.requested = cluster.resources().Format(resource, amount);
      reason.available = cluster.resources().Format(resource, 0);
      reason.message +=
          fmt::format(": {} would still be missing", AmountText(reason.resource, reason.requested));
      break;
    }
    case NoVictims::kBounds:
      reason.message = BoundsText(cluster, node);
      break;
    case NoVictims::kProtected:
      reason.message =
          fmt::format("what could make room on node {} is protected by minimum runtimes", node);
      if (answer.lapse) reason.message += " until " + FormatTime(*answer.lapse);
      break;
    case NoVictims::kBudgets:
      TellBudget(cluster, answer.kept, "on node " + node, reason);
      break;
    case NoVictims::kNeverPreempts:
      reason.message = fmt::format(
          "its preemptionPolicy is Never: it waits until room comes free on node {}", node);
      break;
  }
  return reason;
}

}  // namespace

Reason NodeReason(const Scheduler& scheduler, PodId p, Time now) {
  const state::Cluster& cluster = scheduler.cluster();
  DCHECK(policy::PinnedTo(cluster, p).valid());
  const NodeId n = cluster.pods()[p].node;
  const std::string& node = cluster.nodes().name(n);
  const WhatIf what_if(scheduler);
  Trial trial(what_if.cluster());
  ReleaseFrom(cluster, p, trial);
  if (WillFit(what_if, p, n)) {
    return {.code = ReasonCode::kWaitingForVictims,
            .message = fmt::format("node {} is held for it: it waits for {} to leave", node,
                                   LeavingOn(cluster, n)),
            .node = node};
  }
  const Time from = OldEnough(cluster, p);
  if (now < from) {
    return {.code = ReasonCode::kReservationTooYoung,
            .message = fmt::format("node {} is full and held for it: others are asked to leave "
                                   "from {} on",
                                   node, FormatTime(from)),
            .node = node,
            .until = from};
  }
  const DaemonSetAnswer answer = DaemonSetRoom(what_if.cluster()).Find(p, n, now, trial);
  if (!answer.found) return NoVictimsReason(cluster, answer, n);
  return {
      .code = ReasonCode::kWaitingForVictims,
      .message = fmt::format("node {} is held for it: others are about to be asked to leave", node),
      .node = node};
}

// For each pod ----------------------------------------------------------------------------------

namespace {

struct Words {
  std::string_view verdict, message;
};

Words WordsOf(Standing standing) {
  switch (standing) {
    case Standing::kLeaving:
      return {"Leaving", "it is leaving already"};
    case Standing::kClaimed:
      return {"Promised", "it is not there yet: room is held for it"};
    case Standing::kOtherScheduler:
      return {"OtherScheduler", "it is of another scheduler"};
    case Standing::kDaemonSet:
      return {"DaemonSet", "it is a DaemonSet's pod itself"};
    case Standing::kStatic:
      return {"Static", "it is a static pod, which the kubelet would start again"};
    case Standing::kOutOfService:
      return {"NodeOutOfService", "its node takes nobody: its pods are left alone"};
    case Standing::kMovedEnough:
      return {"MovedEnough", "it was moved in this plan already"};
    case Standing::kHigherPriority:
      return {"HigherPriority", "its priority is higher"};
    case Standing::kProtected:
      return {"Protected", "its minimum runtime is not over"};
    case Standing::kMayLeave:
      break;
  }
  return {"NotNeeded", "others suffice without it"};
}

// One that may be asked, and is not chosen.
Words WordsOfSpared(const state::Cluster& cluster, const Neighbour& neighbour,
                    const DaemonSetAnswer& answer, bool lacks) {
  const PodId p = neighbour.pod.pod;
  const bool single = answer.found ? answer.by == VictimSelection::kSingle : OnlySingle(cluster);
  const auto percent = cluster.configuration().daemon_set_preemption.single_max_deviation_percent;
  if (!lacks) return {"NotNeeded", "what is leaving already suffices"};
  if (neighbour.share.IsZero()) return {"NothingLacking", "it holds nothing of what is lacking"};
  if (!policy::BudgetsAllow(cluster, policy::LeavingPods(&p, 1))) {
    return {"DisruptionBudget", "its disruption budget allows no more disruptions"};
  }
  if (single && neighbour.share < policy::Part{.numerator = 1, .denominator = 1}) {
    return {"TooSmall", "it alone does not make enough room"};
  }
  if (single && !policy::IsWithinPercent(neighbour.deviation, percent)) {
    return {"DeviatesTooMuch", "its request is too far from what the pod asks"};
  }
  if (answer.found) return WordsOf(Standing::kMayLeave);
  return {"NotEnough", "its leaving does not help: too little would be free, or too many would go"};
}

}  // namespace

NodeReport ReportNode(const Scheduler& scheduler, PodId p, Time now) {
  const state::Cluster& cluster = scheduler.cluster();
  const NodeId n = cluster.pods()[p].node;
  const WhatIf what_if(scheduler);
  Trial trial(what_if.cluster());
  ReleaseFrom(cluster, p, trial);
  const std::vector<PodId> pods = cluster.nodes().pods(n);
  for (PodId other : pods) {
    if (cluster.pods()[other].evicted && !cluster.pods()[other].terminating) trial.Unevict(other);
  }
  NodeReport report{.node = cluster.nodes().name(n), .from = OldEnough(cluster, p)};
  if (cluster.pods()[p].reserved != Time::Max()) report.since = cluster.pods()[p].reserved;
  const Time at = std::max(now, report.from);
  DaemonSetRoom room(what_if.cluster());
  const std::vector<Neighbour> neighbours = room.Survey(p, n, at);
  for (const state::Amount& lack : room.lacking()) {
    report.lacking.emplace_back(cluster.resources().name(lack.resource),
                                cluster.resources().Format(lack.resource, lack.amount));
  }
  std::sort(report.lacking.begin(), report.lacking.end());
  const bool lacks = !WillFit(what_if, p, n);
  std::set<PodId> chosen;
  DaemonSetAnswer answer;
  if (lacks) {
    Trial found(what_if.cluster());
    answer = room.Find(p, n, at, found);
    for (const VictimUnit& unit : answer.victims) chosen.insert(unit.pods.front());
  }
  if (answer.found) report.strategy = answer.by == VictimSelection::kSingle ? "single" : "multiple";
  for (const Neighbour& neighbour : neighbours) {
    const bool may = neighbour.standing == Standing::kMayLeave;
    Words words = WordsOf(neighbour.standing);
    if (chosen.contains(neighbour.pod.pod)) {
      words = {"Chosen", now < report.from ? "it would have to leave" : "it makes room"};
    } else if (may) {
      words = WordsOfSpared(cluster, neighbour, answer, lacks);
    }
    NeighbourReport& row = report.pods.emplace_back();
    row.pod = cluster.pods().name(neighbour.pod.pod);
    row.verdict = words.verdict;
    row.message = words.message;
    row.priority = neighbour.priority;
    if (neighbour.standing == Standing::kProtected) row.until = neighbour.until;
    if (!may && neighbour.standing != Standing::kProtected) continue;
    const policy::GivingClass& giving = policy::GivingClasses()[neighbour.giving_class];
    row.giving_class = giving.name;
    if (neighbour.giving_class > 0) row.message += fmt::format(" ({})", giving.people);
  }
  return report;
}

}  // namespace fairlead::engine
