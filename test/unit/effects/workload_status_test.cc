#include "effects/workload_status.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace fairlead::effects {
namespace {

std::string WhyItDoesNotRun(const objects::Workload& status) {
  const auto running = std::ranges::find(status.conditions, "Running", &objects::Condition::type);
  return running == status.conditions.end() || running->holds ? std::string() : running->reason;
}

constexpr Time kNow{1'767'225'600'000'000};

// A job may end while it is being stopped: nobody has to write the end a second time.
TEST(WorkloadStatus, WhatEndedWhileItWasStoppedSaysSo) {
  const FinishWorkload finish{.workload = "a/w", .job_says_so = true};
  objects::Workload status;
  Note(SetStartTime{.workload = "a/w", .start = kNow}, kNow, status);
  NoteStopping({.workload = "a/w", .reason = "for another"}, kNow, status);
  Note(finish, kNow, status);
  NoteStopped(kNow, status);
  EXPECT_EQ(WhyItDoesNotRun(status), "JobFinished");
  EXPECT_FALSE(Note(finish, kNow + Duration::Seconds(1), status));
}

TEST(WorkloadStatus, WhatIsStoppedSaysSo) {
  objects::Workload status;
  Note(SetStartTime{.workload = "a/w", .start = kNow}, kNow, status);
  NoteStopping({.workload = "a/w", .reason = "for another"}, kNow, status);
  NoteStopped(kNow, status);
  EXPECT_EQ(WhyItDoesNotRun(status), "Stopped");
}

}  // namespace
}  // namespace fairlead::effects
