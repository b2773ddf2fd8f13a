#include "objects/write/write_pod_group.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/write/write_parts.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

constexpr std::string_view kBeforeBeta = "scheduling.k8s.io/v1alpha2";

json::object NativeSpec(const PodGroup& group) {
  json::object policy;
  if (group.basic) {
    policy["basic"] = json::object();
  } else {
    policy["gang"] = json::object{{"minCount", group.pod_sets.front().min_count.value_or(1)}};
  }
  json::object spec{{"schedulingPolicy", std::move(policy)}};
  if (group.leaves_whole && group.api_version == kBeforeBeta) {
    spec["disruptionMode"] = kPodGroup;
  } else if (group.leaves_whole) {
    spec["disruptionMode"] = json::object{{"all", json::object()}};
  }
  if (group.priority) spec["priority"] = *group.priority;
  if (group.never_preempts) spec["preemptionPolicy"] = "Never";
  if (group.topology) {
    const json::object key{{"key", group.topology->required}};
    spec["schedulingConstraints"] = json::object{{"topology", json::array{key}}};
  }
  return spec;
}

json::object KaiTopology(const TopologyConstraint& constraint) {
  json::object object;
  if (!constraint.name.empty()) object["topology"] = constraint.name;
  if (!constraint.required.empty()) object["requiredTopologyLevel"] = constraint.required;
  if (!constraint.preferred.empty()) object["preferredTopologyLevel"] = constraint.preferred;
  return object;
}

// What several ask together stands in one above them.
json::array KaiSubGroups(const PodGroup& group) {
  json::array sub_groups;
  std::vector<std::string_view> above;
  for (const PodSet& set : group.pod_sets) {
    json::object sub{{"name", set.name}, {"minMember", set.min_count.value_or(1)}};
    if (set.topology && set.topology->group.empty()) {
      sub["topologyConstraint"] = KaiTopology(*set.topology);
    } else if (set.topology) {
      const std::string& parent = set.topology->group;
      sub["parent"] = parent;
      if (std::ranges::find(above, parent) == above.end()) {
        above.emplace_back(parent);
        sub_groups.push_back(
            json::object{{"name", parent}, {"topologyConstraint", KaiTopology(*set.topology)}});
      }
    }
    sub_groups.push_back(std::move(sub));
  }
  return sub_groups;
}

json::object KaiSpec(const PodGroup& group) {
  json::object spec;
  if (group.topology) spec["topologyConstraint"] = KaiTopology(*group.topology);
  if (group.preemptible) {
    spec["preemptibility"] = *group.preemptible ? "preemptible" : "non-preemptible";
  }
  if (group.pod_sets.size() == 1 && group.pod_sets.front().name == "main") {
    spec["minMember"] = group.pod_sets.front().min_count.value_or(1);
    return spec;
  }
  spec["subGroups"] = KaiSubGroups(group);
  return spec;
}

json::object CoschedulingSpec(const PodGroup& group) {
  return {{"minMember", group.pod_sets.front().min_count.value_or(1)}};
}

// What was read of it, in its words again: a tier by number or by name.
json::object NetworkTopology(const TopologyConstraint& constraint) {
  if (constraint.required.empty()) return {{"mode", "soft"}};
  json::object topology{{"mode", "hard"}};
  if (const std::optional<std::int32_t> tier = TierIn(constraint.required)) {
    topology["highestTierAllowed"] = *tier;
  } else {
    topology["highestTierName"] = constraint.required;
  }
  return topology;
}

json::object VolcanoSpec(const PodGroup& group) {
  if (group.pod_sets.size() == 1 && group.pod_sets.front().name == "main") {
    return CoschedulingSpec(group);
  }
  json::object tasks;
  std::int64_t sum = 0;
  for (const PodSet& set : group.pod_sets) {
    tasks[set.name] = set.min_count.value_or(0);
    sum += set.min_count.value_or(0);
  }
  return {{"minMember", sum}, {"minTaskMember", std::move(tasks)}};
}

// A demand of its kind at the field, whatever stood there.
void AddUnsupported(const PodGroup& group, json::object& spec) {
  const std::string_view field = group.unsupported_field;
  if (field == "spec.resourceClaims") {
    spec["resourceClaims"] = json::array{json::object{{"name", "claim"}}};
  } else if (field == "spec.parentCompositePodGroupName") {
    spec["parentCompositePodGroupName"] = "parent";
  } else if (field.starts_with("spec.schedulingConstraints.")) {
    const std::string_view last = field.substr(field.rfind('.') + 1);
    const json::object one{{"key", "domain"}};
    spec["schedulingConstraints"] =
        json::object{{last.substr(0, last.find('[')), json::array{one, one}}};
  } else if (field.ends_with("inSubGroup") || field.ends_with("topologyConstraint")) {
    spec["minSubGroup"] = static_cast<std::int64_t>(group.pod_sets.size()) + 1;
  } else if (field.ends_with("inMember")) {
    std::int64_t sum = 0;
    for (const PodSet& set : group.pod_sets) sum += set.min_count.value_or(0);
    spec["minMember"] = sum + 1;
  }
}

json::object SpecOf(const PodGroup& group) {
  switch (group.api) {
    case GroupApi::kNative:
      return NativeSpec(group);
    case GroupApi::kKai:
      return KaiSpec(group);
    case GroupApi::kVolcano:
      return VolcanoSpec(group);
    case GroupApi::kCoscheduling:
    case GroupApi::kNone:
    case GroupApi::kKueuePods:
      break;
  }
  return CoschedulingSpec(group);
}

}  // namespace

void WriteBody(const PodGroup& group, json::object& into) {
  json::object spec = SpecOf(group);
  if (group.api == GroupApi::kVolcano && group.topology) {
    spec["networkTopology"] = NetworkTopology(*group.topology);
  }
  if (!group.queue_name.empty()) spec["queue"] = group.queue_name;
  if (!group.priority_class_name.empty()) spec["priorityClassName"] = group.priority_class_name;
  AddUnsupported(group, spec);
  into["spec"] = std::move(spec);
  if (group.conditions.empty()) return;
  into["status"] = json::object{{"conditions", ConditionsToJson(group.conditions)}};
}

}  // namespace fairlead::objects
