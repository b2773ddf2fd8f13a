#include "bench/backfill/figures.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "bench/backfill/models.h"

namespace fairlead::bench {
namespace {

double MeanValue(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

double WaitingOf(const Log& log, const LogRun& run, std::size_t job) {
  return static_cast<double>(run.jobs[job].start - log.jobs[job].submit);
}

double UtilisationOf(const Log& log, const LogRun& run) {
  if (log.jobs.empty()) return 0;
  const std::int64_t from = log.jobs.front().submit, to = log.jobs.back().submit;
  double held = 0;
  for (const Held& one : run.held) {
    const std::int64_t seconds = std::min(one.end, to) - std::max(one.begin, from);
    if (seconds > 0) held += static_cast<double>(seconds * one.processors);
  }
  const double offered = static_cast<double>((to - from) * log.processors());
  return offered > 0 ? 100 * held / offered : 0;
}

// A struct of nothing but doubles, field by field.
template <typename Figures>
Figures MeanOfEach(const std::vector<Figures>& all, const std::vector<double Figures::*>& fields) {
  Figures mean;
  for (double Figures::* const field : fields) {
    std::vector<double> values;
    for (const Figures& one : all) values.push_back(one.*field);
    mean.*field = MeanValue(values);
  }
  return mean;
}

}  // namespace

double Percentile(std::vector<double> values, double percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

LogRun RunOfStarts(const Log& log, const std::vector<std::int64_t>& starts) {
  LogRun run;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    const std::int64_t end = starts[i] + log.jobs[i].run;
    run.jobs.push_back({.start = starts[i], .end = end});
    run.held.push_back({.begin = starts[i], .end = end, .processors = log.jobs[i].processors});
  }
  return run;
}

LogFigures FiguresOf(const Log& log, const LogRun& run) {
  constexpr double kShortest = 10;  // of what slowdown is judged by
  std::vector<double> waiting, slowdown, delay, large_waiting;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    const LogJob& job = log.jobs[i];
    CHECK(run.jobs[i].start >= job.submit && run.jobs[i].end >= run.jobs[i].start);
    const auto completion = static_cast<double>(run.jobs[i].end - job.submit);
    const auto length = static_cast<double>(job.run);
    waiting.push_back(WaitingOf(log, run, i));
    slowdown.push_back(std::max(1.0, completion / std::max(length, kShortest)));
    delay.push_back(completion - length);
  }
  std::vector<std::size_t> largest(log.jobs.size());
  std::iota(largest.begin(), largest.end(), 0);
  std::sort(largest.begin(), largest.end(), [&](std::size_t a, std::size_t b) {
    const LogJob &one = log.jobs[a], &other = log.jobs[b];
    return std::tuple(-one.processors, -one.work(), a) <
           std::tuple(-other.processors, -other.work(), b);
  });
  largest.resize((largest.size() + 9) / 10);
  for (const std::size_t job : largest) large_waiting.push_back(waiting[job]);
  return {.waiting_mean = MeanValue(waiting),
          .waiting_p95 = Percentile(waiting, 95),
          .slowdown = MeanValue(slowdown),
          .large_waiting_p99 = Percentile(large_waiting, 99),
          .utilisation = UtilisationOf(log, run),
          .delay_mean = MeanValue(delay)};
}

LogFigures MeanOf(const std::vector<LogFigures>& all) {
  using F = LogFigures;
  return MeanOfEach<F>(all, {&F::waiting_mean, &F::waiting_p95, &F::slowdown, &F::large_waiting_p99,
                             &F::utilisation, &F::delay_mean});
}

GangFigures GangFiguresOf(const Log& log, const LogRun& run) {
  std::vector<double> gangs, small;
  double started = 0;
  for (std::size_t i = 0; i < log.jobs.size(); ++i) {
    CHECK(run.jobs[i].start >= log.jobs[i].submit);
    const bool gang = log.jobs[i].queue == kGangQueue;
    (gang ? gangs : small).push_back(WaitingOf(log, run, i));
    if (gang && run.jobs[i].start <= log.jobs.back().submit) ++started;
  }
  return {.gangs = static_cast<double>(gangs.size()),
          .started = started,
          .gang_waiting_mean = MeanValue(gangs),
          .gang_waiting_max = Percentile(gangs, 100),
          .small_waiting_mean = MeanValue(small),
          .utilisation = UtilisationOf(log, run)};
}

GangFigures MeanOf(const std::vector<GangFigures>& all) {
  using F = GangFigures;
  return MeanOfEach<F>(all, {&F::gangs, &F::started, &F::gang_waiting_mean, &F::gang_waiting_max,
                             &F::small_waiting_mean, &F::utilisation});
}

}  // namespace fairlead::bench
