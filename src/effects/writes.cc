#include "effects/writes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/name_map.h"
#include "effects/workload_book.h"
#include "policy/room_action.h"

namespace fairlead::effects {
namespace {

constexpr std::string_view kWaitingForVolumes = "fairlead.dev/WaitingForVolumes";

using engine::DecisionReport;
using engine::DecisionReports;
using engine::DecisionType;

// How many pods of each workload the plan evicts.
using EvictionCounts = NameMap<std::int32_t>;

EvictionCounts CountEvictions(const DecisionReports& decisions) {
  EvictionCounts counts;
  for (const DecisionReport& decision : decisions) {
    if (decision.type == DecisionType::kEvict) ++counts[decision.workload];
  }
  return counts;
}

// Of which somebody is bound only when volumes are.
using WorkloadNames = boost::unordered_flat_set<std::string>;

WorkloadNames WorkloadsWithVolumes(const DecisionReports& decisions) {
  WorkloadNames names;
  for (const DecisionReport& decision : decisions) {
    if (!decision.volumes.empty()) names.insert(decision.workload);
  }
  return names;
}

SetReservation ToReservation(DecisionReport& decision) {
  SetReservation set{.workload = std::move(decision.workload),
                     .is_pod = decision.by_itself,
                     .reservation = std::nullopt};
  if (decision.nodes.empty()) return set;
  set.reservation = {.at = decision.at,
                     .nodes = std::move(decision.nodes),
                     .pods = std::move(decision.pods_on),
                     .since = decision.since.value_or(Time{})};
  return set;
}

SetLoan ToLoan(DecisionReport& decision) {
  SetLoan set{
      .workload = std::move(decision.workload), .is_pod = decision.by_itself, .loan = std::nullopt};
  if (!decision.beneficiary.empty() && decision.at) {
    set.loan = {.holder = std::move(decision.beneficiary), .until = *decision.at};
  }
  return set;
}

Write ToWrite(DecisionReport& decision, bool stops) {
  switch (decision.type) {
    case DecisionType::kBind:
      return BindPod{.pod = std::move(decision.pod),
                     .node = std::move(decision.node),
                     .workload = std::move(decision.workload),
                     .gpu_device = decision.gpu_device,
                     .volumes = std::move(decision.volumes)};
    case DecisionType::kEvict:
      return EvictPod{.pod = std::move(decision.pod),
                      .node = std::move(decision.node),
                      .workload = std::move(decision.workload),
                      .action = std::move(decision.action),
                      .beneficiary = std::move(decision.beneficiary),
                      .reason = std::move(decision.reason),
                      .by_stop = stops,
                      .past_budgets = decision.past_budgets,
                      .max_grace = decision.max_grace,
                      .stops = decision.by_itself ? decision.stops : 0,
                      .at_limit = decision.at_limit};
    case DecisionType::kNominate:
      return NominatePod{.pod = std::move(decision.pod),
                         .node = std::move(decision.node),
                         .workload = std::move(decision.workload),
                         .waiting_for = std::move(decision.waiting_for)};
    case DecisionType::kLand:
      return SetLandings{.workload = std::move(decision.workload),
                         .is_pod = decision.by_itself,
                         .landings = std::move(decision.landings)};
    case DecisionType::kReserve:
      if (decision.pod.empty()) return ToReservation(decision);
      return ReserveNode{.pod = std::move(decision.pod),
                         .node = std::move(decision.node),
                         .since = decision.since.value_or(Time{})};
    case DecisionType::kLend:
      return ToLoan(decision);
    case DecisionType::kAdmit:
      if (!decision.pod_sets.empty()) break;
      return StopWorkload{.workload = std::move(decision.workload),
                          .reason = "its pods did not come in time"};
  }
  return AdmitWorkload{.workload = std::move(decision.workload),
                       .pod_sets = std::move(decision.pod_sets),
                       .reason = std::move(decision.reason)};
}

// "ps: 1, worker: 20"; "15 of 20 (worker: 14 of 19): one more asks for …".
std::string AdmissionText(const AdmitWorkload& admit) {
  std::string sets;
  std::int64_t count = 0, asked = 0;
  for (const engine::PodSetCount& set : admit.pod_sets) {
    if (!sets.empty()) sets += ", ";
    sets += set.name + ": " + std::to_string(set.count);
    if (set.asked > set.count) sets += " of " + std::to_string(set.asked);
    count += set.count;
    asked += std::max(set.asked, set.count);
  }
  if (count == asked) return sets;
  std::string text = std::to_string(count) + " of " + std::to_string(asked) + " (" + sets + ")";
  return admit.reason.empty() ? text : text + ": " + admit.reason;
}

std::string EvictionText(const EvictPod& evict) {
  std::string text = evict.action;
  if (!evict.beneficiary.empty()) text += " for " + evict.beneficiary;
  if (!evict.reason.empty()) text += ": " + evict.reason;
  if (evict.past_budgets) text += " (no disruption budget binds for borrowed room)";
  return text;
}

}  // namespace

std::vector<Write> WritesOf(DecisionReports decisions, const WorkloadBook& book) {
  std::vector<Write> writes;
  writes.reserve(decisions.size());
  ForEachWrite(std::move(decisions), book,
               [&](Write&& write) { writes.push_back(std::move(write)); });
  return writes;
}

void ForEachWrite(DecisionReports decisions, const WorkloadBook& book,
                  const std::function<void(Write&&)>& take) {
  EvictionCounts evictions_left = CountEvictions(decisions);
  const EvictionCounts evictions = evictions_left;
  const WorkloadNames with_volumes = WorkloadsWithVolumes(decisions);
  for (; !decisions.empty(); decisions.pop_front()) {
    DecisionReport& decision = decisions.front();
    // Who moves where stands with him for whom he does.
    if (decision.type == DecisionType::kLand && !decision.pod.empty()) continue;
    if (decision.type != DecisionType::kEvict) {
      const bool waits = !with_volumes.empty() && with_volumes.contains(decision.workload);
      Write write = ToWrite(decision, false);
      if (auto* bind = std::get_if<BindPod>(&write)) bind->waits_for_volumes = waits;
      take(std::move(write));
      continue;
    }
    std::string workload = decision.workload;
    std::string at_limit = decision.at_limit ? decision.reason : std::string();
    const bool moves = decision.action == policy::ToString(policy::RoomAction::kConsolidate);
    const bool stops = !moves && book.StopsAfter(workload, evictions.at(workload));
    const bool last = --evictions_left.at(workload) == 0;
    Write eviction = ToWrite(decision, stops);
    auto& evict = std::get<EvictPod>(eviction);
    if (decision.by_itself && !decision.waits_again) evict.stopped = at_limit;
    const std::string why = EvictionText(evict);
    if (moves && last && !decision.by_itself) {
      take(SetMoved{.workload = workload, .beneficiary = evict.beneficiary, .reason = why});
    }
    take(std::move(eviction));
    if (!moves && last && book.IsGroupLeftEmptyBy(workload, evictions.at(workload))) {
      take(SetGroupCondition{.group = workload,
                             .condition = {.type = std::string(kDisruptionTarget),
                                           .holds = true,
                                           .reason = "PreemptionByScheduler",
                                           .message = why,
                                           .since = {}}});
    }
    if (stops && last) {
      std::string reason =
          at_limit.empty() ? "all of its pods had to give way: " + why : "it " + at_limit;
      take(StopWorkload{.workload = std::move(workload),
                        .reason = std::move(reason),
                        .stops = decision.stops,
                        .at_limit = std::move(at_limit),
                        .waits_again = decision.waits_again});
    }
  }
}

objects::PodSetAssignment AssignmentOf(const engine::PodSetCount& pod_set) {
  objects::PodSetAssignment assignment{.name = pod_set.name, .count = pod_set.count};
  for (const auto& [name, amount] : pod_set.usage) {
    const std::size_t bracket = name.find('[');
    if (bracket == std::string::npos) {
      assignment.usage.emplace_back(name, amount);
    } else {
      assignment.flavors.emplace_back(name.substr(0, bracket),
                                      name.substr(bracket + 1, name.size() - bracket - 2));
    }
  }
  return assignment;
}

std::optional<EventText> EventOf(const Write& write) {
  if (const auto* bind = std::get_if<BindPod>(&write)) {
    return EventText{"Pod",       bind->pod, "Normal",
                     "Scheduled", "Binding", "assigned " + bind->pod + " to " + bind->node};
  }
  if (const auto* evict = std::get_if<EvictPod>(&write)) {
    if (evict->at_limit) {
      return EventText{"Pod",          evict->pod, "Normal",
                       "RunTimeLimit", "Evicting", "stopped: it " + evict->reason};
    }
    return EventText{"Pod",       evict->pod, "Normal",
                     "Preempted", "Evicting", "evicted by " + EvictionText(*evict)};
  }
  if (const auto* set = std::get_if<SetLandings>(&write);
      set != nullptr && !set->landings.empty()) {
    std::vector<std::string> held;
    for (const objects::Landing& each : set->landings) {
      held.push_back(fmt::format("{} on {}", each.pod, each.node));
    }
    return EventText{
        set->is_pod ? "Pod" : "Workload",
        set->workload,
        "Normal",
        "RoomByMoves",
        "Moving",
        fmt::format("room is held for those who move for it: {}", fmt::join(held, ", "))};
  }
  if (const auto* set = std::get_if<SetMoved>(&write)) {
    return EventText{"Workload", set->workload, "Normal", "Moved", "Moving", set->reason};
  }
  if (const auto* reserve = std::get_if<ReserveNode>(&write)) {
    return EventText{"Pod",       reserve->pod,
                     "Normal",    "NodeReserved",
                     "Reserving", "node " + reserve->node + " is held for the pod"};
  }
  if (const auto* set = std::get_if<SetReservation>(&write); set != nullptr && set->reservation) {
    const objects::Reservation& kept = *set->reservation;
    return EventText{set->is_pod ? "Pod" : "Workload",
                     set->workload,
                     "Normal",
                     "RoomReserved",
                     "Reserving",
                     fmt::format("room is kept for it on {}{}", fmt::join(kept.nodes, ", "),
                                 kept.at ? " from " + FormatTime(*kept.at) + " on"
                                         : std::string(", as others leave"))};
  }
  if (const auto* set = std::get_if<SetLoan>(&write); set != nullptr && set->loan) {
    return EventText{set->is_pod ? "Pod" : "Workload",
                     set->workload,
                     "Normal",
                     std::string(objects::kOnLoanCondition),
                     "Lending",
                     fmt::format("it runs in room that is kept for {} from {} on: if it still "
                                 "runs then, it gives way",
                                 set->loan->holder, FormatTime(set->loan->until))};
  }
  if (const auto* admit = std::get_if<AdmitWorkload>(&write)) {
    return EventText{"Workload", admit->workload, "Normal",
                     "Admitted", "Admitting",     "admitted " + AdmissionText(*admit)};
  }
  if (const auto* stop = std::get_if<StopWorkload>(&write)) {
    return EventText{"Workload", stop->workload, "Normal",
                     "Evicted",  "Stopping",     "stopped: " + stop->reason};
  }
  if (const auto* set = std::get_if<SetBroken>(&write); set != nullptr && set->since) {
    return EventText{"Workload",  set->workload, "Warning",
                     set->action, "Checking",    BrokenText(*set)};
  }
  if (const auto* warn = std::get_if<Warn>(&write)) {
    return EventText{warn->kind, warn->object, "Warning", warn->reason, "Checking", warn->note};
  }
  return std::nullopt;
}

std::string BrokenText(const SetBroken& set) {
  const bool near = set.action == policy::ToString(policy::RoomAction::kTopologyBroken);
  return fmt::format("{}: unless that changes, it is stopped and starts anew",
                     near ? "pods that it lost find no room near those that run"
                          : "it runs below its minimum, and the pods that it lacks find no place");
}

std::optional<ConditionText> PodConditionOf(const Write& write) {
  if (const auto* evict = std::get_if<EvictPod>(&write)) {
    return ConditionText{kDisruptionTarget,
                         evict->at_limit ? "RunTimeLimit" : "PreemptionByScheduler",
                         EvictionText(*evict)};
  }
  if (const auto* reserve = std::get_if<ReserveNode>(&write)) {
    return ConditionText{"fairlead.dev/NodeReserved", "WaitingForRoom",
                         "node " + reserve->node + " is held for the pod"};
  }
  if (const auto* set = std::get_if<SetLoan>(&write); set != nullptr && set->is_pod) {
    return ConditionText{
        objects::kPodOnLoanCondition, std::string(set->loan ? kRoomReserved : kLoanIsOver),
        set->loan ? objects::TextOf(*set->loan) : std::string(), set->loan.has_value()};
  }
  if (std::holds_alternative<SetUngated>(write)) {
    return ConditionText{"PodScheduled", std::string(objects::kUngated),
                         "it has no scheduling gates any more, and waits", false};
  }
  if (const auto* bind = std::get_if<BindPod>(&write)) {
    return ConditionText{"PodScheduled", "Bound", "assigned to " + bind->node};
  }
  return std::nullopt;
}

std::optional<ConditionText> DeviceConditionOf(const BindPod& bind) {
  if (bind.gpu_device < 0) return std::nullopt;
  const std::string device = std::to_string(bind.gpu_device);
  return ConditionText{"fairlead.dev/GpuDevice", "Device" + device,
                       "it shares GPU " + device + " of node " + bind.node};
}

ConditionText WaitsForVolumes(const BindPod& bind) {
  std::string message = fmt::format("node {} is held for the pod until ", bind.node);
  if (bind.volumes.empty()) {
    message += fmt::format("the volumes of workload {} are bound", bind.workload);
  } else {
    std::vector<std::string_view> claims;
    for (const engine::VolumeToBind& each : bind.volumes) claims.push_back(each.claim);
    message +=
        fmt::format("{} {} bound", fmt::join(claims, ", "), claims.size() == 1 ? "is" : "are");
  }
  return {kWaitingForVolumes, "VolumesNotBound", std::move(message)};
}

ConditionText WaitsNoMore(std::string_view node, std::string_view trouble) {
  if (trouble.empty()) {
    return {kWaitingForVolumes, "VolumesBound",
            fmt::format("the volumes for node {} are bound", node), false};
  }
  return {kWaitingForVolumes, "VolumesNotHad",
          fmt::format("node {} is not held: {}", node, trouble), false};
}

}  // namespace fairlead::effects
