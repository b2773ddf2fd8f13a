#include "engine/explain/report_json.h"

#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "base/digest.h"

namespace fairlead::engine {
namespace {

namespace json = boost::json;

void AddText(json::object& into, std::string_view key, std::string_view text) {
  if (!text.empty()) into[key] = text;
}

json::object QuantitiesToJson(const Quantities& quantities) {
  json::object object;
  for (const auto& [resource, amount] : quantities) object[resource] = amount;
  return object;
}

template <typename Rows>
json::array RowsToJson(const Rows& rows) {
  json::array array;
  array.reserve(rows.size());
  for (const auto& row : rows) array.push_back(ToJson(row));
  return array;
}

}  // namespace

json::value ToJson(const state::Reason& reason) {
  json::object object;
  object["code"] = state::ToString(reason.code);
  object["message"] = reason.message;
  AddText(object, "queue", reason.queue);
  AddText(object, "resource", reason.resource);
  AddText(object, "requested", reason.requested);
  AddText(object, "available", reason.available);
  AddText(object, "field", reason.field);
  AddText(object, "node", reason.node);
  AddText(object, "budget", reason.budget);
  AddText(object, "for", reason.holder);
  AddText(object, "window", reason.window);
  AddText(object, "user", reason.user);
  AddText(object, "group", reason.group);
  AddText(object, "limit", reason.limit);
  if (!reason.filled_by.empty()) {
    object["filledBy"] = json::array(reason.filled_by.begin(), reason.filled_by.end());
  }
  if (reason.until) object["until"] = FormatTime(*reason.until);
  if (reason.proven) object["proven"] = *reason.proven;
  return object;
}

json::value ToJson(const std::vector<PodSetCount>& pod_sets) {
  json::array array;
  for (const PodSetCount& pod_set : pod_sets) {
    json::object object{{"name", pod_set.name}, {"count", pod_set.count}};
    if (pod_set.asked > pod_set.count) object["asked"] = pod_set.asked;
    array.push_back(std::move(object));
  }
  return array;
}

json::value ToJson(const DecisionReport& decision) {
  json::object object;
  object["type"] = ToString(decision.type);
  AddText(object, "pod", decision.pod);
  AddText(object, "node", decision.node);
  AddText(object, "workload", decision.workload);
  if (decision.gpu_device >= 0) object["gpuDevice"] = decision.gpu_device;
  if (!decision.volumes.empty()) {
    json::array volumes;
    for (const VolumeToBind& each : decision.volumes) {
      json::object volume{{"claim", each.claim}};
      if (!each.volume.empty()) volume["volume"] = each.volume;
      volumes.push_back(std::move(volume));
    }
    object["volumes"] = std::move(volumes);
  }
  AddText(object, "action", decision.action);
  AddText(object, "for", decision.beneficiary);
  AddText(object, "reason", decision.reason);
  if (!decision.least_proven) {
    object["leastProven"] = false;
    if (decision.fewest_proven) object["fewestProven"] = true;
  }
  if (decision.past_budgets) object["pastBudgets"] = true;
  if (decision.was_on_loan) object["wasOnLoan"] = true;
  if (!decision.waiting_for.empty()) {
    object["waitingFor"] = json::array(decision.waiting_for.begin(), decision.waiting_for.end());
  }
  if (decision.at) {
    object[decision.type == DecisionType::kLend ? "until" : "at"] = FormatTime(*decision.at);
  }
  if (decision.type == DecisionType::kReserve && decision.pod.empty()) {
    object["nodes"] = json::array(decision.nodes.begin(), decision.nodes.end());
  }
  if (decision.type == DecisionType::kLand && decision.pod.empty()) {
    json::array landings;
    for (const objects::Landing& each : decision.landings) {
      json::object landing{{"owner", each.owner}};
      AddText(landing, "podSet", each.pod_set);
      landing["pod"] = each.pod;
      landing["node"] = each.node;
      landing["until"] = FormatTime(each.until);
      landings.push_back(std::move(landing));
    }
    object["landings"] = std::move(landings);
  }
  if (decision.since) object["since"] = FormatTime(*decision.since);
  if (decision.type == DecisionType::kAdmit) object["podSets"] = ToJson(decision.pod_sets);
  return object;
}

json::value ToJson(const objects::Reservation& reservation) {
  json::object object;
  if (reservation.at) object["at"] = FormatTime(*reservation.at);
  object["nodes"] = json::array(reservation.nodes.begin(), reservation.nodes.end());
  object["since"] = FormatTime(reservation.since);
  return object;
}

json::value ToJson(const PendingReport& pending) {
  json::object object;
  object["workload"] = pending.workload;
  AddText(object, "queue", pending.queue);
  object["reasons"] = RowsToJson(pending.reasons);
  if (pending.reservation) object["reservation"] = ToJson(*pending.reservation);
  return object;
}

json::value ToJson(const QueueReport& queue) {
  json::object object;
  object["name"] = queue.name;
  AddText(object, "parent", queue.parent);
  object["guaranteed"] = QuantitiesToJson(queue.guaranteed);
  object["limit"] = QuantitiesToJson(queue.limit);
  object["requested"] = QuantitiesToJson(queue.requested);
  object["allocated"] = QuantitiesToJson(queue.allocated);
  object["fairShare"] = QuantitiesToJson(queue.fair_share);
  object["pendingWorkloads"] = queue.pending_workloads;
  object["runningWorkloads"] = queue.running_workloads;
  if (queue.usage_at) {
    object["usage"] = json::object{{"at", FormatTime(*queue.usage_at)},
                                   {"resources", QuantitiesToJson(queue.usage)}};
  }
  if (queue.median_duration) object["medianDuration"] = FormatDuration(*queue.median_duration);
  AddText(object, "notReady", queue.not_ready);
  AddText(object, "derivedFrom", queue.derived_from);
  return object;
}

json::value ToJson(const UserReport& user) {
  json::object object{{"kind", user.is_group ? "Group" : "User"}, {"name", user.name}};
  object["queue"] = user.queue;
  object["max"] = QuantitiesToJson(user.max);
  object["allocated"] = QuantitiesToJson(user.allocated);
  if (user.max_running) object["maxRunning"] = *user.max_running;
  if (user.max_waiting) object["maxWaiting"] = *user.max_waiting;
  object["running"] = user.running;
  object["waiting"] = user.waiting;
  object["beyond"] = user.beyond;
  return object;
}

json::value SharesToJson(Time now, const std::vector<QueueReport>& queues) {
  json::array rows;
  for (const QueueReport& queue : queues) {
    json::value row = ToJson(queue);
    row.get_object()["borrowed"] = QuantitiesToJson(queue.borrowed);
    row.get_object()["lent"] = QuantitiesToJson(queue.lent);
    json::object weights;
    for (const QueueReport::Weight& of : queue.weights) {
      weights[of.resource] = json::object{
          {"ofWeights", of.of_weights}, {"ofUsage", of.of_usage}, {"weight", of.weight}};
    }
    if (!weights.empty()) row.get_object()["weights"] = std::move(weights);
    rows.push_back(std::move(row));
  }
  return json::object{{"apiVersion", "fairlead.dev/v1alpha1"},
                      {"kind", "QueueShares"},
                      {"now", FormatTime(now)},
                      {"queues", std::move(rows)}};
}

json::value ToJson(const std::vector<QueueReport>& queues) { return RowsToJson(queues); }

json::value ToJson(const PlanReport& report) {
  json::object object;
  object["apiVersion"] = "fairlead.dev/v1alpha1";
  object["kind"] = "Plan";
  object["now"] = FormatTime(report.now);
  if (report.next_round) object["nextRound"] = FormatTime(*report.next_round);
  object["digest"] = report.digest;
  object["decisions"] = RowsToJson(report.decisions);
  object["pending"] = RowsToJson(report.pending);
  object["queues"] = RowsToJson(report.queues);
  return object;
}

std::string DigestOf(const PlanReport& report) {
  json::object object;
  object["decisions"] = RowsToJson(report.decisions);
  object["pending"] = RowsToJson(report.pending);
  object["queues"] = RowsToJson(report.queues);
  Digest digest;
  digest.Add(json::serialize(object));
  return digest.Hex();
}

std::string DigestOf(const DecisionReports& decisions) {
  Digest digest;
  for (const DecisionReport& decision : decisions) digest.Add(json::serialize(ToJson(decision)));
  return digest.Hex();
}

}  // namespace fairlead::engine
