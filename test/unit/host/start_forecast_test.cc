#include "host/start_forecast.h"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "intake/intake.h"
#include "objects/read/reader.h"

namespace fairlead::host {
namespace {

constexpr Time kNow{1'767'225'600'000'000};  // 2026-01-01T00:00:00Z

// A pod that runs for an hour from now on, and one that waits for its room.
std::vector<objects::Object> World() {
  const std::string pod = R"(
apiVersion: v1
kind: Pod
metadata: {namespace: lab, name: NAME, annotations: {fairlead.dev/run-duration: 1h}}
spec:
  schedulerName: fairlead
  containers: [{name: main, resources: {requests: {cpu: "4"}}}]
---)";
  std::string text = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", pods: "9"}}
---)";
  for (const char* name : {"first", "second"}) {
    std::string own = pod;
    text += own.replace(own.find("NAME"), 4, name);
  }
  objects::Manifest manifest;
  objects::ReadText(text, "test.yaml", intake::AllDecoders(), manifest);
  EXPECT_TRUE(manifest.faults.empty());
  return std::move(manifest.objects);
}

StartForecast::Objects Shared(std::vector<objects::Object> objects) {
  StartForecast::Objects shared;
  for (objects::Object& object : objects) {
    shared.push_back(std::make_shared<const objects::Object>(std::move(object)));
  }
  return shared;
}

TEST(StartForecast, IsWorkedOutWhileSomebodyLooks) {
  std::promise<StartForecast::Starts> told;
  StartForecast forecast(
      {.tell = [&](StartForecast::Starts starts) { told.set_value(std::move(starts)); }});
  EXPECT_FALSE(forecast.Wants());  // nobody looks
  forecast.Look();
  ASSERT_TRUE(forecast.Wants());
  forecast.Take(Shared(World()), {.start = kNow});
  EXPECT_FALSE(forecast.Wants());  // it works, and then it rests
  const StartForecast::Starts starts = told.get_future().get();
  ASSERT_TRUE(starts->starts.contains("lab/second"));
  EXPECT_EQ(starts->starts.at("lab/second").at, kNow + Duration::Seconds(3600));
  EXPECT_EQ(starts->starts.at("lab/second").basis, ExpectedStart::Basis::kExpected);
  EXPECT_EQ(ToView(*starts).at("lab/second").basis, "Expected");
  EXPECT_EQ(ToEstimates(*starts).at(0).said, kNow);
  EXPECT_FALSE(forecast.Wants());
  forecast.Stop();
  EXPECT_FALSE(forecast.Wants());
}

// What takes a moment is worked out for each who asks; what is too much for it, for none.
TEST(StartForecast, WhoAsksWaitsForIt) {
  std::function<void()> wake;
  StartForecast forecast({.tell = [](const StartForecast::Starts&) {}, .wake = [&] { wake(); }});
  Time now = kNow;
  wake = [&] {
    if (forecast.Wants()) forecast.Take(Shared(World()), {.start = now});
  };
  ASSERT_NE(forecast.Newest(std::chrono::minutes(1)), nullptr);
  now = kNow + Duration::Seconds(60);
  const StartForecast::Starts again = forecast.Newest(std::chrono::minutes(1));
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->now, now);
  EXPECT_EQ(again->starts.at("lab/second").at, now + Duration::Seconds(3600));
  wake = [&] { forecast.Decline(); };
  EXPECT_EQ(forecast.Newest(std::chrono::minutes(1)), nullptr);
}

}  // namespace
}  // namespace fairlead::host
