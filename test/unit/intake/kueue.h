#pragma once

#include <string>
#include <string_view>

// Kueue's objects as YAML, in flow style, beside those of yaml.h.

namespace fairlead::intake {

inline std::string KueueObject(std::string_view kind, std::string_view meta, std::string_view spec,
                               std::string_view status = "", std::string_view version = "v1beta2") {
  std::string text = "{apiVersion: kueue.x-k8s.io/";
  text.append(version).append(", kind: ").append(kind).append(", metadata: {").append(meta);
  text.append("}, spec: {").append(spec).append("}");
  text.append(status.empty() ? "" : ", status: ").append(status);
  return text + "}\n---\n";
}

// A group of one flavor; `cpu` is what follows the resource's name.
inline std::string Cpu(std::string_view cpu, std::string_view flavor = "f") {
  return std::string("resourceGroups: [{coveredResources: [cpu], flavors: [{name: ")
      .append(flavor)
      .append(", resources: [{name: cpu, nominalQuota: ")
      .append(cpu)
      .append("}]}]}]");
}

// A group of the flavors spot and dear; what follows the resource's name in each.
inline std::string SpotAndDear(std::string_view spot, std::string_view dear) {
  std::string text =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: spot, resources: ";
  text.append("[{name: cpu, nominalQuota: ").append(spot).append("}]}, {name: dear, resources: ");
  return text.append("[{name: cpu, nominalQuota: ").append(dear).append("}]}]}]");
}

inline std::string ClusterQueue(std::string_view name, std::string_view spec) {
  return KueueObject("ClusterQueue", std::string("name: ").append(name),
                     std::string("namespaceSelector: {}, ").append(spec));
}

inline std::string Cohort(std::string_view name, std::string_view spec) {
  return KueueObject("Cohort", std::string("name: ").append(name), spec);
}

inline std::string Flavor(std::string_view name, std::string_view spec = "") {
  return KueueObject("ResourceFlavor", std::string("name: ").append(name), spec);
}

inline std::string LocalQueue(std::string_view name, std::string_view cluster_queue,
                              std::string_view more = "") {
  std::string spec = std::string("clusterQueue: ").append(cluster_queue);
  spec.append(more.empty() ? "" : ", ").append(more);
  return KueueObject("LocalQueue", std::string("namespace: a, name: ").append(name), spec);
}

inline std::string KueueWorkload(std::string_view name, std::string_view meta,
                                 std::string_view spec, std::string_view status = "") {
  std::string all = std::string("namespace: a, name: ").append(name);
  all.append(meta.empty() ? "" : ", ").append(meta);
  return KueueObject("Workload", all, spec, status);
}

// A label that names a queue of Kueue's.
inline std::string InQueue(std::string_view queue) {
  return std::string("labels: {kueue.x-k8s.io/queue-name: ").append(queue) + "}";
}

}  // namespace fairlead::intake
