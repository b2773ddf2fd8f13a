#include "intake/tables/hold_reasons.h"

#include <fmt/format.h>

#include "intake/tables/rows.h"
#include "objects/keys.h"

namespace fairlead::intake {

using state::Reason;
using state::ReasonCode;

Reason ClassMissing(std::string_view class_name) {
  return {.code = ReasonCode::kUnsupportedConstraint,
          .message = fmt::format("the priority class {} is not there", class_name),
          .field = std::string(kPriorityClassField)};
}

Reason BeyondCount(const GangRow& gang, std::string_view pod_set, std::int32_t count) {
  const bool admitted = gang.facts() != nullptr && !gang.facts()->admission.empty();
  return {.code = ReasonCode::kNotInAdmittedCount,
          .message = fmt::format("pod set {} of {} {} {} pods, and others come first", pod_set,
                                 gang.name, admitted ? "is admitted with" : "asks for", count)};
}

Reason NotAllowed(std::string_view queue, const Bond& bond) {
  const std::string by = bond.by == BoundBy::kLabel ? fmt::format("label {}", objects::kQueueLabel)
                                                    : std::string("ElasticQuota");
  return {.code = ReasonCode::kQueueNotAllowed,
          .message = fmt::format("queue {} is neither {} nor below it: namespace {} is bound to {} "
                                 "by its {}",
                                 queue, bond.queue, bond.name_space, bond.queue, by),
          .queue = std::string(queue)};
}

Reason QueueOfQuota(std::string_view queue, std::string_view owner) {
  return {.code = ReasonCode::kQueueNotAllowed,
          .message = fmt::format("queue {} is for namespace {}, by its ElasticQuota", queue, owner),
          .queue = std::string(queue)};
}

Reason NamespaceNotSelected(std::string_view cluster_queue, std::string_view name_space,
                            bool has_selector) {
  return {.code = ReasonCode::kQueueNotAllowed,
          .message = has_selector
                         ? fmt::format("the namespaceSelector of ClusterQueue {} does not select "
                                       "namespace {}",
                                       cluster_queue, name_space)
                         : fmt::format("ClusterQueue {} has no namespaceSelector, which lets no "
                                       "namespace in; `namespaceSelector: {{}}` lets all in",
                                       cluster_queue),
          .queue = std::string(cluster_queue)};
}

Reason NotOurScheduler(std::string_view found, std::string_view expected,
                       std::string_view template_path) {
  return {.code = ReasonCode::kOtherScheduler,
          .message = fmt::format(
              "the job's pods name the scheduler {}; add `schedulerName: {}` to {}.spec", found,
              expected, template_path),
          .field = fmt::format("{}.spec.schedulerName", template_path)};
}

Reason TemplateOfOtherScheduler(std::string_view found, std::string_view expected) {
  return {
      .code = ReasonCode::kOtherScheduler,
      .message = fmt::format("its pod template names the scheduler {}; write `schedulerName: {}`, "
                             "or leave the line out",
                             found, expected),
      .field = "spec.podSets[*].template.spec.schedulerName"};
}

Reason VolumeNotReady(std::string_view claim, std::string_view why) {
  return {.code = ReasonCode::kVolumeNotReady,
          .message = fmt::format("persistentVolumeClaim {}: {}", claim, why),
          .field = "spec.volumes.persistentVolumeClaim"};
}

Reason GroupInvalid(std::string_view fault) {
  return {.code = ReasonCode::kGroupInvalid,
          .message = std::string(fault),
          .field = fmt::format("metadata.annotations['{}']", objects::kKueueTotalAnnotation)};
}

Reason CannotBeSuspended(std::string_view kind, std::string_view field) {
  return {.code = ReasonCode::kUnsupportedConstraint,
          .message = fmt::format("the controller of a {} refuses one that is suspended without {}; "
                                 "write `{}: true`",
                                 kind, field, field.substr(field.rfind('.') + 1)),
          .field = std::string(field)};
}

Reason TopologyNotFound(std::string_view why) {
  return {.code = ReasonCode::kTopologyNotFound, .message = std::string(why)};
}

Reason RanToItsLimit(std::string_view why, std::string_view job_kind) {
  return {.code = ReasonCode::kStopped,
          .message = job_kind.empty()
                         ? state::KeptOutText(why)
                         : fmt::format("a pod of its {} {}; none starts until the {} is edited",
                                       job_kind, why, job_kind)};
}

Reason Unsupported(std::string_view kind, std::string_view field) {
  return {.code = ReasonCode::kUnsupportedConstraint,
          .message = fmt::format("{} of the {} is not supported yet", field, kind),
          .field = std::string(field)};
}

}  // namespace fairlead::intake
