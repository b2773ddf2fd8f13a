// batch/v1 Job, kubeflow.org/v2beta1 MPIJob and apps/v1 DaemonSet: what owns pods.

#include "objects/decode.h"

namespace fairlead::objects {

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

namespace {

void ReadReplicas(FieldReader& fields, const Value* replicas, MpiJob::Replicas& out) {
  fields.Integer(replicas, "replicas", out.replicas, 0);
  ReadPodTemplate(fields, fields.Mapping(replicas, "template"), out.pod_template);
}

// The operator knows one launcher and no more; a job without workers runs on the launcher alone.
void ReadReplicaSpecs(FieldReader& fields, const Value& document, const Value* spec, MpiJob& job) {
  const Value* specs = fields.Mapping(spec, "mpiReplicaSpecs");
  const Value* launcher = fields.Mapping(specs, "Launcher");
  if (launcher == nullptr) {
    if (!fields.ok()) return;
    const std::string_view path = specs != nullptr  ? "Launcher"
                                  : spec != nullptr ? "mpiReplicaSpecs.Launcher"
                                                    : "spec.mpiReplicaSpecs.Launcher";
    fields.FaultBelow(specs != nullptr ? *specs : (spec != nullptr ? *spec : document), path,
                      "found none, expected the launcher's replicas and template");
    return;
  }
  ReadReplicas(fields, launcher, *job.launcher);
  if (job.launcher->replicas != 1) {
    fields.Unexpected(*launcher->Find("replicas"), "1, the only count of launchers there is");
  }
  ReadReplicas(fields, fields.Mapping(specs, "Worker"), *job.worker);
}

}  // namespace

void DecodeMpiJob(const Value& document, std::string_view file, Manifest& into) {
  FieldReader fields(document, "MPIJob", Scope::kNamespaced, file, into);
  MpiJob job;
  ReadMeta(fields, document, job.meta);
  const Value* spec = fields.Mapping(&document, "spec");
  const Value* run_policy = fields.Mapping(spec, "runPolicy");
  fields.Bool(run_policy, "suspend", job.suspend);
  const Value* scheduling = fields.Mapping(run_policy, "schedulingPolicy");
  fields.Integer(scheduling, "minAvailable", job.min_available);
  fields.String(scheduling, "priorityClass", job.priority_class);
  ReadReplicaSpecs(fields, document, spec, job);
  const Value* conditions = fields.List(fields.Mapping(&document, "status"), "conditions");
  job.complete =
      IsTrue(FindCondition(conditions, "Succeeded")) || IsTrue(FindCondition(conditions, "Failed"));
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
