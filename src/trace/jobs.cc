#include "trace/jobs.h"

#include <algorithm>
#include <iterator>

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
  meta.source = list.file + ':' + std::to_string(job.line);
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

bool JobList::ComesBefore(const TraceJob& a, const TraceJob& b) const {
  if (a.arrives != b.arrives) return a.arrives < b.arrives;
  if (IsGang(a) != IsGang(b)) return IsGang(a);
  return NameOf(a) < NameOf(b);
}

void JobList::Sort() {
  std::ranges::sort(jobs,
                    [this](const TraceJob& a, const TraceJob& b) { return ComesBefore(a, b); });
}

namespace {

class KeptRows : public JobRows {
 public:
  explicit KeptRows(const std::vector<TraceJob>& jobs) : jobs_(jobs) {}
  const TraceJob* Next() override { return next_ < jobs_.size() ? &jobs_[next_++] : nullptr; }

 private:
  const std::vector<TraceJob>& jobs_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<JobRows> JobList::Rows() const {
  return in_file ? in_file->Read(*this) : std::make_unique<KeptRows>(jobs);
}

std::int64_t JobList::JobCount() const { return in_file ? in_file->job_count() : std::ssize(jobs); }

std::int64_t JobList::PodCount() const {
  if (in_file) return in_file->pod_count(*this);
  std::int64_t pods = 0;
  for (const TraceJob& job : jobs) pods += PodsOf(job);
  return pods;
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

void AppendJobs(const JobList& list, objects::Manifest& into) {
  into.objects.reserve(into.objects.size() + static_cast<std::size_t>(list.JobCount()));
  const std::unique_ptr<JobRows> rows = list.Rows();
  while (const TraceJob* job = rows->Next()) {
    objects::Object& object = into.objects.emplace_back(ObjectOf(*job, list));
    objects::Labels& annotations = objects::MetaOf(object).annotations;
    // Sorted before all that traces say of jobs.
    annotations.emplace(annotations.begin(), "fairlead.dev/arrives-at",
                        FormatDuration(job->arrives));
  }
  if (rows->fault() != nullptr) into.faults.push_back(*rows->fault());
}

ComingJobs::ComingJobs(std::shared_ptr<const JobList> list)
    : list_(std::move(list)), rows_(list_->Rows()), next_(rows_->Next()) {}

std::optional<Duration> ComingJobs::After() const {
  return next_ == nullptr ? std::nullopt : std::optional(next_->arrives);
}

objects::Object ComingJobs::Take() {
  objects::Object object = ObjectOf(*next_, *list_);
  next_ = rows_->Next();
  return object;
}

}  // namespace fairlead::trace
