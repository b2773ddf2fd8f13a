#include "base/quantity.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace fairlead {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

struct ParseCase {
  std::string text;
  std::int64_t units;  // rounded up
  std::int64_t milli;
};

TEST(ParseQuantity, ReadsWhatKubernetesReads) {
  const ParseCase cases[] = {
      {"0", 0, 0},
      {"00", 0, 0},
      {"-0", 0, 0},
      {"1", 1, 1000},
      {"+5", 5, 5000},
      {"-5", -5, -5000},
      {"5.", 5, 5000},
      {".5", 1, 500},
      {"0.5", 1, 500},
      {"-0.5", -1, -500},
      {"100m", 1, 100},
      {"1500m", 2, 1500},
      {"-1500m", -2, -1500},
      {"0.1m", 1, 1},
      {"1n", 1, 1},
      {"999999n", 1, 1},
      {"1000001n", 1, 2},
      {"1000000000n", 1, 1000},
      {"5u", 1, 1},
      {"3001u", 1, 4},
      {"2k", 2000, 2'000'000},
      {"1M", 1'000'000, 1'000'000'000},
      {"3G", 3'000'000'000, 3'000'000'000'000},
      {"1.5G", 1'500'000'000, 1'500'000'000'000},
      {"1T", 1'000'000'000'000, 1'000'000'000'000'000},
      {"9P", 9'000'000'000'000'000, 9'000'000'000'000'000'000},
      {"1Ki", 1024, 1'024'000},
      {"1.5Gi", 1610612736, 1610612736000},
      {"0.0001Ki", 1, 103},  // 0.1024
      {"2Mi", 2097152, 2097152000},
      {"1Ti", 1099511627776, 1099511627776000},
      {"1Pi", 1125899906842624, 1125899906842624000},
      {"1e3", 1000, 1'000'000},
      {"1E3", 1000, 1'000'000},
      {"12E-1", 2, 1200},
      {"1.25e+2", 125, 125'000},
      {"1e-1000", 1, 1},
      {"0e99999999999999", 0, 0},
      {"1.0001", 2, 1001},  // beyond thousandths: rounded up
      {"1.0000000000000000000000000000000000001", 2, 1001},
      {"0.00000000000000000000000000000000000000000000000000001", 1, 1},
      {"1.00000000000000000000000000000000000000000000000000000", 1, 1000},
      {"000000000000000000000000000000000000000000000000000012", 12, 12000},
  };
  for (const ParseCase& c : cases) {
    SCOPED_TRACE(c.text);
    const auto units = ParseQuantity(c.text, Scale::kUnit);
    ASSERT_TRUE(units.has_value()) << units.error().message;
    EXPECT_EQ(*units, c.units);
    const auto milli = ParseQuantity(c.text, Scale::kMilli);
    ASSERT_TRUE(milli.has_value()) << milli.error().message;
    EXPECT_EQ(*milli, c.milli);
  }
}

TEST(ParseQuantity, EndsAtInt64) {
  EXPECT_EQ(ParseQuantity("9223372036854775807", Scale::kUnit), kMax);
  EXPECT_EQ(ParseQuantity("9223372036854775.807", Scale::kMilli), kMax);
  EXPECT_EQ(ParseQuantity("-9223372036854775807", Scale::kUnit), -kMax);
  EXPECT_EQ(ParseQuantity("9.2E", Scale::kUnit), 9'200'000'000'000'000'000);
  EXPECT_EQ(ParseQuantity("7Ei", Scale::kUnit), 7 * (std::int64_t{1} << 60));
  EXPECT_EQ(ParseQuantity("7.9999999999999999999Ei", Scale::kUnit).has_value(), false);
  const std::string too_large[] = {"9223372036854775808",
                                   "-9223372036854775808",
                                   "9223372036854775806.5e1",
                                   "10E",
                                   "8Ei",
                                   "1e19",
                                   "99999999999999999999999999999999999999999999999",
                                   "1e99999999999999999999"};
  for (const std::string& text : too_large) {
    SCOPED_TRACE(text);
    const auto amount = ParseQuantity(text, Scale::kUnit);
    ASSERT_FALSE(amount.has_value());
    EXPECT_EQ(amount.error().message, "found \"" + text + "\", expected a quantity below 2^63");
  }
  EXPECT_FALSE(ParseQuantity("9223372036854775.808", Scale::kMilli).has_value());
  EXPECT_FALSE(ParseQuantity("10P", Scale::kMilli).has_value());
}

TEST(ParseQuantity, RefusesTheRest) {
  const std::string cases[] = {
      "",       " ",     "1 ",    " 1",   "m",   ".",   "-",       "+",       "Gi",   "1.1.M",
      "1+1.0M", "0.1mi", "0.1am", "aoeu", ".5i", "1i",  "-3.01i",  "-3.01e-", "1e",   "1e+",
      "1e1.5",  "1mm",   "1kk",   "1ki",  "1KI", "1K",  "1g",      "1GiB",    "1Gi ", "0x10",
      "1_000",  "1,5",   "--1",   "1e3m", "NaN", "inf", "\xd9\xa1"};
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    const auto amount = ParseQuantity(text, Scale::kUnit);
    ASSERT_FALSE(amount.has_value());
    EXPECT_EQ(amount.error().message,
              "found \"" + text + "\", expected a quantity such as 500m, 2 or 16Gi");
  }
}

TEST(FormatQuantity, IsCanonical) {
  struct Case {
    std::int64_t amount;
    Scale scale;
    Suffixes suffixes;
    std::string text;
  };
  const Case cases[] = {
      {0, Scale::kUnit, Suffixes::kDecimal, "0"},
      {0, Scale::kMilli, Suffixes::kBinary, "0"},
      {64, Scale::kUnit, Suffixes::kDecimal, "64"},
      {1500, Scale::kMilli, Suffixes::kDecimal, "1500m"},
      {64000, Scale::kMilli, Suffixes::kDecimal, "64"},
      {2'000'000, Scale::kMilli, Suffixes::kDecimal, "2k"},
      {-2000, Scale::kUnit, Suffixes::kDecimal, "-2k"},
      {2'000'000'000'000'000'000, Scale::kUnit, Suffixes::kDecimal, "2E"},
      {1536 * 1048576LL, Scale::kUnit, Suffixes::kBinary, "1536Mi"},
      {std::int64_t{16} << 30, Scale::kUnit, Suffixes::kBinary, "16Gi"},
      {std::int64_t{4} << 60, Scale::kUnit, Suffixes::kBinary, "4Ei"},
      {1'000'000, Scale::kUnit, Suffixes::kBinary, "1000000"},
      {1023, Scale::kUnit, Suffixes::kBinary, "1023"},
      {kMax, Scale::kUnit, Suffixes::kDecimal, "9223372036854775807"},
      {std::numeric_limits<std::int64_t>::min(), Scale::kUnit, Suffixes::kBinary, "-8Ei"},
  };
  for (const Case& c : cases) EXPECT_EQ(FormatQuantity(c.amount, c.scale, c.suffixes), c.text);
}

TEST(FormatQuantity, ReadsBackAsTheSameAmount) {
  for (const std::int64_t amount : {0LL, 1LL, 999LL, 1000LL, 1024LL, 1536LL, 123456789LL, -7LL,
                                    1LL << 40, 1000000000000LL, 9223372036854775807LL}) {
    for (const Scale scale : {Scale::kUnit, Scale::kMilli}) {
      for (const Suffixes suffixes : {Suffixes::kDecimal, Suffixes::kBinary}) {
        EXPECT_EQ(ParseQuantity(FormatQuantity(amount, scale, suffixes), scale), amount);
      }
    }
  }
}

TEST(FormatResource, KnowsTheUnitByTheName) {
  EXPECT_EQ(FormatResource("cpu", 1500), "1500m");
  EXPECT_EQ(FormatResource("memory", 1 << 30), "1Gi");
  EXPECT_EQ(FormatResource("hugepages-2Mi", 2 << 20), "2Mi");
  EXPECT_EQ(FormatResource("ephemeral-storage", 1024), "1Ki");
  EXPECT_EQ(FormatResource("nvidia.com/gpu", 250), "250m");
  EXPECT_EQ(FormatResource("nvidia.com/gpu", 8000), "8");
  EXPECT_EQ(FormatResource("pods", 110), "110");
  EXPECT_EQ(FormatResource("example.com/licence", 3000), "3k");
}

}  // namespace
}  // namespace fairlead
