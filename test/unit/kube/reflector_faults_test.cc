// A reflector under seeded schedules of faults. Whatever happened, once the network is well again
// it holds exactly what the server holds, and what it told on the way is free of contradictions
// (RecordingSink).

#include <string>

#include <gtest/gtest.h>

#include "kube/backoff.h"
#include "unit/kube/reflector_world.h"

namespace fairlead::kube {
namespace {

constexpr int kWatchSchedules = 1000;

struct WatchTotals {
  std::uint64_t lists = 0, watches = 0, stale = 0, failures = 0, refused = 0;
};

// One change of a small set of pods, so that names are used again.
void Change(ReflectorWorld& world, Random& random, int step) {
  const std::string name = "p" + std::to_string(random.Below(12));
  const bool there = world.api.Find("pods", "ns/" + name) != nullptr;
  switch (random.Below(8)) {
    case 0:
    case 1:
      if (there) world.Erase(name);
      break;
    case 2:
      if (random.Below(3) == 0) world.api.Compact();
      break;
    case 3:
      if (there && random.Below(2) == 0) {
        world.Erase(name);
        world.Put(name, std::to_string(step));
      }
      break;
    default:
      world.Put(name, std::to_string(step));
  }
}

void Live(std::uint64_t seed, WatchTotals& totals) {
  Random random(seed);
  // Every second one reads lists as events, and of these a third where the server has it no more.
  ReflectorWorld world(seed, {.plural = "pods", .kind = "Pod"}, /*newest_first=*/false,
                       /*streams_lists=*/seed % 2 == 0);
  world.api.streams_lists = seed % 6 != 0;
  world.loop.faults = Faults::Some(random, 150);
  world.reflector.Start();
  for (int step = 0; step < 120; ++step) {
    Change(world, random, step);
    world.Wait(random.Between({}, Duration::Seconds(step % 10 == 0 ? 60 : 2)));
  }
  world.loop.faults = {};
  // The longest wait is that of a silent watch; then a request that is lost, then a list.
  world.Wait(Duration::Seconds(400));
  ASSERT_EQ(world.sink.held, world.Truth());
  ASSERT_TRUE(world.reflector.synced());
  ASSERT_EQ(world.reflector.state(), ReflectorState::kWatching);
  const ReflectorCounts& counts = world.reflector.counts();
  totals.lists += counts.lists;
  totals.watches += counts.watches;
  totals.stale += counts.stale;
  totals.failures += counts.failures;
}

TEST(ReflectorFaults, EndsWithWhatTheServerHolds) {
  WatchTotals totals;
  for (int seed = 1; seed <= kWatchSchedules; ++seed) {
    Live(static_cast<std::uint64_t>(seed), totals);
    ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "seed " << seed;
    ASSERT_FALSE(::testing::Test::HasNonfatalFailure()) << "seed " << seed;
  }
  // The schedules do what they are for.
  EXPECT_GT(totals.lists, 2u * kWatchSchedules);
  EXPECT_GT(totals.watches, 5u * kWatchSchedules);
  EXPECT_GT(totals.failures, 5u * kWatchSchedules);
}

TEST(ReflectorFaults, OneSeedOneStory) {
  const auto story = [] {
    Random random(7);
    ReflectorWorld world(7);
    world.loop.faults = Faults::Some(random, 200);
    world.reflector.Start();
    for (int step = 0; step < 60; ++step) {
      Change(world, random, step);
      world.Wait(Duration::Seconds(3));
    }
    std::vector<std::string> all = world.sink.log;
    all.insert(all.end(), world.loop.sent().begin(), world.loop.sent().end());
    return all;
  };
  EXPECT_EQ(story(), story());
}

}  // namespace
}  // namespace fairlead::kube
