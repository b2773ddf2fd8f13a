#include "host/forecast.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/explain.h"
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
  for (const engine::PendingReport& waiting : pending) {
    const auto forecast = ForecastStart(saved, {.start = now}, waiting.workload);
    const auto truth = starts.Of(waiting.workload);
    EXPECT_EQ(forecast ? FormatTime(*forecast) : "never", truth ? FormatTime(*truth) : "never")
        << waiting.workload << " at " << FormatTime(now);
    started += truth.has_value() ? 1 : 0;
  }
  EXPECT_GE(started, 3) << "too few wait for the test to say much";
}

INSTANTIATE_TEST_SUITE_P(Monday, SavedLab, ::testing::Values("5h35m", "7h", "10h40m"),
                         [](const auto& moment) { return std::string(moment.param); });

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
  EXPECT_EQ(again->replaced, 1);
}

}  // namespace
}  // namespace fairlead::host
