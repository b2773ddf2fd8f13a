#include "trace/jobs.h"

#include <utility>

#include <fmt/format.h>

namespace fairlead::trace {

void AppendNodes(const Machine& machine, Time start, std::vector<objects::Object>& into) {
  for (std::int64_t i = 1; i <= machine.nodes; ++i) {
    objects::Node node;
    node.meta.name = fmt::format("node-{:04}", i);
    node.meta.creation_time = start;
    // Sorted by name; GPUs and cores are both counted in thousandths.
    node.allocatable.emplace_back(machine.resource, machine.per_node * 1000);
    node.allocatable.emplace_back("pods", 110);
    into.emplace_back(std::move(node));
  }
}

objects::Workload WorkloadOf(const TraceJob& job, const Machine& machine,
                             const std::string& name_space) {
  objects::Workload workload;
  workload.meta.name = job.name;
  workload.meta.name_space = name_space;
  workload.meta.source = job.source;
  workload.meta.annotations.emplace_back("fairlead.dev/arrives-at", FormatDuration(job.arrives));
  workload.queue_name = job.queue;
  auto add = [&](const char* set_name, std::int64_t count, std::int64_t amount) {
    if (count == 0 || amount == 0) return;
    objects::PodSet& set = workload.pod_sets.emplace_back();
    set.name = set_name;
    set.count = static_cast<std::int32_t>(count);
    objects::PodTemplate& pod = set.pod_template.emplace();
    pod.annotations.emplace_back("fairlead.dev/run-duration", FormatDuration(job.runs));
    pod.spec.scheduler_name.clear();
    pod.spec.needs.request.emplace_back(machine.resource, amount * 1000);
  };
  add("main", job.amount / machine.per_node, machine.per_node);
  add("rest", 1, job.amount % machine.per_node);
  if (job.amount < machine.per_node) workload.pod_sets[0].name = "main";
  return workload;
}

}  // namespace fairlead::trace
