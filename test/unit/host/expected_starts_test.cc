#include "host/expected_starts.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/explain.h"
#include "history/past_durations.h"
#include "history/workload_tracker.h"
#include "host/saved_state.h"
#include "intake/intake.h"
#include "objects/read/reader.h"
#include "virtual/cluster.h"
#include "virtual/world.h"

namespace fairlead::host {
namespace {

using objects::Object;
using virtual_cluster::VirtualCluster;

// When each workload was first placed from now on.
class Starts : public drive::Observer {
 public:
  void OnEvent(const drive::Event& event) override {
    if (event.type != drive::EventType::kBind) return;
    starts_.emplace(event.workload, event.time);
  }
  std::optional<Time> Of(const std::string& workload) const {
    const auto found = starts_.find(workload);
    return found == starts_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::string, Time> starts_;
};

objects::Manifest Read(const std::string& path) {
  objects::Manifest manifest;
  objects::ReadPath(path, intake::AllDecoders(), manifest);
  EXPECT_THAT(manifest.faults, ::testing::IsEmpty());
  return manifest;
}

std::vector<Object> ReadBack(const VirtualCluster& cluster) {
  objects::Manifest manifest;
  objects::ReadText(SavedState(cluster), "saved.yaml", intake::AllDecoders(), manifest);
  EXPECT_THAT(manifest.faults, ::testing::IsEmpty());
  return std::move(manifest.objects);
}

// After what has arrived by then nothing else comes: the forecast knows of nothing else.
void DropWhatIsToCome(VirtualCluster& cluster, const std::vector<Object>& lab, Duration elapsed) {
  for (const Object& object : lab) {
    const objects::Meta& meta = objects::MetaOf(object);
    const std::string* after = objects::FindLabel(meta.annotations, virtual_cluster::kArrivesAt);
    if (after == nullptr || ParseDuration(*after).value() <= elapsed) continue;
    EXPECT_TRUE(cluster.Delete(objects::KindOf(object), meta.name_space, meta.name));
  }
}

// The research lab is saved at a moment of its Monday; the same lab then runs on.
class SavedLab : public ::testing::TestWithParam<const char*> {};

TEST_P(SavedLab, ItsForecastIsWhatThenHappens) {
  const objects::Manifest lab = Read("examples/research-lab");
  const Duration elapsed = ParseDuration(GetParam()).value();
  const Time start = intake::NewestTime(lab.objects);
  const Time now = start + elapsed;
  VirtualCluster cluster({.start = start});
  ASSERT_TRUE(cluster.Submit(lab.objects));
  cluster.RunUntil(now);
  const std::vector<Object> saved = ReadBack(cluster);
  const auto pending = engine::ReportPending(cluster.scheduler(), now, /*explained=*/0);

  DropWhatIsToCome(cluster, lab.objects, elapsed);
  Starts starts;
  cluster.AddObserver(&starts);
  cluster.RunToIdle(now + Duration::Seconds(365 * 24 * 3600));

  int started = 0;
  const auto forecast = ExpectedStarts(saved, {.start = now});
  for (const engine::PendingReport& waiting : pending) {
    const auto expected = forecast.find(waiting.workload);
    const auto at = expected == forecast.end() ? std::nullopt : expected->second.at;
    const auto truth = starts.Of(waiting.workload);
    EXPECT_EQ(at ? FormatTime(*at) : "never", truth ? FormatTime(*truth) : "never")
        << waiting.workload << " at " << FormatTime(now);
    started += truth.has_value() ? 1 : 0;
  }
  EXPECT_GE(started, 3) << "too few wait for the test to say much";
}

INSTANTIATE_TEST_SUITE_P(Monday, SavedLab, ::testing::Values("5h35m", "7h", "10h40m"),
                         [](const auto& moment) { return std::string(moment.param); });

// A node of 8 GPUs at 10:00: a since 9:00, b since 9:30, each with 4; g waits for all 8.
std::vector<Object> Node8(std::string_view of_a, std::string_view of_b) {
  std::string text =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n"
      "status: {allocatable: {cpu: '64', nvidia.com/gpu: '8', pods: '110'}}\n";
  const auto add = [&](std::string_view name, int gpus, std::string_view annotations,
                       std::string_view since) {
    text += fmt::format(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {}, namespace: lab, creationTimestamp: "
        "2026-03-07T09:00:00Z, annotations: {{{}}}}}\nspec: {{schedulerName: fairlead, "
        "containers: [{{name: c, resources: {{limits: {{nvidia.com/gpu: {}}}}}}}]{}}}\n",
        name, annotations, gpus, since.empty() ? "" : ", nodeName: n");
    if (since.empty()) return;
    text += fmt::format(
        "status: {{phase: Running, startTime: 2026-03-07T{0}Z, conditions: [{{type: PodScheduled, "
        "status: 'True', lastTransitionTime: 2026-03-07T{0}Z}}]}}\n",
        since);
  };
  add("a-1", 4, of_a, "09:00:00");
  add("b-1", 4, of_b, "09:30:00");
  add("g", 8, "", "");
  objects::Manifest manifest;
  objects::ReadText(text, "in.yaml", intake::AllDecoders(), manifest);
  EXPECT_THAT(manifest.faults, ::testing::IsEmpty());
  return std::move(manifest.objects);
}

const virtual_cluster::Options kAtTen{.start = ParseTime("2026-03-07T10:00:00Z").value()};

ExpectedStart StartOfG(const std::vector<Object>& objects, const ForecastDraws& draws = {}) {
  const auto starts = ExpectedStarts(objects, kAtTen, draws);
  const auto found = starts.find("lab/g");
  return found == starts.end() ? ExpectedStart{} : found->second;
}

std::string At(const std::optional<Time>& time) { return time ? FormatTime(*time) : "never"; }

TEST(ExpectedStarts, WhatRunsEndsAtItsLimit) {
  const ExpectedStart start =
      StartOfG(Node8("fairlead.dev/max-run-time: 3h", "fairlead.dev/max-run-time: 1h"));
  EXPECT_EQ(At(start.at), "2026-03-07T12:00:00Z");
  EXPECT_FALSE(start.from);
  EXPECT_EQ(start.basis, ExpectedStart::Basis::kLimits);
}

TEST(ExpectedStarts, OrWhenItIsSaidTo) {
  const ExpectedStart start =
      StartOfG(Node8("'fairlead.dev/max-run-time': 9h, 'fairlead.dev/expected-duration': 2h",
                     "fairlead.dev/max-run-time: 1h"));
  EXPECT_EQ(At(start.at), "2026-03-07T11:00:00Z");
  EXPECT_EQ(start.basis, ExpectedStart::Basis::kExpected);
}

TEST(ExpectedStarts, WhatShouldHaveEndedRunsAQuarterLonger) {
  const ExpectedStart start =
      StartOfG(Node8("fairlead.dev/expected-duration: 20m", "fairlead.dev/expected-duration: 40m"));
  // a has run for 60 minutes, b ends in 10.
  EXPECT_EQ(At(start.at), "2026-03-07T10:15:00Z");
}

TEST(ExpectedStarts, WhoseEndNobodyKnowsIsNamed) {
  const ExpectedStart start = StartOfG(Node8("fairlead.dev/max-run-time: 3h", ""));
  EXPECT_EQ(At(start.at), "never");
  EXPECT_THAT(start.unknown, ::testing::ElementsAre("lab/b-1"));
  EXPECT_EQ(boost::json::serialize(ToJson(start)), R"({"unknown":["lab/b-1"]})");
}

TEST(ExpectedStarts, HistorySaysHowLongSuchWorkRan) {
  // Of five two ran no longer than b does already: it ends at 10:40, 11:30 or 13:30.
  const std::vector<Duration> ran = {Duration::Seconds(10 * 60), Duration::Seconds(20 * 60),
                                     Duration::Seconds(70 * 60), Duration::Seconds(120 * 60),
                                     Duration::Seconds(240 * 60)};
  const PastDurations past = [&](std::string_view, std::string_view workload) {
    return workload == "lab/b-1" ? &ran : nullptr;
  };
  const std::vector<Object> objects = Node8("fairlead.dev/max-run-time: 65m", "");
  const ExpectedStart start = StartOfG(objects, {.from = past});
  EXPECT_EQ(start.basis, ExpectedStart::Basis::kHistory);
  EXPECT_EQ(At(start.from), "2026-03-07T10:40:00Z");
  EXPECT_EQ(At(start.until), "2026-03-07T13:30:00Z");
  EXPECT_TRUE(At(start.at) == "2026-03-07T11:30:00Z" || At(start.at) == "2026-03-07T10:40:00Z")
      << At(start.at);
  // The same again, to the byte, on as many threads as one likes.
  for (const std::size_t threads : {1, 2, 7, 40}) {
    EXPECT_EQ(boost::json::serialize(ToJson(StartOfG(objects, {.from = past, .threads = threads}))),
              boost::json::serialize(ToJson(start)))
        << threads;
  }
}

// How long such work ran is asked for by the name under which its end was kept.
TEST(ExpectedStarts, WhoMadeAPodHasOneNameBeforeAndAfterItsEnd) {
  for (const std::string kind :
       {"Job", "ReplicaSet", "StatefulSet", "DaemonSet", "Node", "Pod", "Experiment"}) {
    SCOPED_TRACE(kind);
    objects::Pod pod;
    pod.meta = {.name = "train-7-0", .name_space = "lab", .uid = "u-1"};
    pod.meta.owners = {{.api_version = "apps/v1",
                        .kind = kind,
                        .name = "train-7",
                        .uid = "u-0",
                        .controller = true}};
    pod.spec.node_name = "n1";
    pod.spec.scheduler_name = "fairlead";
    pod.phase = objects::PodPhase::kRunning;
    intake::Intake intake;
    history::WorkloadTracker tracker(Time{});
    std::vector<history::Record> told;
    for (const objects::PodPhase phase :
         {objects::PodPhase::kRunning, objects::PodPhase::kSucceeded}) {
      pod.phase = phase;
      intake.Upsert(pod, Time{});
      tracker.Apply(Time{}, intake.TakeChanges(), told);
    }
    std::vector<history::Ended> ends;
    for (const history::Record& record : told) {
      if (const auto* ended = std::get_if<history::Ended>(&record)) ends.push_back(*ended);
    }
    ASSERT_THAT(ends, ::testing::SizeIs(1));
    EXPECT_EQ(ends[0].made_by, history::MakerOf(pod.meta));
  }
}

TEST(SavedState, WhatHasArrivedDoesNotArriveAgain) {
  VirtualCluster cluster({.start = Time{}});
  objects::Manifest manifest;
  objects::ReadText(
      "apiVersion: v1\nkind: Node\n"
      "metadata: {name: n, annotations: {fairlead.dev/arrives-at: 1m, a.example/b: c}}\n",
      "in.yaml", intake::AllDecoders(), manifest);
  ASSERT_TRUE(cluster.Submit(manifest.objects));
  cluster.RunUntil(Time{} + Duration::Seconds(60));
  const std::vector<Object> saved = ReadBack(cluster);
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_EQ(objects::MetaOf(saved[0]).annotations, (objects::Labels{{"a.example/b", "c"}}));
  const auto again = cluster.Submit(saved);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->later, 0);
  EXPECT_EQ(again->unchanged, 1);
}

}  // namespace
}  // namespace fairlead::host
