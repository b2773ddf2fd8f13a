#include <algorithm>

#include "base/integer.h"
#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kMirror = "kubernetes.io/config.mirror";
constexpr std::string_view kNodeReserved = "fairlead.dev/NodeReserved";
constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
constexpr std::string_view kGpuDevice = "fairlead.dev/GpuDevice";

constexpr std::pair<std::string_view, PodPhase> kPhases[] = {
    {"Pending", PodPhase::kPending},     {"Running", PodPhase::kRunning},
    {"Succeeded", PodPhase::kSucceeded}, {"Failed", PodPhase::kFailed},
    {"Unknown", PodPhase::kUnknown},
};

// Since when a condition is true; nothing where it is not.
void ReadSince(FieldReader& fields, const Value* condition, std::optional<Time>& out) {
  if (IsTrue(condition)) fields.Time(condition, "lastTransitionTime", out);
}

// "Device3" is device 3.
void ReadGpuDevice(FieldReader& fields, const Value* condition, Pod& pod) {
  constexpr std::string_view kPrefix = "Device";
  constexpr std::int32_t kMost = 127;
  std::string reason;
  if (!IsTrue(condition) || !fields.String(condition, "reason", reason)) return;
  if (!reason.starts_with(kPrefix)) return;
  const auto device = ParseInteger<std::int32_t>(std::string_view(reason).substr(kPrefix.size()));
  if (device && *device >= 0 && *device <= kMost) pod.gpu_device = device;
}

// Since when it is placed; or waits, of a pod that has or had scheduling gates.
void ReadScheduled(FieldReader& fields, const Value* condition, Pod& pod) {
  std::string status, reason;
  if (IsTrue(condition)) return ReadSince(fields, condition, pod.scheduled_time);
  if (condition == nullptr || !fields.String(condition, "status", status) || status != "False" ||
      !fields.String(condition, "reason", reason)) {
    return;
  }
  pod.gates_told = reason == kSchedulingGated;
  std::optional<Time> since;
  if (reason == kUngated && fields.Time(condition, "lastTransitionTime", since)) {
    pod.ungated_time = since;
  }
}

void ReadLoan(FieldReader& fields, const Value* conditions, Pod& pod) {
  const Value* condition = FindCondition(conditions, kPodOnLoanCondition);
  if (!IsTrue(condition)) return;
  std::string message;
  fields.String(condition, "message", message);
  pod.loan = ParseLoan(message);
}

void ReadDisruptionTarget(FieldReader& fields, const Value* conditions, Pod& pod) {
  const Value* condition = FindCondition(conditions, kDisruptionTarget);
  if (!IsTrue(condition)) return;
  Condition target{.type = std::string(kDisruptionTarget), .holds = true};
  fields.String(condition, "reason", target.reason);
  fields.String(condition, "message", target.message);
  fields.Time(condition, "lastTransitionTime", target.since);
  pod.disruption_target = std::move(target);
}

void ReadFinishTime(FieldReader& fields, const Value* status, Pod& pod) {
  const Value* containers = fields.List(status, "containerStatuses");
  if (containers == nullptr) return;
  for (const Value* container : containers->items()) {
    if (!fields.IsMapping(*container)) continue;
    const Value* terminated = fields.Mapping(fields.Mapping(container, "state"), "terminated");
    std::optional<Time> finished;
    fields.Time(terminated, "finishedAt", finished);
    if (finished) pod.finish_time = std::max(pod.finish_time.value_or(*finished), *finished);
  }
}

// What kubelets say of a pod that they do not take, and never of one that ran.
bool IsRefusal(std::string_view reason) {
  return reason == "TopologyAffinityError" || reason == "UnexpectedAdmissionError" ||
         reason.starts_with("OutOf");
}

void ReadRefusal(FieldReader& fields, const Value* status, Pod& pod) {
  if (pod.phase != PodPhase::kFailed) return;
  KubeletRefusal refusal;
  fields.String(status, "reason", refusal.reason);
  fields.String(status, "message", refusal.message);
  if (IsRefusal(refusal.reason)) pod.refusal = std::move(refusal);
}

void ReadStatus(FieldReader& fields, const Value* status, Pod& pod) {
  if (status == nullptr) return;
  const Value* phase = status->Find("phase");
  // An empty phase is that of a pod that the API server has not seen yet.
  if (phase != nullptr && !(phase->kind() == Value::Kind::kString && phase->text().empty())) {
    fields.Enum(status, "phase", kPhases, pod.phase);
  }
  fields.String(status, "nominatedNodeName", pod.nominated_node);
  fields.Time(status, "startTime", pod.start_time);
  const Value* conditions = fields.List(status, "conditions");
  pod.ready = IsTrue(FindCondition(conditions, "Ready"));
  ReadScheduled(fields, FindCondition(conditions, "PodScheduled"), pod);
  ReadSince(fields, FindCondition(conditions, kNodeReserved), pod.node_reserved_time);
  ReadGpuDevice(fields, FindCondition(conditions, kGpuDevice), pod);
  ReadLoan(fields, conditions, pod);
  ReadDisruptionTarget(fields, conditions, pod);
  ReadFinishTime(fields, status, pod);
  ReadRefusal(fields, status, pod);
}

}  // namespace

void DecodePod(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "Pod", Scope::kNamespaced, file, into);
  Pod pod;
  ReadMeta(fields, document, pod.meta);
  ReadPodSpec(fields, fields.Mapping(&document, "spec"), pod.meta.labels, pod.spec);
  ReadStatus(fields, fields.Mapping(&document, "status"), pod);
  pod.is_static = FindLabel(pod.meta.annotations, kMirror) != nullptr;
  if (fields.ok()) {
    into.objects.emplace_back(std::move(pod));
  } else if (!pod.spec.node_name.empty() && !pod.meta.name.empty()) {
    into.misread_pods.push_back(std::move(pod));
  }
}

}  // namespace fairlead::objects
