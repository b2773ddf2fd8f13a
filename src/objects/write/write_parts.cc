#include "objects/write/write_parts.h"

#include "base/quantity.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

std::string_view ToString(Operator op) {
  switch (op) {
    case Operator::kIn:
      return "In";
    case Operator::kNotIn:
      return "NotIn";
    case Operator::kExists:
      return "Exists";
    case Operator::kDoesNotExist:
      return "DoesNotExist";
    case Operator::kGt:
      return "Gt";
    case Operator::kLt:
      return "Lt";
  }
  return "";
}

}  // namespace

std::string_view ToString(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

json::object TopologyConstraintToJson(const TopologyConstraint& constraint) {
  json::object object;
  if (!constraint.name.empty()) object["name"] = constraint.name;
  if (!constraint.required.empty()) object["required"] = constraint.required;
  if (!constraint.preferred.empty()) object["preferred"] = constraint.preferred;
  if (constraint.slice_size > 0) {
    object["slices"] =
        json::object{{"size", constraint.slice_size}, {"required", constraint.slice_required}};
  }
  if (!constraint.group.empty()) object["group"] = constraint.group;
  if (constraint.on_broken == OnTopologyBroken::kRestart) object["onTopologyBroken"] = "Restart";
  return object;
}

json::object LabelsToJson(const Labels& labels) {
  json::object object;
  for (const auto& [key, value] : labels) object[key] = value;
  return object;
}

json::object ResourcesToJson(const ResourceList& list) {
  json::object object;
  for (const auto& [resource, amount] : list) object[resource] = FormatResource(resource, amount);
  return object;
}

json::object MetaToJson(const Meta& meta) {
  json::object object;
  if (!meta.name.empty()) object["name"] = meta.name;
  if (!meta.generate_name.empty()) object["generateName"] = meta.generate_name;
  if (!meta.name_space.empty()) object["namespace"] = meta.name_space;
  if (!meta.uid.empty()) object["uid"] = meta.uid;
  if (meta.creation_time) object["creationTimestamp"] = FormatTime(*meta.creation_time);
  if (meta.deletion_time) object["deletionTimestamp"] = FormatTime(*meta.deletion_time);
  if (!meta.labels.empty()) object["labels"] = LabelsToJson(meta.labels);
  if (!meta.annotations.empty()) object["annotations"] = LabelsToJson(meta.annotations);
  json::array owners;
  for (const OwnerReference& owner : meta.owners) {
    json::object reference;
    reference["apiVersion"] = owner.api_version;
    reference["kind"] = owner.kind;
    reference["name"] = owner.name;
    reference["uid"] = owner.uid;
    if (owner.controller) reference["controller"] = true;
    owners.push_back(std::move(reference));
  }
  if (!owners.empty()) object["ownerReferences"] = std::move(owners);
  return object;
}

json::array RequirementsToJson(const std::vector<Requirement>& requirements) {
  json::array array;
  for (const Requirement& requirement : requirements) {
    json::object object;
    object["key"] = requirement.key;
    object["operator"] = ToString(requirement.op);
    if (!requirement.values.empty()) {
      object["values"] = json::array(requirement.values.begin(), requirement.values.end());
    }
    array.push_back(std::move(object));
  }
  return array;
}

json::object SelectorToJson(const LabelSelector& selector) {
  json::object object;
  if (!selector.requirements.empty()) {
    object["matchExpressions"] = RequirementsToJson(selector.requirements);
  }
  return object;
}

json::object NodeTermToJson(const NodeSelectorTerm& term) {
  json::object object;
  if (!term.labels.empty()) object["matchExpressions"] = RequirementsToJson(term.labels);
  if (!term.fields.empty()) object["matchFields"] = RequirementsToJson(term.fields);
  return object;
}

json::array AccessModesToJson(AccessModes modes) {
  json::array names;
  if ((modes & kReadWriteOnce) != 0) names.emplace_back("ReadWriteOnce");
  if ((modes & kReadOnlyMany) != 0) names.emplace_back("ReadOnlyMany");
  if ((modes & kReadWriteMany) != 0) names.emplace_back("ReadWriteMany");
  if ((modes & kReadWriteOncePod) != 0) names.emplace_back("ReadWriteOncePod");
  return names;
}

json::object VolumeAskToJson(const VolumeAsk& ask) {
  json::object spec;
  if (!ask.storage_class.empty()) spec["storageClassName"] = ask.storage_class;
  if (ask.access_modes != 0) spec["accessModes"] = AccessModesToJson(ask.access_modes);
  if (ask.bytes > 0) {
    spec["resources"] =
        json::object{{"requests", {{"storage", FormatResource("memory", ask.bytes)}}}};
  }
  if (ask.block) spec["volumeMode"] = "Block";
  if (!ask.attributes_class.empty()) spec["volumeAttributesClassName"] = ask.attributes_class;
  if (ask.selector) spec["selector"] = SelectorToJson(*ask.selector);
  return spec;
}

json::object NodeSelectorToJson(const std::vector<NodeSelectorTerm>& terms) {
  json::array array;
  for (const NodeSelectorTerm& term : terms) array.push_back(NodeTermToJson(term));
  return {{"nodeSelectorTerms", std::move(array)}};
}

json::object ConditionToJson(std::string_view type, bool holds) {
  return {{"type", type}, {"status", holds ? "True" : "False"}};
}

json::object ConditionToJson(std::string_view type, Time since) {
  json::object condition = ConditionToJson(type, true);
  condition["lastTransitionTime"] = FormatTime(since);
  return condition;
}

json::object ConditionToJson(const Condition& condition) {
  json::object object = ConditionToJson(condition.type, condition.holds);
  if (!condition.reason.empty()) object["reason"] = condition.reason;
  if (!condition.message.empty()) object["message"] = condition.message;
  if (condition.since) object["lastTransitionTime"] = FormatTime(*condition.since);
  return object;
}

json::object ReservationToJson(const Reservation& reservation) {
  json::object object;
  if (reservation.at) object["at"] = FormatTime(*reservation.at);
  object["nodes"] = json::array(reservation.nodes.begin(), reservation.nodes.end());
  if (!reservation.pods.empty()) {
    object["pods"] = json::array(reservation.pods.begin(), reservation.pods.end());
  }
  object["since"] = FormatTime(reservation.since);
  return object;
}

json::array LandingsToJson(const Landings& landings) {
  json::array array;
  for (const Landing& landing : landings) {
    json::object object{{"owner", landing.owner}};
    if (!landing.pod_set.empty()) object["podSet"] = landing.pod_set;
    if (landing.index >= 0) object["index"] = landing.index;
    object["pod"] = landing.pod;
    object["node"] = landing.node;
    object["since"] = FormatTime(landing.since);
    object["until"] = FormatTime(landing.until);
    object["queue"] = landing.queue;
    object["requests"] = ResourcesToJson(landing.requests);
    array.push_back(std::move(object));
  }
  return array;
}

json::array ConditionsToJson(const std::vector<Condition>& conditions) {
  json::array array;
  for (const Condition& condition : conditions) array.push_back(ConditionToJson(condition));
  return array;
}

json::array TaintsToJson(const std::vector<Taint>& taints) {
  json::array array;
  for (const Taint& taint : taints) {
    json::object object;
    object["key"] = taint.key;
    if (!taint.value.empty()) object["value"] = taint.value;
    object["effect"] = ToString(taint.effect);
    array.push_back(std::move(object));
  }
  return array;
}

json::value ThousandthsToJson(std::int64_t milli) {
  if (milli % 1000 == 0) return milli / 1000;
  std::string text = std::to_string(milli / 1000);
  std::string decimals = std::to_string(1000 + milli % 1000);
  while (decimals.back() == '0') decimals.pop_back();
  decimals[0] = '.';
  return json::string(text += decimals);
}

}  // namespace fairlead::objects
