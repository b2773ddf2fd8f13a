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

// time.md §5.3: once a stop, however often it is carried out; a day's run and it begins anew.
TEST(WorkloadStatus, StopsByOthersAreCounted) {
  objects::Workload status;
  const auto run_and_stop = [&](Duration run, bool by_others) {
    Note(AdmitWorkload{.workload = "a/w", .pod_sets = {{.name = "main", .count = 1}}, .reason = {}},
         "q", kNow, status);
    Note(SetStartTime{.workload = "a/w", .start = kNow}, kNow, status);
    const StopWorkload stop{.workload = "a/w", .reason = "for another", .by_others = by_others};
    NoteStopping(stop, kNow + run, status);
    NoteStopping(stop, kNow + run, status);
    NoteStopped(kNow + run, status);
    return status.stops;
  };
  EXPECT_EQ(run_and_stop(Duration::Seconds(60), true), 1);
  EXPECT_EQ(run_and_stop(Duration::Seconds(60), false), 1);
  EXPECT_EQ(run_and_stop(Duration::Seconds(86'399), true), 2);
  EXPECT_EQ(run_and_stop(Duration::Seconds(60), true), 3);
  EXPECT_EQ(run_and_stop(Duration::Seconds(86'400), true), 1);
}

}  // namespace
}  // namespace fairlead::effects
