#pragma once

#include <string>
#include <string_view>

// Objects as YAML, short enough for a table: a name, then what else stands in metadata, spec and
// status, in flow style. Namespaced ones are in namespace "a".

namespace fairlead::intake {

// Of a pod: it is one of the Workload w.
inline const std::string kMember = "labels: {fairlead.dev/workload: w}";

inline std::string Pod(std::string_view name, std::string_view meta = "",
                       std::string_view spec = "", std::string_view status = "") {
  std::string text = "{apiVersion: v1, kind: Pod, metadata: {namespace: a, name: ";
  text.append(name).append(meta.empty() ? "" : ", ").append(meta);
  text.append("}, spec: {schedulerName: fairlead, containers: [{name: c}]");
  text.append(spec.empty() ? "" : ", ").append(spec).append("}");
  text.append(status.empty() ? "" : ", status: ").append(status);
  return text + "}\n---\n";
}

inline std::string Queue(std::string_view name, std::string_view spec = "") {
  return std::string("{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: ")
      .append(name)
      .append("}, spec: {")
      .append(spec)
      .append("}}\n---\n");
}

inline std::string Workload(std::string_view name, std::string_view spec,
                            std::string_view status = "") {
  std::string text =
      "{apiVersion: fairlead.dev/v1alpha1, kind: Workload, metadata: {namespace: a, name: ";
  text.append(name).append("}, spec: {").append(spec).append("}");
  text.append(status.empty() ? "" : ", status: ").append(status);
  return text + "}\n---\n";
}

inline std::string Budget(std::string_view name, std::string_view spec,
                          std::string_view name_space = "a", std::string_view status = "") {
  std::string text = "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {namespace: ";
  text.append(name_space).append(", name: ").append(name).append("}, spec: {").append(spec);
  text.append(status.empty() ? "}" : "}, status: ").append(status);
  return text + "}\n---\n";
}

inline std::string Class(std::string_view name, int value, std::string_view more = "",
                         std::string_view meta = "") {
  std::string text = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: ";
  text.append(name).append(meta.empty() ? "" : ", ").append(meta);
  text.append("}, value: ").append(std::to_string(value));
  return text.append(more.empty() ? "" : ", ").append(more) + "}\n---\n";
}

inline std::string Job(std::string_view name, std::string_view meta, std::string_view spec,
                       std::string_view status = "", std::string_view pod_spec = "") {
  std::string text = "{apiVersion: batch/v1, kind: Job, metadata: {namespace: a, name: ";
  text.append(name).append(meta.empty() ? "" : ", ").append(meta);
  text.append("}, spec: {").append(spec).append(spec.empty() ? "" : ", ");
  text.append("template: {spec: {schedulerName: fairlead, restartPolicy: Never, containers: [");
  text.append("{name: c, resources: {requests: {cpu: 2}}}]").append(pod_spec.empty() ? "" : ", ");
  text.append(pod_spec).append("}}}");
  text.append(status.empty() ? "" : ", status: ").append(status);
  return text + "}\n---\n";
}

// An MPIJob in queue q: a launcher of 1 CPU, workers of 2.
inline std::string MpiJob(std::string_view name, std::string_view run_policy, int workers,
                          std::string_view scheduler = "fairlead") {
  const auto pods = [&](std::string_view cpu) {
    return std::string("template: {spec: {schedulerName: ")
        .append(scheduler)
        .append(", containers: [{name: c, resources: {requests: {cpu: ")
        .append(cpu)
        .append("}}}]}}");
  };
  std::string text = "{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {namespace: a, ";
  text.append("labels: {kueue.x-k8s.io/queue-name: q}, name: ").append(name);
  text.append("}, spec: {runPolicy: {")
      .append(run_policy)
      .append("}, mpiReplicaSpecs: {Launcher: {");
  text.append(pods("1")).append("}, Worker: {replicas: ").append(std::to_string(workers));
  return text.append(", ").append(pods("2")) + "}}}}\n---\n";
}

// What stands in the metadata of a pod of that MPIJob.
inline std::string OfMpiJob(std::string_view name, std::string_view role) {
  return std::string(
             "ownerReferences: [{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, controller: true, "
             "name: ")
      .append(name)
      .append(", uid: u}], labels: {training.kubeflow.org/job-name: ")
      .append(name)
      .append(", training.kubeflow.org/job-role: ")
      .append(role)
      .append("}");
}

// What stands in the metadata of a pod of that Job.
inline std::string OfJob(std::string_view name, std::string_view uid = "u") {
  return std::string("ownerReferences: [{apiVersion: batch/v1, kind: Job, controller: true, name: ")
      .append(name)
      .append(", uid: ")
      .append(uid)
      .append("}]");
}

// What stands in the metadata of a pod that the pod `name` owns.
inline std::string OfPod(std::string_view name, std::string_view uid = "") {
  std::string text = "ownerReferences: [{apiVersion: v1, kind: Pod, name: ";
  text.append(name).append(uid.empty() ? "" : ", uid: ").append(uid);
  return text + "}]";
}

inline std::string Node(std::string_view name, std::string_view allocatable,
                        std::string_view meta = "") {
  std::string text = "{apiVersion: v1, kind: Node, metadata: {name: ";
  text.append(name).append(meta.empty() ? "" : ", ").append(meta);
  return text.append("}, status: {allocatable: {").append(allocatable) + "}}}\n---\n";
}

// Bound to the volume.
inline std::string Claim(std::string_view name, std::string_view volume,
                         std::string_view spec = "") {
  std::string text =
      "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {namespace: a, name: ";
  text.append(name).append("}, spec: {volumeName: ").append(volume);
  return text.append(spec.empty() ? "" : ", ").append(spec) + "}, status: {phase: Bound}}\n---\n";
}

// `claim`: "namespace/name".
inline std::string Volume(std::string_view name, std::string_view claim,
                          std::string_view spec = "") {
  const std::size_t slash = claim.find('/');
  std::string text = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: ";
  text.append(name).append("}, spec: {claimRef: {namespace: ").append(claim.substr(0, slash));
  text.append(", name: ").append(claim.substr(slash + 1)).append("}");
  return text.append(spec.empty() ? "" : ", ").append(spec) + "}}\n---\n";
}

inline std::string NameSpace(std::string_view name, std::string_view queue = "") {
  std::string text = "{apiVersion: v1, kind: Namespace, metadata: {name: ";
  text.append(name);
  if (!queue.empty()) text.append(", labels: {fairlead.dev/queue: ").append(queue).append("}");
  return text + "}}\n---\n";
}

inline std::string Quota(std::string_view name_space, std::string_view spec,
                         std::string_view name = "q",
                         std::string_view created = "2026-01-01T00:00:00Z") {
  std::string text = "{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {";
  text.append("namespace: ").append(name_space).append(", name: ").append(name);
  if (!created.empty()) text.append(", creationTimestamp: \"").append(created).append("\"");
  return text.append("}, spec: {").append(spec) + "}}\n---\n";
}

inline std::string Hard(std::string_view name, std::string_view hard, std::string_view more = "") {
  std::string text = "{apiVersion: v1, kind: ResourceQuota, metadata: {namespace: a, name: ";
  text.append(name).append("}, spec: {hard: {").append(hard).append("}").append(more);
  return text + "}}\n---\n";
}

// A DaemonSet, and what a pod says that it controls.
inline std::string DaemonSet(std::string_view name, std::string_view uid) {
  return std::string("{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: a, name: ")
      .append(name)
      .append(", uid: ")
      .append(uid)
      .append("}, spec: {template: {spec: {containers: []}}}}\n---\n");
}
inline std::string OfDaemonSet(std::string_view name, std::string_view uid,
                               std::string_view api_version = "apps/v1") {
  return std::string("ownerReferences: [{apiVersion: ")
      .append(api_version)
      .append(", kind: DaemonSet, name: ")
      .append(name)
      .append(", uid: ")
      .append(uid)
      .append(", controller: true}]");
}

}  // namespace fairlead::intake
