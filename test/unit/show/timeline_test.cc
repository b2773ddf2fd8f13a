#include "show/timeline.h"

#include <gtest/gtest.h>

namespace fairlead::show {
namespace {

using drive::EventType;

void Tell(Timeline& timeline, std::int64_t seconds, EventType type, const char* pod,
          const char* node = "n1") {
  timeline.OnEvent(
      {.time = Time{} + Duration::Seconds(seconds), .type = type, .pod = pod, .node = node});
}

TEST(Timeline, CountsBySteps) {
  Timeline timeline;
  timeline.AddRunning("a/before");
  Tell(timeline, 0, EventType::kArrive, "a/p");
  Tell(timeline, 0, EventType::kBind, "a/p");
  Tell(timeline, 30, EventType::kFinish, "a/before");
  Tell(timeline, 90, EventType::kEvict, "a/p");
  Tell(timeline, 90, EventType::kGone, "a/p");
  Tell(timeline, 120, EventType::kGone, "a/before");  // its object, long after its end
  // 120 s in at most 2 rows: steps of a minute; the last takes what happens at the end.
  EXPECT_EQ(timeline.Rows(Time{}, Time{} + Duration::Seconds(120), 2).Render(false),
            "TIME   ARRIVED   STARTED   ENDED   EVICTED   RUNNING\n"
            "+0s    1         1         1       0         1\n"
            "+1m    0         0         0       1         0\n");
}

TEST(Timeline, NothingHappened) { EXPECT_TRUE(Timeline().Rows(Time{}, Time{}, 12).empty()); }

TEST(Timeline, AllInOneInstant) {
  Timeline timeline;
  Tell(timeline, 0, EventType::kBind, "a/p");
  EXPECT_EQ(timeline.Rows(Time{}, Time{}, 12).Render(false),
            "TIME   ARRIVED   STARTED   ENDED   EVICTED   RUNNING\n"
            "+0s    0         1         0       0         1\n");
}

}  // namespace
}  // namespace fairlead::show
