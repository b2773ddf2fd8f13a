#include "state/usage.h"

#include <gtest/gtest.h>

namespace fairlead::state {
namespace {

constexpr QueueId kA{0U}, kB{1U};
constexpr ResourceId kGpus{0U};

Time At(std::int64_t seconds) { return Time{} + Duration::Seconds(seconds); }
std::int64_t Used(const Usage& usage, QueueId q) {
  return static_cast<std::int64_t>(usage.Of(q, kGpus));
}

Usage Kept(Duration half_life, std::int32_t influence_milli = 0) {
  Usage usage;
  usage.Configure(
      objects::UsageOverTime{.half_life = half_life, .influence_milli = influence_milli});
  usage.Widen(2, 1);
  return usage;
}

// round(2^40 × 2^(−60 s / half-life)), by arithmetic with 60 digits.
TEST(Usage, WhatAMinuteLeaves) {
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(60)), 549'755'813'888U);
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(120)), 777'472'127'994U);
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(3'600)), 1'086'882'659'598U);
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(86'400)), 1'098'982'502'783U);
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(604'800)), 1'099'436'022'897U);
  EXPECT_EQ(LeftAfterMinute(Duration::Seconds(87'600 * 3'600)), 1'099'511'482'775U);
}

// 2,000 of something from 30 s on, until 135 s; half of what there is is gone after each minute.
// 60 s: 2,000 × 30. 120 s: 60,000 / 2, and 2,000 × 60. 180 s: 150,000 / 2, and 2,000 × 15.
TEST(Usage, MinuteByMinute) {
  Usage usage = Kept(Duration::Seconds(60));
  usage.PassTo(At(30));
  const std::int64_t has = 2'000, nothing = 0;
  usage.Charge(kA, kGpus, has);
  usage.PassTo(At(59));
  EXPECT_EQ(Used(usage, kA), 0);
  usage.PassTo(At(60));
  EXPECT_EQ(Used(usage, kA), 60'000);
  usage.PassTo(At(135));
  EXPECT_EQ(Used(usage, kA), 150'000);
  usage.Charge(kA, kGpus, nothing);
  usage.PassTo(At(200));
  EXPECT_EQ(Used(usage, kA), 105'000);
  EXPECT_EQ(usage.at(), At(180));
  EXPECT_EQ(Used(usage, kB), 0);
}

// A minute's amounts × µs are floored once, not piece by piece: 1 for 0.6 s and 0.6 s is 1.
TEST(Usage, AMinuteIsFlooredOnce) {
  Usage usage = Kept(Duration::Seconds(3'600));
  const std::int64_t one = 1, none = 0;
  for (const auto& [from, to] : {std::pair{0, 600'000}, {1'000'000, 1'600'000}}) {
    usage.PassTo(Time{from});
    usage.Charge(kA, kGpus, one);
    usage.PassTo(Time{to});
    usage.Charge(kA, kGpus, none);
  }
  usage.PassTo(At(60));
  EXPECT_EQ(Used(usage, kA), 1);
}

// 8 GPUs, in thousandths, for a week that is the half-life: Σ 480,000 × 2^(−i/10080) over its
// 10,080 minutes is 480,000 × ½ / (1 − 2^(−1/10080)) = 3,490,287,844.3. After a week without it
// half is left; what is rounded each minute has come to 9.
TEST(Usage, AWeekAloneAndAWeekWithout) {
  Usage usage = Kept(Duration::Seconds(604'800));
  const std::int64_t gpus = 8'000, none = 0;
  usage.Charge(kA, kGpus, gpus);
  usage.PassTo(At(604'800));
  EXPECT_EQ(Used(usage, kA), 3'490'287'844);
  usage.Charge(kA, kGpus, none);
  usage.PassTo(At(2 * 604'800));
  EXPECT_EQ(Used(usage, kA), 1'745'143'931);
}

TEST(Usage, HowOftenItIsAskedMakesNoDifference) {
  Usage often = Kept(Duration::Seconds(7'200));
  Usage once = Kept(Duration::Seconds(7'200));
  const std::int64_t has = 12'345;
  often.Charge(kA, kGpus, has);
  once.Charge(kA, kGpus, has);
  for (std::int64_t us = 0; us <= 10'000'000'000; us += 7'654'321) often.PassTo(Time{us});
  often.PassTo(At(10'020));
  once.PassTo(At(10'020));
  EXPECT_GT(Used(once, kA), 0);
  EXPECT_EQ(Used(often, kA), Used(once, kA));
}

// One who comes later begins with what the cluster shows, and with what runs since.
TEST(Usage, WhoTakesOverSeesTheSame) {
  Usage first = Kept(Duration::Seconds(3'600));
  const std::int64_t early = 3'000, more = 5'000;
  first.PassTo(At(100));
  first.Charge(kA, kGpus, early);
  first.PassTo(At(660));
  const Usage::Shown shown{.at = first.at(), .used = {{kGpus, first.Of(kA, kGpus)}}};
  EXPECT_EQ(shown.at, At(660));
  first.PassTo(At(777));
  first.Charge(kA, kGpus, more);
  first.PassTo(At(1'000));

  Usage second = Kept(Duration::Seconds(3'600));
  second.PassTo(At(1'000));
  second.Begin(kA, &shown,
               {{.at = At(100), .resource = kGpus, .amount = 3'000},
                {.at = At(777), .resource = kGpus, .amount = 2'000}});
  EXPECT_EQ(Used(second, kA), Used(first, kA));
  first.PassTo(At(9'999));
  second.PassTo(At(9'999));
  EXPECT_EQ(Used(second, kA), Used(first, kA));

  // Without what was shown: what the pods that are there have had, since they began.
  Usage third = Kept(Duration::Seconds(3'600));
  third.PassTo(At(1'000));
  third.Begin(kA, nullptr,
              {{.at = At(100), .resource = kGpus, .amount = 3'000},
               {.at = At(777), .resource = kGpus, .amount = 2'000}});
  third.PassTo(At(9'999));
  EXPECT_EQ(Used(third, kA), Used(first, kA));
}

TEST(Usage, WhatIsShownOfALaterTimeCountsForNothing) {
  Usage usage = Kept(Duration::Seconds(3'600));
  usage.PassTo(At(600));
  const Usage::Shown shown{.at = At(660), .used = {{kGpus, 1'000}}};
  usage.Begin(kA, &shown, {});
  EXPECT_EQ(Used(usage, kA), 0);
  EXPECT_TRUE(usage.has_begun(kA));
  EXPECT_FALSE(usage.has_begun(kB));
}

TEST(Usage, ItIsNewsEachMinuteWhereItCounts) {
  Usage usage = Kept(Duration::Seconds(3'600), 500);
  EXPECT_TRUE(usage.TakeNews());
  usage.PassTo(At(59));
  EXPECT_FALSE(usage.TakeNews());
  usage.PassTo(At(60));
  EXPECT_TRUE(usage.TakeNews());
  EXPECT_FALSE(usage.TakeNews());
  Usage watched = Kept(Duration::Seconds(3'600), 0);
  watched.TakeNews();
  watched.PassTo(At(600));
  EXPECT_FALSE(watched.TakeNews());
  EXPECT_TRUE(watched.kept());
  EXPECT_FALSE(watched.counts());
}

TEST(Usage, ItStopsAtTheEndOfTheNumbers) {
  Usage usage = Kept(Duration::Seconds(87'600 * 3'600));
  const std::int64_t most = std::int64_t{1} << 60;
  usage.Charge(kA, kGpus, most);
  usage.PassTo(At(86'400 * 365));
  const WideInt year = usage.Of(kA, kGpus);
  EXPECT_GT(year, WideInt{0});
  usage.PassTo(At(86'400LL * 365 * 40));
  EXPECT_GE(usage.Of(kA, kGpus), year);
  EXPECT_LE(usage.Of(kA, kGpus), WideInt{1} << 86);
}

}  // namespace
}  // namespace fairlead::state
