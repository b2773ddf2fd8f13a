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

std::string Holding(const objects::Workload& status, std::string_view type) {
  const auto found = std::ranges::find(status.conditions, type, &objects::Condition::type);
  return found == status.conditions.end() || !found->holds ? ""
                                                           : found->reason + ": " + found->message;
}

TEST(WorkloadStatus, AtItsLimitItIsStoppedUntilItIsAdmittedAgain) {
  objects::Workload status;
  StopWorkload stop{.workload = "a/w",
                    .reason = "it ran 1h, its limit",
                    .at_limit = "ran 1h, its limit",
                    .spec = "0123456789abcdef"};
  NoteStopping(stop, kNow, status);
  EXPECT_TRUE(IsStopping(status));
  EXPECT_EQ(Holding(status, "Evicted"), "RunTimeLimit: it ran 1h, its limit");
  EXPECT_EQ(Holding(status, "Stopped"), "RunTimeLimit: ran 1h, its limit (spec 0123456789abcdef)");
  NoteStopped(kNow, status);
  Note(AdmitWorkload{.workload = "a/w", .pod_sets = {{.name = "main", .count = 1}}}, "q", kNow,
       status);
  EXPECT_EQ(Holding(status, "Evicted"), "");
  EXPECT_EQ(Holding(status, "Stopped"), "");
  stop.waits_again = true;
  NoteStopping(stop, kNow, status);
  EXPECT_EQ(Holding(status, "Evicted"), "RunTimeLimit: it ran 1h, its limit");
  EXPECT_EQ(Holding(status, "Stopped"), "");
}

}  // namespace
}  // namespace fairlead::effects
