#include <string>

#include "base/sorted_set.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// A field that is there and says something: "" is what Go writes for what is not set.
bool IsSet(const Value* parent, std::string_view key) {
  const Value* value = FieldReader::Get(parent, key);
  return value != nullptr && !(value->kind() == Value::Kind::kString && value->text().empty());
}

void ReadPorts(FieldReader& fields, const Value& container, bool host_network, PodNeeds& needs) {
  constexpr std::int64_t kMaxPort = 65535;
  const Value* ports = fields.List(&container, "ports");
  if (ports == nullptr) return;
  for (const Value* item : ports->items()) {
    if (!fields.IsMapping(*item)) continue;
    HostPort port;
    std::int32_t container_port = 0;
    fields.Integer(item, "containerPort", container_port, 0, kMaxPort);
    fields.Integer(item, "hostPort", port.port, 0, kMaxPort);
    fields.String(item, "hostIP", port.ip);
    fields.String(item, "protocol", port.protocol);
    if (port.port == 0 && host_network) port.port = container_port;
    if (port.port != 0) needs.host_ports.push_back(std::move(port));
  }
}

void ReadHostPorts(FieldReader& fields, const Value& spec, PodNeeds& needs) {
  bool host_network = false;
  fields.Bool(&spec, "hostNetwork", host_network);
  const auto read = [&](std::string_view key, bool sidecars_only) {
    const Value* containers = FieldReader::Get(&spec, key);
    if (containers == nullptr) return;
    for (const Value* container : containers->items()) {
      if (sidecars_only && !IsSidecar(*container)) continue;
      ReadPorts(fields, *container, host_network, needs);
    }
  };
  read("containers", false);
  read("initContainers", true);
  auto& ports = needs.host_ports;
  MakeSet(ports);
}

void SetUnsupported(PodNeeds& needs, std::string_view field) {
  if (needs.rare->unsupported_field.empty()) needs.rare.Edit().unsupported_field = field;
}

void ReadEphemeral(FieldReader& fields, const Value& volume, PodSpec& out) {
  EphemeralVolume ephemeral;
  fields.String(&volume, "name", ephemeral.name);
  const Value* of = fields.Mapping(&volume, "ephemeral");
  const Value* claim = fields.Mapping(fields.Mapping(of, "volumeClaimTemplate"), "spec");
  ReadVolumeAsk(fields, claim, ephemeral.ask);
  if (ephemeral.name.empty() || ephemeral.name.find('/') != std::string::npos) {
    SetUnsupported(out.needs, "spec.volumes.ephemeral");
  } else {
    out.rare.Edit().ephemeral_volumes.push_back(std::move(ephemeral));
  }
}

// Claims go by name to those who know the volumes. One without a name is nobody's.
void ReadVolumes(FieldReader& fields, const Value& spec, PodSpec& out) {
  const Value* volumes = fields.List(&spec, "volumes");
  if (volumes == nullptr) return;
  std::vector<std::string> claims;
  for (const Value* volume : volumes->items()) {
    if (!fields.IsMapping(*volume)) continue;
    if (volume->Find("ephemeral") != nullptr) {
      ReadEphemeral(fields, *volume, out);
    }
    const Value* claim = volume->Find("persistentVolumeClaim");
    if (claim == nullptr) continue;
    std::string name;
    if (!claim->is_null()) {
      fields.String(fields.Mapping(volume, "persistentVolumeClaim"), "claimName", name);
    }
    if (name.empty() || name.find('/') != std::string::npos) {
      SetUnsupported(out.needs, "spec.volumes.persistentVolumeClaim");
    } else {
      claims.push_back(std::move(name));
    }
  }
  MakeSet(claims);
  if (!claims.empty()) out.rare.Edit().volume_claims = std::move(claims);
}

// The groups of Kubernetes' own API from 1.36 on. (Those of 1.35, workloadRef, are gone again.)
void ReadSchedulingGroup(FieldReader& fields, const Value& spec, PodSpec& out) {
  std::string name;
  fields.String(fields.Mapping(&spec, "schedulingGroup"), "podGroupName", name);
  if (!name.empty()) out.rare.Edit().scheduling_group = std::move(name);
}

}  // namespace

void ReadTolerations(FieldReader& fields, const Value* parent, std::vector<Toleration>& out) {
  constexpr std::pair<std::string_view, bool> kOperators[] = {{"Equal", false}, {"Exists", true}};
  const Value* tolerations = fields.List(parent, "tolerations");
  if (tolerations == nullptr) return;
  out.reserve(tolerations->items().size());
  for (const Value* item : tolerations->items()) {
    if (!fields.IsMapping(*item)) continue;
    Toleration toleration;
    fields.String(item, "key", toleration.key);
    fields.String(item, "value", toleration.value);
    if (IsSet(item, "operator")) fields.Enum(item, "operator", kOperators, toleration.exists);
    TaintEffect effect = TaintEffect::kNoSchedule;
    if (IsSet(item, "effect") && fields.Enum(item, "effect", kTaintEffects, effect)) {
      toleration.effect = effect;
    }
    if (toleration.key.empty() && !toleration.exists && fields.ok()) {
      fields.FaultBelow(*item, "operator", "found none with an empty key, expected Exists");
    }
    out.push_back(std::move(toleration));
  }
}

bool ReadPodNeeds(FieldReader& fields, const Value& spec, const Labels& labels, PodNeeds& needs) {
  bool room_known = ReadPodRequest(fields, spec, needs);
  const int faults = fields.faults();
  ReadHostPorts(fields, spec, needs);
  room_known &= fields.faults() == faults;
  fields.Strings(fields.Mapping(&spec, "nodeSelector"), needs.node_selector);
  ReadAffinity(fields, spec, needs);
  ReadTolerations(fields, &spec, needs.tolerations);
  ReadPodTerms(fields, spec, labels, needs, room_known);
  ReadSpread(fields, spec, labels, needs);
  if (FieldReader::Get(&spec, "workloadRef") != nullptr) SetUnsupported(needs, "spec.workloadRef");
  const Value* claims = fields.List(&spec, "resourceClaims");
  if (claims != nullptr && !claims->items().empty()) SetUnsupported(needs, "spec.resourceClaims");
  return room_known;
}

namespace {

// Whoever has put a gate there may call it what he likes: that it is there counts.
void ReadGates(FieldReader& fields, const Value& spec, PodSpec& out) {
  const Value* gates = fields.List(&spec, "schedulingGates");
  if (gates == nullptr || gates->items().empty()) return;
  out.gated = true;
  for (const Value* gate : gates->items()) {
    const Value* name = FieldReader::Get(gate, "name");
    if (name == nullptr || name->kind() != Value::Kind::kString || name->text().empty()) continue;
    out.rare.Edit().gates.emplace_back(name->text());
  }
}

}  // namespace

void ReadPodSpec(FieldReader& fields, const Value* spec, const Labels& labels, PodSpec& out) {
  constexpr std::pair<std::string_view, bool> kPolicies[] = {{"PreemptLowerPriority", false},
                                                             {"Never", true}};
  if (spec == nullptr) return;
  std::string scheduler;
  if (fields.String(spec, "schedulerName", scheduler) && !scheduler.empty()) {
    out.scheduler_name = std::move(scheduler);
  }
  fields.String(spec, "nodeName", out.node_name);
  fields.String(spec, "priorityClassName", out.priority_class_name);
  fields.Integer(spec, "priority", out.priority);
  if (IsSet(spec, "preemptionPolicy")) {
    fields.Enum(spec, "preemptionPolicy", kPolicies, out.never_preempts);
  }
  ReadGates(fields, *spec, out);
  fields.Integer(spec, "terminationGracePeriodSeconds", out.grace_seconds, 0);
  if (std::optional<Duration> deadline; fields.Seconds(spec, "activeDeadlineSeconds", deadline)) {
    out.rare.Edit().deadline = deadline;
  }
  out.room_unknown = !ReadPodNeeds(fields, *spec, labels, out.needs);
  ReadVolumes(fields, *spec, out);
  ReadSchedulingGroup(fields, *spec, out);
}

void ReadPodTemplate(FieldReader& fields, const Value* pod_template, PodTemplate& out) {
  if (pod_template == nullptr) return;
  ReadLabels(fields, fields.Mapping(pod_template, "metadata"), out.labels, out.annotations);
  ReadPodSpec(fields, fields.Mapping(pod_template, "spec"), out.labels, out.spec);
  // What a template names is where its pods may run; they are not there yet.
  out.spec.needs.node_name = std::exchange(out.spec.node_name, "");
}

}  // namespace fairlead::objects
