#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/intake/world.h"
#include "unit/intake/yaml.h"

// Disruption budgets and the pods that they select: what comes out, and for whom.

namespace fairlead::intake {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kWeb = "labels: {app: web}";

TEST(BudgetJoin, ByLabelsInItsNamespace) {
  World world;
  world.Upsert(Pod("web", kWeb) + Pod("db", "labels: {app: db}") + Pod("bare") +
               "{apiVersion: v1, kind: Pod, metadata: {namespace: b, name: web, " + kWeb +
               "}, spec: {schedulerName: fairlead, containers: [{name: c}]}}\n---\n" +
               Budget("all", "selector: {}, minAvailable: 50%") +
               Budget("none", "maxUnavailable: 1") +
               Budget("web", "selector: {matchLabels: {app: web}}, maxUnavailable: 1", "a",
                      "{disruptionsAllowed: 2}"));
  EXPECT_THAT(world.Take(),
              ElementsAre("queue default", "budget a/all min=50%", "budget a/none max=1",
                          "budget a/web max=1 allowed=2",
                          "pod a/bare pending budget=a/all solo queue=default",
                          "pod a/db pending budget=a/all solo queue=default",
                          "pod a/web pending budget=a/all budget=a/web solo queue=default",
                          "pod b/web pending solo queue=default"));
}

TEST(BudgetJoin, OnlyThePodsConcernedComeAgain) {
  World world;
  world.Upsert(Pod("web", kWeb) + Pod("db", "labels: {app: db}"));
  world.Take();
  world.Upsert(Budget("b", "selector: {matchLabels: {app: web}}, maxUnavailable: 1"));
  EXPECT_THAT(world.Take(),
              ElementsAre("budget a/b max=1", "pod a/web pending budget=a/b solo queue=default"));
  // Its numbers and its status concern no pod.
  world.Upsert(Budget("b", "selector: {matchLabels: {app: web}}, maxUnavailable: 2", "a",
                      "{disruptionsAllowed: 0}"));
  EXPECT_THAT(world.Take(), ElementsAre("budget a/b max=2 allowed=0"));
  world.Upsert(Budget("b", "selector: {matchLabels: {app: web}}, maxUnavailable: 2", "a",
                      "{disruptionsAllowed: 0}"));
  EXPECT_THAT(world.Take(), IsEmpty());
  // Another selector that selects the same.
  world.Upsert(
      Budget("b", "selector: {matchExpressions: [{key: app, operator: In, values: [web]}]}", "a"));
  EXPECT_THAT(world.Take(), ElementsAre("budget a/b"));
  world.Upsert(Budget("b", "selector: {matchExpressions: [{key: app, operator: Exists}]}"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/db pending budget=a/b solo queue=default"));
  EXPECT_TRUE(world.intake.Remove("PodDisruptionBudget", "a", "b"));
  EXPECT_FALSE(world.intake.Remove("PodDisruptionBudget", "a", "b"));
  EXPECT_THAT(world.Take(), ElementsAre("gone budget a/b", "pod a/db pending solo queue=default",
                                        "pod a/web pending solo queue=default"));
}

TEST(BudgetJoin, FollowsThePodsLabels) {
  World world;
  world.Upsert(Budget("b", "selector: {matchLabels: {app: web}}, maxUnavailable: 1") + Pod("p"));
  EXPECT_THAT(world.Take(), ElementsAre("queue default", "budget a/b max=1",
                                        "pod a/p pending solo queue=default"));
  world.Upsert(Pod("p", "labels: {team: x}"));  // concerns no budget
  EXPECT_THAT(world.Take(), IsEmpty());
  world.Upsert(Pod("p", "labels: {app: web, team: x}"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p pending budget=a/b solo queue=default"));
  world.Upsert(Pod("p", "labels: {app: web, team: y}"));
  EXPECT_THAT(world.Take(), IsEmpty());
  world.Upsert(Pod("p"));
  EXPECT_THAT(world.Take(), ElementsAre("pod a/p pending solo queue=default"));
}

// Labels and budgets change at one time: what comes out is right, once.
TEST(BudgetJoin, LabelsAndBudgetsAtOnce) {
  World world;
  world.Upsert(Pod("p", "labels: {app: one}") + Pod("q", "labels: {app: two}") +
               Budget("b", "selector: {matchLabels: {app: one}}"));
  world.Take();
  world.Upsert(Budget("b", "selector: {matchLabels: {app: two}}") + Pod("p", "labels: {app: two}") +
               Pod("q", "labels: {app: one}"));
  EXPECT_THAT(world.Picture(),
              ElementsAre("budget a/b", "pod a/p pending budget=a/b solo queue=default",
                          "pod a/q pending solo queue=default", "queue default"));
  world.Upsert(Budget("b", "selector: {matchLabels: {app: one}}") + Pod("p", "labels: {app: one}") +
               Pod("q", "labels: {app: two}"));
  EXPECT_THAT(world.Picture(),
              ElementsAre("budget a/b", "pod a/p pending budget=a/b solo queue=default",
                          "pod a/q pending solo queue=default", "queue default"));
}

TEST(BudgetJoin, FinishedPodsAreLeftAlone) {
  World world;
  world.Upsert(Pod("p", kWeb, "nodeName: n1", "{phase: Succeeded}"));
  world.Take();
  world.Upsert(Budget("b", "selector: {}"));
  EXPECT_THAT(world.Take(), ElementsAre("budget a/b"));
}

}  // namespace
}  // namespace fairlead::intake
