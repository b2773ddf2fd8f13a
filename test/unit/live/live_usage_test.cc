// What queues used over time, kept in their status by who leads, and gone on from by who leads next
// (time.md §7).

#include <set>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "state/cluster.h"
#include "unit/live/live_world.h"

namespace fairlead::live {
namespace {

namespace json = boost::json;

class LiveUsage : public testing::Test {
 protected:
  LiveUsage() {
    world_.configuration.usage = {.half_life = Duration::Seconds(7'200), .influence_milli = 500};
    world_.AddNode("n1", 8);
    world_.AddQueue("a", 0);
    world_.AddQueue("b", 0);
  }
  void AddPod(const std::string& name, const std::string& queue, int cpus) {
    world_.AddPod(name, cpus, {{"labels", {{"fairlead.dev/queue", queue}}}});
  }
  static const state::Usage& UsageOf(const LiveWorld::Process& process) {
    return process.scheduler->scheduler().cluster().queues().usage();
  }
  static WideInt Used(const LiveWorld::Process& process, const state::Usage& usage,
                      std::string_view queue) {
    return usage.Of(process.scheduler->scheduler().cluster().queues().Find(queue), state::kCpu);
  }
  // As its status shows it; empty: it does not.
  std::string Shown(const std::string& queue) const {
    const json::object* object = world_.api.Find("queues", queue);
    const json::value* status = object == nullptr ? nullptr : object->if_contains("status");
    const json::value* usage =
        status == nullptr ? nullptr : status->as_object().if_contains("usage");
    return usage == nullptr ? "" : json::serialize(*usage);
  }

  LiveWorld world_;
};

TEST_F(LiveUsage, IsShownEveryFiveMinutesAtMost) {
  AddPod("p", "a", 4);
  LiveWorld::Process& process = world_.Start(1);
  std::set<std::string> shown;
  for (int minute = 0; minute < 31; ++minute) {
    world_.Run(Duration::Seconds(60));
    AddPod("more-" + std::to_string(minute), "b", 64);  // something to decide on: it waits
    if (!Shown("a").empty()) shown.insert(Shown("a"));
  }
  EXPECT_GE(shown.size(), 5U);
  EXPECT_LE(shown.size(), 8U);
  EXPECT_GT(Used(process, UsageOf(process), "a"), WideInt{0});
  EXPECT_EQ(Used(process, UsageOf(process), "b"), WideInt{0});
  EXPECT_TRUE(process.problems.empty()) << process.problems.front();
}

// How long their work runs in the median is shown with it, and stays where nobody knows better.
TEST_F(LiveUsage, MediansStandInTheStatus) {
  const auto median = [&](const char* queue) {
    const json::object* object = world_.api.Find("queues", queue);
    const json::value* status = object == nullptr ? nullptr : object->if_contains("status");
    const json::value* shown =
        status == nullptr ? nullptr : status->as_object().if_contains("medianDuration");
    return shown == nullptr ? std::string() : std::string(shown->as_string());
  };
  LiveWorld::Process& first = world_.Start(1, /*with_lease=*/true);
  world_.Run(Duration::Seconds(30));
  EXPECT_EQ(median("a"), "");
  first.scheduler->SetMedianDurations({{"a", Duration::Seconds(5'400)}});
  world_.Run(Duration::Seconds(30));
  EXPECT_EQ(median("a"), "5400s");
  EXPECT_EQ(median("b"), "");
  const state::QueueTree& queues = first.scheduler->scheduler().cluster().queues();
  EXPECT_EQ(queues[queues.Find("a")].median_duration, Duration::Seconds(5'400));
  bool left = false;
  first.scheduler->Stop([&left] { left = true; });
  world_.Run(Duration::Seconds(5));
  EXPECT_TRUE(left);
  world_.Start(2, /*with_lease=*/true);
  world_.Run(Duration::Seconds(30));
  AddPod("stir", "a", 64);
  world_.Run(Duration::Seconds(30));
  EXPECT_EQ(median("a"), "5400s");
}

TEST_F(LiveUsage, WhoLeadsNextCountsOnFromIt) {
  AddPod("p", "a", 4);
  AddPod("q", "b", 2);
  LiveWorld::Process& first = world_.Start(1, /*with_lease=*/true);
  world_.Run(Duration::Seconds(1'000));
  world_.Delete("pods", "team/q");
  world_.Run(Duration::Seconds(100));
  AddPod("r", "b", 1);
  world_.Run(Duration::Seconds(150));
  AddPod("stir", "b", 64);  // a round some minutes after all that began and ended
  world_.Run(Duration::Seconds(10));
  bool left = false;
  first.scheduler->Stop([&left] { left = true; });
  world_.Run(Duration::Seconds(5));
  EXPECT_TRUE(left);
  ASSERT_NE(Shown("b"), "");
  state::Usage expected = UsageOf(first);

  LiveWorld::Process& second = world_.Start(2, /*with_lease=*/true);
  world_.Run(Duration::Seconds(600));
  AddPod("s", "b", 64);
  world_.Run(Duration::Seconds(60));
  expected.PassTo(second.scheduler->now());
  EXPECT_GT(Used(first, expected, "b"), WideInt{0});
  EXPECT_EQ(Used(second, UsageOf(second), "a"), Used(first, expected, "a"));
  EXPECT_EQ(Used(second, UsageOf(second), "b"), Used(first, expected, "b"));
}

}  // namespace
}  // namespace fairlead::live
