// time.md §1: when work ends, as far as anybody knows.

#include "policy/run_time.h"

#include <gmock/gmock.h>

namespace fairlead::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

class RunTimeTest : public ::testing::Test {
 protected:
  static Time At(std::int64_t seconds) { return Time{} + Duration::Seconds(seconds); }
  state::WorkloadId Running(const std::string& name, Time start, const state::RunTime& run_time) {
    state::WorkloadChange change;
    change.name = "ns/" + name;
    change.traits.queue = "q";
    if (run_time.known()) change.traits.run_time.Edit() = run_time;
    change.pod_sets.emplace_back();
    cluster_.Apply(change);
    cluster_.Settle();
    const state::WorkloadId w = state::FindWorkload(cluster_, change.name);
    cluster_.notes().SetStart(w, start);
    return w;
  }
  std::optional<Time> EndAt(const state::RunTime& run_time, std::int64_t now) {
    return ExpectedEnd(cluster_, Running("w", At(1000), run_time), At(now));
  }

  state::Cluster cluster_;
  const Duration hour_ = Duration::Seconds(3600), minute_ = Duration::Seconds(60);
};

TEST_F(RunTimeTest, TheEarlierOfLimitAndGuessIsTheEnd) {
  EXPECT_THAT(EndAt({.limit = hour_, .expected = minute_}, 1000), Optional(At(1060)));
  EXPECT_THAT(EndAt({.limit = minute_, .expected = hour_}, 1000), Optional(At(1060)));
  EXPECT_THAT(EndAt({.limit = minute_, .expected = {}}, 1000), Optional(At(1060)));
  EXPECT_THAT(EndAt({.limit = {}, .expected = hour_}, 1000), Optional(At(4600)));
}

TEST_F(RunTimeTest, NobodyKnowsTheEndOfWhatSaysNothing) {
  EXPECT_THAT(EndAt({}, 1000), Eq(std::nullopt));
}

TEST_F(RunTimeTest, WhatHasNotStartedHasNoEnd) {
  const state::WorkloadId w = Running("waits", Time::Max(), {.limit = hour_, .expected = {}});
  EXPECT_THAT(ExpectedEnd(cluster_, w, At(1000)), Eq(std::nullopt));
}

TEST_F(RunTimeTest, WhoRunsOnIsGivenAQuarterOfItsAge) {
  const state::RunTime minute{.limit = {}, .expected = minute_};
  EXPECT_THAT(EndAt(minute, 1059), Optional(At(1060)));
  EXPECT_THAT(EndAt(minute, 1060), Optional(At(1075)));
  EXPECT_THAT(EndAt(minute, 5000), Optional(At(6000)));
}

TEST_F(RunTimeTest, AnEndIsNeverNow) {
  EXPECT_GT(*EndAt({.limit = Duration{1}, .expected = {}}, 1001), At(1001));
  EXPECT_GT(*EndAt({.limit = Duration{}, .expected = {}}, 1000), At(1000));
}

TEST_F(RunTimeTest, AnEndBeyondAllTimeIsAtItsEnd) {
  EXPECT_THAT(EndAt({.limit = Duration::Max(), .expected = {}}, 1000), Optional(Time::Max()));
}

TEST_F(RunTimeTest, EndsAreInOrder) {
  const auto late = Running("late", At(0), {.limit = hour_, .expected = {}});
  const auto one = Running("one", At(0), {.limit = minute_, .expected = {}});
  const auto two = Running("two", At(30), {.limit = {}, .expected = Duration::Seconds(30)});
  Running("never", At(0), {});
  Running("for-ever", At(0), {.limit = Duration::Max(), .expected = {}});
  EXPECT_THAT(EndsOf(cluster_, At(0)),
              ElementsAre(End{At(60), one}, End{At(60), two}, End{At(3600), late}));
}

// A change takes back what was said, and what is made in a removed one's place knows nothing of it.
TEST_F(RunTimeTest, WhatIsSaidIsForgottenAgain) {
  Running("w", At(0), {.limit = hour_, .expected = {}});
  EXPECT_THAT(ExpectedEnd(cluster_, Running("w", At(0), {}), At(0)), Eq(std::nullopt));
  Running("w", At(0), {.limit = hour_, .expected = {}});
  cluster_.Apply(state::Removal{.kind = state::RowKind::kWorkload, .name = "ns/w"});
  cluster_.Settle();
  EXPECT_THAT(ExpectedEnd(cluster_, Running("other", At(0), {}), At(0)), Eq(std::nullopt));
}

TEST_F(RunTimeTest, ALimitIsNamedWithItsOwner) {
  using By = state::OwnLimit::By;
  state::RunTime run_time{.limit = hour_};
  const auto text = [&](By by, const std::string& queue) {
    run_time.own_limit = state::OwnLimit{.after = hour_, .by = by, .queue = queue};
    return RanToLimitText(cluster_, Running("w", At(1000), run_time));
  };
  EXPECT_EQ(text(By::kItself, ""), "ran 1h, its limit");
  EXPECT_EQ(text(By::kQueue, "lab"), "ran 1h, its limit of queue lab");
  EXPECT_EQ(text(By::kQueueDefault, "lab"), "ran 1h, its limit by default of queue lab");
}

}  // namespace
}  // namespace fairlead::policy
