// A job whose kind a row describes (objects/job_rows.h). Where its row lets a pod set have any
// number of pods, admission writes that number; where the row says by which field, there may be
// fewer.
//
//   launcher 1, worker 6, minAvailable 2
//   admitted with 3 workers:  worker 3, suspend false
//   stopped:                  worker 6, suspend true

#include <algorithm>

#include <fmt/format.h>

#include "jobs/kinds.h"

namespace fairlead::jobs {
namespace {

using objects::JobObject;
using objects::JobRow;
using objects::Object;

std::string FaultOf(const JobRow::PodSet& row, const JobObject::Replicas& set) {
  const std::int64_t all = set.count;
  if (!set.min || (*set.min > 0 && *set.min <= all + row.min_beyond)) return {};
  return fmt::format(
      "its {} is {}, expected a number of {}s above 0 and below its {}; it is admitted whole or "
      "not at all",
      row.min.last(), *set.min, row.name, all);
}

std::int32_t LeastOf(const JobRow::PodSet& row, const JobObject::Replicas& set) {
  if (!set.min || !FaultOf(row, set).empty()) return set.count;
  return std::min(*set.min, set.count);
}

class GenericJob final : public JobKind {
 public:
  explicit GenericJob(const JobRow& row) : row_(row) {}

  std::string_view api_version() const override { return row_.api_version; }
  std::string_view kind() const override { return row_.kind; }
  std::string_view pod_set_label() const override { return row_.pod_set_label; }
  std::string_view name_label() const override { return row_.job_label; }

  bool IsSuspended(const Object& object) const override { return In(object).suspend; }
  bool IsComplete(const Object& object) const override { return In(object).complete; }

  std::vector<PodSet> PodSets(const Object& object) const override {
    const JobObject& job = In(object);
    std::vector<PodSet> sets;
    for (std::size_t i = 0; i < job.pod_sets.size(); ++i) {
      const JobObject::Replicas& set = job.pod_sets[i];
      if (set.count == 0) continue;
      const JobRow::PodSet& row = row_.pod_sets[i];
      sets.push_back({.name = row.name,
                      .count = set.count,
                      .min_count = LeastOf(row, set),
                      .left = job.complete ? 0 : set.count,
                      .pod_template = &set.pod_template,
                      .template_path = row.template_path.text()});
    }
    return sets;
  }

  // As Kueue takes it: the job's own, else that of the first pod set that says one.
  Priority PriorityOf(const Object& object) const override {
    const JobObject& job = In(object);
    if (!job.priority_class.empty()) return {.class_name = job.priority_class};
    Priority priority;
    for (const JobObject::Replicas& set : job.pod_sets) {
      const objects::PodSpec& spec = set.pod_template.spec;
      priority.class_name = spec.priority_class_name;
      priority.number = spec.priority;
      priority.never_preempts |= spec.never_preempts;
      if (!priority.class_name.empty() || priority.number) break;
    }
    return priority;
  }

  std::string FaultOfMinimum(const Object& object) const override {
    const JobObject& job = In(object);
    std::string fault;
    for (std::size_t i = 0; i < job.pod_sets.size() && fault.empty(); ++i) {
      fault = FaultOf(row_.pod_sets[i], job.pod_sets[i]);
    }
    return fault;
  }

  void RunWith(Object& object, const Assignments& admitted) const override {
    JobObject& job = In(object);
    if (job.complete) return;
    ForEachWritten(job, [&](const std::string& name, std::int32_t& count) {
      count = std::min(count, CountOf(admitted, name).value_or(count));
    });
    job.suspend = false;
  }

  void Restore(Object& object, const Assignments& admitted,
               const Assignments& asked) const override {
    JobObject& job = In(object);
    if (job.complete) return;
    ForEachWritten(job, [&](const std::string& name, std::int32_t& count) {
      const std::optional<std::int32_t> wanted = CountOf(asked, name);
      if (wanted && CountOf(admitted, name) == count) count = *wanted;
    });
    job.suspend = true;
  }

  Written WrittenOf(const Object& object) const override {
    JobObject job = In(object);
    Written written{.suspend = job.suspend, .counts = {}};
    ForEachWritten(job, [&](const std::string& /*name*/, std::int32_t& count) {
      written.counts.emplace_back(count);
    });
    return written;
  }

  void SetWritten(Object& object, const Written& written) const override {
    JobObject& job = In(object);
    job.suspend = written.suspend;
    std::size_t next = 0;
    ForEachWritten(job, [&](const std::string& /*name*/, std::int32_t& count) {
      count = written.counts[next++].value_or(count);
    });
  }

 private:
  static const JobObject& In(const Object& object) { return std::get<JobObject>(object); }
  static JobObject& In(Object& object) { return std::get<JobObject>(object); }

  // Calls visit(name, count) for every pod set whose count admission writes.
  template <typename Visit>
  void ForEachWritten(JobObject& job, Visit visit) const {
    for (std::size_t i = 0; i < job.pod_sets.size(); ++i) {
      if (!row_.pod_sets[i].only_count) visit(row_.pod_sets[i].name, job.pod_sets[i].count);
    }
  }

  const JobRow& row_;
};

}  // namespace

std::unique_ptr<JobKind> MakeGenericJob(const JobRow& row) {
  return std::make_unique<GenericJob>(row);
}

}  // namespace fairlead::jobs
