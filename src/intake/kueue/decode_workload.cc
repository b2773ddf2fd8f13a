#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "intake/kueue/decoders.h"
#include "objects/keys.h"
#include "objects/read/decode.h"

// Kueue's Workload: the same pod sets as ours, whose counts hold once it is admitted. One that a
// Job controls stands for that Job (kueue_workloads.h).

namespace fairlead::intake {
namespace {

using objects::FieldReader;
using objects::Value;

// Label keys; what is unconstrained asks nothing.
void ReadTopologyRequest(FieldReader& fields, const Value& item, objects::PodSet& set,
                         objects::Workload& workload) {
  constexpr std::string_view kNested = "podsetSliceRequiredTopologyConstraints";
  const Value* topology = fields.Mapping(&item, "topologyRequest");
  objects::TopologyConstraint request;
  fields.String(topology, "required", request.required);
  fields.String(topology, "preferred", request.preferred);
  fields.String(topology, "podSetGroupName", request.group);
  fields.String(topology, "podSetSliceRequiredTopology", request.slice_required);
  if (!request.slice_required.empty()) {
    request.slice_size = 1;
    fields.Integer(topology, "podSetSliceSize", request.slice_size, 1);
  }
  const Value* nested = fields.List(topology, kNested);
  if (nested != nullptr && !nested->items().empty()) {
    workload.unsupported_field = fmt::format("spec.podSets[*].topologyRequest.{}", kNested);
  }
  if (!request.empty() || !request.group.empty()) set.topology = std::move(request);
}

void ReadPodSet(FieldReader& fields, const Value& item, bool owned, objects::Workload& workload) {
  objects::PodSet set;
  fields.String(&item, "name", set.name);
  set.count = 1;
  fields.Count(&item, "count", set.count);
  fields.Count(&item, "minCount", set.min_count);
  if (set.min_count && *set.min_count > *set.count) {
    fields.Unexpected(*item.Find("minCount"),
                      "at most count, which is " + std::to_string(*set.count));
  }
  if (const Value* pod_template = fields.Mapping(&item, "template")) {
    objects::PodTemplate& read = set.pod_template.emplace();
    const Value* spec = FieldReader::Get(pod_template, "spec");
    objects::ReadPodTemplate(fields, pod_template, read);
    // Without an owner its pods are made for it; an owner's name their scheduler themselves.
    if (!owned && FieldReader::Get(spec, "schedulerName") == nullptr) {
      read.spec.scheduler_name.clear();
    }
  }
  ReadTopologyRequest(fields, item, set, workload);
  workload.pod_sets.push_back(std::move(set));
}

void ReadPodSets(FieldReader& fields, const Value* spec, objects::Workload& workload) {
  const Value* sets = fields.List(spec, "podSets");
  const bool owned = workload.meta.Controller() != nullptr;
  std::set<std::string> names;
  if (sets != nullptr) {
    for (const Value* item : sets->items()) {
      if (!fields.IsMapping(*item)) continue;
      ReadPodSet(fields, *item, owned, workload);
      const std::string& name = workload.pod_sets.back().name;
      if (!names.insert(name).second) {
        fields.FaultBelow(*item, "name", "found \"" + name + "\" a second time");
      }
    }
  }
  if (workload.pod_sets.empty() && fields.ok()) {
    workload.unsupported_field = "spec.podSets without an element";
  }
}

// The number is what its class said when it was made, and counts; a class is looked up only where
// there is none.
void ReadPriority(FieldReader& fields, const Value* spec, objects::Workload& workload) {
  fields.Integer(spec, "priority", workload.priority);
  if (workload.priority) return;
  std::string source, kind;
  fields.String(spec, "priorityClassName", workload.priority_class_name);  // v1beta1
  fields.String(spec, "priorityClassSource", source);
  const Value* reference = fields.Mapping(spec, "priorityClassRef");  // v1beta2
  fields.String(reference, "name", workload.priority_class_name);
  fields.String(reference, "kind", kind);
  if (kind != "WorkloadPriorityClass" && source != "kueue.x-k8s.io/workloadpriorityclass") return;
  if (workload.priority_class_name.empty()) return;
  workload.priority_class_name.insert(0, objects::kKueueClassPrefix);
}

// What its pods will not need any more.
void ReadReclaimable(FieldReader& fields, const Value* status, objects::Workload& workload) {
  const Value* reclaimable = fields.List(status, "reclaimablePods");
  if (reclaimable == nullptr) return;
  for (const Value* item : reclaimable->items()) {
    if (!fields.IsMapping(*item)) continue;
    std::string name = "main";
    std::int32_t count = 0;
    fields.String(item, "name", name);
    fields.Integer(item, "count", count, 0);
    for (objects::PodSet& set : workload.pod_sets) {
      if (set.name != name) continue;
      set.count = std::max(0, *set.count - count);
      if (set.min_count) set.min_count = std::min(*set.min_count, *set.count);
    }
  }
}

void ReadAdmission(FieldReader& fields, const Value* status, objects::Workload& workload) {
  const Value* admission = fields.Mapping(status, "admission");
  fields.String(admission, "clusterQueue", workload.admission_queue);
  const Value* assignments = fields.List(admission, "podSetAssignments");
  if (assignments == nullptr) return;
  for (const Value* item : assignments->items()) {
    if (!fields.IsMapping(*item)) continue;
    objects::PodSetAssignment assignment{.name = "main", .count = 0};
    fields.String(item, "name", assignment.name);
    for (const objects::PodSet& set : workload.pod_sets) {  // where no count is said
      if (set.name == assignment.name) assignment.count = *set.count;
    }
    fields.Integer(item, "count", assignment.count, 0);
    objects::ReadAssignment(fields, *item, assignment);
    workload.admission.push_back(std::move(assignment));
  }
}

}  // namespace

void DecodeKueueWorkload(const Value& document, std::string_view file, objects::Manifest& into) {
  FieldReader fields(document, "Workload", objects::Scope::kNamespaced, file, into);
  objects::Workload workload;
  workload.dialect_kind = kKueueWorkloadKind;
  objects::ReadMeta(fields, document, workload.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.String(spec, "queueName", workload.queue_name);
  fields.Bool(spec, "active", workload.active);
  ReadPriority(fields, spec, workload);
  ReadPodSets(fields, spec, workload);
  fields.Seconds(spec, "maximumExecutionTimeSeconds", workload.max_run_time);
  const Value* status = fields.Mapping(&document, "status");
  ReadAdmission(fields, status, workload);
  ReadReclaimable(fields, status, workload);
  objects::ReadConditions(fields, status, workload.conditions);
  const Value* conditions = fields.List(status, "conditions");
  if (objects::IsTrue(objects::FindCondition(conditions, "Finished"))) workload.active = false;
  if (fields.ok()) into.objects.emplace_back(std::move(workload));
}

}  // namespace fairlead::intake
