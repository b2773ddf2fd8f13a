#include "show/timeline.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "show/human_text.h"

namespace fairlead::show {
namespace {

using drive::EventType;

void Tell(Timeline& timeline, std::int64_t seconds, EventType type, const char* pod,
          const char* node = "n1") {
  timeline.OnEvent(
      {.time = Time{} + Duration::Seconds(seconds), .type = type, .pod = pod, .node = node});
}

TEST(Timeline, CountsBySteps) {
  Timeline timeline(Time{}, 2);
  timeline.AddRunning("a/before");
  Tell(timeline, 0, EventType::kArrive, "a/p");
  Tell(timeline, 0, EventType::kBind, "a/p");
  Tell(timeline, 30, EventType::kFinish, "a/before");
  Tell(timeline, 90, EventType::kEvict, "a/p");
  Tell(timeline, 90, EventType::kGone, "a/p");
  Tell(timeline, 120, EventType::kGone, "a/before");  // its object, long after its end
  // 120 s in at most 2 rows: steps of a minute; the last takes what happens at the end.
  EXPECT_EQ(timeline.Rows(Time{} + Duration::Seconds(120)).Render(false),
            "TIME   ARRIVED   STARTED   ENDED   EVICTED   RUNNING\n"
            "+0s    1         1         1       0         1\n"
            "+1m    0         0         0       1         0\n");
}

TEST(Timeline, NothingHappened) { EXPECT_TRUE(Timeline(Time{}, 12).Rows(Time{}).empty()); }

TEST(Timeline, AllInOneInstant) {
  Timeline timeline(Time{}, 12);
  Tell(timeline, 0, EventType::kBind, "a/p");
  EXPECT_EQ(timeline.Rows(Time{}).Render(false),
            "TIME   ARRIVED   STARTED   ENDED   EVICTED   RUNNING\n"
            "+0s    0         1         0       0         1\n");
}

// Steps are put together as time passes; no row may tell.
TEST(Timeline, ALongRunCountsAsAShortOne) {
  constexpr std::int64_t kWeek = 7 * 86'400;
  const std::pair<std::int64_t, std::int64_t> gaps_and_steps[] = {
      {1, 1800}, {7, 6 * 3600}, {61, kWeek}, {3601, 10 * kWeek}, {90'000, 249 * kWeek}};
  for (const auto& [gap, step] : gaps_and_steps) {
    constexpr std::int64_t kEvents = 20'000;
    Timeline timeline(Time{}, 12);
    for (std::int64_t i = 0; i < kEvents; ++i) {
      Tell(timeline, i * gap, EventType::kArrive, "a/p");
      Tell(timeline, i * gap, i % 2 == 0 ? EventType::kBind : EventType::kFinish, "a/p");
    }
    const std::int64_t end = (kEvents - 1) * gap;
    std::vector<std::int64_t> arrived(static_cast<std::size_t>((end + step - 1) / step));
    for (std::int64_t i = 0; i < kEvents; ++i) {
      const auto row = static_cast<std::size_t>(i * gap / step);
      ++arrived[std::min(row, arrived.size() - 1)];
    }
    std::istringstream table(timeline.Rows(Time{} + Duration::Seconds(end)).Render(false));
    std::string line, time, count;
    std::getline(table, line);
    for (const std::int64_t expected : arrived) {
      std::getline(table, line);
      std::istringstream(line) >> time >> count;
      EXPECT_EQ(count, Grouped(expected)) << gap << ": " << line;
    }
    EXPECT_FALSE(std::getline(table, line)) << gap << ": " << line;
  }
}

}  // namespace
}  // namespace fairlead::show
