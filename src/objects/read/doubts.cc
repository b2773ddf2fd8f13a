#include "objects/read/doubts.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/did_you_mean.h"
#include "objects/keys.h"
#include "objects/read/field_reader.h"

namespace fairlead::objects {
namespace {

constexpr std::string_view kOurPrefix = "fairlead.dev/";

// Labels and annotations that users write, and those that Fairlead writes and reads again.
constexpr std::string_view kOurKeys[] = {kWorkloadLabel,
                                         kPodSetLabel,
                                         kQueueLabel,
                                         kPreemptibleLabel,
                                         kAllowPreemptionKey,
                                         kGpuDeviceAnnotation,
                                         kGangKey,
                                         kExpectedDurationKey,
                                         kMaxRunTimeKey,
                                         kOnRunTimeLimitKey,
                                         kCheckpointEveryKey,
                                         kMoveAnnotation,
                                         kCheckpointedAtKey,
                                         kStopsAnnotation,
                                         kStoppedAnnotation,
                                         kReservationAnnotation,
                                         kLandingsAnnotation,
                                         kTopologyKey,
                                         kTopologyRequiredKey,
                                         kTopologyPreferredKey,
                                         kTopologySliceSizeKey,
                                         kTopologySliceRequiredKey,
                                         kTopologyGroupKey,
                                         kTopologyOnBrokenKey,
                                         kInfrastructureLabel,
                                         kGpuMilliResource,
                                         "fairlead.dev/admitted",
                                         "fairlead.dev/arrives-at",
                                         "fairlead.dev/completions-equal-parallelism",
                                         "fairlead.dev/made-of",
                                         "fairlead.dev/min-parallelism",
                                         "fairlead.dev/min-replicas",
                                         "fairlead.dev/ray-job-status",
                                         "fairlead.dev/run-duration",
                                         kUserAnnotation,
                                         kGroupsAnnotation,
                                         kOwnerAnnotation};

using FieldNames = std::span<const std::string_view>;

// Kubernetes' own, as of 1.36.
constexpr std::string_view kObjectFields[] = {"apiVersion", "kind", "metadata", "spec", "status"};
constexpr std::string_view kMetaFields[] = {"annotations",
                                            "creationTimestamp",
                                            "deletionGracePeriodSeconds",
                                            "deletionTimestamp",
                                            "finalizers",
                                            "generateName",
                                            "generation",
                                            "labels",
                                            "managedFields",
                                            "name",
                                            "namespace",
                                            "ownerReferences",
                                            "resourceVersion",
                                            "selfLink",
                                            "uid"};
constexpr std::string_view kPodSpecFields[] = {"activeDeadlineSeconds",
                                               "affinity",
                                               "automountServiceAccountToken",
                                               "containers",
                                               "dnsConfig",
                                               "dnsPolicy",
                                               "enableServiceLinks",
                                               "ephemeralContainers",
                                               "hostAliases",
                                               "hostIPC",
                                               "hostNetwork",
                                               "hostPID",
                                               "hostUsers",
                                               "hostname",
                                               "hostnameOverride",
                                               "imagePullSecrets",
                                               "initContainers",
                                               "nodeName",
                                               "nodeSelector",
                                               "os",
                                               "overhead",
                                               "preemptionPolicy",
                                               "priority",
                                               "priorityClassName",
                                               "readinessGates",
                                               "resourceClaims",
                                               "resources",
                                               "restartPolicy",
                                               "runtimeClassName",
                                               "schedulerName",
                                               "schedulingGates",
                                               "schedulingGroup",
                                               "securityContext",
                                               "serviceAccount",
                                               "serviceAccountName",
                                               "setHostnameAsFQDN",
                                               "shareProcessNamespace",
                                               "subdomain",
                                               "terminationGracePeriodSeconds",
                                               "tolerations",
                                               "topologySpreadConstraints",
                                               "volumes",
                                               "workloadRef"};
constexpr std::string_view kContainerFields[] = {"args",
                                                 "command",
                                                 "env",
                                                 "envFrom",
                                                 "image",
                                                 "imagePullPolicy",
                                                 "lifecycle",
                                                 "livenessProbe",
                                                 "name",
                                                 "ports",
                                                 "readinessProbe",
                                                 "resizePolicy",
                                                 "resources",
                                                 "restartPolicy",
                                                 "restartPolicyRules",
                                                 "securityContext",
                                                 "startupProbe",
                                                 "stdin",
                                                 "stdinOnce",
                                                 "terminationMessagePath",
                                                 "terminationMessagePolicy",
                                                 "tty",
                                                 "volumeDevices",
                                                 "volumeMounts",
                                                 "workingDir"};
constexpr std::string_view kResourceFields[] = {"claims", "limits", "requests"};
constexpr std::string_view kJobFields[] = {"activeDeadlineSeconds",
                                           "backoffLimit",
                                           "backoffLimitPerIndex",
                                           "completionMode",
                                           "completions",
                                           "managedBy",
                                           "manualSelector",
                                           "maxFailedIndexes",
                                           "parallelism",
                                           "podFailurePolicy",
                                           "podReplacementPolicy",
                                           "selector",
                                           "successPolicy",
                                           "suspend",
                                           "template",
                                           "ttlSecondsAfterFinished"};
constexpr std::string_view kNodeFields[] = {
    "configSource", "externalID", "podCIDR", "podCIDRs", "providerID", "taints", "unschedulable"};

// The one of `known` that `name` is written nearly as; empty: it is one of them, or like none.
std::string_view NearlyNamed(std::string_view name, FieldNames known) {
  constexpr std::size_t kMostEdits = 2, kLeastLetters = 4;
  if (std::ranges::find(known, name) != known.end()) return {};
  std::string_view nearest;
  std::size_t edits = kMostEdits + 1;
  for (const std::string_view each : known) {
    const std::size_t needed = LowerCase(each) == LowerCase(name) ? 1 : EditDistance(name, each);
    if (needed < edits && each.size() >= kLeastLetters && name.size() > 2 * needed) {
      nearest = each;
      edits = needed;
    }
  }
  return nearest;
}

class DoubtFinder {
 public:
  DoubtFinder(const Value& document, std::string_view kind, std::string_view file, Manifest& into)
      : document_(document), kind_(kind), file_(file), into_(into) {}

  void Find() {
    Fields(document_, kObjectFields);
    Meta(document_);
    const Value* spec = document_.Find("spec");
    if (spec == nullptr) return;
    if (kind_ == "Pod") return PodSpec(*spec);
    if (kind_ == "Job") Fields(*spec, kJobFields);
    if (kind_ == "Node") return Fields(*spec, kNodeFields);
    Templates(*spec, "spec");
  }

 private:
  void Add(const Value::Member& at, std::string_view code, std::string message) {
    const Value* meta = document_.Find("metadata");
    const auto text = [&](std::string_view key) {
      const Value* value = meta == nullptr ? nullptr : meta->Find(key);
      return value == nullptr ? std::string_view() : value->text();
    };
    const std::string_view name_space = text("namespace");
    into_.doubts.push_back(
        {.code = code,
         .fault = {.file = std::string(file_),
                   .line = at.line(),
                   .object = fmt::format("{} {}{}{}", kind_, name_space,
                                         name_space.empty() ? "" : "/", text("name")),
                   .field = PathOf(document_, *at.value),
                   .message = std::move(message)}});
  }

  void Fields(const Value& mapping, FieldNames known) {
    for (const Value::Member& member : mapping.members()) {
      const std::string_view meant = NearlyNamed(member.key, known);
      if (meant.empty()) continue;
      Add(member, "UnknownField",
          fmt::format("there is no such field, and it does nothing; did you mean {}?", meant));
    }
  }

  void Meta(const Value& parent) {
    const Value* meta = parent.Find("metadata");
    if (meta == nullptr) return;
    Fields(*meta, kMetaFields);
    for (const std::string_view where : {"labels", "annotations"}) {
      const Value* keys = meta->Find(where);
      if (keys == nullptr) continue;
      for (const Value::Member& member : keys->members()) {
        if (member.key.starts_with(kOurPrefix)) OurKey(member);
      }
    }
  }

  // Told by what stands behind the prefix: that much all of them have in common.
  void OurKey(const Value::Member& member) {
    if (std::ranges::find(kOurKeys, member.key) != std::end(kOurKeys)) return;
    std::vector<std::string> known;
    for (const std::string_view key : kOurKeys) known.emplace_back(key.substr(kOurPrefix.size()));
    const auto near = NearNames(member.key.substr(kOurPrefix.size()), known, 1);
    const std::string meant =
        near.empty() ? "" : fmt::format("; did you mean {}{}?", kOurPrefix, near.front());
    Add(member, "UnknownKey",
        fmt::format("Fairlead has no such key, and it does nothing{}", meant));
  }

  void PodSpec(const Value& spec) {
    Fields(spec, kPodSpecFields);
    for (const std::string_view where : {"containers", "initContainers"}) {
      const Value* containers = spec.Find(where);
      if (containers == nullptr) continue;
      for (const Value* container : containers->items()) {
        Fields(*container, kContainerFields);
        const Value* resources = container->Find("resources");
        if (resources != nullptr) Fields(*resources, kResourceFields);
      }
    }
  }

  // Wherever a kind of job has them: what is called `template` and has containers. `key`: its own.
  void Templates(const Value& value, std::string_view key) {
    const Value* spec = value.Find("spec");
    if (key == "template" && spec != nullptr && spec->Find("containers") != nullptr) {
      Meta(value);
      return PodSpec(*spec);
    }
    for (const Value::Member& member : value.members()) Templates(*member.value, member.key);
    for (const Value* item : value.items()) Templates(*item, key);
  }

  const Value& document_;
  std::string_view kind_, file_;
  Manifest& into_;
};

}  // namespace

void FindDoubts(const Value& document, std::string_view kind, std::string_view file,
                Manifest& into) {
  DoubtFinder(document, kind, file, into).Find();
}

}  // namespace fairlead::objects
