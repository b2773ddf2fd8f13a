#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string RunsFor(std::string_view duration, std::string_view arrives = "") {
  std::string text = "annotations: {fairlead.dev/run-duration: ";
  text.append(duration);
  if (!arrives.empty()) text.append(", fairlead.dev/arrives-at: ").append(arrives);
  return text + "}";
}

TEST(Pods, RunOneAfterTheOther) {
  // 1 CPU: b, the younger by name, waits until a ends at 10 s.
  Simulated run(Node("n1", "cpu: 1") + Pod("b", "1", RunsFor("5s")) +
                Pod("a", "1", RunsFor("10s")));
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Bind a/a n1", "0s Run a/a n1", "10s Finish a/a n1",
                                        "10s Bind a/b n1", "10s Run a/b n1", "15s Finish a/b n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/a Succeeded n1", "a/b Succeeded n1"));
  EXPECT_EQ(run.cluster.Now(), Begin() + Duration::Seconds(15));
}

TEST(Pods, RunAfterTheStartDelayAndForEverWithoutADuration) {
  Simulated run(Node("n1", "cpu: 2") + Pod("a", "1") + Pod("b", "1", RunsFor("1m")),
                {.start = Duration::Seconds(3)});
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Bind a/a n1", "0s Bind a/b n1", "3s Run a/a n1",
                                        "3s Run a/b n1", "63s Finish a/b n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/a Running n1", "a/b Succeeded n1"));
}

TEST(Pods, ArriveWhenTheySay) {
  Simulated run(Node("n1", "cpu: 1") + Pod("late", "1", RunsFor("1s", "90s")) +
                Pod("early", "1", RunsFor("1s", "30s")));
  EXPECT_THAT(run.ToIdle(),
              ElementsAre("30s Arrive a/early", "30s Bind a/early n1", "30s Run a/early n1",
                          "31s Finish a/early n1", "90s Arrive a/late", "90s Bind a/late n1",
                          "90s Run a/late n1", "91s Finish a/late n1"));
}

TEST(Pods, OfAnotherSchedulerStayAndEnd) {
  Simulated run(
      Node("n1", "cpu: 2") +
      "{apiVersion: v1, kind: Pod, metadata: {name: pending, namespace: a}, spec: {containers: "
      "[{name: c}]}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: bound, namespace: a, annotations: "
      "{fairlead.dev/run-duration: 9s}}, spec: {nodeName: n1, containers: [{name: c}]}}\n");
  EXPECT_THAT(run.ToIdle(), ElementsAre("0s Run a/bound n1", "9s Finish a/bound n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/bound Succeeded n1", "a/pending Pending"));
}

TEST(Pods, RunningOnesOfTheInputEndByTheirOwnStart) {
  // Started a minute before the cluster begins: 30 s of its 90 s are left.
  Simulated run(Node("n1", "cpu: 2") +
                "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, annotations: "
                "{fairlead.dev/run-duration: 90s}}, spec: {schedulerName: fairlead, nodeName: n1, "
                "containers: [{name: c}]}, status: {phase: Running, startTime: "
                "\"2025-12-31T23:59:00Z\"}}\n");
  EXPECT_THAT(run.ToIdle(), ElementsAre("30s Finish a/p n1"));
}

TEST(Pods, AreDeletedAtOnceOrAfterTheGrace) {
  Simulated run(Node("n1", "cpu: 1") + Pod("a", "1") + Pod("b", "1"),
                {.grace = Duration::Seconds(30)});
  run.Until(10);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "a"));
  EXPECT_FALSE(run.cluster.Delete("Pod", "a", "c"));
  EXPECT_FALSE(run.cluster.Delete("Cat", "", "c"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("10s Delete a/a", "40s Gone a/a n1", "40s Bind a/b n1",
                                        "40s Run a/b n1"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/b Running n1"));
}

TEST(Pods, ThatAreStillToArriveCanBeDeleted) {
  Simulated run(Node("n1", "cpu: 1") + Pod("p", "1", RunsFor("1s", "1h")));
  EXPECT_THAT(run.Until(10), IsEmpty());
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "p"));
  EXPECT_EQ(run.cluster.NextEventTime(), std::nullopt);
  EXPECT_THAT(run.ToIdle(), IsEmpty());
}

TEST(Pods, OfADeletedNodeAreGone) {
  Simulated run(Node("n1", "cpu: 2") + Pod("a", "1") + Pod("b", "1"),
                {.grace = Duration::Seconds(30)});
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Node", "", "n1"));
  EXPECT_THAT(run.ToIdle(), ElementsAre("5s Delete Node n1", "5s Gone a/a n1", "5s Gone a/b n1"));
  EXPECT_THAT(run.Pods(), IsEmpty());
}

TEST(Pods, KeepWhatTheyHaveWhenSubmittedAgain) {
  Simulated run(Node("n1", "cpu: 2") + Pod("p", "1", RunsFor("60s")));
  run.Until(10);
  const std::string uid = objects::MetaOf(*run.cluster.Find("Pod", "a", "p")).uid;
  // Asks more, which a bound pod cannot, and ends sooner.
  run.Submit(Pod("p", "2", RunsFor("20s")));
  EXPECT_EQ(objects::MetaOf(*run.cluster.Find("Pod", "a", "p")).uid, uid);
  EXPECT_THAT(run.ToIdle(), ElementsAre("10s Update a/p", "20s Finish a/p n1"));
  const auto& pod = std::get<objects::Pod>(*run.cluster.Find("Pod", "a", "p"));
  EXPECT_EQ(objects::AmountOf(pod.spec.needs.request, "cpu"), 1000);
}

TEST(Submit, IsAllOrNothing) {
  // The reader refuses these, too; this is for those who build objects without it.
  std::vector<objects::Object> objects = Read(Node("n1", "cpu: 1") + Pod("p", "1"));
  objects::MetaOf(objects[1]).annotations = {{"fairlead.dev/arrives-at", "-5s"},
                                             {"fairlead.dev/run-duration", "soon"}};
  VirtualCluster cluster({.start = Begin()});
  const auto refused = cluster.Submit(std::move(objects));
  ASSERT_FALSE(refused);
  std::vector<std::string> faults;
  for (const objects::Fault& fault : refused.error()) faults.push_back(fault.ToString());
  EXPECT_THAT(faults,
              ElementsAre("test.yaml:3: Pod a/p: metadata.annotations.fairlead.dev/arrives-at: "
                          "found \"-5s\", expected a duration of 0s or more",
                          "test.yaml:3: Pod a/p: metadata.annotations.fairlead.dev/run-duration: "
                          "found \"soon\", expected a duration of 0s or more"));
  EXPECT_THAT(cluster.List("Node"), IsEmpty());
}

TEST(Submit, RefusesTwins) {
  VirtualCluster cluster({.start = Begin()});
  const auto refused = cluster.Submit(Read(Pod("p", "1") + Pod("p", "2")));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), testing::SizeIs(1));
  // At another time it is a change of what is there by then.
  EXPECT_TRUE(cluster.Submit(Read(
      Node("n1", "cpu: 1") + Node("n1", "cpu: 2", "annotations: {fairlead.dev/arrives-at: 5s}"))));
}

TEST(Time, MovesOneInstantAtATime) {
  Simulated run(Node("n1", "cpu: 1") + Pod("p", "1", RunsFor("10s", "5s")));
  EXPECT_EQ(run.cluster.NextEventTime(), Begin());
  EXPECT_TRUE(run.cluster.Step());
  EXPECT_EQ(run.cluster.NextEventTime(), Begin() + Duration::Seconds(5));
  run.cluster.RunUntil(Begin() + Duration::Seconds(7));
  EXPECT_EQ(run.cluster.Now(), Begin() + Duration::Seconds(7));
  EXPECT_EQ(run.cluster.NextEventTime(), Begin() + Duration::Seconds(15));
  EXPECT_TRUE(run.cluster.Step());
  EXPECT_FALSE(run.cluster.Step());
  EXPECT_EQ(run.cluster.Now(), Begin() + Duration::Seconds(15));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
