#include "objects/job_rows.h"

#include <utility>

#include "base/check.h"

namespace fairlead::objects {
namespace {

JobRow BatchJob() {
  return {.group = "batch",
          .version = "v1",
          .kind = "Job",
          .plural = "jobs",
          .always_served = true,
          .suspend = "spec.suspend"};
}

// Its workers may be fewer, down to minAvailable. The operator's own default for that counts the
// launcher too, and means all of them. The operator runs the launcher as a batch Job.
JobRow MpiJob() {
  return {.group = "kubeflow.org",
          .version = "v2beta1",
          .kind = "MPIJob",
          .plural = "mpijobs",
          .suspend = "spec.runPolicy.suspend",
          .priority_class = "spec.runPolicy.schedulingPolicy.priorityClass",
          .job_label = "training.kubeflow.org/job-name",
          .pod_set_label = "training.kubeflow.org/job-role",
          .pod_sets = {{.name = "launcher",
                        .at = "spec.mpiReplicaSpecs.Launcher",
                        .only_count = 1,
                        .ends_job = true},
                       {.name = "worker",
                        .at = "spec.mpiReplicaSpecs.Worker",
                        .min = "spec.runPolicy.schedulingPolicy.minAvailable",
                        .min_beyond = 1,
                        .index_label = "training.kubeflow.org/replica-index"}}};
}

void Append(std::deque<JobRow>& rows, JobRow row) {
  row.number = rows.size();
  row.api_version = row.group + "/" + row.version;
  for (JobRow::PodSet& set : row.pod_sets) set.template_path = set.at / set.pod_template;
  rows.push_back(std::move(row));
}

std::deque<JobRow>& Table() {
  static std::deque<JobRow> rows = [] {
    std::deque<JobRow> made;
    Append(made, BatchJob());
    Append(made, MpiJob());
    return made;
  }();
  return rows;
}

}  // namespace

const std::deque<JobRow>& JobRows() { return Table(); }

const JobRow* FindJobRow(std::string_view kind) {
  for (const JobRow& row : Table()) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

const JobRow& AddJobRow(JobRow row) {
  CHECK(row.is_generic() && FindJobRow(row.kind) == nullptr);
  CHECK(row.pod_sets.size() == 1 || !row.pod_set_label.empty());
  Append(Table(), std::move(row));
  return Table().back();
}

}  // namespace fairlead::objects
