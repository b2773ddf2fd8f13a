#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects/job_rows.h"
#include "objects/write/writer.h"
#include "unit/objects/read.h"

// jobKinds of a SchedulerConfiguration. What is refused: test/golden/input/job-kinds-bad.yaml.

namespace fairlead::objects {
namespace {

SchedulerConfiguration ReadRow(std::string_view row) {
  return ReadOne<SchedulerConfiguration>(
      Lines("apiVersion: fairlead.dev/v1alpha1", "kind: SchedulerConfiguration", "jobKinds:", row));
}

constexpr std::string_view kFullRow = R"(
- group: batch.example.com
  versions: [v1, v1beta1]
  kind: Reactor
  plural: reactors
  priorityClass: [spec.class, "metadata.annotations['a.b/class']"]
  finished: {conditions: [Done, Broken], succeeded: [Done]}
  podLabels: {job: a.b/reactor, podSet: a.b/part, values: {"0": head, "*": rod}}
  suspend: spec.off
  minTotal: spec.minPods
  podSets:
  - {name: head, template: [spec.head.template, spec.rods.template]}
  - name: rod
    count: [{within: [spec.min, {path: spec.rods, default: 2}, 9]}, {least: [spec.a, spec.b]}, 3]
    min: spec.min
    template: spec.rods.template
    countWritable: true
    optional: true
)";

TEST(JobKinds, ReadsAllThatARowMaySay) {
  const SchedulerConfiguration config = ReadRow(kFullRow);
  ASSERT_EQ(config.job_kinds.size(), 1U);
  const JobRow& row = config.job_kinds.front();
  EXPECT_EQ(row.versions, (std::vector<std::string>{"v1", "v1beta1"}));
  EXPECT_EQ(row.priority_class.back().last(), "a.b/class");
  ASSERT_EQ(row.pod_sets.size(), 2U);
  EXPECT_EQ(row.pod_sets[0].pod_template.size(), 2U);
  const JobRow::PodSet& rod = row.pod_sets[1];
  // In the order of ForEachField: min, rods, a, b.
  EXPECT_EQ(UnitsOf(rod, {1, std::nullopt, 4, 2}), 2);
  EXPECT_EQ(UnitsOf(rod, {1, 20, 4, 2}), 9);
  EXPECT_EQ(PodsPerUnitOf(rod, {1, 20, 4, 2}), 6);
  EXPECT_EQ(WrittenValue(rod), 1U);
}

TEST(JobKinds, AreWrittenAsTheyAreRead) {
  const SchedulerConfiguration config = ReadRow(kFullRow);
  const auto again =
      ReadOne<SchedulerConfiguration>(boost::json::serialize(ToJson(Object(config))));
  EXPECT_EQ(again.job_kinds, config.job_kinds);
}

constexpr std::string_view kRowOfGroups = R"(
- group: batch.example.com
  versions: [v1]
  kind: Flock
  plural: flocks
  letGoBy: pods
  finished: {conditions: [Done], succeeded: [Done]}
  podLabels: {job: a.b/flock, podSet: a.b/rank, values: {"0": head, "*": bird}, group: a.b/flock-of}
  groups: spec.flocks
  order: {path: spec.startup, values: [Slow, Slower]}
  podSets:
  - {name: head, template: spec.template}
  - {name: bird, count: [{less: [spec.size, 1]}, 2], template: spec.template}
)";

TEST(JobKinds, ReadsAndWritesThoseThatAreLetGoByTheirPods) {
  const SchedulerConfiguration config = ReadRow(kRowOfGroups);
  ASSERT_EQ(config.job_kinds.size(), 1U);
  const JobRow& row = config.job_kinds.front();
  EXPECT_TRUE(row.is_let_go_by_pods());
  EXPECT_EQ(row.pod_labels.group, "a.b/flock-of");
  EXPECT_EQ(row.groups.text(), "spec.flocks");
  EXPECT_EQ(row.order.values, (std::vector<std::string>{"Slow", "Slower"}));
  const JobRow::PodSet& bird = row.pod_sets[1];
  EXPECT_EQ(UnitsOf(bird, {5}), 4);
  EXPECT_EQ(UnitsOf(bird, {0}), 0);
  EXPECT_EQ(UnitsOf(bird, {std::nullopt}), 0) << "absent it is one";
  EXPECT_EQ(PodsPerUnitOf(bird, {5}), 2);
  const auto again =
      ReadOne<SchedulerConfiguration>(boost::json::serialize(ToJson(Object(config))));
  EXPECT_EQ(again.job_kinds, config.job_kinds);
}

JobObject ReadJob(std::string_view text) {
  const Manifest manifest = Read(text);
  EXPECT_EQ(FaultsIn(manifest), std::vector<std::string>());
  return std::get<JobObject>(manifest.objects.at(0));
}

std::string SparkText(std::string_view spec) {
  return Lines("apiVersion: sparkoperator.k8s.io/v1beta2", "kind: SparkApplication",
               "metadata: {name: pi, namespace: a}", std::string("spec: ").append(spec));
}

objects::ResourceList RequestOf(const JobObject& job, std::size_t set) {
  return job.pod_sets.at(set).pod_template.spec.needs.request;
}
constexpr std::int64_t kMiB = std::int64_t{1} << 20;

TEST(JobKinds, ReadsTheRequestsThatSparkMakesOfItsFields) {
  const auto job = ReadJob(SparkText(
      "{type: Python, batchScheduler: fairlead, nodeSelector: {pool: spark}, sparkConf: "
      "{spark.executor.pyspark.memory: 1g}, driver: {cores: 2, memory: 4g, labels: {a: b}}, "
      "executor: {instances: 3, coreRequest: 1500m, memory: 1024m, memoryOverhead: 512m, gpu: "
      "{name: nvidia.com/gpu, quantity: 1}, schedulerName: other, nodeSelector: {pool: gpu}}}"));
  ASSERT_EQ(job.pod_sets.size(), 2U);
  EXPECT_TRUE(job.is_in_order());
  EXPECT_EQ(job.pod_sets[0].count(), 1);
  EXPECT_EQ(RequestOf(job, 0), (ResourceList{{"cpu", 2000}, {"memory", (4096 + 1638) * kMiB}}));
  const PodSpec& driver = job.pod_sets[0].pod_template.spec;
  EXPECT_EQ(driver.scheduler_name, "fairlead");
  EXPECT_EQ(driver.needs.node_selector, (Labels{{"pool", "spark"}}));
  EXPECT_EQ(job.pod_sets[0].pod_template.labels, (Labels{{"a", "b"}}));
  EXPECT_EQ(job.pod_sets[1].count(), 3);
  EXPECT_EQ(RequestOf(job, 1),
            (ResourceList{
                {"cpu", 1500}, {"memory", (1024 + 512 + 1024) * kMiB}, {"nvidia.com/gpu", 1000}}));
  const PodSpec& executor = job.pod_sets[1].pod_template.spec;
  EXPECT_EQ(executor.scheduler_name, "other");
  EXPECT_EQ(executor.needs.node_selector, (Labels{{"pool", "gpu"}}));
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(job)))), job);
}

// As spark.kubernetes.driver.podTemplateFile: Spark's container is the first.
TEST(JobKinds, ASparkRoleMayHaveAPodTemplate) {
  const auto job = ReadJob(SparkText(
      "{driver: {template: {spec: {schedulerName: fairlead, tolerations: [{operator: Exists}], "
      "containers: [{resources: {requests: {cpu: 9, example.com/fpga: 1}}}, {resources: "
      "{requests: {cpu: 250m}}}]}}, sidecars: [{resources: {requests: {memory: 1Gi}}}]}, "
      "executor: {}}"));
  EXPECT_EQ(RequestOf(job, 0),
            (ResourceList{
                {"cpu", 1250}, {"example.com/fpga", 1}, {"memory", (1024 + 384 + 1024) * kMiB}}));
  EXPECT_EQ(job.pod_sets[0].pod_template.spec.needs.tolerations.size(), 1U);
  EXPECT_EQ(job.pod_sets[1].count(), 2) << "as Spark where nothing is said";
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(job)))), job);
}

TEST(JobKinds, DynamicAllocationSaysHowManyExecutorsComeAndGo) {
  const auto job =
      ReadJob(SparkText("{driver: {}, executor: {instances: 1}, dynamicAllocation: {enabled: true, "
                        "initialExecutors: 4, minExecutors: 2, maxExecutors: 10}}"));
  EXPECT_EQ(job.pod_sets[1].count(), 4);
  EXPECT_TRUE(job.pod_sets[1].elastic);
  EXPECT_EQ(job.pod_sets[1].min, 2);
  EXPECT_EQ(job.pod_sets[1].max, 10);
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(job)))), job);
  const auto not_enabled = ReadJob(SparkText(
      "{driver: {}, executor: {instances: 1}, dynamicAllocation: {initialExecutors: 4}}"));
  EXPECT_EQ(not_enabled.pod_sets[1].count(), 1);
  EXPECT_FALSE(not_enabled.pod_sets[1].elastic);
  const auto as_it_likes =
      ReadJob(SparkText("{driver: {}, executor: {}, dynamicAllocation: {enabled: true}}"));
  EXPECT_EQ(as_it_likes.pod_sets[1].count(), 0);
  EXPECT_EQ(as_it_likes.pod_sets[1].max, std::nullopt);
}

TEST(JobKinds, MemoryThatJavaCannotReadIsNamed) {
  EXPECT_THAT(FaultsIn(Read(SparkText("{driver: {memory: 4Gi}, executor: {}}"))),
              testing::ElementsAre(testing::HasSubstr("spec.driver.memory: found \"4Gi\", expected "
                                                      "memory as Java writes it")));
}

std::string RayText(std::string_view spec) {
  return Lines("apiVersion: ray.io/v1", "kind: RayCluster", "metadata: {name: r, namespace: a}",
               std::string("spec: ").append(spec));
}

TEST(JobKinds, ARayClusterThatScalesItselfHasAContainerMore) {
  constexpr std::string_view kGroups =
      "headGroupSpec: {template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}}, "
      "workerGroupSpecs: [{groupName: w, replicas: 2, maxReplicas: 8, numOfHosts: 2, template: "
      "{spec: {}}}]}";
  const auto job = ReadJob(RayText("{enableInTreeAutoscaling: true, " + std::string(kGroups)));
  EXPECT_EQ(RequestOf(job, 0), (ResourceList{{"cpu", 1500}, {"memory", 512 * kMiB}}));
  EXPECT_TRUE(job.pod_sets[1].elastic);
  EXPECT_EQ(job.pod_sets[1].count(), 4);
  EXPECT_EQ(job.pod_sets[1].max, 8);
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(job)))), job);

  const auto small = ReadJob(
      RayText("{enableInTreeAutoscaling: true, autoscalerOptions: {resources: {limits: {cpu: "
              "200m}}}, " +
              std::string(kGroups)));
  EXPECT_EQ(RequestOf(small, 0), (ResourceList{{"cpu", 1200}}));
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(small)))), small);

  const auto fixed = ReadJob(RayText("{" + std::string(kGroups)));
  EXPECT_EQ(RequestOf(fixed, 0), (ResourceList{{"cpu", 1000}}));
  EXPECT_FALSE(fixed.pod_sets[1].elastic);
}

TEST(JobKinds, AJobSetWhosePartsDependOnEachOtherComesInOrder) {
  const auto read = [](std::string_view depends) {
    return ReadJob(Lines(
        "apiVersion: jobset.x-k8s.io/v1alpha2", "kind: JobSet", "metadata: {name: s, namespace: a}",
        "spec:", "  replicatedJobs:", "  - {name: a, template: {spec: {template: {}}}}",
        "  - {name: b, " + std::string(depends) + "template: {spec: {template: {}}}}"));
  };
  EXPECT_TRUE(read("dependsOn: [{name: a, status: Ready}], ").is_in_order());
  EXPECT_FALSE(read("").is_in_order());
  EXPECT_FALSE(read("dependsOn: [], ").is_in_order());
}

std::string LwsText(std::string_view spec) {
  return Lines("apiVersion: leaderworkerset.x-k8s.io/v1", "kind: LeaderWorkerSet",
               "metadata: {name: s, namespace: a}", std::string("spec: ").append(spec));
}

TEST(JobKinds, ReadsALeaderWorkerSetAndWritesWhatItRead) {
  const auto job = ReadJob(LwsText(
      "{replicas: 3, startupPolicy: LeaderReady, leaderWorkerTemplate: {size: 4, leaderTemplate: "
      "{spec: {schedulerName: l}}, workerTemplate: {spec: {schedulerName: w}}}}"));
  EXPECT_EQ(job.groups, 3);
  EXPECT_TRUE(job.is_in_order());
  ASSERT_EQ(job.pod_sets.size(), 2U);
  EXPECT_EQ(job.pod_sets[0].count(), 1);
  EXPECT_EQ(job.pod_sets[0].pod_template.spec.scheduler_name, "l");
  EXPECT_EQ(job.pod_sets[1].count(), 3);
  EXPECT_EQ(job.pod_sets[1].pod_template.spec.scheduler_name, "w");
  EXPECT_EQ(ReadJob(boost::json::serialize(ToJson(Object(job)))), job);

  const auto plain = ReadJob(LwsText("{leaderWorkerTemplate: {workerTemplate: {spec: {}}}}"));
  EXPECT_FALSE(plain.is_in_order());
  EXPECT_EQ(plain.pod_sets[1].count(), 0) << "a leader alone";
  EXPECT_EQ(plain.pod_sets[0].template_path, "spec.leaderWorkerTemplate.workerTemplate");
}

TEST(JobKinds, ALeaderWorkerSetHasATemplateForWorkers) {
  EXPECT_THAT(FaultsOf(LwsText("{leaderWorkerTemplate: {size: 2, leaderTemplate: {spec: {}}}}")),
              testing::ElementsAre(testing::HasSubstr(
                  "spec.leaderWorkerTemplate.workerTemplate: found none, expected the template of "
                  "worker's pods")));
  EXPECT_THAT(
      FaultsOf(LwsText("{leaderWorkerTemplate: {size: -1, workerTemplate: {spec: {}}}}")),
      testing::ElementsAre(testing::HasSubstr("spec.leaderWorkerTemplate.size: found number -1")));
}

TEST(JobKinds, AreReadInEveryVersionAndWrittenInTheirOwn) {
  const SchedulerConfiguration config = ReadRow(R"(
- {group: batch.example.com, versions: [v2, v1], kind: Turbine, plural: turbines, suspend: spec.off,
   podSets: [{name: main, count: spec.n, template: spec.template}]}
)");
  EXPECT_TRUE(AddJobRows(config.job_kinds));
  EXPECT_FALSE(AddJobRows(config.job_kinds)) << "they are there already";
  for (const std::string version : {"v1", "v2"}) {
    Manifest manifest =
        Read(Lines("apiVersion: batch.example.com/" + version, "kind: Turbine",
                   "metadata: {name: t, namespace: a}",
                   "spec: {off: true, n: 3, template: {spec: {containers: [{name: c}]}}}"));
    EXPECT_EQ(FaultsIn(manifest), std::vector<std::string>());
    ASSERT_EQ(manifest.objects.size(), 1U) << version;
    const auto& job = std::get<JobObject>(manifest.objects.front());
    EXPECT_TRUE(job.suspend);
    EXPECT_EQ(job.pod_sets.front().count(), 3);
    EXPECT_EQ(ApiVersionOf(manifest.objects.front()), "batch.example.com/" + version);
  }
  // Read once more, what is known is no fault unless it says something else.
  EXPECT_EQ(ReadRow(R"(
- {group: batch.example.com, versions: [v2, v1], kind: Turbine, plural: turbines, suspend: spec.off,
   podSets: [{name: main, count: spec.n, template: spec.template}]}
)")
                .job_kinds,
            config.job_kinds);
  EXPECT_THAT(FaultsOf(Lines(
                  "apiVersion: fairlead.dev/v1alpha1", "kind: SchedulerConfiguration",
                  "jobKinds:", "- {group: b.example.com, versions: [v1], kind: Turbine, plural: x,",
                  "   suspend: spec.off, podSets: [{name: main, template: t}]}")),
              testing::ElementsAre(testing::HasSubstr("jobKinds[0].kind: found Turbine, which "
                                                      "batch.example.com/v2 has already")));
}

}  // namespace
}  // namespace fairlead::objects
