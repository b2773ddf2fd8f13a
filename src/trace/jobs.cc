#include "trace/jobs.h"

#include <algorithm>

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

objects::Meta MetaOf(const TraceJob& job, const JobList& list) {
  objects::Meta meta;
  meta.name = list.NameOf(job);
  meta.name_space = list.name_space;
  meta.source = fmt::format("{}:{}", list.file, job.line);
  meta.annotations.emplace_back("fairlead.dev/arrives-at", FormatDuration(job.arrives));
  return meta;
}

}  // namespace

std::uint32_t JobList::QueueOf(std::string_view name) {
  if (queues.empty()) queues.emplace_back();
  auto at = std::ranges::find(queues, name);
  if (at == queues.end()) at = queues.insert(at, std::string(name));
  return static_cast<std::uint32_t>(at - queues.begin());
}

std::string JobList::NameOf(const TraceJob& job) const {
  return fmt::format("job-{:0{}}", job.number, digits);
}

std::int64_t JobList::PodsOf(const TraceJob& job) const {
  return (job.amount + machine.per_node - 1) / machine.per_node;
}

void JobList::Sort() {
  std::ranges::sort(jobs, [this](const TraceJob& a, const TraceJob& b) {
    if (a.arrives != b.arrives) return a.arrives < b.arrives;
    if (IsGang(a) != IsGang(b)) return IsGang(a);
    return NameOf(a) < NameOf(b);
  });
}

objects::Object ObjectOf(const TraceJob& job, const JobList& list) {
  const Machine& machine = list.machine;
  const std::string& queue = list.queues[job.queue];
  if (!list.IsGang(job)) {
    objects::Job one;
    one.meta = MetaOf(job, list);
    one.completions = 1;
    one.pod_template = PodOf(job, machine, job.amount);
    one.pod_template.spec.scheduler_name = "fairlead";
    if (!queue.empty()) one.pod_template.labels.emplace_back("fairlead.dev/queue", queue);
    return one;
  }
  objects::Workload gang;
  gang.meta = MetaOf(job, list);
  AddCheckpoints(machine, gang.meta.annotations);
  AddLimit(job, gang.meta.annotations);
  gang.queue_name = queue;
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

void AppendJobs(const JobList& list, std::vector<objects::Object>& into) {
  into.reserve(into.size() + list.jobs.size());
  for (const TraceJob& job : list.jobs) into.push_back(ObjectOf(job, list));
}

std::optional<Duration> ComingJobs::After() const {
  if (next_ == list_->jobs.size()) return std::nullopt;
  return list_->jobs[next_].arrives;
}

}  // namespace fairlead::trace
