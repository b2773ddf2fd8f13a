// Whole lives of groups of pods in a virtual cluster, and what the status of Kubernetes' own says.

#include <string>

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string GroupOf(std::string_view api_version, std::string_view spec) {
  return Object(api_version, "PodGroup", "g", "namespace: a, labels: {fairlead.dev/queue: low}",
                spec);
}
std::string Native(std::string_view more = "") {
  return GroupOf("scheduling.k8s.io/v1beta1",
                 "schedulingPolicy: {gang: {minCount: 2}}" + std::string(more));
}
std::string Member(std::string_view name, std::string_view duration = "") {
  const std::string meta =
      duration.empty() ? ""
                       : "annotations: {fairlead.dev/run-duration: " + std::string(duration) + "}";
  return Pod(name, "1", meta, "schedulingGroup: {podGroupName: g}");
}

// "PodGroupInitiallyScheduled True Scheduled", a line each.
std::vector<std::string> ConditionsOf(const VirtualCluster& cluster) {
  std::vector<std::string> lines;
  const auto& group = std::get<objects::PodGroup>(*cluster.Find("PodGroup", "a", "g"));
  for (const objects::Condition& each : group.conditions) {
    lines.push_back(each.type + (each.holds ? " True " : " False ") + each.reason);
  }
  return lines;
}

TEST(Groups, WaitForEachOtherAndSayHowTheyAre) {
  Simulated run(Node("n1", "cpu: 4") + Queue("low", "") + Native() + Member("p0", "10s"));
  run.Until(5);
  EXPECT_THAT(run.Pods(), ElementsAre("a/p0 Pending"));
  EXPECT_THAT(ConditionsOf(run.cluster),
              ElementsAre("PodGroupInitiallyScheduled False Unschedulable"));
  run.Submit(Member("p1", "10s"));
  run.Until(6);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/g Running main 2/2"));
  EXPECT_THAT(ConditionsOf(run.cluster), ElementsAre("PodGroupInitiallyScheduled True Scheduled"));
  run.ToIdle();
  EXPECT_THAT(run.Workloads(), ElementsAre("a/g Finished main 0/2"));
  EXPECT_THAT(ConditionsOf(run.cluster), ElementsAre("PodGroupInitiallyScheduled True Scheduled"));
}

TEST(Groups, LeaveWholeAndSayThatTheyHaveTo) {
  Simulated run(Node("n1", "cpu: 3") + Queue("low", "") + Queue("high", "guaranteed: {cpu: 1}") +
                Native(", disruptionMode: {all: {}}") + Member("p0") + Member("p1") + Member("p2"));
  run.Until(5);
  ASSERT_THAT(run.Workloads(), ElementsAre("a/g Running main 3/3"));
  run.Submit(Pod("urgent", "1", "labels: {fairlead.dev/queue: high}"));
  run.Until(60);
  EXPECT_THAT(run.Pods(), ElementsAre(HasSubstr("a/urgent Running")));
  EXPECT_THAT(ConditionsOf(run.cluster), ElementsAre("DisruptionTarget True PreemptionByScheduler",
                                                     "PodGroupInitiallyScheduled True Scheduled"));
}

// One of each system may have one name: each is an object of its own.
TEST(Groups, OfOneNameAreKeptApart) {
  Simulated run(GroupOf("scheduling.x-k8s.io/v1alpha1", "minMember: 1") +
                GroupOf("scheduling.volcano.sh/v1beta1", "minMember: 2"));
  run.Until(1);
  EXPECT_EQ(run.cluster.List("PodGroup").size(), 2u);
  EXPECT_TRUE(run.cluster.Delete("PodGroup.scheduling.x-k8s.io", "a", "g").has_value());
  ASSERT_EQ(run.cluster.List("PodGroup").size(), 1u);
  EXPECT_EQ(std::get<objects::PodGroup>(*run.cluster.Find("PodGroup", "a", "g")).api,
            objects::GroupApi::kVolcano);
  EXPECT_FALSE(run.cluster.Delete("PodGroup.scheduling.x-k8s.io", "a", "g").has_value());
  EXPECT_TRUE(run.cluster.Delete("PodGroup", "a", "g").has_value());
}

// What a user applies again has no status; the cluster's stays.
TEST(Groups, KeepTheirStatusWhereTheyAreAppliedAgain) {
  Simulated run(Node("n1", "cpu: 4") + Queue("low", "") + Native() + Member("p0") + Member("p1"));
  run.Until(2);
  run.Submit(Native(", disruptionMode: {all: {}}"));
  run.Until(3);
  EXPECT_THAT(ConditionsOf(run.cluster), ElementsAre("PodGroupInitiallyScheduled True Scheduled"));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
