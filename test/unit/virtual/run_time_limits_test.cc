// Work that has run as long as it may, in a virtual cluster: what becomes of its job, its pods and
// its Workload.

#include <gmock/gmock.h>

#include "objects/keys.h"
#include "unit/virtual/run.h"

namespace fairlead::virtual_cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

// A suspended Job of two pods of a core, which run for longer than it may.
std::string LimitedJob(std::string_view limit, std::string_view spec = "suspend: true, ") {
  return Object(
      "batch/v1", "Job", "train",
      "namespace: a, labels: {fairlead.dev/queue: lab}, annotations: {" + std::string(limit) + "}",
      std::string(spec) + "parallelism: 2, completions: 2, template: " +
          Template("1", "fairlead.dev/run-duration: 10h"));
}

const objects::Workload& TrainOf(const Simulated& run) {
  return std::get<objects::Workload>(*run.cluster.Find("Workload", "a", "train"));
}

// "Stopped: ran …"; empty: its condition of that type does not hold.
std::string HoldingOf(const Simulated& run, std::string_view type) {
  for (const objects::Condition& each : TrainOf(run).conditions) {
    if (each.type == type && each.holds) return each.reason + ": " + each.message;
  }
  return {};
}

bool TrainIsSuspended(const Simulated& run) {
  return std::get<objects::Job>(*run.cluster.Find("Job", "a", "train")).suspend;
}

std::vector<std::string> StopsIn(std::vector<std::string> lines) {
  std::erase_if(lines, [](const std::string& line) {
    return line.find(" Evict ") == std::string::npos && line.find(" Stop ") == std::string::npos;
  });
  return lines;
}

TEST(RunTimeLimits, AJobIsSuspendedAndKeptOutUntilItIsEdited) {
  Simulated run(Node("n1", "cpu: 4") + Queue("lab", "maxRunTime: 1h") + LimitedJob(""));
  run.Until(3599);
  EXPECT_EQ(run.Workloads(), (std::vector<std::string>{"a/train Running main 2/2"}));
  EXPECT_THAT(StopsIn(run.ToIdle()),
              ElementsAre("3600s Evict a/train-0 n1 RunTimeLimit",
                          "3600s Evict a/train-1 n1 RunTimeLimit", "3600s Stop a/train"));
  EXPECT_TRUE(TrainIsSuspended(run));
  EXPECT_THAT(run.Pods(), IsEmpty());
  EXPECT_THAT(TrainOf(run).admission, IsEmpty());
  EXPECT_THAT(HoldingOf(run, "Stopped"),
              testing::MatchesRegex("RunTimeLimit: ran 1h, its limit of queue lab "
                                    "\\(spec [0-9a-f]+\\)"));
  EXPECT_EQ(HoldingOf(run, "Evicted"), "RunTimeLimit: it ran 1h, its limit of queue lab");
  // The same once more is no edit; a larger limit, which the queue cuts, is one.
  run.Submit(LimitedJob(""));
  EXPECT_THAT(run.ToIdle(), testing::Not(testing::Contains(testing::HasSubstr("Admit"))));
  run.Submit(LimitedJob("fairlead.dev/max-run-time: 30m"));
  const std::vector<std::string> again = run.ToIdle();
  EXPECT_THAT(again, IsSupersetOf({"3600s Admit a/train main=2"}));
  EXPECT_EQ(StopsIn(again).size(), 3U);
  EXPECT_THAT(HoldingOf(run, "Stopped"), testing::HasSubstr("ran 30m, its limit (spec "));
}

TEST(RunTimeLimits, OneThatWaitsAgainGoesBehindTheOthers) {
  Simulated run(
      Node("n1", "cpu: 2") + Queue("lab", "") +
      LimitedJob("fairlead.dev/max-run-time: 1h, fairlead.dev/on-run-time-limit: Requeue") +
      Pod("next", "1",
          "labels: {fairlead.dev/queue: lab}, annotations: "
          "{fairlead.dev/arrives-at: 10m, fairlead.dev/run-duration: 30m}"));
  const std::vector<std::string> lines = run.Until(9300);
  EXPECT_THAT(StopsIn(lines), testing::Contains("3600s Stop a/train"));
  EXPECT_THAT(lines, IsSupersetOf({"3600s Bind a/next n1", "5400s Admit a/train main=2"}));
  EXPECT_EQ(HoldingOf(run, "Stopped"), "");
  EXPECT_EQ(run.Workloads(), (std::vector<std::string>{"a/train Running main 2/2"}))
      << "since its second limit";
}

// Each is a workload of its own, and the job makes another in its place.
TEST(RunTimeLimits, PodsThatAJobWouldMakeAgainAreKeptOutByItsAnnotation) {
  Simulated run(Node("n1", "cpu: 4") + Queue("lab", "") +
                LimitedJob("fairlead.dev/max-run-time: 1h", ""));
  const std::vector<std::string> lines = run.ToIdle();
  EXPECT_THAT(StopsIn(lines), ElementsAre("3600s Evict a/train-0 n1 RunTimeLimit",
                                          "3600s Evict a/train-1 n1 RunTimeLimit"));
  EXPECT_EQ(run.Pods(), (std::vector<std::string>{"a/train-2 Pending", "a/train-3 Pending"}));
  const objects::Meta& meta = objects::MetaOf(*run.cluster.Find("Job", "a", "train"));
  const std::string* note = objects::FindLabel(meta.annotations, objects::kStoppedAnnotation);
  ASSERT_NE(note, nullptr);
  EXPECT_THAT(*note, testing::StartsWith("ran 1h, its limit (spec "));
  run.Submit(LimitedJob("fairlead.dev/max-run-time: 2h", ""));
  EXPECT_THAT(run.ToIdle(), testing::Contains("3600s Bind a/train-2 n1"));
}

TEST(RunTimeLimits, AWorkloadWithATemplateLosesItsPods) {
  Simulated run(Node("n1", "cpu: 4") +
                Object("fairlead.dev/v1alpha1", "Workload", "train", "namespace: a",
                       "maxRunTime: 90s, podSets: [{count: 2, template: " +
                           Template("1", "fairlead.dev/run-duration: 10h") + "}]"));
  EXPECT_EQ(StopsIn(run.ToIdle()).size(), 3U);
  EXPECT_THAT(run.Pods(), IsEmpty());
  EXPECT_THAT(HoldingOf(run, "Stopped"), testing::HasSubstr("ran 1m30s, its limit"));
}

}  // namespace
}  // namespace fairlead::virtual_cluster
