#include "objects/job_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/check.h"
#include "base/mutex.h"
#include "objects/keys.h"

namespace fairlead::objects {
namespace {

using SetRow = JobRow::PodSet;

JobRow BatchJob() {
  return {.group = "batch",
          .versions = {"v1"},
          .kind = "Job",
          .plural = "jobs",
          .always_served = true,
          .suspend = "spec.suspend",
          .has_own_value = true};
}

// Its workers may be fewer, down to minAvailable. The operator's own default for that counts the
// launcher too, and means all of them. The operator runs the launcher as a batch Job.
JobRow MpiJob() {
  return {.group = "kubeflow.org",
          .versions = {"v2beta1"},
          .kind = "MPIJob",
          .plural = "mpijobs",
          .suspend = "spec.runPolicy.suspend",
          .priority_class = {"spec.runPolicy.schedulingPolicy.priorityClass"},
          .pod_labels = {.job = "training.kubeflow.org/job-name",
                         .pod_set = "training.kubeflow.org/job-role"},
          .deadline = "spec.runPolicy.activeDeadlineSeconds",
          .pod_sets = {{.name = "launcher",
                        .count = {CountFactor::At("spec.mpiReplicaSpecs.Launcher.replicas")},
                        .only_count = 1,
                        .pod_template = {"spec.mpiReplicaSpecs.Launcher.template"},
                        .ends_job = true},
                       {.name = "worker",
                        .count = {CountFactor::At("spec.mpiReplicaSpecs.Worker.replicas", 0)},
                        .pod_template = {"spec.mpiReplicaSpecs.Worker.template"},
                        .min = "spec.runPolicy.schedulingPolicy.minAvailable",
                        .min_beyond = 1,
                        .count_writable = true,
                        .optional = true,
                        .index_label = "training.kubeflow.org/replica-index"}}};
}

// A replica is a Job of so many pods. What was created is not changed any more: where fewer
// replicas are admitted the pods of the others wait.
JobRow JobSet() {
  const std::string job = "spec.replicatedJobs[*]";
  const auto at = [&job](const char* field) { return FieldPath((job + field).c_str()); };
  return {.group = "jobset.x-k8s.io",
          .versions = {"v1alpha2"},
          .kind = "JobSet",
          .plural = "jobsets",
          .suspend = "spec.suspend",
          .finished = {.conditions = {"Completed", "Failed"}, .succeeded = {"Completed"}},
          .pod_labels = {.job = "jobset.sigs.k8s.io/jobset-name",
                         .pod_set = "jobset.sigs.k8s.io/replicatedjob-name"},
          .order = {.path = "spec.startupPolicy.startupPolicyOrder",
                    .values = {"InOrder"},
                    .depends = at(".dependsOn")},
          .pod_sets = {
              {.name_at = at(".name"),
               .count = {CountFactor::At(at(".replicas")),
                         CountFactor::Least({CountFactor::At(at(".template.spec.parallelism")),
                                             CountFactor::At(at(".template.spec.completions"))})},
               .pod_template = {at(".template.spec.template")},
               .min_annotation = "fairlead.dev/min-replicas",
               .unit_label = "jobset.sigs.k8s.io/job-index"}}};
}

// Of Kubeflow's trainer. What its runtime makes of it is a JobSet, suspended while it is.
JobRow TrainJob() {
  return {.group = "trainer.kubeflow.org",
          .versions = {"v1alpha1"},
          .kind = "TrainJob",
          .plural = "trainjobs",
          .makes = {{.kind = "JobSet"}},
          .has_pod_sets_of_made = true,
          .suspend = "spec.suspend",
          .finished = {.conditions = {"Complete", "Failed"}, .succeeded = {"Complete"}}};
}

// Of Kubeflow's training operator: `specs` holds the pod sets by their role.
JobRow TrainingJob(const char* kind, const char* plural, const std::string& specs,
                   const std::vector<std::string>& roles) {
  JobRow row = {.group = "kubeflow.org",
                .versions = {"v1"},
                .kind = kind,
                .plural = plural,
                .suspend = "spec.runPolicy.suspend",
                .priority_class = {"spec.runPolicy.schedulingPolicy.priorityClass"},
                .pod_labels = {.job = "training.kubeflow.org/job-name",
                               .pod_set = "training.kubeflow.org/replica-type"},
                .deadline = "spec.runPolicy.activeDeadlineSeconds",
                .min_total = "spec.runPolicy.schedulingPolicy.minAvailable"};
  for (const std::string& role : roles) {
    const FieldPath at = FieldPath(("spec." + specs + "." + role).c_str());
    row.pod_sets.push_back({.name = LowerCase(role),
                            .count = {CountFactor::At(at / "replicas")},
                            .pod_template = {at / "template"},
                            .optional = true,
                            .index_label = "training.kubeflow.org/replica-index"});
  }
  // A master, or a chief, that has succeeded ends it; else all of them have to.
  for (SetRow& set : row.pod_sets) set.ends_job = set.name == "master" || set.name == "chief";
  return row;
}

JobRow PyTorchJob() {
  JobRow row =
      TrainingJob("PyTorchJob", "pytorchjobs", "pytorchReplicaSpecs", {"Master", "Worker"});
  SetRow& worker = row.pod_sets.back();
  worker.min = "spec.elasticPolicy.minReplicas";
  worker.count_writable = true;
  return row;
}

// Of KubeRay: groups of workers come in slices of numOfHosts pods. `spec`: that of the cluster.
std::vector<SetRow> RayPodSets(const std::string& spec) {
  const std::string group = spec + ".workerGroupSpecs[*]";
  const auto at = [](const std::string& path) { return FieldPath(path.c_str()); };
  const FieldPath autoscales = at(spec + ".enableInTreeAutoscaling");
  return {{.name = "head",
           .pod_template = {at(spec + ".headGroupSpec.template")},
           .sidecars = {{.runs_if = autoscales,
                         .resources = at(spec + ".autoscalerOptions.resources"),
                         .request = {{"cpu", 500}, {"memory", std::int64_t{512} << 20}}}}},
          {.name_at = at(group + ".groupName"),
           .count = {CountFactor::Within(CountFactor::At(at(group + ".minReplicas")),
                                         CountFactor::At(at(group + ".replicas"), 0),
                                         CountFactor::At(at(group + ".maxReplicas"))),
                     CountFactor::At(at(group + ".numOfHosts"))},
           .pod_template = {at(group + ".template")},
           .min = at(group + ".minReplicas"),
           .zero_means_all = true,
           .max = at(group + ".maxReplicas"),
           .elastic_if = autoscales,
           .count_writable = true}};
}

JobRow::PodLabels RayPodLabels(std::string job) {
  return {.job = std::move(job), .pod_set = "ray.io/group", .values = {{"headgroup", "head"}}};
}

// It ends when it is deleted.
JobRow RayCluster() {
  return {.group = "ray.io",
          .versions = {"v1"},
          .kind = "RayCluster",
          .plural = "rayclusters",
          .suspend = "spec.suspend",
          .finished = {},
          .pod_labels = RayPodLabels("ray.io/cluster"),
          .pod_sets = RayPodSets("spec")};
}

// Its cluster is made anew each time that it is let go. What submits its entry point, when the
// cluster runs, is a batch Job's pod, or a container of the head's. That pod is of another
// scheduler, the default one, where its template names none.
JobRow RayJob() {
  const FieldPath mode = "spec.submissionMode";
  JobRow row = {.group = "ray.io",
                .versions = {"v1"},
                .kind = "RayJob",
                .plural = "rayjobs",
                .makes = {{.kind = "RayCluster"}, {.kind = "Job", .pod_set = "submitter"}},
                .suspend = "spec.suspend",
                .suspends_if = "spec.shutdownAfterJobFinishes",
                .finished = {.conditions = {},
                             .path = "status.jobDeploymentStatus",
                             .values = {"Complete", "Failed"},
                             .succeeded = {"Complete"}},
                .pod_labels = RayPodLabels({}),
                .deadline = "spec.activeDeadlineSeconds",
                .order = {.with_set = "submitter"},
                .pod_sets = RayPodSets("spec.rayClusterSpec")};
  SetRow& head = row.pod_sets.front();
  head.optional = true;  // it may run on a cluster that is there
  head.sidecars.push_back({.runs_if = mode,
                           .word = "SidecarMode",
                           .request = {{"cpu", 500}, {"memory", std::int64_t{200} << 20}}});
  row.pod_sets.push_back({.name = "submitter",
                          .pod_template = {"spec.submitterPodTemplate"},
                          .optional = true,
                          .ends_job = true,
                          .names_scheduler = true,
                          .only = {.path = mode, .word = "K8sJobMode"}});
  return row;
}

// Its cluster is suspended as part of it.
JobRow RayService() {
  return {.group = "ray.io",
          .versions = {"v1"},
          .kind = "RayService",
          .plural = "rayservices",
          .makes = {{.kind = "RayCluster"}},
          .suspend = "spec.rayClusterConfig.suspend",
          .finished = {},
          .pod_labels = RayPodLabels({}),
          .pod_sets = RayPodSets("spec.rayClusterConfig")};
}

// Its driver makes the executors, and asks for more of them while it runs where it allocates them
// dynamically.
JobRow SparkApplication() {
  const FieldPath dynamic = "spec.dynamicAllocation";
  const FieldPath least = dynamic / "minExecutors";
  return {.group = "sparkoperator.k8s.io",
          .versions = {"v1beta2"},
          .kind = "SparkApplication",
          .plural = "sparkapplications",
          .suspend = "spec.suspend",
          .priority_class = {"spec.batchSchedulerOptions.priorityClassName"},
          .finished = {.conditions = {},
                       .path = "status.applicationState.state",
                       .values = {"COMPLETED", "FAILED"},
                       .succeeded = {"COMPLETED"}},
          .pod_labels = {.job = "sparkoperator.k8s.io/app-name",
                         .pod_set = "spark-role",
                         .whoever_owns = true},
          .order = {.always = true},
          .pod_sets = {{.name = "driver",
                        .pod_template = {"spec.driver"},
                        .template_form = JobRow::TemplateForm::kSpark,
                        .ends_job = true},
                       {.name = "executor",
                        .count = {CountFactor::Most({CountFactor::At("spec.executor.instances"),
                                                     CountFactor::At(dynamic / "initialExecutors"),
                                                     CountFactor::At(least)})},
                        .pod_template = {"spec.executor"},
                        .template_form = JobRow::TemplateForm::kSpark,
                        .min = least,
                        .max = dynamic / "maxExecutors",
                        .elastic_if = dynamic / "enabled"}}};
}

// Of CodeFlare: it makes objects of any kinds, and their pods say whose they are.
JobRow AppWrapper() {
  return {.group = "workload.codeflare.dev",
          .versions = {"v1beta2"},
          .kind = "AppWrapper",
          .plural = "appwrappers",
          .components = "spec.components",
          .suspend = "spec.suspend",
          .finished = {.conditions = {},
                       .path = "status.phase",
                       .values = {"Succeeded", "Failed"},
                       .succeeded = {"Succeeded"}},
          .pod_labels = {.job = "workload.codeflare.dev/appwrapper",
                         .pod_set = std::string(kPodSetLabel)}};
}

// Each group is a workload; one pod leads it. StatefulSets make the pods: those of leaders at once,
// those of a group's workers when its leader is there, or ready, as startupPolicy says.
JobRow LeaderWorkerSet() {
  const FieldPath of_group = "spec.leaderWorkerTemplate";
  const FieldPath workers = of_group / "workerTemplate";
  return {
      .group = "leaderworkerset.x-k8s.io",
      .versions = {"v1"},
      .kind = "LeaderWorkerSet",
      .plural = "leaderworkersets",
      .let_go_by = JobRow::LetGoBy::kPods,
      .finished = {},
      .pod_labels = {.job = "leaderworkerset.sigs.k8s.io/name",
                     .pod_set = "leaderworkerset.sigs.k8s.io/worker-index",
                     .values = {{"0", "leader"}, {"*", "worker"}},
                     .group = "leaderworkerset.sigs.k8s.io/group-index"},
      .groups = "spec.replicas",
      .order = {.path = "spec.startupPolicy", .values = {"LeaderReady"}},
      .pod_sets = {
          {.name = "leader", .pod_template = {of_group / "leaderTemplate", workers}},
          {.name = "worker",
           .count = {CountFactor::Less(CountFactor::At(of_group / "size"), CountFactor::Number(1))},
           .pod_template = {workers},
           .first_index = 1}}};
}

// Its pods come one after the other, unless it says Parallel.
JobRow StatefulSet() {
  return {.group = "apps",
          .versions = {"v1"},
          .kind = "StatefulSet",
          .plural = "statefulsets",
          .let_go_by = JobRow::LetGoBy::kPods,
          .gang_if_asked = true,
          .finished = {},
          .order = {.path = "spec.podManagementPolicy",
                    .values = {"OrderedReady"},
                    .absent = "OrderedReady"},
          .pod_sets = {{.name = "main",
                        .count = {CountFactor::At("spec.replicas")},
                        .pod_template = {"spec.template"},
                        .index_label = "apps.kubernetes.io/pod-index"}}};
}

void Append(std::deque<JobRow>& rows, JobRow row) {
  row.number = rows.size();
  for (const std::string& version : row.versions) {
    row.api_versions.push_back(row.group + "/" + version);
  }
  rows.push_back(std::move(row));
}

std::deque<JobRow>& Table() {
  static std::deque<JobRow> rows = [] {
    std::deque<JobRow> made;
    Append(made, BatchJob());
    Append(made, MpiJob());
    Append(made, TrainJob());
    Append(made, JobSet());
    Append(made, PyTorchJob());
    Append(made, TrainingJob("TFJob", "tfjobs", "tfReplicaSpecs",
                             {"PS", "Chief", "Worker", "Evaluator"}));
    Append(made, TrainingJob("XGBoostJob", "xgboostjobs", "xgbReplicaSpecs", {"Master", "Worker"}));
    Append(made, TrainingJob("JAXJob", "jaxjobs", "jaxReplicaSpecs", {"Worker"}));
    Append(made,
           TrainingJob("PaddleJob", "paddlejobs", "paddleReplicaSpecs", {"Master", "Worker"}));
    Append(made, RayCluster());
    Append(made, RayJob());
    Append(made, RayService());
    Append(made, SparkApplication());
    Append(made, AppWrapper());
    Append(made, LeaderWorkerSet());
    Append(made, StatefulSet());
    return made;
  }();
  return rows;
}

class RowFollowers {
 public:
  void Add(std::function<void()> follow) {
    MutexLock lock(mutex_);
    all_.push_back(std::move(follow));
  }
  std::vector<std::function<void()>> Now() {
    MutexLock lock(mutex_);
    return all_;
  }

 private:
  Mutex mutex_;
  std::vector<std::function<void()>> all_ GUARDED_BY(mutex_);
};

RowFollowers& Followers() {
  static RowFollowers followers;
  return followers;
}

using Type = CountFactor::Type;

std::int64_t Saturated(std::int64_t number) {
  return std::clamp<std::int64_t>(number, 0, kMostPods + 1);
}

// Absent: nothing of it is there. `next`: of the values, the factor's first.
std::optional<std::int64_t> ValueOf(const CountFactor& factor, const CountValues& values,
                                    std::size_t& next) {
  if (factor.type == Type::kNumber) return factor.number;
  if (factor.type == Type::kField) {
    const std::optional<std::int64_t>& value = values[next++];
    return value ? value : factor.number;
  }
  std::vector<std::optional<std::int64_t>> of;
  for (const CountFactor& each : factor.of) of.push_back(ValueOf(each, values, next));
  if (factor.type == Type::kWithin) {
    std::int64_t value = of[1].value_or(of[0].value_or(1));
    if (of[0]) value = std::max(value, *of[0]);
    return of[2] ? std::min(value, std::max(*of[2], of[0].value_or(0))) : value;
  }
  if (factor.type == Type::kLess) {
    return std::max<std::int64_t>(0, of[0].value_or(1) - of[1].value_or(1));
  }
  std::erase(of, std::nullopt);
  if (of.empty()) return std::nullopt;
  return factor.type == Type::kMost ? *std::ranges::max_element(of) : *std::ranges::min_element(of);
}

}  // namespace

std::int64_t UnitsOf(const SetRow& set, const CountValues& values) {
  std::size_t next = 0;
  return set.count.empty() ? 1 : Saturated(ValueOf(set.count.front(), values, next).value_or(1));
}

std::int64_t PodsPerUnitOf(const SetRow& set, const CountValues& values) {
  std::int64_t product = 1;
  std::size_t next = 0;
  for (const CountFactor& factor : set.count) {
    const std::int64_t value = Saturated(ValueOf(factor, values, next).value_or(1));
    if (&factor != &set.count.front()) product = Saturated(product * value);
  }
  return product;
}

std::size_t WrittenValue(const SetRow& set) {
  DCHECK(set.count_writable);
  const CountFactor& first = set.count.front();
  if (first.type != Type::kWithin) return 0;
  std::size_t before = 0;
  ForEachField({first.of.front()}, [&](const FieldPath&) { ++before; });
  return before;
}

const std::deque<JobRow>& JobRows() { return Table(); }

const JobRow* FindJobRow(std::string_view kind) {
  for (const JobRow& row : Table()) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

bool JobRow::SaysTheSame(const JobRow& other) const {
  JobRow same = other;
  same.number = number;
  same.api_versions = api_versions;
  return *this == same;
}

const JobRow& AddJobRow(JobRow row) {
  CHECK(row.is_generic() && FindJobRow(row.kind) == nullptr);
  CHECK(row.pod_sets.size() == 1 || !row.pod_labels.pod_set.empty());
  Append(Table(), std::move(row));
  for (const std::function<void()>& follow : Followers().Now()) follow();
  return Table().back();
}

void FollowJobRows(std::function<void()> follow) { Followers().Add(std::move(follow)); }

bool AddJobRows(const std::vector<JobRow>& rows) {
  bool any = false;
  for (const JobRow& row : rows) {
    if (FindJobRow(row.kind) != nullptr) continue;
    AddJobRow(row);
    any = true;
  }
  return any;
}

}  // namespace fairlead::objects
