#include "base/time.h"

#include <string>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(ParseDuration, ReadsGosGrammar) {
  struct Case {
    std::string text;
    std::int64_t us;
  };
  const Case cases[] = {
      {"0", 0},
      {"-0", 0},
      {"0s", 0},
      {"45s", 45'000'000},
      {"1m0s", 60'000'000},
      {"1h30m", 5'400'000'000},
      {"+5s", 5'000'000},
      {"-1.5s", -1'500'000},
      {"1h15m30.918273645s", 4'530'918'274},  // 645 ns: rounded up to a microsecond
      {".5s", 500'000},
      {"1.s", 1'000'000},
      {"100ms", 100'000},
      {"3us", 3},
      {"3\xc2\xb5s", 3},
      {"3\xce\xbcs", 3},
      {"1ns", 1},
      {"-1ns", -1},
      {"1000ns", 1},
      {"1s1s", 2'000'000},
      {"5s1h", 3'605'000'000},
      {"0.1000000000000000000000000000001h", 360'000'000},
      {"2562047h", 9'223'369'200'000'000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto duration = ParseDuration(c.text);
    ASSERT_TRUE(duration.has_value()) << duration.error().message;
    EXPECT_EQ(duration->us, c.us);
  }
}

TEST(ParseDuration, RefusesTheRest) {
  for (const std::string text :
       {"", "-", "+", "3", "1h3", "s", ".s", "5 s", " 5s", "5s ", "1d", "1w", "1H", "1h-30m",
        "1.5.5s", "ten", "00", "1e3s", "\xc2\xb5s"}) {
    SCOPED_TRACE(text);
    const auto duration = ParseDuration(text);
    ASSERT_FALSE(duration.has_value());
    EXPECT_EQ(duration.error().message,
              "found \"" + text + "\", expected a duration such as 1h30m, 45s or 0s");
  }
  for (const std::string text :
       {"2562048h", "9223372036854775808ns", "99999999999999999999999h", "2562047h60m"}) {
    SCOPED_TRACE(text);
    const auto duration = ParseDuration(text);
    ASSERT_FALSE(duration.has_value());
    EXPECT_NE(duration.error().message.find("at most 2562047h"), std::string::npos);
  }
}

TEST(FormatDuration, IsInSeconds) {
  EXPECT_EQ(FormatDuration({}), "0s");
  EXPECT_EQ(FormatDuration(Duration::Seconds(60)), "60s");
  EXPECT_EQ(FormatDuration(Duration::Seconds(5400)), "5400s");
  EXPECT_EQ(FormatDuration({1'500'000}), "1.5s");
  EXPECT_EQ(FormatDuration({1}), "0.000001s");
  EXPECT_EQ(FormatDuration({-1'500'000}), "-1.5s");
  EXPECT_EQ(FormatDuration({std::numeric_limits<std::int64_t>::min()}), "-9223372036854.775808s");
}

TEST(ParseTime, ReadsRfc3339) {
  struct Case {
    std::string text;
    std::int64_t us;
  };
  const Case cases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1970-01-01T00:00:00.000001Z", 1},
      {"1969-12-31T23:59:59.5Z", -500'000},
      {"2000-02-29T00:00:00Z", 951'782'400'000'000},
      {"2024-02-29T12:00:00Z", 1'709'208'000'000'000},
      {"2026-01-01T00:00:00Z", 1'767'225'600'000'000},
      {"2026-01-01T01:00:00+01:00", 1'767'225'600'000'000},
      {"2025-12-31T18:30:00-05:30", 1'767'225'600'000'000},
      {"2026-01-01T00:00:00.123456789Z", 1'767'225'600'123'456},  // finer than micro: cut off
      {"0001-01-01T00:00:00Z", -62'135'596'800'000'000},
      {"9999-12-31T23:59:59Z", 253'402'300'799'000'000},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto time = ParseTime(c.text);
    ASSERT_TRUE(time.has_value()) << time.error().message;
    EXPECT_EQ(time->us, c.us);
  }
}

TEST(ParseTime, RefusesTheRest) {
  for (const std::string text : {"",
                                 "now",
                                 "2026-01-01",
                                 "2026-01-01T00:00:00",
                                 "2026-01-01 00:00:00Z",
                                 "2026-01-01t00:00:00z",
                                 "2026-1-1T00:00:00Z",
                                 "2026-13-01T00:00:00Z",
                                 "2026-00-01T00:00:00Z",
                                 "2026-02-29T00:00:00Z",
                                 "1900-02-29T00:00:00Z",
                                 "2026-04-31T00:00:00Z",
                                 "2026-01-00T00:00:00Z",
                                 "2026-01-01T24:00:00Z",
                                 "2026-01-01T00:60:00Z",
                                 "2026-01-01T00:00:60Z",
                                 "2026-01-01T00:00:00.Z",
                                 "2026-01-01T00:00:00+1:00",
                                 "2026-01-01T00:00:00+24:00",
                                 "2026-01-01T00:00:00ZZ",
                                 "0000-01-01T00:00:00Z",
                                 "12026-01-01T00:00:00Z",
                                 "-026-01-01T00:00:00Z",
                                 "0001-01-01T00:00:00+00:01",
                                 "9999-12-31T23:59:59-00:01"}) {
    SCOPED_TRACE(text);
    const auto time = ParseTime(text);
    ASSERT_FALSE(time.has_value());
    EXPECT_EQ(time.error().message,
              "found \"" + text + "\", expected a time such as 2026-01-31T12:00:00Z");
  }
}

TEST(FormatTime, IsUtcWithAFractionWhereThereIsOne) {
  EXPECT_EQ(FormatTime({0}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime({-1}), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(FormatTime({1'767'225'600'500'000}), "2026-01-01T00:00:00.500Z");
  EXPECT_EQ(FormatTime({1'767'225'600'000'001}), "2026-01-01T00:00:00.000001Z");
}

TEST(FormatTime, ReadsBackAsTheSameTime) {
  // Every 11 days and some over four hundred years, so that each rule of the calendar comes up.
  for (std::int64_t day = -110'000; day < 40'000; day += 11) {
    const Time time{day * 86'400'000'000 + day * 1009};
    EXPECT_EQ(ParseTime(FormatTime(time)), time);
  }
}

TEST(Time, ForEverStaysForEver) {
  EXPECT_EQ(Time::Max() + Duration::Seconds(1), Time::Max());
  EXPECT_EQ(Time{5} + Duration::Max(), Time::Max());
  EXPECT_EQ((Time{5} + Duration{7}).us, 12);
}

}  // namespace
}  // namespace fairlead
