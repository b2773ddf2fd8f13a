#include "trace/jobs.h"

#include <utility>

#include <fmt/format.h>

#include "objects/keys.h"

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

namespace {

// Sorted before what else is annotated by jobs of traces, but for their arrival.
void AddCheckpoints(const Machine& machine, objects::Labels& annotations) {
  if (!machine.checkpoint_every) return;
  annotations.emplace_back(objects::kCheckpointEveryKey, FormatDuration(*machine.checkpoint_every));
}

// Sorted behind its checkpoints.
void AddLimit(const TraceJob& job, objects::Labels& annotations) {
  if (!job.limit || *job.limit <= Duration()) return;
  annotations.emplace_back(kTraceLimitKey, FormatDuration(*job.limit));
}

objects::PodTemplate PodOf(const TraceJob& job, const Machine& machine, std::int64_t amount) {
  objects::PodTemplate pod;
  AddCheckpoints(machine, pod.annotations);
  if (job.amount <= machine.per_node) AddLimit(job, pod.annotations);  // it is its own workload
  pod.annotations.emplace_back("fairlead.dev/run-duration", FormatDuration(job.runs));
  pod.spec.needs.request.emplace_back(machine.resource, amount * 1000);
  return pod;
}

objects::Meta MetaOf(const TraceJob& job, const std::string& name_space) {
  objects::Meta meta;
  meta.name = job.name;
  meta.name_space = name_space;
  meta.source = job.source;
  meta.annotations.emplace_back("fairlead.dev/arrives-at", FormatDuration(job.arrives));
  return meta;
}

}  // namespace

objects::Object ObjectOf(const TraceJob& job, const Machine& machine,
                         const std::string& name_space) {
  if (job.amount <= machine.per_node) {
    objects::Job one;
    one.meta = MetaOf(job, name_space);
    one.completions = 1;
    one.pod_template = PodOf(job, machine, job.amount);
    one.pod_template.spec.scheduler_name = "fairlead";
    if (!job.queue.empty()) {
      one.pod_template.labels.emplace_back("fairlead.dev/queue", job.queue);
    }
    return one;
  }
  objects::Workload gang;
  gang.meta = MetaOf(job, name_space);
  AddCheckpoints(machine, gang.meta.annotations);
  AddLimit(job, gang.meta.annotations);
  gang.queue_name = job.queue;
  auto add = [&](const char* set_name, std::int64_t count, std::int64_t amount) {
    if (count == 0 || amount == 0) return;
    objects::PodSet& set = gang.pod_sets.emplace_back();
    set.name = set_name;
    set.count = static_cast<std::int32_t>(count);
    set.pod_template = PodOf(job, machine, amount);
    set.pod_template->spec.scheduler_name.clear();
  };
  add("main", job.amount / machine.per_node, machine.per_node);
  add("rest", 1, job.amount % machine.per_node);
  return gang;
}

}  // namespace fairlead::trace
