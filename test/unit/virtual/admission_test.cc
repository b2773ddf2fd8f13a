#include <algorithm>

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

// Jobs that wait, start with fewer pods, are stopped, get back what they asked, and start whole.

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string WaitingJob(std::string_view name, std::string_view annotations, std::string_view spec,
                       std::string_view queue = "q") {
  std::string meta = "namespace: a, labels: {fairlead.dev/queue: ";
  meta.append(queue).append("}, annotations: {").append(annotations).append("}");
  return Object("batch/v1", "Job", name, meta,
                "suspend: true, " + std::string(spec) +
                    ", template: " + Template("1", "fairlead.dev/run-duration: 1h"));
}

std::string MpiJob(std::string_view name, int workers, std::string_view run_policy,
                   std::string_view launcher_runs = "10s") {
  std::string spec = "runPolicy: {suspend: true";
  spec.append(run_policy.empty() ? "" : ", ").append(run_policy);
  spec.append("}, mpiReplicaSpecs: {Launcher: {template: ");
  spec.append(Template("1", "fairlead.dev/run-duration: " + std::string(launcher_runs)));
  spec.append("}, Worker: {replicas: ").append(std::to_string(workers)).append(", template: ");
  spec.append(Template("1")).append("}}");
  return Object("kubeflow.org/v2beta1", "MPIJob", name,
                "namespace: a, labels: {kueue.x-k8s.io/queue-name: q}", spec);
}

// "suspended 5/5" or "running 3/-": its parallelism and completions.
std::string JobOf(const Simulated& run, std::string_view name) {
  const auto& job = std::get<objects::Job>(*run.cluster.Find("Job", "a", name));
  return (job.suspend ? "suspended " : "running ") + std::to_string(job.parallelism) + "/" +
         (job.completions ? std::to_string(*job.completions) : "-");
}

// "main 3 of 5": as its Workload says; "main - of 5": not admitted.
std::string WorkloadOf(const Simulated& run, std::string_view name) {
  const objects::Object* object = run.cluster.Find("Workload", "a", name);
  if (object == nullptr) return "none";
  const auto& workload = std::get<objects::Workload>(*object);
  std::string text;
  for (const objects::PodSet& set : workload.pod_sets) {
    const auto given =
        std::ranges::find(workload.admission, set.name, &objects::PodSetAssignment::name);
    text += (text.empty() ? "" : ", ") + set.name + " " +
            (given == workload.admission.end() ? "-" : std::to_string(given->count)) + " of " +
            std::to_string(set.count.value_or(0));
  }
  return text;
}

// "Admitted Evicted!": the conditions of its Workload; with "!" those that do not hold.
std::string ConditionsOf(const Simulated& run, std::string_view name) {
  const objects::Object* object = run.cluster.Find("Workload", "a", name);
  std::string text;
  if (object == nullptr) return "none";
  for (const objects::Condition& each : std::get<objects::Workload>(*object).conditions) {
    text += (text.empty() ? "" : " ") + each.type + (each.holds ? "" : "!");
  }
  return text;
}

// What was told of that kind, and why: "Admit a/j: one more asks for …".
class Reasons : public drive::Observer {
 public:
  explicit Reasons(drive::EventType type) : type_(type) {}
  void OnEvent(const drive::Event& event) override {
    if (event.type != type_) return;
    lines_.push_back(std::string(event.object.empty() ? event.workload : event.object) + ": " +
                     std::string(event.reason));
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  drive::EventType type_;
  std::vector<std::string> lines_;
};

TEST(Admission, AWholeLife) {
  // 4 CPUs: 4 of 5 pods start. r reclaims its guarantee of 2 from q, which uses 4 of its 2. The 2
  // that are left are fewer than the minimum. The second node has room for all 5.
  Simulated run(Queue("q", "guaranteed: {cpu: 2}") + Queue("r", "guaranteed: {cpu: 2}") +
                Node("n1", "cpu: 4") +
                WaitingJob("j",
                           "fairlead.dev/min-parallelism: \"3\", "
                           "fairlead.dev/completions-equal-parallelism: \"true\"",
                           "parallelism: 5, completions: 5, completionMode: Indexed"));
  Reasons why(drive::EventType::kAdmit);
  run.cluster.AddObserver(&why);
  EXPECT_EQ(JobOf(run, "j"), "suspended 5/5");
  run.Until(10);
  EXPECT_EQ(JobOf(run, "j"), "running 4/4");
  EXPECT_EQ(WorkloadOf(run, "j"), "main 4 of 5");
  EXPECT_EQ(ConditionsOf(run, "j"), "Admitted Running");
  EXPECT_THAT(run.Pods(), testing::SizeIs(4));
  EXPECT_THAT(why.lines(), ElementsAre(HasSubstr("a/j: no node has room for one more")));

  run.Submit(WaitingJob("k", "", "parallelism: 2, completions: 2", "r"));
  run.Until(20);
  EXPECT_EQ(JobOf(run, "j"), "suspended 5/5");
  EXPECT_EQ(WorkloadOf(run, "j"), "main - of 5");
  EXPECT_EQ(ConditionsOf(run, "j"), "Admitted! Running! Evicted");
  EXPECT_EQ(JobOf(run, "k"), "running 2/2");
  EXPECT_THAT(run.Pods(), ElementsAre("a/k-0 Running n1", "a/k-1 Running n1"));

  run.Submit(Node("n2", "cpu: 8"));
  run.Until(30);
  EXPECT_EQ(JobOf(run, "j"), "running 5/5");
  EXPECT_EQ(WorkloadOf(run, "j"), "main 5 of 5");
  EXPECT_EQ(ConditionsOf(run, "j"), "Admitted Running Evicted!");
  EXPECT_THAT(run.Workloads(), ElementsAre("a/j Running main 5/5", "a/k Running main 2/2"));
}

TEST(Admission, EndsWithTheJob) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") +
                WaitingJob("j", "kueue.x-k8s.io/job-min-parallelism: \"1\"",
                           "parallelism: 4, completions: 5"));
  run.Until(10);
  EXPECT_EQ(JobOf(run, "j"), "running 3/5");
  run.ToIdle();
  // 5 completions, 3 at a time: the last two in a second turn.
  EXPECT_THAT(run.Workloads(), ElementsAre(HasSubstr("a/j Finished")));
  EXPECT_TRUE(std::get<objects::Job>(*run.cluster.Find("Job", "a", "j")).complete);
}

TEST(Admission, SaysWhyFewer) {
  Simulated run(Queue("q", "limit: {cpu: 3}") + Node("n1", "cpu: 9") +
                WaitingJob("j", "fairlead.dev/min-parallelism: \"1\"", "parallelism: 5"));
  Reasons why(drive::EventType::kAdmit);
  run.cluster.AddObserver(&why);
  run.Until(1);
  EXPECT_THAT(why.lines(), ElementsAre("a/j: one more asks for 1 core, "
                                       "and queue \"q\" has 0 left of its limit"));
}

TEST(Admission, WholeOrNotAtAllWhereTheMinimumIsWrong) {
  const std::string whole = "; it is admitted whole or not at all";
  const std::string expected = ", expected a whole number above 0 and below its 5 pods" + whole;
  for (const std::string minimum : {"0", "-1", "5", "6", "many", "2.5", "99999999999"}) {
    Simulated run(Queue("q", "") + Node("n1", "cpu: 4"));
    Reasons told(drive::EventType::kWarn);
    run.cluster.AddObserver(&told);
    run.Submit(WaitingJob("j", "fairlead.dev/min-parallelism: \"" + minimum + "\"",
                          "parallelism: 5, completions: 9"));
    run.Until(1);
    EXPECT_EQ(JobOf(run, "j"), "suspended 5/9") << minimum;
    EXPECT_THAT(told.lines(), ElementsAre("a/j: its minimum is \"" + minimum + "\"" + expected));
    // Once, as long as it lasts.
    run.Submit(Node("n2", "cpu: 1"));
    run.Until(2);
    EXPECT_EQ(JobOf(run, "j"), "running 5/9") << minimum;
    EXPECT_THAT(told.lines(), testing::SizeIs(1));
  }
}

TEST(Admission, CompletionsThatCannotFollow) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 4"));
  Reasons told(drive::EventType::kWarn);
  run.cluster.AddObserver(&told);
  run.Submit(WaitingJob("j",
                        "fairlead.dev/min-parallelism: \"2\", "
                        "fairlead.dev/completions-equal-parallelism: \"true\"",
                        "parallelism: 5, completions: 5"));
  run.Until(1);
  EXPECT_EQ(JobOf(run, "j"), "suspended 5/5");
  EXPECT_THAT(told.lines(), ElementsAre(HasSubstr("this one is NonIndexed, parallelism 5")));
}

TEST(Admission, TheSameManifestAgainChangesNothing) {
  const std::string job = WaitingJob("j", "fairlead.dev/min-parallelism: \"1\"", "parallelism: 5");
  Simulated run(Queue("q", "") + Node("n1", "cpu: 3") + job);
  run.Until(1);
  EXPECT_EQ(JobOf(run, "j"), "running 3/-");
  run.Submit(job);
  run.Until(2);
  EXPECT_EQ(JobOf(run, "j"), "running 3/-");
}

TEST(Admission, AnEditWhileItRunsIsToldAndTakesNothing) {
  const std::string minimum = "fairlead.dev/min-parallelism: \"1\"";
  Simulated run(Queue("q", "limit: {cpu: 3}") + Node("n1", "cpu: 9") +
                WaitingJob("j", minimum, "parallelism: 5"));
  Reasons told(drive::EventType::kWarn);
  run.cluster.AddObserver(&told);
  run.Until(1);
  run.Submit(WaitingJob("j", minimum, "parallelism: 7"));
  run.Until(2);
  EXPECT_EQ(JobOf(run, "j"), "running 7/-");
  EXPECT_THAT(told.lines(),
              ElementsAre("a/j: it was changed while it runs: main asks for 7 pods and is admitted "
                          "with 3; pods beyond that wait, and its next admission is for what it "
                          "then asks"));
  EXPECT_THAT(run.Workloads(), ElementsAre("a/j Running main 3/3"));
  // Stopped, it keeps what it was edited to.
  ASSERT_TRUE(run.cluster.Delete("Workload", "a", "j"));
  run.Submit(Queue("q", "limit: {cpu: 8}"));
  run.Until(3);
  EXPECT_EQ(JobOf(run, "j"), "running 7/-");
  EXPECT_EQ(WorkloadOf(run, "j"), "main 7 of 7");
}

TEST(Admission, AnEditWhileItWaitsCounts) {
  Simulated run(Queue("q", "limit: {cpu: 3}") + Node("n1", "cpu: 9") +
                WaitingJob("j", "", "parallelism: 5"));
  run.Until(1);
  EXPECT_EQ(JobOf(run, "j"), "suspended 5/-");
  run.Submit(WaitingJob("j", "", "parallelism: 2"));
  run.Until(2);
  EXPECT_EQ(WorkloadOf(run, "j"), "main 2 of 2");
}

TEST(Admission, AWorkloadOfSomebodyElseLeavesTheJobAlone) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 9") + WaitingJob("j", "", "parallelism: 2") +
                Object("fairlead.dev/v1alpha1", "Workload", "j", "namespace: a",
                       "queueName: q, podSets: [{count: 1, template: " + Template("1") + "}]"));
  Reasons told(drive::EventType::kWarn);
  run.cluster.AddObserver(&told);
  run.Until(1);
  EXPECT_EQ(JobOf(run, "j"), "suspended 2/-");
  EXPECT_THAT(told.lines(),
              ElementsAre("a/j: a Workload of the same name is there that is not the job's own, "
                          "and counts; the job stays suspended"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/j-main-0 Running n1"));
}

TEST(Admission, AMpiJobStartsWithFewerWorkers) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 4") +
                MpiJob("m", 6, "schedulingPolicy: {minAvailable: 2}"));
  run.Until(5);
  EXPECT_EQ(WorkloadOf(run, "m"), "launcher 1 of 1, worker 3 of 6");
  EXPECT_THAT(run.Pods(), ElementsAre("a/m-launcher Running n1", "a/m-worker-0 Running n1",
                                      "a/m-worker-1 Running n1", "a/m-worker-2 Running n1"));
  const auto& job = std::get<objects::JobObject>(*run.cluster.Find("MPIJob", "a", "m"));
  EXPECT_EQ(job.pod_sets[1].count(), 3);
  run.lines.Take();
  EXPECT_THAT(run.ToIdle(), ElementsAre("10s Finish a/m-launcher n1", "10s Complete MPIJob a/m",
                                        "10s Gone a/m-worker-2 n1", "10s Gone a/m-worker-1 n1",
                                        "10s Gone a/m-worker-0 n1"));
  EXPECT_THAT(run.Workloads(), ElementsAre(HasSubstr("a/m Finished")));
}

TEST(Admission, AStoppedMpiJobGetsItsWorkersBack) {
  Simulated run(Queue("q", "guaranteed: {cpu: 1}") + Queue("r", "guaranteed: {cpu: 3}") +
                Node("n1", "cpu: 4") + MpiJob("m", 6, "schedulingPolicy: {minAvailable: 2}", "1h"));
  run.Until(5);
  EXPECT_EQ(WorkloadOf(run, "m"), "launcher 1 of 1, worker 3 of 6");
  run.Submit(WaitingJob("k", "", "parallelism: 3, completions: 3", "r"));
  run.Until(10);
  const auto job = [&run] {
    return std::get<objects::JobObject>(*run.cluster.Find("MPIJob", "a", "m"));
  };
  EXPECT_TRUE(job().suspend);
  EXPECT_EQ(job().pod_sets[1].count(), 6);
  EXPECT_EQ(WorkloadOf(run, "m"), "launcher - of 1, worker - of 6");
  run.Submit(Node("n2", "cpu: 9"));
  run.Until(20);
  EXPECT_EQ(WorkloadOf(run, "m"), "launcher 1 of 1, worker 6 of 6");
  EXPECT_FALSE(job().suspend);
}

TEST(Admission, TwoJobsOfOneName) {
  // One name is one workload: the batch Job's. The other stays as it is.
  Simulated run(Queue("q", "") + Node("n1", "cpu: 9") + MpiJob("x", 2, "") +
                WaitingJob("x", "", "parallelism: 2"));
  Reasons told(drive::EventType::kWarn);
  run.cluster.AddObserver(&told);
  run.Until(5);
  EXPECT_EQ(JobOf(run, "x"), "running 2/-");
  EXPECT_THAT(told.lines(), ElementsAre(HasSubstr("a/x: a queued Job of the same name is there"),
                                        HasSubstr("a/x: a Workload of the same name is there")));
  EXPECT_TRUE(std::get<objects::JobObject>(*run.cluster.Find("MPIJob", "a", "x")).suspend);
}

// All that its pods ask together, by pod set.
TEST(Admission, RecordsWhatWasAdmitted) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 4, nvidia.com/gpu: 1") +
                WaitingJob("j", "fairlead.dev/min-parallelism: \"1\"", "parallelism: 5") +
                Object("fairlead.dev/v1alpha1", "Workload", "w", "namespace: a",
                       "queueName: q, podSets: [{name: main, count: 2, template: {spec: "
                       "{containers: [{name: c, resources: {requests: {fairlead.dev/gpu-milli: "
                       "250, memory: 1Gi}}}]}}}]"));
  run.Submit(Node("n2", "memory: 4Gi, nvidia.com/gpu: 1"));
  run.Until(1);
  const auto admission = [&run](std::string_view name) {
    const auto& workload =
        std::get<objects::Workload>(*run.cluster.Find("Workload", "a", std::string(name)));
    return workload.admission;
  };
  EXPECT_THAT(admission("j"),
              ElementsAre(objects::PodSetAssignment{
                  .name = "main", .count = 4, .usage = {{"cpu", 4000}}, .flavors = {}}));
  EXPECT_THAT(admission("w"),
              ElementsAre(objects::PodSetAssignment{
                  .name = "main",
                  .count = 2,
                  .usage = {{"memory", std::int64_t{2} << 30}, {"nvidia.com/gpu", 500}},
                  .flavors = {}}));
}

// Kueue's queue x of two flavors, of which jobs get spot; `stop` is its stopPolicy, `stop_local`
// that of its LocalQueue q.
std::string KueueQueue(std::string_view stop = "None", std::string_view stop_local = "None") {
  const auto object = [](std::string_view kind, std::string_view meta, std::string_view spec) {
    return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: " + std::string(kind) + ", metadata: {" +
           std::string(meta) + "}, spec: {" + std::string(spec) + "}}\n---\n";
  };
  const std::string group =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: spot, resources: [{name: cpu, "
      "nominalQuota: 3}]}, {name: dear, resources: [{name: cpu, nominalQuota: 9}]}]}]";
  return object("ResourceFlavor", "name: spot", "nodeLabels: {kind: spot}") +
         object("ResourceFlavor", "name: dear", "nodeLabels: {kind: dear}") +
         object("ClusterQueue", "name: x",
                "namespaceSelector: {}, stopPolicy: " + std::string(stop) + ", " + group) +
         object("LocalQueue", "namespace: a, name: q",
                "clusterQueue: x, stopPolicy: " + std::string(stop_local));
}
std::string KueueJob(std::string_view name, std::string_view spec) {
  return Object("batch/v1", "Job", name,
                "namespace: a, labels: {kueue.x-k8s.io/queue-name: q}, annotations: "
                "{kueue.x-k8s.io/job-min-parallelism: \"2\"}",
                "suspend: true, " + std::string(spec) +
                    ", template: " + Template("1", "fairlead.dev/run-duration: 1h"));
}

TEST(Admission, RecordsTheFlavor) {
  Simulated run(KueueQueue() + Node("n1", "cpu: 8", "labels: {kind: spot}") +
                KueueJob("j", "parallelism: 5"));
  run.Until(1);
  const auto& workload = std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "j"));
  EXPECT_THAT(
      workload.admission,
      ElementsAre(objects::PodSetAssignment{
          .name = "main", .count = 3, .usage = {{"cpu", 3000}}, .flavors = {{"cpu", "spot"}}}));
}

TEST(Admission, AQueueThatDrainsStopsWhatItHasAdmitted) {
  for (const bool local : {false, true}) {
    const auto stopped = [local](std::string_view policy) {
      return local ? KueueQueue("None", policy) : KueueQueue(policy);
    };
    Simulated run(KueueQueue() + Node("n1", "cpu: 8", "labels: {kind: spot}") +
                  KueueJob("j", "parallelism: 5, completions: 5"));
    run.Until(1);
    EXPECT_EQ(JobOf(run, "j"), "running 3/5");
    // It only keeps out …
    run.Submit(stopped("Hold"));
    run.Until(2);
    EXPECT_EQ(JobOf(run, "j"), "running 3/5");
    EXPECT_THAT(run.Pods(), testing::SizeIs(3));
    // … or stops, with the counts of before, and keeps out …
    run.lines.Take();
    run.Submit(stopped("HoldAndDrain"));
    EXPECT_THAT(run.Until(3), testing::Contains("2s Stop a/j"));
    EXPECT_EQ(JobOf(run, "j"), "suspended 5/5");
    EXPECT_EQ(WorkloadOf(run, "j"), "main - of 5");
    EXPECT_THAT(run.Pods(), IsEmpty());
    run.Until(10);
    EXPECT_EQ(JobOf(run, "j"), "suspended 5/5");
    // … until it does neither.
    run.Submit(KueueQueue());
    run.Until(20);
    EXPECT_EQ(JobOf(run, "j"), "running 3/5");
  }
}

TEST(Admission, AWorkloadThatIsNotActiveIsStopped) {
  const auto workload = [](std::string_view active) {
    return Object("fairlead.dev/v1alpha1", "Workload", "w", "namespace: a",
                  "queueName: q, active: " + std::string(active) +
                      ", podSets: [{count: 2, template: " + Template("1") + "}]");
  };
  Simulated run(Queue("q", "") + Node("n1", "cpu: 4") + workload("true"));
  run.Until(1);
  EXPECT_THAT(run.Pods(), testing::SizeIs(2));
  run.Submit(workload("false"));
  run.Until(2);
  EXPECT_THAT(run.Pods(), IsEmpty());
  run.Submit(workload("true"));
  run.Until(3);
  EXPECT_THAT(run.Pods(), testing::SizeIs(2));
}

TEST(Admission, OfAnotherSchedulerItStaysSuspended) {
  Simulated run(Queue("q", "") + Node("n1", "cpu: 9") +
                Object("batch/v1", "Job", "j", "namespace: a, labels: {fairlead.dev/queue: q}",
                       "suspend: true, template: {spec: {containers: [{name: c}]}}"));
  EXPECT_THAT(run.ToIdle(), IsEmpty());
  EXPECT_EQ(JobOf(run, "j"), "suspended 1/-");
}

}  // namespace
}  // namespace fairlead::virtual_cluster
