// kubeflow.org/v2beta1 MPIJob: the pod sets launcher, always one pod, and worker. Its workers may
// be fewer, down to runPolicy.schedulingPolicy.minAvailable.
//
// The operator's own default for minAvailable counts the launcher too, and means all of them: such
// a number is no mistake, and no wish for fewer.

#include <fmt/format.h>

#include "jobs/kinds.h"

namespace fairlead::jobs {
namespace {

using objects::MpiJob;
using objects::Object;

constexpr std::string_view kLauncher = "launcher";
constexpr std::string_view kWorker = "worker";

std::string FaultOf(const MpiJob& job) {
  const std::int64_t all = job.worker->replicas;
  if (!job.min_available || (*job.min_available > 0 && *job.min_available <= all + 1)) return {};
  return fmt::format(
      "its minAvailable is {}, expected a number of workers above 0 and below its {}; it is "
      "admitted whole or not at all",
      *job.min_available, all);
}

std::int32_t LeastOf(const MpiJob& job) {
  if (!job.min_available || !FaultOf(job).empty()) return job.worker->replicas;
  return std::min(*job.min_available, job.worker->replicas);
}

class Mpi final : public JobKind {
 public:
  std::string_view api_version() const override { return "kubeflow.org/v2beta1"; }
  std::string_view kind() const override { return "MPIJob"; }
  // The operator runs the launcher as a batch Job.
  std::string_view pod_set_label() const override { return "training.kubeflow.org/job-role"; }
  std::string_view name_label() const override { return "training.kubeflow.org/job-name"; }

  bool IsSuspended(const Object& object) const override { return In(object).suspend; }
  bool IsComplete(const Object& object) const override { return In(object).complete; }

  std::vector<PodSet> PodSets(const Object& object) const override {
    const MpiJob& job = In(object);
    std::vector<PodSet> sets = {{.name = kLauncher,
                                 .count = 1,
                                 .min_count = 1,
                                 .left = job.complete ? 0 : 1,
                                 .pod_template = &job.launcher->pod_template,
                                 .template_path = "spec.mpiReplicaSpecs.Launcher.template"}};
    if (job.worker->replicas == 0) return sets;
    sets.push_back({.name = kWorker,
                    .count = job.worker->replicas,
                    .min_count = LeastOf(job),
                    .left = job.complete ? 0 : job.worker->replicas,
                    .pod_template = &job.worker->pod_template,
                    .template_path = "spec.mpiReplicaSpecs.Worker.template"});
    return sets;
  }

  // As Kueue takes it: the job's own, else its launcher's, else its workers'.
  Priority PriorityOf(const Object& object) const override {
    const MpiJob& job = In(object);
    if (!job.priority_class.empty()) return {.class_name = job.priority_class};
    const objects::PodSpec& launcher = job.launcher->pod_template.spec;
    const bool said = !launcher.priority_class_name.empty() || launcher.priority;
    const objects::PodSpec& spec = said ? launcher : job.worker->pod_template.spec;
    return {.class_name = spec.priority_class_name,
            .number = spec.priority,
            .never_preempts = launcher.never_preempts || spec.never_preempts};
  }

  std::string FaultOfMinimum(const Object& object) const override { return FaultOf(In(object)); }

  void RunWith(Object& object, const Assignments& admitted) const override {
    auto& job = std::get<MpiJob>(object);
    if (job.complete) return;
    const std::optional<std::int32_t> count = CountOf(admitted, kWorker);
    if (count && *count < job.worker->replicas) job.worker->replicas = *count;
    job.suspend = false;
  }

  void Restore(Object& object, const Assignments& admitted,
               const Assignments& asked) const override {
    auto& job = std::get<MpiJob>(object);
    if (job.complete) return;
    const std::optional<std::int32_t> given = CountOf(admitted, kWorker);
    const std::optional<std::int32_t> wanted = CountOf(asked, kWorker);
    if (given && wanted && job.worker->replicas == *given) job.worker->replicas = *wanted;
    job.suspend = true;
  }

  Written WrittenOf(const Object& object) const override {
    const MpiJob& job = In(object);
    return {.suspend = job.suspend, .counts = {job.worker->replicas}};
  }

  void SetWritten(Object& object, const Written& written) const override {
    auto& job = std::get<MpiJob>(object);
    job.suspend = written.suspend;
    job.worker->replicas = written.counts[0].value_or(job.worker->replicas);
  }

 private:
  static const MpiJob& In(const Object& object) { return std::get<MpiJob>(object); }
};

}  // namespace

const JobKind& MpiJobKind() {
  static const Mpi kKind;
  return kKind;
}

}  // namespace fairlead::jobs
