// Whole lives of LeaderWorkerSets: each group is placed whole or not at all, and room is held for
// workers that come later.

#include <string>

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string Lws(int replicas, int size, std::string_view more = "",
                std::string_view queue = "low") {
  return Object("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "serve",
                "namespace: a, labels: {fairlead.dev/queue: " + std::string(queue) + "}",
                "replicas: " + std::to_string(replicas) + ", " + std::string(more) +
                    "leaderWorkerTemplate: {size: " + std::to_string(size) + ", leaderTemplate: " +
                    Template("2") + ", workerTemplate: " + Template("1") + "}");
}
const std::string kQueues = Queue("low", "") + Queue("high", "guaranteed: {cpu: 4}");

objects::Labels LabelsOfPod(const Simulated& run, std::string_view pod) {
  return std::get<objects::Pod>(*run.cluster.Find("Pod", "a", pod)).meta.labels;
}

TEST(JobGroups, OneRunsWholeAndTheOtherWaits) {
  // A group asks 2 + 1 + 1.
  Simulated run(kQueues + Node("n1", "cpu: 7") + Lws(2, 3));
  run.Until(5);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Running leader 1/1 worker 2/2",
                                           "a/serve-1 Pending leader 0/1 worker 0/2"));
  EXPECT_THAT(run.Pods(), ElementsAre("a/serve-0 Running n1", "a/serve-0-1 Running n1",
                                      "a/serve-0-2 Running n1", "a/serve-1 Pending",
                                      "a/serve-1-1 Pending", "a/serve-1-2 Pending"));
  EXPECT_THAT(LabelsOfPod(run, "serve-0"),
              UnorderedElementsAre(std::pair{"leaderworkerset.sigs.k8s.io/name", "serve"},
                                   std::pair{"leaderworkerset.sigs.k8s.io/group-index", "0"},
                                   std::pair{"leaderworkerset.sigs.k8s.io/worker-index", "0"}));
  EXPECT_THAT(LabelsOfPod(run, "serve-1-2"),
              UnorderedElementsAre(std::pair{"leaderworkerset.sigs.k8s.io/name", "serve"},
                                   std::pair{"leaderworkerset.sigs.k8s.io/group-index", "1"},
                                   std::pair{"leaderworkerset.sigs.k8s.io/worker-index", "2"}));
  run.Submit(Node("n2", "cpu: 2"));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Running leader 1/1 worker 2/2",
                                           "a/serve-1 Running leader 1/1 worker 2/2"));
}

// Its workers come when the leader runs.
TEST(JobGroups, RoomIsHeldForWorkersThatComeLater) {
  Simulated run(kQueues + Node("n1", "cpu: 5") + Lws(1, 3, "startupPolicy: LeaderReady, "),
                {.start = Duration::Seconds(900)});
  ExpectRoomIsHeldBehind(run, "a/serve-0", "low");
  run.Until(2000);
  EXPECT_THAT(run.Pods(), ElementsAre("a/other Pending", "a/serve-0 Running n1",
                                      "a/serve-0-1 Running n1", "a/serve-0-2 Running n1"));
}

// Room for the leader alone is none: it would wait for workers that cannot come.
TEST(JobGroups, ALeaderWithoutRoomForItsWorkersWaits) {
  Simulated run(kQueues + Node("n1", "cpu: 3") + Lws(1, 3, "startupPolicy: LeaderReady, "));
  run.Until(30);
  EXPECT_THAT(run.Pods(), ElementsAre("a/serve-0 Pending"));
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Pending leader 0/1 worker 0/2"));
}

// Nothing of a group that has to leave stays, and it comes again when there is room.
TEST(JobGroups, AGroupThatIsEvictedComesAgain) {
  Simulated run(kQueues + Node("n1", "cpu: 8") + Lws(2, 3));
  run.Until(5);
  run.Submit(Pod("urgent", "1",
                 "labels: {fairlead.dev/queue: high}, annotations: {fairlead.dev/run-duration: "
                 "20s}"));
  run.Until(10);
  EXPECT_THAT(run.Pods(),
              ElementsAre("a/serve-0 Pending", "a/serve-0-1 Pending", "a/serve-0-2 Pending",
                          "a/serve-1 Running n1", "a/serve-1-1 Running n1",
                          "a/serve-1-2 Running n1", "a/urgent Running n1"));
  run.Until(60);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Running leader 1/1 worker 2/2",
                                           "a/serve-1 Running leader 1/1 worker 2/2"));
}

// As RecreateGroupOnPodRestart has it.
TEST(JobGroups, AGroupThatLosesAPodIsMadeAnew) {
  Simulated run(kQueues + Node("n1", "cpu: 4") + Lws(1, 3), {.grace = Duration::Seconds(5)});
  run.Until(5);
  ASSERT_TRUE(run.cluster.Delete("Pod", "a", "serve-0-1").has_value());
  const std::vector<std::string> lines = run.Until(20);
  for (const char* pod : {"serve-0", "serve-0-1", "serve-0-2"}) {
    EXPECT_THAT(lines, Contains(HasSubstr(std::string("Gone a/") + pod + " ")));
  }
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Running leader 1/1 worker 2/2"));
}

// Fewer groups, then none.
TEST(JobGroups, FollowTheObject) {
  Simulated run(kQueues + Node("n1", "cpu: 8") + Lws(2, 3));
  run.Until(5);
  run.Submit(Lws(1, 3));
  run.Until(10);
  EXPECT_THAT(run.Workloads(), ElementsAre("a/serve-0 Running leader 1/1 worker 2/2"));
  ASSERT_TRUE(run.cluster.Delete("LeaderWorkerSet", "a", "serve").has_value());
  run.Until(20);
  EXPECT_THAT(run.Pods(), IsEmpty());
  EXPECT_THAT(run.Workloads(), IsEmpty());
}

TEST(JobGroups, MorePodsThanAnybodyMakesAreRefused) {
  Simulated run(kQueues);
  const auto submitted = run.cluster.Submit(Read(Lws(1, 1'000'000'000)));
  ASSERT_FALSE(submitted.has_value());
  EXPECT_THAT(submitted.error().front().ToString(),
              HasSubstr("spec.replicas: found 1000000000 pods in all groups, expected 1000000 at "
                        "most: its pods are made at once"));
}

// As the real controllers leave them: StatefulSets own the pods. None is made a second time.
TEST(JobGroups, TakesThePodsThatAreThere) {
  const auto pod = [](std::string_view name, int index) {
    return Pod(name, "1",
               "labels: {leaderworkerset.sigs.k8s.io/name: serve, "
               "leaderworkerset.sigs.k8s.io/group-index: \"1\", "
               "leaderworkerset.sigs.k8s.io/worker-index: \"" +
                   std::to_string(index) +
                   "\"}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: serve, "
                   "controller: true, uid: u}]");
  };
  Simulated run(kQueues + Node("n1", "cpu: 9") + pod("serve-1", 0) + pod("serve-1-2", 2) +
                Lws(2, 3));
  run.Until(5);
  EXPECT_THAT(run.Pods(), ElementsAre("a/serve-0 Running n1", "a/serve-0-1 Running n1",
                                      "a/serve-0-2 Running n1", "a/serve-1 Running n1",
                                      "a/serve-1-1 Running n1", "a/serve-1-2 Running n1"));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
