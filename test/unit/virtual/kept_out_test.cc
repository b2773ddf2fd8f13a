// What the cluster shows of work that its owner kept out, by scheduling gates or as not active:
// since when it waits (time.md §5.1).

#include <gmock/gmock.h>

#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const objects::Pod& PodP(const Simulated& run) {
  return std::get<objects::Pod>(*run.cluster.Find("Pod", "a", "p"));
}

const objects::Workload& KeptOut(const Simulated& run) {
  return std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "train"));
}

// `v` has 4 of the 8 cores for good, and loses 4 core seconds a second; for whom waits for all 8
// others may lose 8 core seconds for each second that it has waited.
std::string WorldWithACeiling() {
  return "apiVersion: fairlead.dev/v1alpha1\nkind: SchedulerConfiguration\n"
         "reclaim: {maxLoss: {grace: 0s, waitedPercent: 100}}\n---\n" +
         Node("n1", "cpu: 8") + Queue("mine", "guaranteed: {cpu: 8}") + Queue("others", "") +
         Pod("v", "4", "labels: {fairlead.dev/queue: others}");
}

std::string GatedPod(bool gated) {
  return Pod("p", "8", "labels: {fairlead.dev/queue: mine}",
             gated ? "schedulingGates: [{name: wait}]" : "");
}

std::string TrainThatIs(bool active) {
  return Object("fairlead.dev/v1alpha1", "Workload", "train", "namespace: a",
                std::string("queueName: mine, active: ") + (active ? "true" : "false") +
                    ", podSets: [{name: main, count: 1, template: " + Template("8") + "}]");
}

TEST(KeptOut, APodWaitsSinceItsGatesAreGone) {
  Simulated run(WorldWithACeiling(), {.grace = Duration()});
  run.Submit(GatedPod(true));
  run.Until(1000);
  EXPECT_TRUE(PodP(run).gates_told);
  run.Submit(GatedPod(false));
  EXPECT_THAT(run.Until(1001), Not(Contains(HasSubstr("Evict"))));
  EXPECT_FALSE(PodP(run).gates_told);
  EXPECT_EQ(PodP(run).ungated_time, Begin() + Duration::Seconds(1000));
  // 8 × (t − 1000 s) = 4 × t at 2000 s.
  EXPECT_THAT(run.Until(1999), Not(Contains(HasSubstr("Evict"))));
  EXPECT_THAT(run.Until(2001), Contains("2000s Evict a/v n1 Reclaim for a/p"));
  EXPECT_FALSE(PodP(run).ungated_time) << "it runs";
}

TEST(KeptOut, AWorkloadWaitsSinceItIsActiveAgain) {
  Simulated run(WorldWithACeiling(), {.grace = Duration()});
  run.Submit(TrainThatIs(false));
  run.Until(1000);
  EXPECT_TRUE(KeptOut(run).ShowsInactive());
  run.Submit(TrainThatIs(true));
  run.Until(1999);
  EXPECT_FALSE(KeptOut(run).ShowsInactive());
  EXPECT_EQ(KeptOut(run).WaitsAnewSince(), Begin() + Duration::Seconds(1000));
  EXPECT_THAT(run.Until(2001), Contains("2000s Evict a/v n1 Reclaim for a/train"));
}

TEST(KeptOut, WhoNeverWasIsNotWrittenOf) {
  Simulated run(WorldWithACeiling());
  run.Submit(TrainThatIs(true) + GatedPod(false));
  run.Until(10);
  EXPECT_FALSE(KeptOut(run).WaitsAnewSince());
  EXPECT_FALSE(PodP(run).gates_told || PodP(run).ungated_time);
}

}  // namespace
}  // namespace fairlead::virtual_cluster
