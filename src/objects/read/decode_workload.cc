#include <limits>
#include <set>
#include <string>

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::pair<std::string_view, Resize> kResizes[] = {{"AtAdmission", Resize::kAtAdmission},
                                                            {"Anytime", Resize::kAnytime}};

void ReadPodSet(FieldReader& fields, const Value& item, PodSet& pod_set) {
  fields.Known(&item, {"name", "count", "minCount", "template", "topology"});
  if (fields.String(&item, "name", pod_set.name)) {
    CheckName(fields, *item.Find("name"), NameRule::kSubdomain);
  }
  if (item.Find("count") == nullptr) {
    fields.Missing(item, "count", "the number of pods");
  }
  fields.Count(&item, "count", pod_set.count);
  fields.Count(&item, "minCount", pod_set.min_count);
  if (pod_set.min_count && pod_set.count && *pod_set.min_count > *pod_set.count) {
    fields.Unexpected(*item.Find("minCount"),
                      "at most count, which is " + std::to_string(*pod_set.count));
  }
  if (const Value* pod_template = fields.Mapping(&item, "template")) {
    PodTemplate& read = pod_set.pod_template.emplace();
    read.spec.scheduler_name.clear();  // whoever makes the pods of our kind names our scheduler
    ReadPodTemplate(fields, pod_template, read);
  }
  ReadTopologyConstraint(fields, &item, ConstraintOf::kPodSet, pod_set.topology);
}

void ReadPodSets(FieldReader& fields, const Value* spec, Workload& workload) {
  const Value* pod_sets = fields.List(spec, "podSets");
  if (pod_sets == nullptr || pod_sets->items().empty()) {
    if (fields.ok()) fields.MissingInSpec(spec, "podSets", "one or more");
    return;
  }
  std::set<std::string> names;
  for (const Value* item : pod_sets->items()) {
    if (!fields.IsMapping(*item)) continue;
    PodSet pod_set;
    ReadPodSet(fields, *item, pod_set);
    if (!names.insert(pod_set.name).second) {
      fields.FaultBelow(*item, "name",
                        "found \"" + pod_set.name + "\" a second time, expected unique names");
    }
    workload.pod_sets.push_back(std::move(pod_set));
  }
}

void ReadReservation(FieldReader& fields, const Value* part, Reservation& reservation) {
  fields.Time(part, "at", reservation.at);
  std::optional<Time> since;
  fields.Time(part, "since", since);
  reservation.since = since.value_or(Time{});
  if (const Value* pods = fields.List(part, "pods")) {
    for (const Value* item : pods->items()) {
      std::int64_t count = 0;
      fields.ReadInteger(*item, 0, std::numeric_limits<std::int32_t>::max(), count);
      reservation.pods.push_back(static_cast<std::int32_t>(count));
    }
  }
  const Value* nodes = fields.List(part, "nodes");
  if (nodes == nullptr) return;
  for (const Value* item : nodes->items()) {
    if (!fields.ReadString(*item, reservation.nodes.emplace_back())) reservation.nodes.pop_back();
  }
}

void ReadLanding(FieldReader& fields, const Value& item, Landing& landing) {
  fields.String(&item, "owner", landing.owner);
  fields.String(&item, "podSet", landing.pod_set);
  fields.Integer(&item, "index", landing.index, 0);
  fields.String(&item, "pod", landing.pod);
  fields.String(&item, "node", landing.node);
  std::optional<Time> since, until;
  fields.Time(&item, "since", since);
  fields.Time(&item, "until", until);
  landing.since = since.value_or(Time{});
  landing.until = until.value_or(Time{});
  fields.String(&item, "queue", landing.queue);
  if (const Value* requests = fields.Mapping(&item, "requests")) {
    ReadResources(fields, requests, Devices::kParts, landing.requests);
  }
}

// Written by controllers, so newer fields than we know are no fault of the user's.
void ReadStatus(FieldReader& fields, const Value* status, Workload& workload) {
  fields.Time(status, "startTime", workload.start_time);
  ReadConditions(fields, status, workload.conditions);
  fields.Integer(status, "stops", workload.stops, 0);
  const Value* until = fields.Mapping(status, "protectedUntil");
  fields.Time(until, "preempt", workload.preempt_protected_until);
  fields.Time(until, "reclaim", workload.reclaim_protected_until);
  if (const Value* reservation = fields.Mapping(status, "reservation")) {
    ReadReservation(fields, reservation, workload.reservation.emplace());
  }
  if (const Value* landings = fields.List(status, "landings")) {
    for (const Value* item : landings->items()) {
      if (fields.IsMapping(*item)) ReadLanding(fields, *item, workload.landings.emplace_back());
    }
  }
  const Value* admission = fields.Mapping(status, "admission");
  fields.String(admission, "queue", workload.admission_queue);
  const Value* assignments = fields.List(admission, "podSetAssignments");
  if (assignments == nullptr) return;
  for (const Value* item : assignments->items()) {
    if (!fields.IsMapping(*item)) continue;
    PodSetAssignment assignment{.name = "main", .count = 0};
    fields.String(item, "name", assignment.name);
    fields.Integer(item, "count", assignment.count, 0);
    ReadAssignment(fields, *item, assignment);
    workload.admission.push_back(std::move(assignment));
  }
}

}  // namespace

void DecodeWorkload(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "Workload", Scope::kNamespaced, file, into);
  Workload workload;
  fields.Known(&document, {"apiVersion", "kind", "metadata", "spec", "status"});
  KnownMeta(fields, document);
  ReadMeta(fields, document, workload.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Known(spec,
               {"queueName", "priorityClassName", "priority", "preemptible", "active", "resize",
                "expectedDuration", "maxRunTime", "onRunTimeLimit", "podSets", "topology"});
  fields.String(spec, "queueName", workload.queue_name);
  fields.String(spec, "priorityClassName", workload.priority_class_name);
  fields.Integer(spec, "priority", workload.priority);
  bool preemptible = true;
  if (fields.Bool(spec, "preemptible", preemptible)) workload.preemptible = preemptible;
  fields.Bool(spec, "active", workload.active);
  fields.Enum(spec, "resize", kResizes, workload.resize);
  fields.Duration(spec, "expectedDuration", workload.expected_duration);
  ReadRunTime(fields, spec, "maxRunTime", workload.max_run_time);
  fields.Enum(spec, "onRunTimeLimit", kOnRunTimeLimits, workload.on_run_time_limit);
  ReadPodSets(fields, spec, workload);
  ReadTopologyConstraint(fields, spec, ConstraintOf::kWorkload, workload.topology);
  ReadStatus(fields, fields.Mapping(&document, "status"), workload);
  if (fields.ok()) into.objects.emplace_back(std::move(workload));
}

}  // namespace fairlead::objects
