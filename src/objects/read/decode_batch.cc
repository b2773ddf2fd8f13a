// batch/v1 Job and apps/v1 DaemonSet: what owns pods, beside the jobs of decode_job_object.cc.

#include "objects/read/decode.h"

namespace fairlead::objects {
namespace {

// Whether the first of its rules that a pod's condition DisruptionTarget meets ignores the failure.
bool IgnoresDisruption(FieldReader& fields, const Value* policy) {
  const Value* rules = fields.List(policy, "rules");
  if (rules == nullptr) return false;
  for (const Value* rule : rules->items()) {
    if (!fields.IsMapping(*rule)) continue;
    const Value* conditions = fields.List(rule, "onPodConditions");
    if (conditions == nullptr) continue;
    for (const Value* condition : conditions->items()) {
      if (!fields.IsMapping(*condition)) continue;
      std::string type, status = "True", action;
      fields.String(condition, "type", type);
      fields.String(condition, "status", status);
      if (type != "DisruptionTarget" || status != "True") continue;
      fields.String(rule, "action", action);
      return action == "Ignore";
    }
  }
  return false;
}

}  // namespace

void DecodeJob(const Value& document, std::string_view file, Manifest& into) {
  constexpr std::pair<std::string_view, bool> kModes[] = {{"NonIndexed", false}, {"Indexed", true}};
  FieldReader fields(document, "Job", Scope::kNamespaced, file, into);
  Job job;
  ReadMeta(fields, document, job.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  fields.Bool(spec, "suspend", job.suspend);
  fields.Integer(spec, "parallelism", job.parallelism, 0);
  fields.Count(spec, "completions", job.completions);
  fields.Enum(spec, "completionMode", kModes, job.indexed);
  fields.Seconds(spec, "activeDeadlineSeconds", job.deadline);
  job.ignores_disruption = IgnoresDisruption(fields, fields.Mapping(spec, "podFailurePolicy"));
  const Value* policy = fields.Mapping(fields.Mapping(spec, "scheduling"), "schedulingPolicy");
  fields.Integer(fields.Mapping(policy, "gang"), "minCount", job.gang_min, 1);
  ReadPodTemplate(fields, fields.Mapping(spec, "template"), job.pod_template);
  const Value* status = fields.Mapping(&document, "status");
  fields.Integer(status, "active", job.active, 0);
  fields.Integer(status, "succeeded", job.succeeded, 0);
  fields.Integer(status, "failed", job.failed, 0);
  const Value* conditions = fields.List(status, "conditions");
  job.complete =
      IsTrue(FindCondition(conditions, "Complete")) || IsTrue(FindCondition(conditions, "Failed"));
  if (fields.ok()) into.objects.emplace_back(std::move(job));
}

void DecodeDaemonSet(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "DaemonSet", Scope::kNamespaced, file, into);
  DaemonSet daemon_set;
  ReadMeta(fields, document, daemon_set.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  ReadPodTemplate(fields, fields.Mapping(spec, "template"), daemon_set.pod_template);
  if (fields.ok()) into.objects.emplace_back(std::move(daemon_set));
}

}  // namespace fairlead::objects
