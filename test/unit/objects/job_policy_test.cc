#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "objects/objects.h"
#include "unit/objects/read.h"

namespace fairlead::objects {
namespace {

TEST(JobPolicies, SayWhetherAJobMindsThatPodsAreMadeToGo) {
  const auto ignores = [](std::string_view rules) {
    return ReadOne<Job>(
               std::string("{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: a}, "
                           "spec: {podFailurePolicy: {rules: ") +
               std::string(rules) + "}, template: {spec: {containers: []}}}}")
        .ignores_disruption;
  };
  EXPECT_TRUE(ignores("[{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]"));
  EXPECT_TRUE(
      ignores("[{action: FailJob, onExitCodes: {operator: In, values: [1]}}, {action: Ignore, "
              "onPodConditions: [{type: Other}, {type: DisruptionTarget, status: \"True\"}]}]"));
  EXPECT_FALSE(ignores("[]"));
  EXPECT_FALSE(ignores("[{action: Count, onPodConditions: [{type: DisruptionTarget}]}]"));
  EXPECT_FALSE(ignores(
      "[{action: Ignore, onPodConditions: [{type: DisruptionTarget, status: \"False\"}]}]"));
  // The first that it meets counts.
  EXPECT_FALSE(
      ignores("[{action: FailJob, onPodConditions: [{type: DisruptionTarget}]}, {action: "
              "Ignore, onPodConditions: [{type: DisruptionTarget}]}]"));
}

}  // namespace
}  // namespace fairlead::objects
