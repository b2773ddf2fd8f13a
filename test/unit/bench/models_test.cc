// Logs that are made: the same for a seed, and like the models that they are after.

#include "bench/backfill/models.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

#include "bench/backfill/draws.h"
#include "bench/backfill/read_log.h"
#include "objects/read/reader.h"
#include "trace/swf.h"

namespace fairlead::bench {
namespace {

using testing::IsEmpty;

constexpr LublinOptions kOptions{.seed = 7, .jobs = 20'000, .load_percent = 85};

double PartOf(const Log& log, bool (*is)(const LogJob&)) {
  double count = 0;
  for (const LogJob& job : log.jobs) count += is(job) ? 1 : 0;
  return count / static_cast<double>(log.jobs.size());
}

// Mean 6.57 × 0.823 = 5.407, variance 5.407 × 0.823 = 4.450. The means of 100,000 are within four
// of their own deviations, 0.027 and about 0.1.
TEST(Draws, GammaHasItsMeanAndVariance) {
  Draws draws(1);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = draws.Gamma(6.57, 0.823);
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(mean, 5.407, 0.027);
  EXPECT_NEAR(squares / kDraws - mean * mean, 4.450, 0.1);
}

TEST(LublinModel, ASeedIsALog) {
  EXPECT_EQ(SwfOf(LublinLog(kOptions)), SwfOf(LublinLog(kOptions)));
  LublinOptions other = kOptions;
  other.seed = 8;
  EXPECT_NE(SwfOf(LublinLog(kOptions)), SwfOf(LublinLog(other)));
}

// That in examples/ is one that anybody can make again.
TEST(LublinModel, TheExampleIsOfASeed) {
  std::ifstream file("examples/swf/batch.swf");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text,
            SwfOf(LublinLog({.seed = 2003, .jobs = 200, .load_percent = 85, .limit_times = 3})));
}

// Only when they come changes with the load.
TEST(LublinModel, HasTheLoadThatIsAskedFor) {
  for (const std::int64_t percent : {60, 85, 95}) {
    LublinOptions options = kOptions;
    options.load_percent = percent;
    const Log log = LublinLog(options);
    EXPECT_NEAR(log.LoadPercent(), static_cast<double>(percent), 0.01);
    EXPECT_EQ(log.jobs[77].run, LublinLog(kOptions).jobs[77].run);
    for (std::size_t i = 1; i < log.jobs.size(); ++i) {
      ASSERT_LE(log.jobs[i - 1].submit, log.jobs[i].submit);
    }
  }
}

// 0.2927 are serial. Powers of two are 0.6686 more, and of the 0.0387 left those that round to one.
TEST(LublinModel, SizesAreAsPublished) {
  const Log log = LublinLog(kOptions);
  EXPECT_NEAR(PartOf(log, [](const LogJob& job) { return job.processors == 1; }), 0.2927, 0.012);
  const double powers = PartOf(log, [](const LogJob& job) {
    return std::has_single_bit(static_cast<std::uint64_t>(job.processors));
  });
  EXPECT_GT(powers, 0.955);
  EXPECT_LT(powers, 0.985);
  EXPECT_EQ(PartOf(log, [](const LogJob& job) { return job.processors > 128; }), 0);
  // Of the parallel ones 0.125 are of the upper stage, [5, 7]; of the lower one, [1.2, 5], those
  // that are rounded to 32 are there too. More than that is a quarter of the machine at least.
  const double large = PartOf(log, [](const LogJob& job) { return job.processors > 32; });
  EXPECT_NEAR(large, 0.7073 * 0.125 * 0.75, 0.012);
}

// Of small jobs 0.69 are short, around e^5.4 s = 4 minutes, the others long: e^9.97 s = 6 hours,
// and within a fifth of that on either side of e by no more than e^±1.6.
TEST(LublinModel, LargeJobsAreLongMoreOften) {
  const Log log = LublinLog(kOptions);
  double large = 0, large_long = 0, small = 0, small_long = 0;
  for (const LogJob& job : log.jobs) {
    const bool is_long = job.run > 4000;
    if (job.processors >= 64) {
      ++large;
      large_long += is_long ? 1 : 0;
    } else if (job.processors <= 2) {
      ++small;
      small_long += is_long ? 1 : 0;
    }
    ASSERT_LE(job.run, static_cast<std::int64_t>(std::exp(12.0)));
  }
  EXPECT_GT(large_long / large, small_long / small + 0.1);
}

// It peaks at (6.1271 − 1) × 5.2740 = 27.04 half hours: 13:00 to 13:30.
TEST(LublinModel, ADayHasItsCycle) {
  const auto speeds = DailyCycle();
  double sum = 0;
  for (const double speed : speeds) sum += speed;
  EXPECT_NEAR(sum, 48, 1e-9);
  EXPECT_EQ(std::max_element(speeds.begin(), speeds.end()) - speeds.begin(), 26);
  // 4:30 is half hour 58: (58/27)^5.1271 × e^(−31/5.2740) = 0.14 of the peak.
  EXPECT_NEAR(speeds[9] / speeds[26], 0.14, 0.005);
  const Log log = LublinLog(kOptions);
  auto hour = [](const LogJob& job) { return job.submit % 86400 / 3600; };
  double noon = 0, night = 0;
  for (const LogJob& job : log.jobs) {
    noon += hour(job) == 13 ? 1 : 0;
    night += hour(job) == 4 ? 1 : 0;
  }
  EXPECT_GT(noon, 4 * night);
}

TEST(SmallWork, AsksForAllOfTheMachineAndMore) {
  const Log log = SmallWorkLog(1, 3);
  std::int64_t gangs = 0, work = 0;
  for (const LogJob& job : log.jobs) {
    EXPECT_EQ(job.limit, 3 * job.run);
    if (job.queue == kGangQueue) {
      ++gangs;
      EXPECT_EQ(job.processors % 32, 0);
    } else {
      work += job.work();
    }
  }
  EXPECT_EQ(gangs, 27);  // every six hours of a week, but at its beginning
  EXPECT_NEAR(static_cast<double>(work) / (128.0 * 7 * 86400), 1, 0.05);
}

// What is written is what the product reads.
TEST(Log, GoesThroughTheProductsReader) {
  for (const Log& log :
       {LublinLog({.seed = 3, .jobs = 300, .limit_times = 3}), SmallWorkLog(3, 2)}) {
    objects::Manifest manifest;
    trace::ReadSwf(SwfOf(log), "made.swf", {}, manifest);
    ASSERT_THAT(manifest.faults, IsEmpty());
    Log read = LogOf(manifest.objects);
    read.about = log.about;
    EXPECT_EQ(SwfOf(read), SwfOf(log));
  }
}

}  // namespace
}  // namespace fairlead::bench
