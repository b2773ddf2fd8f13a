#include "objects/write/writer.h"

#include <string>

#include "base/quantity.h"
#include "objects/key.h"
#include "objects/write/write_job_kinds.h"
#include "objects/write/write_kueue.h"
#include "objects/write/write_parts.h"
#include "objects/write/write_pod_group.h"

namespace fairlead::objects {
namespace {

namespace json = boost::json;

constexpr std::string_view kOurs = "fairlead.dev/v1alpha1";
constexpr std::string_view kKueueVersion = "kueue.x-k8s.io/v1beta2";

json::value WeightToJson(const Weight& weight) {
  if (weight.by_resource.empty()) return ThousandthsToJson(weight.milli);
  json::object object;
  for (const auto& [resource, milli] : weight.by_resource) {
    object[resource] = ThousandthsToJson(milli);
  }
  return object;
}

json::value ToJson(const std::optional<IntOrPercent>& amount) {
  if (!amount) return nullptr;
  if (!amount->percent) return amount->value;
  return json::string(std::to_string(amount->value) += '%');
}

// Each kind's members behind its metadata.

void WriteBody(const Node& node, json::object& into) {
  json::object spec;
  if (node.unschedulable) spec["unschedulable"] = true;
  if (!node.taints.empty()) spec["taints"] = TaintsToJson(node.taints);
  json::object status;
  status["allocatable"] = ResourcesToJson(node.allocatable);
  status["conditions"] = json::array{ConditionToJson("Ready", node.ready)};
  if (!spec.empty()) into["spec"] = std::move(spec);
  into["status"] = std::move(status);
}

void WriteBody(const Pod& pod, json::object& into) {
  into["spec"] = PodSpecToJson(pod.spec);
  into["status"] = PodStatusToJson(pod);
}

void WriteBody(const Namespace&, json::object&) {}

void WriteBody(const PriorityClass& priority_class, json::object& into) {
  into["value"] = priority_class.value;
  if (priority_class.global_default) into["globalDefault"] = true;
  if (priority_class.never_preempts) into["preemptionPolicy"] = "Never";
}

void WriteBody(const Job& job, json::object& into) {
  json::object spec;
  if (job.suspend) spec["suspend"] = true;
  spec["parallelism"] = job.parallelism;
  if (job.completions) spec["completions"] = *job.completions;
  if (job.indexed) spec["completionMode"] = "Indexed";
  if (job.deadline) spec["activeDeadlineSeconds"] = job.deadline->WholeSeconds();
  if (job.ignores_disruption) {
    const json::object rule{
        {"action", "Ignore"},
        {"onPodConditions",
         json::array{json::object{{"type", "DisruptionTarget"}, {"status", "True"}}}}};
    spec["podFailurePolicy"] = json::object{{"rules", json::array{rule}}};
  }
  if (job.gang_min) {
    const json::object gang{{"gang", json::object{{"minCount", *job.gang_min}}}};
    spec["scheduling"] = json::object{{"schedulingPolicy", gang}};
  }
  spec["template"] = TemplateToJson(job.pod_template);
  json::object status;
  if (job.active != 0) status["active"] = job.active;
  if (job.succeeded != 0) status["succeeded"] = job.succeeded;
  if (job.failed != 0) status["failed"] = job.failed;
  if (job.complete) status["conditions"] = json::array{ConditionToJson("Complete", true)};
  into["spec"] = std::move(spec);
  if (!status.empty()) into["status"] = std::move(status);
}

// The field's place in `into`; the mappings and lists on the way are made where they are not there.
json::value& FieldAt(json::value& into, std::span<const std::string> names) {
  if (names.empty()) return into;
  if (const auto element = ElementOf(names.front())) {
    if (!into.is_array()) into = json::array();
    json::array& list = into.get_array();
    if (list.size() <= *element) list.resize(*element + 1, json::object());
    return FieldAt(list[*element], names.subspan(1));
  }
  if (!into.is_object()) into = json::object();
  return FieldAt(into.get_object()[names.front()], names.subspan(1));
}
json::value& FieldAt(json::object& into, const FieldPath& path) {
  return FieldAt(into[path.names().front()], path.names().subspan(1));
}

// `part` is in `list`: what is left of it.
void TakeAway(const ResourceList& part, ResourceList& list) {
  for (auto& [resource, amount] : list) amount -= AmountOf(part, resource);
  std::erase_if(list, [](const auto& entry) { return entry.second == 0; });
}

// As Spark's own rule makes the same template of it again (read/decode_spark.cc). The fields that
// are there already are those of its count.
void WriteSparkRole(const PodTemplate& pod_template, json::value& into) {
  if (!into.is_object()) into = json::object();
  json::object& role = into.get_object();
  PodTemplate own = pod_template;
  const ResourceList request = std::exchange(own.spec.needs.request, {});
  ResourceList sparks;
  for (const auto& entry : request) {
    const bool is_sparks = entry.first == "cpu" || entry.first == "memory";
    (is_sparks ? sparks : own.spec.needs.request).push_back(entry);
  }
  const json::object amounts = ResourcesToJson(sparks);
  role["coreRequest"] = amounts.contains("cpu") ? amounts.at("cpu") : json::value("0");
  role["memory"] = std::to_string(AmountOf(sparks, "memory")) + "b";
  role["memoryOverhead"] = "0b";
  role["template"] = TemplateToJson(own);
}

void WriteSet(const JobObject::Replicas& set, json::object& into) {
  const auto at = [&](const FieldPath& path) -> json::value& {
    return FieldAt(into, set.element ? path.Of(*set.element) : path);
  };
  const JobRow::PodSet& row = *set.row;
  if (!row.name_at.empty()) {
    at(row.name_at) = set.component ? set.component->pod_set : set.name;
  }
  std::size_t next = 0;
  ForEachField(row.count, [&](const FieldPath& path) {
    if (const std::optional<std::int64_t>& value = set.counts[next++]) at(path) = *value;
  });
  if (!row.min.empty() && set.min) at(row.min) = *set.min;
  if (!row.max.empty() && set.max) at(row.max) = *set.max;
  if (set.elastic && !row.elastic_if.empty()) FieldAt(into, row.elastic_if) = true;
  const FieldPath& template_at = row.pod_template[set.template_at];
  if (row.template_form == JobRow::TemplateForm::kSpark) {
    return WriteSparkRole(set.pod_template, at(template_at));
  }
  PodTemplate own = set.pod_template;
  for (std::size_t i = 0; i < set.sidecars.size(); ++i) {
    const JobRow::Sidecar& sidecar = row.sidecars[i];
    if (!set.sidecars[i]) continue;
    TakeAway(*set.sidecars[i], own.spec.needs.request);
    FieldAt(into, sidecar.runs_if) =
        sidecar.word.empty() ? json::value(true) : json::value(sidecar.word);
    if (sidecar.resources.empty()) continue;
    FieldAt(into, sidecar.resources) =
        json::object{{"requests", ResourcesToJson(*set.sidecars[i])}};
  }
  if (!template_at.empty()) {
    at(template_at) = TemplateToJson(own);
    return;
  }
  json::object pod = TemplateToJson(own);
  if (json::object* metadata = pod["metadata"].if_object()) {
    for (auto& [key, value] : *metadata)
      FieldAt(into, FieldPath("metadata") / std::string_view(key)) = value;
  }
  into["spec"] = std::move(pod["spec"]);
}

void WriteComponent(const JobObject::Replicas& set, json::array& components) {
  const JobObject::Component& of = *set.component;
  while (components.size() <= of.at)
    components.emplace_back(json::object{{"template", json::object()}});
  json::object& component = components[of.at].get_object();
  json::object& made = component["template"].get_object();
  made["apiVersion"] = of.api_version;
  made["kind"] = of.kind;
  FieldAt(made, "metadata.name") = of.name;
  if (of.declared_at.empty()) return WriteSet(set, made);
  FieldAt(component, *FieldPath::Parse(of.declared_at)) = TemplateToJson(set.pod_template);
  if (!component.contains("podSets")) component["podSets"] = json::array();
  component["podSets"].get_array().emplace_back(
      json::object{{"replicas", set.count()}, {"path", of.declared_at}});
}

void WriteBody(const JobObject& job, json::object& into) {
  const JobRow& row = *job.row;
  if (job.suspend) FieldAt(into, row.suspend) = true;
  if (!job.priority_class.empty()) {
    FieldAt(into, row.priority_class[job.priority_class_at]) = job.priority_class;
  }
  if (!row.suspends_if.empty() && job.suspends_if) FieldAt(into, row.suspends_if) = true;
  if (job.deadline) FieldAt(into, row.deadline) = job.deadline->WholeSeconds();
  if (job.min_total) FieldAt(into, row.min_total) = *job.min_total;
  if (job.groups) FieldAt(into, row.groups) = *job.groups;
  if (!job.order.empty()) FieldAt(into, row.order.path) = job.order;
  if (row.components.empty()) {
    for (const JobObject::Replicas& set : job.pod_sets) WriteSet(set, into);
  } else {
    json::array components;
    for (const JobObject::Replicas& set : job.pod_sets) WriteComponent(set, components);
    FieldAt(into, row.components) = std::move(components);
  }
  if (!job.complete()) return;
  if (!row.finished.path.empty()) {
    FieldAt(into, row.finished.path) = job.ended;
  } else {
    into["status"] = json::object{{"conditions", json::array{ConditionToJson(job.ended, true)}}};
  }
}

void WriteBody(const DaemonSet& daemon_set, json::object& into) {
  into["spec"] = json::object{{"template", TemplateToJson(daemon_set.pod_template)}};
}

void WriteBody(const PodDisruptionBudget& budget, json::object& into) {
  json::object spec;
  if (!budget.selects_nothing) spec["selector"] = SelectorToJson(budget.selector);
  if (budget.min_available) spec["minAvailable"] = ToJson(budget.min_available);
  if (budget.max_unavailable) spec["maxUnavailable"] = ToJson(budget.max_unavailable);
  into["spec"] = std::move(spec);
  if (budget.disruptions_allowed) {
    into["status"] = json::object{{"disruptionsAllowed", *budget.disruptions_allowed}};
  }
}

json::value BoundToJson(const std::optional<LossBound>& bound) {
  if (!bound) return "Unlimited";
  json::object object{{"grace", FormatDuration(bound->grace)}};
  if (bound->waited_percent > 0) object["waitedPercent"] = bound->waited_percent;
  if (bound->deadline) object["deadline"] = FormatDuration(*bound->deadline);
  return object;
}

json::value MaxLossToJson(const MaxLoss& max) {
  if (max.by_guarantee == max.by_share) return BoundToJson(max.by_share);
  return json::object{{"guarantee", BoundToJson(max.by_guarantee)},
                      {"share", BoundToJson(max.by_share)}};
}

json::value UserLimitToJson(const UserLimit& limit) {
  json::object object;
  if (limit.each != UserLimit::Each::kNamed) {
    object["each"] = limit.each == UserLimit::Each::kUser ? "user" : "group";
  }
  for (const auto& [key, names] : {std::pair("users", &limit.users), {"groups", &limit.groups}}) {
    if (!names->empty()) object[key] = json::array(names->begin(), names->end());
  }
  if (!limit.max.empty()) object["max"] = ResourcesToJson(limit.max);
  if (limit.max_running) object["maxRunning"] = *limit.max_running;
  if (limit.max_waiting) object["maxWaiting"] = *limit.max_waiting;
  return object;
}

json::object UsageToJson(const QueueUsage& usage) {
  json::object resources;
  for (const auto& [name, used] : usage.resources) {
    resources[name] = FormatWide(used, DecimalsOf(ScaleOf(name)));
  }
  return {{"at", FormatTime(usage.at)}, {"resources", std::move(resources)}};
}

void WriteBody(const Queue& queue, json::object& into) {
  json::object spec;
  if (!queue.parent.empty()) spec["parent"] = queue.parent;
  if (!queue.guaranteed.empty()) spec["guaranteed"] = ResourcesToJson(queue.guaranteed);
  if (!queue.limit.empty()) spec["limit"] = ResourcesToJson(queue.limit);
  spec["weight"] = WeightToJson(queue.weight);
  spec["priority"] = queue.priority;
  if (queue.preempt_min_runtime) {
    spec["preemptMinRuntime"] = FormatDuration(*queue.preempt_min_runtime);
  }
  if (queue.reclaim_min_runtime) {
    spec["reclaimMinRuntime"] = FormatDuration(*queue.reclaim_min_runtime);
  }
  if (queue.max_loss) spec["maxLoss"] = MaxLossToJson(*queue.max_loss);
  if (queue.repeat_protection) {
    spec["repeatProtection"] = FormatDuration(*queue.repeat_protection);
  }
  if (queue.lend != 100) spec["lend"] = queue.lend;
  if (queue.order == WorkOrder::kShortestFirst) spec["order"] = "ShortestFirst";
  if (queue.ageing) spec["ageing"] = FormatDuration(*queue.ageing);
  if (queue.max_run_time) spec["maxRunTime"] = FormatDuration(*queue.max_run_time);
  if (queue.default_run_time) spec["defaultRunTime"] = FormatDuration(*queue.default_run_time);
  if (!queue.limits.empty()) {
    json::array limits;
    for (const UserLimit& limit : queue.limits) limits.push_back(UserLimitToJson(limit));
    spec["limits"] = std::move(limits);
  }
  if (!queue.active) spec["active"] = false;
  into["spec"] = std::move(spec);
  json::object status;
  if (queue.usage) status["usage"] = UsageToJson(*queue.usage);
  if (queue.median_duration) status["medianDuration"] = FormatDuration(*queue.median_duration);
  if (!status.empty()) into["status"] = std::move(status);
}

json::object WorkloadStatus(const Workload& workload) {
  json::object status;
  if (!workload.admission.empty() || !workload.admission_queue.empty()) {
    json::array assignments;
    for (const PodSetAssignment& assignment : workload.admission) {
      json::object object{{"name", assignment.name}, {"count", assignment.count}};
      if (!assignment.flavors.empty()) object["flavors"] = LabelsToJson(assignment.flavors);
      if (!assignment.usage.empty()) object["resourceUsage"] = ResourcesToJson(assignment.usage);
      assignments.push_back(std::move(object));
    }
    json::object admission;
    if (!workload.admission_queue.empty()) admission["queue"] = workload.admission_queue;
    admission["podSetAssignments"] = std::move(assignments);
    status["admission"] = std::move(admission);
  }
  if (workload.start_time) status["startTime"] = FormatTime(*workload.start_time);
  json::object until;
  if (workload.preempt_protected_until) {
    until["preempt"] = FormatTime(*workload.preempt_protected_until);
  }
  if (workload.reclaim_protected_until) {
    until["reclaim"] = FormatTime(*workload.reclaim_protected_until);
  }
  if (!until.empty()) status["protectedUntil"] = std::move(until);
  if (workload.stops > 0) status["stops"] = workload.stops;
  if (workload.reservation) status["reservation"] = ReservationToJson(*workload.reservation);
  if (!workload.landings.empty()) status["landings"] = LandingsToJson(workload.landings);
  if (!workload.conditions.empty()) status["conditions"] = ConditionsToJson(workload.conditions);
  return status;
}

void WriteBody(const Workload& workload, json::object& into) {
  json::object spec;
  if (!workload.queue_name.empty()) spec["queueName"] = workload.queue_name;
  if (!workload.priority_class_name.empty()) {
    spec["priorityClassName"] = workload.priority_class_name;
  }
  if (workload.priority) spec["priority"] = *workload.priority;
  if (workload.preemptible) spec["preemptible"] = *workload.preemptible;
  if (!workload.active) spec["active"] = false;
  if (workload.resize == Resize::kAnytime) spec["resize"] = "Anytime";
  if (workload.expected_duration) {
    spec["expectedDuration"] = FormatDuration(*workload.expected_duration);
  }
  if (workload.max_run_time) spec["maxRunTime"] = FormatDuration(*workload.max_run_time);
  if (workload.on_run_time_limit == OnRunTimeLimit::kRequeue) spec["onRunTimeLimit"] = "Requeue";
  json::array pod_sets;
  for (const PodSet& pod_set : workload.pod_sets) {
    json::object object;
    object["name"] = pod_set.name;
    if (pod_set.count) object["count"] = *pod_set.count;
    if (pod_set.min_count) object["minCount"] = *pod_set.min_count;
    if (pod_set.pod_template) object["template"] = TemplateToJson(*pod_set.pod_template);
    if (pod_set.topology) object["topology"] = TopologyConstraintToJson(*pod_set.topology);
    pod_sets.push_back(std::move(object));
  }
  spec["podSets"] = std::move(pod_sets);
  if (workload.topology) spec["topology"] = TopologyConstraintToJson(*workload.topology);
  into["spec"] = std::move(spec);
  json::object status = WorkloadStatus(workload);
  if (!status.empty()) into["status"] = std::move(status);
}

// The others' levels are mappings.
void WriteBody(const Topology& topology, json::object& into) {
  json::array levels;
  for (const std::string& key : topology.levels) {
    if (topology.dialect_kind.empty()) {
      levels.emplace_back(key);
    } else {
      levels.push_back(json::object{{"nodeLabel", key}});
    }
  }
  into["spec"] = json::object{{"levels", std::move(levels)}};
}

void WriteBody(const Window& window, json::object& into) {
  json::object spec;
  if (!window.node_selector.empty()) spec["nodeSelector"] = LabelsToJson(window.node_selector);
  if (!window.nodes.empty()) spec["nodes"] = json::array(window.nodes.begin(), window.nodes.end());
  spec["from"] = FormatTime(window.from);
  if (window.until) spec["until"] = FormatTime(*window.until);
  if (!window.queues.empty()) {
    spec["queues"] = json::array(window.queues.begin(), window.queues.end());
  }
  if (window.at_begin != AtBegin::kLeave) spec["atBegin"] = "Evict";
  into["spec"] = std::move(spec);
}

json::object MemberToJson(const HyperNode::Member& member) {
  json::object selector;
  if (!member.name.empty()) selector["exactMatch"] = json::object{{"name", member.name}};
  if (!member.pattern.empty()) selector["regexMatch"] = json::object{{"pattern", member.pattern}};
  if (member.labels) selector["labelMatch"] = SelectorToJson(*member.labels);
  return {{"type", member.is_node ? "Node" : "HyperNode"}, {"selector", std::move(selector)}};
}

void WriteBody(const HyperNode& hyper_node, json::object& into) {
  json::object spec{{"tier", hyper_node.tier}};
  if (!hyper_node.tier_name.empty()) spec["tierName"] = hyper_node.tier_name;
  json::array members;
  for (const HyperNode::Member& member : hyper_node.members) {
    members.push_back(MemberToJson(member));
  }
  spec["members"] = std::move(members);
  into["spec"] = std::move(spec);
}

void WriteBody(const ElasticQuota& quota, json::object& into) {
  json::object spec;
  if (!quota.min.empty()) spec["min"] = ResourcesToJson(quota.min);
  if (!quota.max.empty()) spec["max"] = ResourcesToJson(quota.max);
  into["spec"] = std::move(spec);
  json::object status;
  if (!quota.used.empty()) status["used"] = ResourcesToJson(quota.used);
  if (!quota.conditions.empty()) status["conditions"] = ConditionsToJson(quota.conditions);
  if (!status.empty()) into["status"] = std::move(status);
}

void WriteBody(const ResourceQuota& quota, json::object& into) {
  json::object hard;
  for (const auto& [resource, amount] : quota.hard) {
    hard[resource == "pods" ? resource : "requests." + resource] = FormatResource(resource, amount);
  }
  json::object spec{{"hard", std::move(hard)}};
  if (!quota.scopes.empty()) spec["scopes"] = json::array(quota.scopes.begin(), quota.scopes.end());
  into["spec"] = std::move(spec);
}

void WriteBody(const PersistentVolumeClaim& claim, json::object& into) {
  json::object spec = VolumeAskToJson(claim.ask);
  if (!claim.volume.empty()) spec["volumeName"] = claim.volume;
  if (!spec.empty()) into["spec"] = std::move(spec);
  if (claim.bound || claim.lost) {
    into["status"] = json::object{{"phase", claim.bound ? "Bound" : "Lost"}};
  }
}

void WriteBody(const PersistentVolume& volume, json::object& into) {
  json::object spec;
  if (!volume.storage_class.empty()) spec["storageClassName"] = volume.storage_class;
  if (volume.bytes > 0) {
    spec["capacity"] = json::object{{"storage", FormatResource("memory", volume.bytes)}};
  }
  if (volume.access_modes != 0) spec["accessModes"] = AccessModesToJson(volume.access_modes);
  if (volume.block) spec["volumeMode"] = "Block";
  if (!volume.attributes_class.empty()) {
    spec["volumeAttributesClassName"] = volume.attributes_class;
  }
  if (!volume.claim.empty()) {
    const KeyParts claim = SplitKey(volume.claim);
    json::object reference{{"namespace", claim.name_space}, {"name", claim.name}};
    if (!volume.claim_uid.empty()) reference["uid"] = volume.claim_uid;
    spec["claimRef"] = std::move(reference);
  }
  if (!volume.csi_driver.empty()) {
    spec["csi"] = json::object{{"driver", volume.csi_driver}, {"volumeHandle", volume.csi_handle}};
  }
  if (volume.node_affinity) {
    spec["nodeAffinity"] = json::object{{"required", NodeSelectorToJson(*volume.node_affinity)}};
  }
  if (!spec.empty()) into["spec"] = std::move(spec);
  if (!volume.available) into["status"] = json::object{{"phase", "Bound"}};
}

void WriteBody(const StorageClass& storage, json::object& into) {
  into["provisioner"] = storage.provisioner;
  into["volumeBindingMode"] = storage.waits_for_pod ? "WaitForFirstConsumer" : "Immediate";
  json::array topologies;
  for (const NodeSelectorTerm& term : storage.allowed_topologies) {
    json::array expressions;
    for (const Requirement& requirement : term.labels) {
      expressions.push_back(json::object{
          {"key", requirement.key},
          {"values", json::array(requirement.values.begin(), requirement.values.end())}});
    }
    topologies.push_back(json::object{{"matchLabelExpressions", std::move(expressions)}});
  }
  if (!topologies.empty()) into["allowedTopologies"] = std::move(topologies);
}

void WriteBody(const CSINode& node, json::object& into) {
  json::array drivers;
  for (const CSINode::Driver& driver : node.drivers) {
    json::object item{{"name", driver.name}};
    if (driver.most) item["allocatable"] = json::object{{"count", *driver.most}};
    drivers.push_back(std::move(item));
  }
  into["spec"] = json::object{{"drivers", std::move(drivers)}};
}

void WriteBody(const VolumeAttachment& attachment, json::object& into) {
  json::object source;
  if (!attachment.volume.empty()) source["persistentVolumeName"] = attachment.volume;
  into["spec"] = json::object{{"attacher", attachment.driver},
                              {"nodeName", attachment.node},
                              {"source", std::move(source)}};
}

void WriteBody(const CSIDriver& driver, json::object& into) {
  into["spec"] = json::object{{"storageCapacity", driver.tracks_capacity}};
}

void WriteBody(const CSIStorageCapacity& storage, json::object& into) {
  into["storageClassName"] = storage.storage_class;
  if (storage.nodes) into["nodeTopology"] = SelectorToJson(*storage.nodes);
  if (storage.capacity) into["capacity"] = FormatResource("memory", *storage.capacity);
  if (storage.largest_volume) {
    into["maximumVolumeSize"] = FormatResource("memory", *storage.largest_volume);
  }
}

json::object DaemonSetPreemptionToJson(const SchedulerConfiguration::DaemonSetPreemption& part) {
  json::array selection;
  for (const VictimSelection word : part.victim_selection) {
    selection.emplace_back(word == VictimSelection::kSingle ? "single" : "multiple");
  }
  json::object object{{"enabled", part.enabled},
                      {"startDelay", FormatDuration(part.start_delay)},
                      {"victimSelection", std::move(selection)},
                      {"singleMaxDeviationPercent", part.single_max_deviation_percent},
                      {"multipleMaxVictims", part.multiple_max_victims},
                      {"respectMinRuntime", part.respect_min_runtime}};
  if (part.name_spaces) object["namespaceSelector"] = SelectorToJson(*part.name_spaces);
  return object;
}

json::object PlacementToJson(const SchedulerConfiguration& config) {
  json::object placement{{"gpu", ToString(config.gpu_placement)},
                         {"cpu", ToString(config.cpu_placement)}};
  if (config.preferences != PreferenceOrder::kFirst) {
    placement["preferences"] = ToString(config.preferences);
  }
  if (config.placement_seed != 0) placement["seed"] = config.placement_seed;
  json::array typical;
  for (const TypicalPod& pod : config.typical_pods) {
    json::object item{{"count", pod.count}, {"cpu", FormatResource("cpu", pod.cpu_milli)}};
    if (pod.gpus > 0) item["gpus"] = pod.gpus;
    if (pod.gpu_milli > 0) item["gpuMilli"] = pod.gpu_milli;
    json::object labels;
    for (const Requirement& wanted : pod.node_labels) {
      labels[wanted.key] = json::array(wanted.values.begin(), wanted.values.end());
    }
    if (!labels.empty()) item["nodeLabels"] = std::move(labels);
    typical.push_back(std::move(item));
  }
  if (!typical.empty()) placement["typicalPods"] = std::move(typical);
  return placement;
}

json::object ReclaimToJson(const SchedulerConfiguration& config) {
  json::object reclaim{{"enabled", config.reclaim_enabled}};
  if (config.max_loss) reclaim["maxLoss"] = MaxLossToJson(*config.max_loss);
  if (config.repeat_protection > Duration()) {
    reclaim["repeatProtection"] = FormatDuration(config.repeat_protection);
  }
  if (config.lend != 100) reclaim["lend"] = config.lend;
  return reclaim;
}

json::object ConsolidationToJson(const SchedulerConfiguration::Consolidation& from) {
  json::object consolidation{{"enabled", from.enabled},
                             {"cooldown", FormatDuration(from.cooldown)}};
  if (from.max_loss) consolidation["maxLoss"] = MaxLossToJson(*from.max_loss);
  return consolidation;
}

void WriteBody(const SchedulerConfiguration& config, json::object& into) {
  into["schedulerName"] = config.scheduler_name;
  into["defaultQueue"] = config.default_queue;
  into["nodeSelector"] = LabelsToJson(config.node_selector);
  into["placement"] = PlacementToJson(config);
  into["minRuntime"] = json::object{
      {"preempt", FormatDuration(config.preempt_min_runtime)},
      {"reclaim", FormatDuration(config.reclaim_min_runtime)},
      {"reclaimResolve", config.reclaim_resolve == ReclaimResolve::kLca ? "lca" : "queue"}};
  const bool ordered = config.partial_admission.reduce == Reduction::kOrdered;
  into["partialAdmission"] = json::object{{"enabled", config.partial_admission.enabled},
                                          {"reduce", ordered ? "ordered" : "proportional"},
                                          {"fill", config.partial_admission.fill}};
  into["admission"] = json::object{{"podsTimeout", FormatDuration(config.pods_timeout)}};
  into["daemonSetPreemption"] = DaemonSetPreemptionToJson(config.daemon_set_preemption);
  const bool yield = config.budgets_on_borrowed_room == OnBorrowedRoom::kYield;
  into["disruptionBudgets"] = json::object{{"onBorrowedRoom", yield ? "Yield" : "Bind"}};
  into["maxGracePeriod"] = FormatDuration(config.max_grace_period);
  into["reclaim"] = ReclaimToJson(config);
  into["preempt"] = json::object{{"enabled", config.preempt_enabled}};
  into["backfill"] = json::object{{"reservations", config.backfill.reservations},
                                  {"after", FormatDuration(config.backfill.after)},
                                  {"drainAfter", FormatDuration(config.backfill.drain_after)},
                                  {"maxDrainedPercent", config.backfill.max_drained_percent}};
  into["consolidation"] = ConsolidationToJson(config.consolidation);
  into["staleGang"] = json::object{{"grace", FormatDuration(config.stale_gang_grace)}};
  if (config.usage) {
    into["usage"] = json::object{{"halfLife", FormatDuration(config.usage->half_life)},
                                 {"influence", ThousandthsToJson(config.usage->influence_milli)}};
  }
  if (!config.job_kinds.empty()) into["jobKinds"] = JobKindsToJson(config.job_kinds);
}

}  // namespace

std::string_view ApiVersionOf(const Object& object) {
  // By the variant's order.
  static constexpr std::string_view kVersions[] = {"v1",
                                                   "v1",
                                                   "v1",
                                                   "scheduling.k8s.io/v1",
                                                   "batch/v1",
                                                   "apps/v1",
                                                   "policy/v1",
                                                   kOurs,
                                                   kOurs,
                                                   kOurs,
                                                   "scheduling.x-k8s.io/v1alpha1",
                                                   "v1",
                                                   {},  // as its row says
                                                   kKueueVersion,
                                                   kKueueVersion,
                                                   kKueueVersion,
                                                   kKueueVersion,
                                                   "v1",
                                                   "v1",
                                                   "storage.k8s.io/v1",
                                                   "storage.k8s.io/v1",
                                                   "storage.k8s.io/v1",
                                                   "storage.k8s.io/v1",
                                                   "storage.k8s.io/v1",
                                                   {},  // as it says itself
                                                   {},  // as its row says
                                                   kOurs,
                                                   kKueueVersion,
                                                   kHyperNodeVersion};
  static_assert(std::size(kVersions) == std::variant_size_v<Object>);
  if (const auto* group = std::get_if<PodGroup>(&object)) return group->api_version;
  if (const auto* topology = std::get_if<Topology>(&object)) {
    return RowOf(*topology).api_versions.front();
  }
  const auto* job = std::get_if<JobObject>(&object);
  return job == nullptr ? kVersions[object.index()] : std::string_view(job->api_version());
}

json::value ToJson(const Object& object) {
  json::object document;
  document["apiVersion"] = ApiVersionOf(object);
  document["kind"] = KindOf(object);
  json::object metadata = MetaToJson(MetaOf(object));
  if (!metadata.empty()) document["metadata"] = std::move(metadata);
  std::visit([&](const auto& value) { WriteBody(value, document); }, object);
  return document;
}

}  // namespace fairlead::objects
