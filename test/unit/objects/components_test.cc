#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/objects/read.h"

// AppWrappers: jobs whose pod sets are those of the objects that they make.

namespace fairlead::objects {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

JobObject ReadWrapper(std::string_view text) {
  Manifest manifest = Read(text);
  EXPECT_EQ(FaultsIn(manifest), std::vector<std::string>()) << text;
  return std::get<JobObject>(manifest.objects.at(0));
}

std::string WrapperOf(std::string_view components) {
  return Lines("apiVersion: workload.codeflare.dev/v1beta2", "kind: AppWrapper",
               "metadata: {name: w, namespace: a}", "spec:", "  suspend: true",
               std::string("  components: ").append(components));
}

std::vector<std::string> SetsIn(const JobObject& job) {
  std::vector<std::string> sets;
  for (const JobObject::Replicas& set : job.pod_sets) {
    sets.push_back(set.name + " " + std::to_string(set.count()) + " of " + set.component->name +
                   "/" + set.component->pod_set + " at " + set.template_path);
  }
  return sets;
}

constexpr std::string_view kTraining = R"(
  - template:
      apiVersion: kubeflow.org/v1
      kind: PyTorchJob
      metadata: {name: train}
      spec:
        pytorchReplicaSpecs:
          Master: {replicas: 1, template: {spec: {schedulerName: m}}}
          Worker: {replicas: 3, template: {spec: {schedulerName: w}}}
        elasticPolicy: {minReplicas: 1}
  - template: {apiVersion: v1, kind: Service, metadata: {name: train}, spec: {ports: []}}
  - template: {apiVersion: v1, kind: Pod, metadata: {name: eye, labels: {a: b}}, spec: {}}
  - template:
      apiVersion: ray.io/v1
      kind: RayCluster
      metadata: {name: ray}
      spec:
        headGroupSpec: {template: {spec: {}}}
        workerGroupSpecs: [{groupName: small, replicas: 2, numOfHosts: 2, template: {spec: {}}}]
)";

TEST(Components, HaveThePodSetsOfTheirKinds) {
  const JobObject job = ReadWrapper(WrapperOf(kTraining));
  EXPECT_THAT(
      SetsIn(job),
      ElementsAre("w-0 1 of train/master at "
                  "spec.components[0].template.spec.pytorchReplicaSpecs.Master.template",
                  "w-1 3 of train/worker at "
                  "spec.components[0].template.spec.pytorchReplicaSpecs.Worker.template",
                  "w-2 1 of eye/main at spec.components[2].template",
                  "w-3 1 of ray/head at spec.components[3].template.spec.headGroupSpec.template",
                  "w-4 4 of ray/small at "
                  "spec.components[3].template.spec.workerGroupSpecs[0].template"));
  EXPECT_EQ(job.pod_sets[1].min, std::nullopt) << "all of it runs, or none";
  EXPECT_EQ(job.pod_sets[1].pod_template.spec.scheduler_name, "w");
  EXPECT_THAT(job.pod_sets[2].pod_template.labels, ElementsAre(std::pair("a", "b")));
}

TEST(Components, DeclareTheirPodSetsThemselves) {
  const JobObject job = ReadWrapper(WrapperOf(R"(
  - podSets:
    - {path: template.spec.parts.template, replicas: 4}
    - {path: "template.spec.others[1].template"}
    template:
      apiVersion: example.com/v1
      kind: Machine
      metadata: {name: m}
      spec: {parts: {template: {spec: {}}}, others: [{}, {template: {spec: {schedulerName: o}}}]}
  - podSets: [{path: template.spec.template, replicas: 2}]
    template:
      apiVersion: batch/v1
      kind: Job
      metadata: {name: j}
      spec: {parallelism: 5, template: {spec: {}}}
)"));
  EXPECT_THAT(SetsIn(job),
              ElementsAre("w-0 4 of m/ at spec.components[0].template.spec.parts.template",
                          "w-1 1 of m/ at spec.components[0].template.spec.others[1].template",
                          "w-2 2 of j/main at spec.components[1].template.spec.template"));
  EXPECT_EQ(job.pod_sets[1].pod_template.spec.scheduler_name, "o");
}

TEST(Components, AreWrittenAsTheyAreRead) {
  for (const std::string& text :
       {WrapperOf(kTraining),
        WrapperOf(R"([{template: {apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec:
        {completions: 2, parallelism: 9, template: {spec: {}}}}, podSets: [{path:
        template.spec.template, replicas: 7}]}])")}) {
    const JobObject job = ReadWrapper(text);
    EXPECT_EQ(ReadWrapper(boost::json::serialize(ToJson(Object(job)))), job);
  }
}

TEST(Components, AJobsPodsAreTheLesserOfItsTwoNumbers) {
  const auto job = [](std::string_view spec) {
    return ReadWrapper(WrapperOf("[{template: {apiVersion: batch/v1, kind: Job, metadata: {name: "
                                 "j}, spec: {" +
                                 std::string(spec) + ", template: {spec: {}}}}}]"))
        .pod_sets.at(0)
        .count();
  };
  EXPECT_EQ(job("completions: 5"), 1);
  EXPECT_EQ(job("parallelism: 3"), 3);
  EXPECT_EQ(job("parallelism: 3, completions: 2"), 2);
}

TEST(Components, WhatIsWrongIsNamedByItsPath) {
  EXPECT_THAT(FaultsOf(WrapperOf("[{podSets: []}]")),
              ElementsAre(HasSubstr("spec.components[0].template: found none")));
  EXPECT_THAT(
      FaultsOf(WrapperOf("[{template: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}, "
                         "podSets: [{path: spec.template}]}]")),
      ElementsAre(HasSubstr("spec.components[0].podSets[0].path: found \"spec.template\"")));
  EXPECT_THAT(
      FaultsOf(WrapperOf("[{template: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {}}, "
                         "podSets: [{path: template, replicas: -1}]}]")),
      ElementsAre(HasSubstr("spec.components[0].podSets[0].replicas: found number -1")));
  EXPECT_THAT(FaultsOf(WrapperOf("[{template: {apiVersion: batch/v1, kind: Job, metadata: {name: "
                                 "j}, spec: {parallelism: 1}}}]")),
              ElementsAre(HasSubstr("spec.components[0].template.spec.template: found none")));
}

std::string RayJobOf(std::string_view spec) {
  return Lines("apiVersion: ray.io/v1", "kind: RayJob", "metadata: {name: r, namespace: a}",
               "spec:", "  shutdownAfterJobFinishes: true", std::string("  ").append(spec),
               "  rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: h, "
               "resources: {requests: {cpu: 1}}}]}}}}");
}

TEST(RayJobs, HaveASubmitterWhereItsTemplateNamesAScheduler) {
  const JobObject job = ReadWrapper(
      RayJobOf("submitterPodTemplate: {spec: {schedulerName: fairlead, containers: [{name: s}]}}"));
  ASSERT_EQ(job.pod_sets.size(), 2U);
  EXPECT_EQ(job.pod_sets[1].name, "submitter");
  EXPECT_TRUE(job.is_in_order()) << "it comes when the cluster runs";
  EXPECT_EQ(ReadWrapper(boost::json::serialize(ToJson(Object(job)))), job);

  for (const std::string_view other :
       {"submitterPodTemplate: {spec: {containers: [{name: s}]}}",
        "submissionMode: HTTPMode\n  submitterPodTemplate: {spec: {schedulerName: fairlead}}"}) {
    const JobObject without = ReadWrapper(RayJobOf(other));
    EXPECT_EQ(without.pod_sets.size(), 1U) << other;
    EXPECT_FALSE(without.is_in_order());
  }
}

TEST(RayJobs, InSidecarModeTheHeadHasTheSubmitter) {
  const JobObject job = ReadWrapper(RayJobOf("submissionMode: SidecarMode"));
  EXPECT_EQ(AmountOf(job.pod_sets.at(0).pod_template.spec.needs.request, "cpu"), 1500);
  EXPECT_EQ(ReadWrapper(boost::json::serialize(ToJson(Object(job)))), job);
}

}  // namespace
}  // namespace fairlead::objects
