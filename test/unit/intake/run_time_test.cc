#include "intake/facts/run_time.h"

#include <gtest/gtest.h>

#include "objects/keys.h"

// What annotations say of how long work runs, and of what a stop loses.

namespace fairlead::intake {
namespace {

constexpr Duration kHour = Duration::Seconds(3600);

std::string Key(std::string_view key) { return std::string(key); }

TEST(RunTimeSaidBy, ReadsWhatIsSaid) {
  const RunTimeSaid said =
      RunTimeSaidBy({}, {{Key(objects::kCheckpointEveryKey), "1h"},
                         {Key(objects::kCheckpointedAtKey), "2026-03-02T08:00:00Z"},
                         {Key(objects::kExpectedDurationKey), "3h"}});
  EXPECT_EQ(said.run_time.expected, Duration{3 * kHour.us});
  EXPECT_EQ(said.run_time.checkpoint_every, kHour);
  EXPECT_EQ(said.run_time.checkpointed_at, *ParseTime("2026-03-02T08:00:00Z"));
  EXPECT_EQ(said.run_time.limit, std::nullopt);
  EXPECT_EQ(said.invalid, "");
}

TEST(RunTimeSaidBy, TellsTheFirstThatIsSaidInVain) {
  const RunTimeSaid said = RunTimeSaidBy(
      {}, {{Key(objects::kCheckpointEveryKey), "0s"}, {Key(objects::kCheckpointedAtKey), "noon"}});
  EXPECT_EQ(said.run_time, state::RunTime());
  EXPECT_EQ(said.invalid,
            "fairlead.dev/checkpoint-every is \"0s\", expected a duration above 0 such as 1h30m");
  EXPECT_EQ(RunTimeSaidBy({}, {{Key(objects::kCheckpointedAtKey), "noon"}}).invalid,
            "fairlead.dev/checkpointed-at is \"noon\", expected a time such as "
            "2026-03-01T08:00:00Z");
}

TEST(RunTimeSaidBy, ReadsLimitsAndTheLesserCounts) {
  const RunTimeSaid said = RunTimeSaidBy(
      {{Key(objects::kKueueMaxExecTimeLabel), "1800"}},
      {{Key(objects::kMaxRunTimeKey), "1h"}, {Key(objects::kOnRunTimeLimitKey), "Requeue"}});
  EXPECT_EQ(said.invalid, "");
  EXPECT_EQ(said.run_time.limit, Duration::Seconds(1800));
  ASSERT_TRUE(said.run_time.own_limit.has_value());
  EXPECT_EQ(*said.run_time.own_limit, (state::OwnLimit{.after = Duration::Seconds(1800)}));
  EXPECT_TRUE(said.run_time.waits_again);
}

TEST(RunTimeSaidBy, TellsLimitsThatAreNone) {
  const auto invalid = [](std::string_view key, std::string_view text, bool is_label = false) {
    const objects::Labels said = {{Key(key), std::string(text)}};
    return is_label ? RunTimeSaidBy(said, {}).invalid : RunTimeSaidBy({}, said).invalid;
  };
  EXPECT_EQ(invalid(objects::kMaxRunTimeKey, "0s"),
            "fairlead.dev/max-run-time is \"0s\", expected a duration above 0 such as 1h30m");
  EXPECT_EQ(invalid(objects::kOnRunTimeLimitKey, "Again"),
            "fairlead.dev/on-run-time-limit is \"Again\", expected Stop or Requeue");
  EXPECT_EQ(invalid(objects::kKueueMaxExecTimeLabel, "1h", true),
            "kueue.x-k8s.io/max-exec-time-seconds is \"1h\", expected a whole number of seconds "
            "above 0");
  EXPECT_EQ(invalid(objects::kKueueMaxExecTimeLabel, "0", true).empty(), false);
}

TEST(RunTime, ADeadlineIsNoLimitOfOurs) {
  state::RunTime run_time;
  AddOwnLimit(Duration{2 * kHour.us}, run_time);
  AddDeadline(kHour, run_time);
  EXPECT_EQ(run_time.limit, kHour);
  EXPECT_EQ(run_time.own_limit->after, Duration{2 * kHour.us});
}

TEST(RunTime, OfTwoLimitsTheLesserCounts) {
  state::RunTime a, b;
  AddOwnLimit(kHour, a);
  AddOwnLimit(Duration{2 * kHour.us}, b);
  b.waits_again = true;
  const state::RunTime both = Together(a, b);
  EXPECT_EQ(both.own_limit->after, kHour);
  EXPECT_EQ(both.limit, kHour);
  EXPECT_TRUE(both.waits_again);
  EXPECT_EQ(both, Together(b, a));
}

TEST(RunTime, OfTwoThatSpeakTheLeastIsLost) {
  const state::RunTime a{.limit = {},
                         .expected = {},
                         .checkpoint_every = Duration{2 * kHour.us},
                         .checkpointed_at = Time{1}};
  const state::RunTime b{
      .limit = kHour, .expected = {}, .checkpoint_every = kHour, .checkpointed_at = {}};
  const state::RunTime both = Together(a, b);
  EXPECT_EQ(both.limit, kHour);
  EXPECT_EQ(both.checkpoint_every, kHour);
  EXPECT_EQ(both.checkpointed_at, Time{1});
  EXPECT_EQ(both, Together(b, a));
}

TEST(RunTime, ACheckpointCountsFromTheStartToNow) {
  const Time start{1'000'000'000};
  const auto lost = [&](const state::RunTime& run_time, std::int64_t after_s) {
    return run_time.LostSince(start, start + Duration::Seconds(after_s)).WholeSeconds();
  };
  EXPECT_EQ(lost({}, 5000), 5000);
  state::RunTime every;
  every.checkpoint_every = kHour;
  EXPECT_EQ(lost(every, 3599), 3599);
  EXPECT_EQ(lost(every, 3600), 0);
  EXPECT_EQ(lost(every, 7300), 100);
  state::RunTime told;
  told.checkpointed_at = start + Duration::Seconds(1000);
  EXPECT_EQ(lost(told, 999), 999);  // it lies ahead
  EXPECT_EQ(lost(told, 1500), 500);
  told.checkpointed_at = Time{start.us - 1};
  EXPECT_EQ(lost(told, 1500), 1500);
}

}  // namespace
}  // namespace fairlead::intake
