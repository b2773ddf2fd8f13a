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
