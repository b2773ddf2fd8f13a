// Clocks that are wrong, or set: of the scheduler's machine, of the API server.

#include <string>

#include <gtest/gtest.h>

#include "live/record_writer.h"
#include "objects/read/json_fields.h"
#include "trace/record.h"
#include "unit/base/scratch_dir.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

constexpr Duration kHour = Duration::Seconds(3600);
constexpr Duration kHourBack{.us = -kHour.us};
constexpr Duration Minutes(std::int64_t minutes) { return Duration::Seconds(60 * minutes); }

// A node full of work that is protected for 30 minutes, and a queue that is to have that room.
struct ClockWorld : LiveWorld {
  ClockWorld() {
    AddNode("n1", 2);
    api.Put("queues", {{"metadata", {{"name", "default"}}},
                       {"spec", {{"guaranteed", {{"cpu", "0"}}}, {"reclaimMinRuntime", "30m"}}}});
    AddQueue("sure", 2);
  }
  Process& Begin(Duration wall_ahead, drive::Observer* observer = nullptr) {
    Process& process = Start(++started, /*with_lease=*/true, observer);
    process.loop->wall_ahead = wall_ahead;
    return process;
  }
  // From here on 30 minutes.
  void Fill() {
    Run(Duration::Seconds(10));
    AddPod("young", 2);
    Run(Duration::Seconds(3));
    ASSERT_EQ(NodeOf("team/young"), "n1");
    AddPod("claim", 2, {{"labels", {{"fairlead.dev/queue", "sure"}}}});
    Run(Duration::Seconds(7));
  }
  // Something that makes it decide.
  void Stir() {
    AddPod("more" + std::to_string(++stirred), 1);
    Run(Duration::Seconds(1));
  }
  bool Claimed() const { return NodeOf("team/claim") == "n1"; }
  // The claim gets its room after 30 minutes, and no earlier.
  void ExpectProtected(Duration passed) {
    Stir();
    Run(Minutes(29) - passed);
    EXPECT_EQ(api.evictions(), 0u);
    Stir();
    EXPECT_EQ(api.evictions(), 0u);
    Run(Minutes(2));
    EXPECT_EQ(api.evictions(), 1u);
    EXPECT_TRUE(Claimed());
  }

  int started = 0, stirred = 0;
};

TEST(LiveClock, TheMachinesClockDecidesNothing) {
  for (const Duration ahead : {Duration{}, kHour, kHourBack}) {
    SCOPED_TRACE(ahead.us);
    ClockWorld world;
    world.Begin(ahead);
    world.Fill();
    world.ExpectProtected({});
  }
}

TEST(LiveClock, NorDoesItWhenItIsSet) {
  for (const Duration ahead : {kHour, kHourBack}) {
    SCOPED_TRACE(ahead.us);
    ClockWorld world;
    LiveWorld::Process& process = world.Begin({});
    world.Fill();
    process.loop->wall_ahead = ahead;
    world.Stir();
    world.Run(Duration::Seconds(3));
    process.loop->wall_ahead = {};
    world.Stir();
    world.Run(Minutes(10));
    EXPECT_EQ(world.api.evictions(), 0u);
    process.loop->wall_ahead = ahead;  // for good
    world.ExpectProtected(Minutes(10));
  }
}

TEST(LiveClock, NorThatOfTheNextOne) {
  ClockWorld world;
  LiveWorld::Process& first = world.Begin({});
  world.Fill();
  world.Kill(first);
  world.Begin(kHourBack);
  world.Run(Minutes(1));
  world.ExpectProtected(Minutes(1));
}

// Who leaves the Date out leaves the machine's clock, which is right here.
TEST(LiveClock, AServerThatSaysNoDateIsServedToo) {
  ClockWorld world;
  world.api.says_dates = false;
  world.Begin({});
  world.Fill();
  world.ExpectProtected({});
}

TEST(LiveClock, WhatTheServersClockSaysCounts) {
  ClockWorld world;
  LiveWorld::Process& process = world.Begin({});
  world.Fill();
  // For a moment: the server is right again before anybody believes it.
  world.api.clock_ahead = kHour;
  world.Run(Duration::Seconds(4));
  world.Stir();
  world.api.clock_ahead = {};
  world.Run(Minutes(5));
  EXPECT_EQ(world.api.evictions(), 0u);
  // For good: it was set back, and by it the work is an hour younger.
  world.api.clock_ahead = kHourBack;
  world.Run(Minutes(60));
  world.Stir();
  EXPECT_EQ(world.api.evictions(), 0u);
  EXPECT_LE(process.scheduler->now(), world.WallNow());
  world.Run(Minutes(30));
  EXPECT_EQ(world.api.evictions(), 1u);
  EXPECT_TRUE(world.Claimed());
}

TEST(LiveClock, AlsoWhereItIsSetAhead) {
  ClockWorld world;
  world.Begin({});
  world.Fill();
  world.api.clock_ahead = kHour;
  world.Run(Minutes(1));  // with nothing else that would make it decide
  EXPECT_EQ(world.api.evictions(), 1u);
  EXPECT_TRUE(world.Claimed());
}

TEST(LiveClock, AClockThatIsOffIsSaidOnce) {
  ClockWorld world;
  LiveWorld::Process& process = world.Begin(kHourBack);
  world.Run(Minutes(3));
  world.Stir();
  ASSERT_EQ(process.problems.size(), 1u);
  EXPECT_EQ(process.problems[0],
            "this machine's clock is 3600s behind the API server's, by which times are judged");
  process.loop->wall_ahead = {};
  world.Stir();
  world.Stir();
  ASSERT_EQ(process.problems.size(), 2u);
  EXPECT_EQ(process.problems[1], "this machine's clock agrees with the API server's again");
  EXPECT_EQ(process.scheduler->clock_ahead(), Duration{});
}

// What is written bears the server's time: conditions, leases, events.
TEST(LiveClock, WhatIsWrittenBearsTheServersTime) {
  ClockWorld world;
  world.Begin(kHour);
  world.AddJob("j", 1);
  world.Run(Minutes(1));
  const auto is_past = [&](const json::value& time) {
    const auto parsed = ParseTime(time.as_string());
    return parsed && *parsed <= world.WallNow();
  };
  const json::object* workload = world.api.Find("workloads", "team/j");
  ASSERT_NE(workload, nullptr);
  for (const json::value& each : workload->at("status").at("conditions").as_array()) {
    EXPECT_TRUE(is_past(each.at("lastTransitionTime")));
  }
  ASSERT_FALSE(world.api.All("events").empty());
  for (const auto& [key, event] : world.api.All("events")) {
    EXPECT_TRUE(is_past(event.at("lastTimestamp")));
  }
}

TEST(LiveClock, ARecordInWhichItWasSetBackDecidesTheSameAgain) {
  const ScratchDir scratch;
  ClockWorld world;
  auto recorder =
      RecordWriter::Make(scratch.path(), [](const std::string& problem) { FAIL() << problem; });
  ASSERT_TRUE(recorder) << recorder.error().message;
  LiveWorld::Process& process = world.Begin(kHour, recorder->get());
  world.Fill();
  world.api.clock_ahead = kHourBack;
  world.Run(Minutes(5));
  world.Stir();
  world.Run(Minutes(90));
  EXPECT_TRUE(world.Claimed());
  world.Kill(process);
  const auto replay = trace::ReplayRecord(scratch.path(), nullptr);
  ASSERT_TRUE(replay) << replay.error().message;
  EXPECT_TRUE(replay->differences.empty());
  EXPECT_GT(replay->decisions, 3);
}

}  // namespace
}  // namespace fairlead::live
