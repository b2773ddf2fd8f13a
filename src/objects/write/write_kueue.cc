#include "objects/write/write_kueue.h"

#include <string>

#include "base/quantity.h"
#include "objects/write/write_parts.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

json::array GroupsToJson(const std::vector<ResourceGroup>& groups) {
  json::array array;
  for (const ResourceGroup& group : groups) {
    json::array covered, flavors;
    for (const FlavorQuotas& quotas : group.flavors) {
      json::array resources;
      for (const FlavorResource& resource : quotas.resources) {
        const auto amount = [&](std::int64_t of) { return FormatResource(resource.resource, of); };
        json::object object{{"name", resource.resource},
                            {"nominalQuota", amount(resource.nominal)}};
        if (resource.borrowing_limit) object["borrowingLimit"] = amount(*resource.borrowing_limit);
        if (resource.lending_limit) object["lendingLimit"] = amount(*resource.lending_limit);
        resources.push_back(std::move(object));
        if (&quotas == &group.flavors.front()) covered.emplace_back(resource.resource);
      }
      flavors.push_back(json::object{{"name", quotas.flavor}, {"resources", std::move(resources)}});
    }
    array.push_back(
        json::object{{"coveredResources", std::move(covered)}, {"flavors", std::move(flavors)}});
  }
  return array;
}

std::string_view ToString(PreemptionPolicy policy) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return "Never";
    case PreemptionPolicy::kLowerPriority:
      return "LowerPriority";
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return "LowerOrNewerEqualPriority";
    case PreemptionPolicy::kAny:
      return "Any";
  }
  return "";
}

json::object PreemptionToJson(const ClusterQueue& queue) {
  json::object preemption;
  if (queue.within_cluster_queue != PreemptionPolicy::kNever) {
    preemption["withinClusterQueue"] = ToString(queue.within_cluster_queue);
  }
  if (queue.reclaim_within_cohort != PreemptionPolicy::kNever) {
    preemption["reclaimWithinCohort"] = ToString(queue.reclaim_within_cohort);
  }
  json::object borrow;
  if (queue.borrow_within_cohort != PreemptionPolicy::kNever) {
    borrow["policy"] = ToString(queue.borrow_within_cohort);
  }
  if (queue.borrow_max_priority) borrow["maxPriorityThreshold"] = *queue.borrow_max_priority;
  if (!borrow.empty()) preemption["borrowWithinCohort"] = std::move(borrow);
  return preemption;
}

void AddStopPolicy(StopPolicy policy, json::object& spec) {
  if (policy == StopPolicy::kNone) return;
  spec["stopPolicy"] = policy == StopPolicy::kHold ? "Hold" : "HoldAndDrain";
}

void AddWeight(std::int64_t milli, json::object& spec) {
  if (milli != 1000) spec["fairSharing"] = json::object{{"weight", ThousandthsToJson(milli)}};
}

}  // namespace

void WriteBody(const ClusterQueue& queue, json::object& into) {
  json::object spec;
  if (!queue.cohort.empty()) spec["cohortName"] = queue.cohort;
  if (queue.name_spaces) spec["namespaceSelector"] = SelectorToJson(*queue.name_spaces);
  if (!queue.groups.empty()) spec["resourceGroups"] = GroupsToJson(queue.groups);
  json::object preemption = PreemptionToJson(queue);
  if (!preemption.empty()) spec["preemption"] = std::move(preemption);
  AddStopPolicy(queue.stop_policy, spec);
  AddWeight(queue.weight_milli, spec);
  into["spec"] = std::move(spec);
}

void WriteBody(const Cohort& cohort, json::object& into) {
  json::object spec;
  if (!cohort.parent.empty()) spec["parentName"] = cohort.parent;
  if (!cohort.groups.empty()) spec["resourceGroups"] = GroupsToJson(cohort.groups);
  AddWeight(cohort.weight_milli, spec);
  into["spec"] = std::move(spec);
}

void WriteBody(const LocalQueue& queue, json::object& into) {
  json::object spec{{"clusterQueue", queue.cluster_queue}};
  AddStopPolicy(queue.stop_policy, spec);
  into["spec"] = std::move(spec);
}

void WriteBody(const ResourceFlavor& flavor, json::object& into) {
  json::object spec;
  if (!flavor.node_labels.empty()) spec["nodeLabels"] = LabelsToJson(flavor.node_labels);
  if (!flavor.node_taints.empty()) spec["nodeTaints"] = TaintsToJson(flavor.node_taints);
  if (!flavor.tolerations.empty()) spec["tolerations"] = TolerationsToJson(flavor.tolerations);
  if (!flavor.topology.empty()) spec["topologyName"] = flavor.topology;
  into["spec"] = std::move(spec);
}

void WriteBody(const WorkloadPriorityClass& priority_class, json::object& into) {
  into["value"] = priority_class.value;
}

}  // namespace fairlead::objects
