#include "bench/backfill/models.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/backfill/draws.h"

namespace fairlead::bench {
namespace {

constexpr std::int64_t kProcessors = 128;
constexpr double kHalfHour = 1800;
constexpr double kDay = 86400;

// One number a draw decides both: whether it is serial, and else whether a power of two.
std::int64_t SizeOf(Draws& draws) {
  constexpr double kSerial = 0.2927, kPowerOfTwo = 0.6686;
  constexpr double kLow = 1.2, kMiddle = 5, kHigh = 7, kLowerPart = 0.875;
  const double kind = draws.Uniform();
  if (kind <= kSerial) return 1;
  const bool lower = draws.Uniform() <= kLowerPart;
  const double from = lower ? kLow : kMiddle;
  const double to = lower ? kMiddle : kHigh;
  double log2 = from + (to - from) * draws.Uniform();
  if (kind <= kSerial + kPowerOfTwo) log2 = std::floor(log2 + 0.5);
  return std::llround(std::exp2(log2));
}

std::int64_t RunTimeOf(std::int64_t size, Draws& draws) {
  constexpr double kShortAlpha = 6.57, kShortBeta = 0.823;
  constexpr double kLongAlpha = 639.1, kLongBeta = 0.0156;
  constexpr double kSlope = -0.003, kAtZero = 0.6986;
  constexpr double kMost = 12;
  const double is_short = std::clamp(kSlope * static_cast<double>(size) + kAtZero, 0.0, 1.0);
  while (true) {
    const double log = draws.Uniform() <= is_short ? draws.Gamma(kShortAlpha, kShortBeta)
                                                   : draws.Gamma(kLongAlpha, kLongBeta);
    if (log <= kMost) return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::exp(log)));
  }
}

double GapOf(Draws& draws) {
  constexpr double kAlpha = 6.0415 * 1.0519, kBeta = 0.8531;
  constexpr double kMost = 13;
  while (true) {
    const double log = draws.Gamma(kAlpha, kBeta);
    if (log <= kMost) return std::exp(log);
  }
}

// The clock of arrivals beside that of the day. Both say 86400 s a day.
class ArrivalClock {
 public:
  // What it says at a moment.
  double At(double moment) const {
    const double day = std::floor(moment / kDay);
    double rest = moment - day * kDay, said = day * kDay;
    for (const double speed : speeds_) {
      const double part = std::min(rest, kHalfHour);
      said += part * speed;
      rest -= part;
    }
    return said;
  }
  // When it says that.
  double When(double said) const {
    const double day = std::floor(said / kDay);
    double rest = said - day * kDay, moment = day * kDay;
    for (const double speed : speeds_) {
      if (rest <= speed * kHalfHour) return moment + rest / speed;
      rest -= speed * kHalfHour;
      moment += kHalfHour;
    }
    return moment;
  }

 private:
  std::array<double, 48> speeds_ = DailyCycle();
};

// Ends as close to that load as whole seconds can: with the last submission at work / (processors ×
// load).
void SubmitAll(std::vector<LogJob>& jobs, std::int64_t load_percent, Draws draws) {
  std::vector<double> said;
  double sum = 0, work = 0;
  for (const LogJob& job : jobs) {
    said.push_back(sum += GapOf(draws));
    work += static_cast<double>(job.work());
  }
  const ArrivalClock clock;
  const double last = work * 100 / static_cast<double>(kProcessors * load_percent);
  const double stretch = clock.At(last) / sum;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    jobs[i].submit = static_cast<std::int64_t>(clock.When(said[i] * stretch));
  }
}

}  // namespace

// The density in the middle of each of a hundred parts: its constant factor is divided out.
std::array<double, 48> DailyCycle() {
  constexpr double kAlpha = 6.1271, kBeta = 5.2740;
  constexpr int kFirst = 11, kParts = 100;  // half hours are counted from 1
  std::array<double, 48> speeds{};
  double sum = 0;
  for (int i = kFirst; i < kFirst + 48; ++i) {
    double density = 0;
    for (int part = 0; part < kParts; ++part) {
      const double x = i - 0.5 + (part + 0.5) / kParts;
      density += std::exp((kAlpha - 1) * std::log(x) - x / kBeta);
    }
    speeds[static_cast<std::size_t>((i - 1) % 48)] = density;
    sum += density;
  }
  for (double& speed : speeds) speed *= 48 / sum;
  return speeds;
}

Log LublinLog(const LublinOptions& options) {
  Log log{
      .about = fmt::format("made after Lublin and Feitelson (2003), batch jobs; seed {}, load {} "
                           "%, limits {} x run time",
                           options.seed, options.load_percent, options.limit_times),
      .nodes = kProcessors};
  // Streams of their own, so that another load submits the same jobs.
  Draws sizes(Stir(options.seed * 4 + 1)), run_times(Stir(options.seed * 4 + 2));
  for (std::int64_t i = 1; i <= options.jobs; ++i) {
    LogJob& job = log.jobs.emplace_back();
    job.number = i;
    job.processors = SizeOf(sizes);
    job.run = RunTimeOf(job.processors, run_times);
  }
  SetLimits(log, options.limit_times);
  SubmitAll(log.jobs, options.load_percent, Draws(Stir(options.seed * 4 + 3)));
  return log;
}

Log SmallWorkLog(std::uint64_t seed, std::int64_t limit_times) {
  constexpr std::int64_t kGangRun = 3600, kEvery = 6 * kGangRun, kWeek = 28 * kEvery;
  constexpr std::int64_t kMostProcessors = 8, kLeastRun = 600, kMostRun = 3600;
  constexpr double kMeanWork = (1 + kMostProcessors) / 2.0 * (kLeastRun + kMostRun) / 2.0;
  Log log{.about = fmt::format("small work keeps coming; seed {}, limits {} x run time", seed,
                               limit_times),
          .nodes = kProcessors};
  Draws draws(Stir(seed));
  for (double at = 0; at < kWeek; at += draws.Exponential(kMeanWork / kProcessors)) {
    log.jobs.push_back({.submit = static_cast<std::int64_t>(at),
                        .run = draws.Between(kLeastRun, kMostRun),
                        .processors = draws.Between(1, kMostProcessors),
                        .queue = kSmallQueue});
  }
  for (std::int64_t at = kEvery; at < kWeek; at += kEvery) {
    log.jobs.push_back({.submit = at,
                        .run = kGangRun,
                        .processors = draws.Between(1, 4) * kProcessors / 4,
                        .queue = kGangQueue});
  }
  std::stable_sort(log.jobs.begin(), log.jobs.end(),
                   [](const LogJob& a, const LogJob& b) { return a.submit < b.submit; });
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    log.jobs[i].number = static_cast<std::int64_t>(i) + 1;
  }
  SetLimits(log, limit_times);
  return log;
}

}  // namespace fairlead::bench
