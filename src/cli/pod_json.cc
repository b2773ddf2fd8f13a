#include "cli/pod_json.h"

#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/quantity.h"
#include "base/time.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

std::string_view NameOf(objects::Operator op) {
  switch (op) {
    case objects::Operator::kIn:
      return "In";
    case objects::Operator::kNotIn:
      return "NotIn";
    case objects::Operator::kExists:
      return "Exists";
    case objects::Operator::kDoesNotExist:
      return "DoesNotExist";
    case objects::Operator::kGt:
      return "Gt";
    case objects::Operator::kLt:
      return "Lt";
  }
  return "";
}

std::string_view NameOf(objects::TaintEffect effect) {
  switch (effect) {
    case objects::TaintEffect::kNoSchedule:
      return "NoSchedule";
    case objects::TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case objects::TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

json::array ToJson(const std::vector<objects::Requirement>& requirements) {
  json::array array;
  for (const objects::Requirement& requirement : requirements) {
    json::object object{{"key", requirement.key}, {"operator", NameOf(requirement.op)}};
    if (!requirement.values.empty()) {
      object["values"] = json::array(requirement.values.begin(), requirement.values.end());
    }
    array.push_back(std::move(object));
  }
  return array;
}

json::object AffinityToJson(const std::vector<objects::NodeSelectorTerm>& terms) {
  json::array array;
  for (const objects::NodeSelectorTerm& term : terms) {
    json::object object;
    if (!term.labels.empty()) object["matchExpressions"] = ToJson(term.labels);
    if (!term.fields.empty()) object["matchFields"] = ToJson(term.fields);
    array.push_back(std::move(object));
  }
  json::object required{{"nodeSelectorTerms", std::move(array)}};
  json::object node{{"requiredDuringSchedulingIgnoredDuringExecution", std::move(required)}};
  return {{"nodeAffinity", std::move(node)}};
}

json::array TolerationsToJson(const std::vector<objects::Toleration>& tolerations) {
  json::array array;
  for (const objects::Toleration& toleration : tolerations) {
    json::object object;
    if (!toleration.key.empty()) object["key"] = toleration.key;
    object["operator"] = toleration.exists ? "Exists" : "Equal";
    if (!toleration.exists) object["value"] = toleration.value;
    if (toleration.effect) object["effect"] = NameOf(*toleration.effect);
    array.push_back(std::move(object));
  }
  return array;
}

json::object ContainerToJson(const objects::PodNeeds& needs) {
  json::object requests;
  for (const auto& [resource, amount] : needs.request) {
    requests[resource] = FormatResource(resource, amount);
  }
  if (needs.gpu_milli > 0) requests["fairlead.dev/gpu-milli"] = std::to_string(needs.gpu_milli);
  json::object container{{"name", "main"},
                         {"resources", json::object{{"requests", std::move(requests)}}}};
  json::array ports;
  for (const objects::HostPort& port : needs.host_ports) {
    json::object object{
        {"containerPort", port.port}, {"hostPort", port.port}, {"protocol", port.protocol}};
    if (!port.ip.empty()) object["hostIP"] = port.ip;
    ports.push_back(std::move(object));
  }
  if (!ports.empty()) container["ports"] = std::move(ports);
  return container;
}

json::object Condition(std::string_view type, Time since) {
  return {{"type", type}, {"status", "True"}, {"lastTransitionTime", FormatTime(since)}};
}

}  // namespace

json::object PodSpecToJson(const objects::PodSpec& spec) {
  const objects::PodNeeds& needs = spec.needs;
  json::object object{{"schedulerName", spec.scheduler_name}};
  if (!spec.priority_class_name.empty()) object["priorityClassName"] = spec.priority_class_name;
  if (spec.priority) object["priority"] = *spec.priority;
  if (spec.never_preempts) object["preemptionPolicy"] = "Never";
  if (spec.grace_seconds) object["terminationGracePeriodSeconds"] = *spec.grace_seconds;
  if (spec.gated) object["schedulingGates"] = json::array{json::object{{"name", "gated"}}};
  if (!needs.node_selector.empty()) {
    json::object selector;
    for (const auto& [key, value] : needs.node_selector) selector[key] = value;
    object["nodeSelector"] = std::move(selector);
  }
  if (needs.has_required_terms) object["affinity"] = AffinityToJson(needs.required_terms);
  if (!needs.tolerations.empty()) object["tolerations"] = TolerationsToJson(needs.tolerations);
  object["containers"] = json::array{ContainerToJson(needs)};
  return object;
}

json::object PodStatusToJson(const objects::Pod& pod) {
  json::object status{{"phase", objects::ToString(pod.phase)}};
  if (!pod.nominated_node.empty()) status["nominatedNodeName"] = pod.nominated_node;
  if (pod.start_time) status["startTime"] = FormatTime(*pod.start_time);
  json::array conditions;
  if (pod.scheduled_time) conditions.push_back(Condition("PodScheduled", *pod.scheduled_time));
  if (pod.ready && pod.start_time) conditions.push_back(Condition("Ready", *pod.start_time));
  if (pod.node_reserved_time) {
    conditions.push_back(Condition("fairlead.dev/NodeReserved", *pod.node_reserved_time));
  }
  if (!conditions.empty()) status["conditions"] = std::move(conditions);
  if (pod.finish_time) {
    const json::object terminated{{"finishedAt", FormatTime(*pod.finish_time)}};
    const json::object state{{"terminated", terminated}};
    status["containerStatuses"] = json::array{json::object{{"name", "main"}, {"state", state}}};
  }
  return status;
}

}  // namespace fairlead::cli
