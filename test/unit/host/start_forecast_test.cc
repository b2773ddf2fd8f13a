#include "host/start_forecast.h"

#include <future>
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

TEST(StartForecast, IsWorkedOutWhileSomebodyLooks) {
  std::promise<StartForecast::Starts> told;
  StartForecast forecast([&](StartForecast::Starts starts) { told.set_value(std::move(starts)); });
  EXPECT_FALSE(forecast.Wants());  // nobody looks
  forecast.Look();
  ASSERT_TRUE(forecast.Wants());
  forecast.Take(World(), {.start = kNow});
  EXPECT_FALSE(forecast.Wants());  // it works, and then it rests
  const StartForecast::Starts starts = told.get_future().get();
  ASSERT_TRUE(starts->contains("lab/second"));
  EXPECT_EQ(starts->at("lab/second").at, kNow + Duration::Seconds(3600));
  EXPECT_EQ(starts->at("lab/second").basis, "Expected");
  EXPECT_FALSE(forecast.Wants());
  forecast.Stop();
  EXPECT_FALSE(forecast.Wants());
}

}  // namespace
}  // namespace fairlead::host
