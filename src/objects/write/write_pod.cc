#include <string>

#include <fmt/format.h>

#include "base/quantity.h"
#include "objects/keys.h"
#include "objects/write/write_parts.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

json::object ContainerToJson(const PodNeeds& needs) {
  json::object requests = ResourcesToJson(needs.request);
  if (needs.gpu_milli > 0) requests[kGpuMilliResource] = std::to_string(needs.gpu_milli);
  json::object container;
  container["name"] = "main";
  if (!requests.empty()) container["resources"] = json::object{{"requests", std::move(requests)}};
  json::array ports;
  for (const HostPort& port : needs.host_ports) {
    json::object object;
    object["containerPort"] = port.port;
    object["hostPort"] = port.port;
    object["protocol"] = port.protocol;
    if (!port.ip.empty()) object["hostIP"] = port.ip;
    ports.push_back(std::move(object));
  }
  if (!ports.empty()) container["ports"] = std::move(ports);
  return container;
}

// The value at a path such as "spec.affinity.podAffinity", made where it is not there.
json::value& ValueAt(json::object& spec, std::string_view path) {
  path.remove_prefix(std::string_view("spec.").size());
  json::object* at = &spec;
  for (std::size_t point = path.find('.'); point != std::string_view::npos;
       point = path.find('.')) {
    json::value& next = (*at)[path.substr(0, point)];
    if (!next.is_object()) next = json::object();
    at = &next.get_object();
    path.remove_prefix(point + 1);
  }
  return (*at)[path];
}

// The least that demands what `path` names (RareNeeds::unsupported_field).
void WriteUnsupported(std::string_view path, json::object& spec) {
  constexpr std::string_view kVolumes = "spec.volumes.";
  if (path.empty()) return;
  if (path.starts_with(kVolumes)) {
    const json::object volume{{path.substr(kVolumes.size()), json::object()}};  // without a name
    json::value& volumes = spec["volumes"];
    if (!volumes.is_array()) volumes = json::array();
    volumes.get_array().push_back(volume);
  } else {
    ValueAt(spec, path) = json::array{json::object{{"name", "main"}}};
  }
}

json::array VolumesToJson(const RarePodSpec& spec) {
  json::array volumes;
  for (const std::string& claim : spec.volume_claims) {
    volumes.push_back(json::object{{"name", claim},
                                   {"persistentVolumeClaim", json::object{{"claimName", claim}}}});
  }
  for (const EphemeralVolume& volume : spec.ephemeral_volumes) {
    volumes.push_back(json::object{
        {"name", volume.name},
        {"ephemeral", {{"volumeClaimTemplate", {{"spec", VolumeAskToJson(volume.ask)}}}}}});
  }
  return volumes;
}

json::object TermToJson(const PodTerm& term) {
  json::object object{{"topologyKey", term.topology_key}};
  if (!term.selects_nothing) object["labelSelector"] = SelectorToJson(term.selector);
  if (!term.name_spaces.empty()) {
    object["namespaces"] = json::array(term.name_spaces.begin(), term.name_spaces.end());
  }
  if (term.name_space_selector) {
    object["namespaceSelector"] = SelectorToJson(*term.name_space_selector);
  }
  return object;
}

void WriteTerms(const std::vector<PodTerm>& terms, std::string_view of, json::object& spec) {
  if (terms.empty()) return;
  json::array array;
  for (const PodTerm& term : terms) array.push_back(TermToJson(term));
  ValueAt(spec, fmt::format("spec.affinity.{}.{}", of, kRequiredTerms)) = std::move(array);
}

void WritePreferred(const std::vector<Preferences::OfPods>& preferred, std::string_view of,
                    json::object& spec) {
  if (preferred.empty()) return;
  json::array array;
  for (const Preferences::OfPods& each : preferred) {
    array.push_back(
        json::object{{"weight", each.weight}, {"podAffinityTerm", TermToJson(each.term)}});
  }
  ValueAt(spec, fmt::format("spec.affinity.{}.{}", of, kPreferredTerms)) = std::move(array);
}

void WritePreferred(const std::vector<Preferences::OfNodes>& preferred, json::object& spec) {
  if (preferred.empty()) return;
  json::array array;
  for (const Preferences::OfNodes& each : preferred) {
    array.push_back(
        json::object{{"weight", each.weight}, {"preference", NodeTermToJson(each.term)}});
  }
  ValueAt(spec, fmt::format("spec.affinity.nodeAffinity.{}", kPreferredTerms)) = std::move(array);
}

json::object ConstraintToJson(const SpreadConstraint& constraint, std::string_view when) {
  json::object object{{"topologyKey", constraint.topology_key},
                      {"maxSkew", constraint.max_skew},
                      {"whenUnsatisfiable", when}};
  if (!constraint.selector.requirements.empty()) {
    object["labelSelector"] = SelectorToJson(constraint.selector);
  }
  if (constraint.min_domains != 1) object["minDomains"] = constraint.min_domains;
  if (!constraint.honors_affinity) object["nodeAffinityPolicy"] = "Ignore";
  if (constraint.honors_taints) object["nodeTaintsPolicy"] = "Honor";
  return object;
}

void WriteDemandsOfOthers(const RareNeeds& rare, json::object& spec) {
  WriteTerms(rare.affinity, "podAffinity", spec);
  WriteTerms(rare.anti_affinity, "podAntiAffinity", spec);
  WritePreferred(rare.preferences.affinity, "podAffinity", spec);
  WritePreferred(rare.preferences.anti_affinity, "podAntiAffinity", spec);
  json::array constraints;
  for (const SpreadConstraint& each : rare.spread) {
    constraints.push_back(ConstraintToJson(each, "DoNotSchedule"));
  }
  for (const SpreadConstraint& each : rare.preferences.spread) {
    constraints.push_back(ConstraintToJson(each, "ScheduleAnyway"));
  }
  if (!constraints.empty()) spec["topologySpreadConstraints"] = std::move(constraints);
}

void WriteNeeds(const PodNeeds& needs, json::object& spec) {
  if (!needs.node_selector.empty()) spec["nodeSelector"] = LabelsToJson(needs.node_selector);
  if (needs.has_required_terms) {
    ValueAt(spec, fmt::format("spec.affinity.nodeAffinity.{}", kRequiredTerms)) =
        NodeSelectorToJson(needs.required_terms);
  }
  if (!needs.tolerations.empty()) spec["tolerations"] = TolerationsToJson(needs.tolerations);
  spec["containers"] = json::array{ContainerToJson(needs)};
  WriteUnsupported(needs.rare->unsupported_field, spec);
  WritePreferred(needs.rare->preferences.nodes, spec);
  WriteDemandsOfOthers(*needs.rare, spec);
}

}  // namespace

json::array TolerationsToJson(const std::vector<Toleration>& tolerations) {
  json::array array;
  for (const Toleration& toleration : tolerations) {
    json::object object;
    if (!toleration.key.empty()) object["key"] = toleration.key;
    object["operator"] = toleration.exists ? "Exists" : "Equal";
    if (!toleration.value.empty()) object["value"] = toleration.value;
    if (toleration.effect) object["effect"] = ToString(*toleration.effect);
    array.push_back(std::move(object));
  }
  return array;
}

// One at least: without any the pod would be let in.
json::array GatesToJson(const std::vector<std::string>& names) {
  json::array gates;
  for (const std::string& name : names) gates.push_back(json::object{{"name", name}});
  if (gates.empty()) gates.push_back(json::object());  // its name was not one
  return gates;
}

json::object PodSpecToJson(const PodSpec& spec) {
  json::object object;
  if (!spec.scheduler_name.empty()) object["schedulerName"] = spec.scheduler_name;
  const std::string& node = spec.node_name.empty() ? spec.needs.node_name : spec.node_name;
  if (!node.empty()) object["nodeName"] = node;
  if (!spec.priority_class_name.empty()) object["priorityClassName"] = spec.priority_class_name;
  if (spec.priority) object["priority"] = *spec.priority;
  if (spec.never_preempts) object["preemptionPolicy"] = "Never";
  if (spec.gated) object["schedulingGates"] = GatesToJson(spec.rare->gates);
  if (spec.grace_seconds) object["terminationGracePeriodSeconds"] = *spec.grace_seconds;
  if (spec.rare->deadline) object["activeDeadlineSeconds"] = spec.rare->deadline->WholeSeconds();
  if (!spec.rare->scheduling_group.empty()) {
    object["schedulingGroup"] = json::object{{"podGroupName", spec.rare->scheduling_group}};
  }
  json::array volumes = VolumesToJson(*spec.rare);
  if (!volumes.empty()) object["volumes"] = std::move(volumes);
  WriteNeeds(spec.needs, object);
  return object;
}

json::object PodStatusToJson(const Pod& pod) {
  json::object status;
  status["phase"] = ToString(pod.phase);
  if (pod.refusal) {
    status["reason"] = pod.refusal->reason;
    if (!pod.refusal->message.empty()) status["message"] = pod.refusal->message;
  }
  if (!pod.nominated_node.empty()) status["nominatedNodeName"] = pod.nominated_node;
  if (pod.start_time) status["startTime"] = FormatTime(*pod.start_time);
  json::array conditions;
  if (pod.scheduled_time) {
    conditions.push_back(ConditionToJson("PodScheduled", *pod.scheduled_time));
  } else if (pod.gates_told || pod.ungated_time) {
    conditions.push_back(
        ConditionToJson({.type = "PodScheduled",
                         .holds = false,
                         .reason = std::string(pod.gates_told ? kSchedulingGated : kUngated),
                         .message = {},
                         .since = pod.ungated_time.Copy()}));
  }
  if (pod.ready) conditions.push_back(ConditionToJson("Ready", true));
  if (pod.node_reserved_time) {
    conditions.push_back(ConditionToJson("fairlead.dev/NodeReserved", *pod.node_reserved_time));
  }
  if (pod.gpu_device) {
    json::object condition = ConditionToJson("fairlead.dev/GpuDevice", true);
    condition["reason"] = "Device" + std::to_string(*pod.gpu_device);
    conditions.push_back(std::move(condition));
  }
  if (pod.loan) {
    conditions.push_back(ConditionToJson({.type = std::string(kPodOnLoanCondition),
                                          .holds = true,
                                          .reason = "RoomReserved",
                                          .message = TextOf(*pod.loan),
                                          .since = {}}));
  }
  if (pod.disruption_target) conditions.push_back(ConditionToJson(*pod.disruption_target));
  if (!conditions.empty()) status["conditions"] = std::move(conditions);
  if (pod.finish_time) {
    const json::object terminated{{"finishedAt", FormatTime(*pod.finish_time)}};
    const json::object state{{"terminated", terminated}};
    status["containerStatuses"] = json::array{json::object{{"name", "main"}, {"state", state}}};
  }
  return status;
}

json::object TemplateToJson(const PodTemplate& pod_template) {
  json::object metadata;
  if (!pod_template.labels.empty()) metadata["labels"] = LabelsToJson(pod_template.labels);
  if (!pod_template.annotations.empty()) {
    metadata["annotations"] = LabelsToJson(pod_template.annotations);
  }
  json::object object;
  if (!metadata.empty()) object["metadata"] = std::move(metadata);
  object["spec"] = PodSpecToJson(pod_template.spec);
  return object;
}

}  // namespace fairlead::objects
