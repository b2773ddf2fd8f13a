#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/intake/kueue.h"
#include "unit/intake/picture_row.h"
#include "unit/intake/world.h"

// Kueue's objects as values: what is read of them, what is wrong with them, and written back.

namespace fairlead::intake {
namespace {

const std::string kEverything = R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: x, uid: u}
spec:
  cohort: c
  namespaceSelector: {matchExpressions: [{key: team, operator: In, values: [red]}]}
  stopPolicy: HoldAndDrain
  fairSharing: {weight: 750m}
  preemption:
    withinClusterQueue: LowerOrNewerEqualPriority
    reclaimWithinCohort: Any
    borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -5}
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: f
      resources:
      - {name: cpu, nominalQuota: 10, borrowingLimit: 500m, lendingLimit: 4}
      - {name: memory, nominalQuota: 36Gi}
    - {name: g, resources: [{name: cpu, nominalQuota: 1}]}
  - coveredResources: [nvidia.com/gpu]
    flavors: [{name: h, resources: [{name: nvidia.com/gpu, nominalQuota: 8}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: y}
spec: {cohortName: c, stopPolicy: None, preemption: {}, queueingStrategy: BestEffortFIFO}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: c}
spec:
  parentName: d
  fairSharing: {weight: 2}
  resourceGroups: [{flavors: [{name: f, resources: [{name: cpu, nominalQuota: 1}]}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: l, namespace: a}
spec: {clusterQueue: x, stopPolicy: Hold}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec:
  nodeLabels: {kind: spot}
  nodeTaints: [{key: spot, value: "true", effect: NoSchedule}]
  tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]
)";

TEST(KueueDecode, WhatIsWrittenReadsTheSame) {
  const std::vector<objects::Object> objects = Read(kEverything);
  ASSERT_EQ(objects.size(), 5u);
  for (const objects::Object& object : objects) {
    const std::string text = boost::json::serialize(objects::ToJson(object));
    std::vector<objects::Object> again = Read(text);
    ASSERT_EQ(again.size(), 1u) << text;
    objects::MetaOf(again[0]).source = objects::MetaOf(object).source;
    EXPECT_EQ(again[0], object) << text;
  }
  const auto& queue = std::get<objects::ClusterQueue>(objects[0]);
  EXPECT_EQ(queue.weight_milli, 750);
  EXPECT_EQ(queue.groups[0].flavors[0].resources[0].borrowing_limit, 500);
  EXPECT_EQ(queue.groups[1].flavors[0].resources[0].nominal, 8000);
  EXPECT_EQ(queue.borrow_max_priority, -5);
}

class KueueFaultTest : public testing::TestWithParam<FaultRow> {};

TEST_P(KueueFaultTest, IsSaid) {
  objects::Manifest manifest;
  objects::ReadText("---\n" + GetParam().yaml, "f", AllDecoders(), manifest);
  ASSERT_EQ(manifest.faults.size(), 1u);
  EXPECT_EQ(manifest.faults[0].ToString(), GetParam().expected);
  EXPECT_TRUE(manifest.objects.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Objects, KueueFaultTest,
    testing::Values(
        FaultRow{
            "Nominal", ClusterQueue("x", Cpu("-1")),
            "f:2: ClusterQueue x: spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: "
            "found number -1, expected a quantity that is not negative"},
        FaultRow{
            "NoNominal",
            ClusterQueue("x", "resourceGroups: [{flavors: [{name: f, resources: [{name: cpu}]}]}]"),
            "f:2: ClusterQueue x: spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: "
            "found none, expected a quantity"},
        FaultRow{"NoFlavor", ClusterQueue("x", "resourceGroups: [{coveredResources: [cpu]}]"),
                 "f:2: ClusterQueue x: spec.resourceGroups[0].flavors: found none, expected one or "
                 "more"},
        FaultRow{"StopPolicy", ClusterQueue("x", "stopPolicy: hold"),
                 "f:2: ClusterQueue x: spec.stopPolicy: found \"hold\", expected None, Hold or "
                 "HoldAndDrain"},
        FaultRow{
            "Weight", Cohort("x", "fairSharing: {weight: -2}"),
            "f:2: Cohort x: spec.fairSharing.weight: found number -2, expected a quantity from 0 "
            "to "
            "1000000"},
        FaultRow{
            "NoClusterQueue", KueueObject("LocalQueue", "name: l, namespace: a", ""),
            "f:2: LocalQueue a/l: spec.clusterQueue: found none, expected a ClusterQueue's name"},
        FaultRow{
            "MinCount", KueueWorkload("w", "", "podSets: [{count: 2, minCount: 3}]"),
            "f:2: Workload a/w: spec.podSets[0].minCount: found number 3, expected at most count, "
            "which is 2"},
        FaultRow{"Twice", KueueWorkload("w", "", "podSets: [{name: a}, {name: a}]"),
                 "f:2: Workload a/w: spec.podSets[1].name: found \"a\" a second time"}),
    RowName());

}  // namespace
}  // namespace fairlead::intake
