#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "objects/write/writer.h"
#include "unit/objects/read.h"

// limits and status.usage of a Queue, usage of a SchedulerConfiguration.

namespace fairlead::objects {
namespace {

using Strings = std::vector<std::string>;

std::string QueueWith(std::string_view limits) {
  return "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, spec: {limits: " +
         std::string(limits) + "}}";
}

TEST(DecodeQueue, ReadsWhatUsersMayHave) {
  const auto queue = ReadOne<Queue>(QueueWith(
      "[{each: user, max: {nvidia.com/gpu: 8}, maxRunning: 5, maxWaiting: 50}, "
      "{each: group, maxRunning: 0}, {users: [ada, bob], groups: [vision], max: {cpu: 500m}}]"));
  ASSERT_EQ(queue.limits.size(), 3U);
  EXPECT_EQ(queue.limits[0], (UserLimit{.each = UserLimit::Each::kUser,
                                        .users = {},
                                        .groups = {},
                                        .max = {{"nvidia.com/gpu", 8000}},
                                        .max_running = 5,
                                        .max_waiting = 50}));
  EXPECT_EQ(queue.limits[1].each, UserLimit::Each::kGroup);
  EXPECT_EQ(queue.limits[1].max_running, 0);
  EXPECT_EQ(queue.limits[2], (UserLimit{.each = UserLimit::Each::kNamed,
                                        .users = {"ada", "bob"},
                                        .groups = {"vision"},
                                        .max = {{"cpu", 500}},
                                        .max_running = {},
                                        .max_waiting = {}}));
}

TEST(DecodeQueue, SaysWhatIsWrongWithLimitsOfUsers) {
  const auto faults = [](std::string_view limits) { return FaultsOf(QueueWith(limits)); };
  EXPECT_EQ(faults("[{max: {cpu: 1}}]"),
            (Strings{"in.yaml:1: Queue q: spec.limits[0]: found nobody whom it holds for, expected "
                     "each: user, each: group, or users or groups"}));
  EXPECT_EQ(faults("[{each: user, users: [a], max: {cpu: 1}}]"),
            (Strings{"in.yaml:1: Queue q: spec.limits[0]: found each beside users or groups, "
                     "expected one of them"}));
  EXPECT_EQ(faults("[{each: user}]"),
            (Strings{"in.yaml:1: Queue q: spec.limits[0]: found nothing that it limits, expected "
                     "max, maxRunning or maxWaiting"}));
  EXPECT_EQ(faults("[{each: everybody, maxRunning: 1}]"),
            (Strings{"in.yaml:1: Queue q: spec.limits[0].each: found \"everybody\", expected user "
                     "or group"}));
  EXPECT_EQ(faults("[{users: [a, a], maxRunning: 1}]"),
            (Strings{"in.yaml:1: Queue q: spec.limits[0].users[1]: found a a second time, expected "
                     "it once"}));
  EXPECT_EQ(faults("[{users: [], maxRunning: 1}]").size(), 1U);
  EXPECT_EQ(faults("[{each: user, maxWaiting: 0}]").size(), 1U);
  EXPECT_EQ(faults("[{each: user, maxRunning: -1}]").size(), 1U);
  EXPECT_EQ(faults("[{each: user, maxRuning: 1}]").size(), 2U);
}

TEST(DecodeQueue, LimitsAndUsageAreWrittenAsTheyAreRead) {
  const auto queue = ReadOne<Queue>(R"(
apiVersion: fairlead.dev/v1alpha1
kind: Queue
metadata: {name: q}
spec:
  limits:
  - {each: user, max: {nvidia.com/gpu: "8", memory: 1Gi}, maxRunning: 5, maxWaiting: 50}
  - {users: [ada], groups: [vision, speech], maxRunning: 1}
status:
  usage:
    at: 2026-03-01T12:00:00Z
    resources: {cpu: "12.5", memory: "170141183460469231731687303", nvidia.com/gpu: "3490287.844"}
)");
  ASSERT_TRUE(queue.usage);
  EXPECT_EQ(queue.usage->resources[0].first, "cpu");
  EXPECT_EQ(queue.usage->resources[0].second, WideInt{12'500});
  EXPECT_EQ(queue.usage->resources[2].second, WideInt{3'490'287'844});
  auto again = ReadOne<Queue>(boost::json::serialize(ToJson(queue)));
  again.meta.source = queue.meta.source;
  EXPECT_EQ(again, queue);
}

// Whoever may write a status may write nonsense there: then it is passed over.
TEST(DecodeQueue, UsageThatCannotBeReadCountsForNothing) {
  const auto queue = ReadOne<Queue>(
      "{apiVersion: fairlead.dev/v1alpha1, kind: Queue, metadata: {name: q}, status: {usage: {at: "
      "'2026-03-01T12:00:00Z', resources: {cpu: '-1', memory: '1.5', pods: '7', x.y/z: [1]}}}}");
  ASSERT_TRUE(queue.usage);
  EXPECT_EQ(queue.usage->resources,
            (std::vector<std::pair<std::string, WideInt>>{{"pods", WideInt{7}}}));
}

TEST(DecodeConfiguration, ReadsHowUsageCounts) {
  const auto read = [](std::string_view usage) {
    return ReadOne<SchedulerConfiguration>(
               "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, usage: " +
               std::string(usage) + "}")
        .usage;
  };
  using Usage = UsageOverTime;
  EXPECT_EQ(read("null"), std::nullopt);
  EXPECT_EQ(read("{}"), Usage{});
  EXPECT_EQ(read("{halfLife: 24h, influence: 0.125}"),
            (Usage{.half_life = Duration::Seconds(86'400), .influence_milli = 125}));
  const auto faults = [](std::string_view usage) {
    return FaultsOf("{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, usage: " +
                    std::string(usage) + "}");
  };
  EXPECT_EQ(faults("{halfLife: 59s}"),
            (Strings{"in.yaml:1: SchedulerConfiguration: usage.halfLife: found \"59s\", expected "
                     "1m to 87600h"}));
  EXPECT_EQ(faults("{influence: 0.1234}").size(), 1U);
  EXPECT_EQ(faults("{influence: -1}").size(), 1U);
  EXPECT_EQ(faults("{influence: 1001}").size(), 1U);
  const auto config = ReadOne<SchedulerConfiguration>(
      "{apiVersion: fairlead.dev/v1alpha1, kind: SchedulerConfiguration, usage: {halfLife: 24h, "
      "influence: 0.5}}");
  auto again = ReadOne<SchedulerConfiguration>(boost::json::serialize(ToJson(config)));
  again.meta.source = config.meta.source;
  EXPECT_EQ(again, config);
}

}  // namespace
}  // namespace fairlead::objects
