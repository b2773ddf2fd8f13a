#include "kube/server_clock.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead::kube {
namespace {

constexpr Duration kMs{.us = 1'000};
constexpr Duration kHour = Duration::Seconds(3600);

Duration Ms(std::int64_t ms) { return {.us = ms * kMs.us}; }
Duration Minus(Duration d) { return {.us = -d.us}; }

// A server and a machine, each with a clock that can be set; the boot time is nobody's to set.
struct TwoClocks {
  Time boot{.us = 1'000'000'000};
  Time server{.us = 1'700'000'000'250'000}, local{.us = 1'700'000'000'250'000};
  int set = 0;
  ServerClock clock;

  TwoClocks() {
    clock.OnSet([this] { ++set; });
  }
  void Pass(Duration duration) {
    boot = boot + duration;
    server = server + duration;
    local = local + duration;
  }
  // A request that takes so long each way.
  void Ask(Duration there = Ms(5), Duration back = Ms(5)) {
    const Time sent = boot;
    Pass(there);
    const Time date{.us = server.us / 1'000'000 * 1'000'000};
    Pass(back);
    clock.NoteAnswer(sent, boot, date);
  }
  void AskFor(Duration duration, Duration every) {
    for (const Time end = boot + duration; boot < end; Pass(every)) Ask();
  }
  Time Now() const { return clock.At(boot, local); }
  // How far it is behind the server's; less than zero: ahead.
  Duration Behind() const { return server - Now(); }
  Duration Ahead() const { return clock.Ahead(boot, local); }
};

TEST(ServerClock, IsTheMachinesUntilAnAnswerComes) {
  TwoClocks world;
  world.local = world.local + kHour;
  EXPECT_EQ(world.Now(), world.local);
  EXPECT_EQ(world.Ahead(), Duration{});
  world.Ask();
  EXPECT_GE(world.Behind(), Duration{});
  EXPECT_LE(world.Behind(), Duration::Seconds(1));
  EXPECT_EQ(world.set, 1);
}

// Dates are whole seconds: every answer that comes just after one began says more.
TEST(ServerClock, ComesCloserWithEveryAnswerAndNeverPasses) {
  TwoClocks world;
  world.Ask(Ms(300), Ms(700));  // slow: 1.7 s are possible
  EXPECT_GE(world.Behind(), Duration{});
  EXPECT_LE(world.Behind(), Ms(1700));
  for (int i = 0; i < 100; ++i) {
    world.Pass(Ms(137));
    world.Ask();
    ASSERT_GE(world.Behind(), Duration{}) << i;
  }
  EXPECT_LE(world.Behind(), Ms(50));
}

TEST(ServerClock, IsNotTheMachinesHoweverThatIsSet) {
  TwoClocks world;
  world.AskFor(Duration::Seconds(20), Ms(700));
  for (const Duration jump : {kHour, Minus(kHour), Minus(kHour), kHour}) {
    world.local = world.local + jump;
    EXPECT_GE(world.Behind(), Duration{});
    EXPECT_LE(world.Behind(), Duration::Seconds(1));
    world.AskFor(Duration::Seconds(20), Ms(700));
    EXPECT_GE(world.Behind(), Duration{});
    EXPECT_LE(world.Behind(), Duration::Seconds(1));
  }
}

TEST(ServerClock, SaysHowFarTheMachinesClockIsOff) {
  TwoClocks world;
  world.local = world.local + kHour;
  world.AskFor(Duration::Seconds(20), Ms(700));
  EXPECT_NEAR(static_cast<double>(world.Ahead().us), 3.6e9, 1e6);
  world.local = world.local + Minus(kHour) + Minus(kHour);
  EXPECT_NEAR(static_cast<double>(world.Ahead().us), -3.6e9, 1e6);
  world.local = world.server;
  EXPECT_EQ(world.Ahead(), Duration{});
}

// Both ways; not at once: one answer may be a proxy's, and a clock be right again in a moment.
TEST(ServerClock, FollowsWhereTheServersClockIsSet) {
  for (const Duration jump : {kHour, Minus(kHour), Duration::Seconds(20)}) {
    TwoClocks world;
    world.AskFor(Duration::Seconds(20), Ms(700));
    const int set = world.set;
    world.server = world.server + jump;
    world.AskFor(Duration::Seconds(9), Duration::Seconds(2));
    EXPECT_EQ(world.set, set);
    EXPECT_NEAR(static_cast<double>(world.Behind().us), static_cast<double>(jump.us), 1e6);
    world.AskFor(Duration::Seconds(4), Duration::Seconds(2));
    EXPECT_EQ(world.set, set + 1);
    EXPECT_GE(world.Behind(), Duration{});
    EXPECT_LE(world.Behind(), Duration::Seconds(1));
  }
}

TEST(ServerClock, ABlipOfTheServersClockChangesNothing) {
  TwoClocks world;
  world.AskFor(Duration::Seconds(20), Ms(700));
  const int set = world.set;
  for (int i = 0; i < 20; ++i) {
    world.server = world.server + kHour;
    world.AskFor(Duration::Seconds(3), Ms(500));
    world.server = world.server + Minus(kHour);
    world.AskFor(Duration::Seconds(3), Ms(500));
    ASSERT_GE(world.Behind(), Duration{});
    ASSERT_LE(world.Behind(), Duration::Seconds(1));
  }
  EXPECT_EQ(world.set, set);
}

// Of three servers behind one address one is an hour off: whichever answers first.
TEST(ServerClock, OneOfSeveralServersDoesNotCount) {
  for (const int first : {0, 1, 2}) {
    TwoClocks world;
    for (int i = 0; i < 100; ++i) {
      const bool is_off = (i + first) % 3 == 0;
      if (is_off) world.server = world.server + kHour;
      world.Ask();
      if (is_off) world.server = world.server + Minus(kHour);
      world.Pass(Duration::Seconds(2));
    }
    EXPECT_GE(world.Behind(), Duration{}) << first;
    EXPECT_LE(world.Behind(), Duration::Seconds(1)) << first;
  }
}

// NTP slews a clock: it is followed, and stays behind but for the drift that is allowed for.
TEST(ServerClock, FollowsAClockThatIsSlewed) {
  for (const std::int64_t ppm : {400, -400}) {
    TwoClocks world;
    for (int i = 0; i < 10'000; ++i) {
      world.Ask();
      world.Pass(Ms(990));
      world.server = world.server + Duration{.us = ppm};
      ASSERT_GE(world.Behind(), Minus(Ms(20))) << i;
    }
    EXPECT_LE(world.Behind(), Ms(1100));
  }
}

// What stood still while the virtual machine was paused.
TEST(ServerClock, FollowsAfterAPause) {
  TwoClocks world;
  world.AskFor(Duration::Seconds(20), Ms(700));
  world.server = world.server + Duration::Seconds(4);
  world.Ask();
  EXPECT_GE(world.Behind(), Duration{});
  EXPECT_LE(world.Behind(), Duration::Seconds(1));
}

TEST(ServerClock, IsNeverBehindWhatTheServerHasWritten) {
  TwoClocks world;
  world.AskFor(Duration::Seconds(20), Ms(700));
  // By another server, whose clock is 3 s ahead.
  const Time written = world.server + Duration::Seconds(3);
  world.clock.NoteWritten(written, world.boot);
  EXPECT_EQ(world.Now(), written);
  world.Pass(Duration::Seconds(1));
  EXPECT_EQ(world.Now(), written);
  // Who waits for a moment waits by what runs, not by what stands still.
  EXPECT_EQ(world.clock.Until(written, world.boot, world.local), Duration{});
  const Duration wait = world.clock.Until(written + Duration::Seconds(1), world.boot, world.local);
  EXPECT_GE(wait, Duration::Seconds(3));
  EXPECT_LE(wait, Duration::Seconds(4));
  world.Pass(wait);
  EXPECT_GE(world.Now(), written + Duration::Seconds(1) + Minus(Ms(2)));
}

// Else who can write such a time ends everybody's protection.
TEST(ServerClock, ATimeThatIsFarAheadIsNotBelieved) {
  TwoClocks world;
  world.AskFor(Duration::Seconds(20), Ms(700));
  world.clock.NoteWritten(world.server + kHour, world.boot);
  EXPECT_LE(world.Now(), world.server);
  // Nor one that came before any answer did.
  TwoClocks early;
  early.clock.NoteWritten(early.server + kHour, early.boot);
  early.Ask();
  EXPECT_LE(early.Now(), early.server);
}

TEST(ClockComplaint, IsSaidOncePerChange) {
  ClockComplaint complaint;
  EXPECT_EQ(complaint.About(Duration::Seconds(5)), "");
  EXPECT_EQ(complaint.About(Minus(kHour)),
            "this machine's clock is 3600s behind the API server's, by which times are judged");
  EXPECT_EQ(complaint.About(Minus(kHour) + Duration::Seconds(4)), "");
  EXPECT_EQ(complaint.About(Duration::Seconds(90)),
            "this machine's clock is 90s ahead of the API server's, by which times are judged");
  EXPECT_EQ(complaint.About(Duration::Seconds(2)),
            "this machine's clock agrees with the API server's again");
  EXPECT_EQ(complaint.About(Duration{}), "");
}

}  // namespace
}  // namespace fairlead::kube
