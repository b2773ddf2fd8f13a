#include "bench/topology_day/figures.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "bench/days/table.h"

namespace fairlead::bench {
namespace {

bool CameInIt(const DayJob& job) { return job.arrives >= kDayBegin && job.arrives < kDayEnd; }

bool InOne(const Start& start, Level level) {
  return std::ranges::all_of(start.on, [&](const auto& each) {
    return At(each.first, level) == At(start.on.front().first, level);
  });
}

class OfJobs {
 public:
  OfJobs(const Day& day, const DayRun& run) : day_(day), run_(run) {}

  using Which = std::function<bool(const DayJob&)>;
  double PercentIn(Level level, const Which& which) const {
    std::vector<double> in;
    for (std::size_t j = 0; j < run_.size(); ++j) {
      const DayJob& job = day_.jobs[j];
      if (CameInIt(job) && which(job)) in.push_back(InOne(run_[j], level) ? 100 : 0);
    }
    return Mean(in);
  }
  std::vector<double> WaitsOf(const Which& which) const {
    std::vector<double> waits;
    for (std::size_t j = 0; j < run_.size(); ++j) {
      const DayJob& job = day_.jobs[j];
      if (!CameInIt(job) || !which(job)) continue;
      waits.push_back(static_cast<double>((run_[j].at - job.arrives).us) / 60e6);
    }
    return waits;
  }

 private:
  const Day& day_;
  const DayRun& run_;
};

Duration InDay(Duration at) { return std::clamp(at, kDayBegin, kDayEnd); }

double FreeRacks(const Day& day, const DayRun& run) {
  std::vector<std::tuple<Duration, std::int64_t, std::int64_t>> steps;  // when, rack, hosts' pods
  for (std::size_t j = 0; j < run.size(); ++j) {
    for (const auto& [host, pods] : run[j].on) {
      const std::int64_t rack = At(host, Level::kRack).i;
      steps.emplace_back(run[j].at, rack, +pods);
      steps.emplace_back(run[j].at + day.jobs[j].runs, rack, -pods);
    }
  }
  std::ranges::sort(steps);
  std::array<std::int64_t, kRacks> pods_of = {};
  std::int64_t free = kRacks;
  double sum_us = 0;
  Duration last = kDayBegin;
  for (const auto& [at, rack, pods] : steps) {
    sum_us += static_cast<double>(free) * static_cast<double>((InDay(at) - last).us);
    last = InDay(at);
    std::int64_t& of = pods_of[static_cast<std::size_t>(rack)];
    free -= of == 0 ? 1 : 0;
    of += pods;
    free += of == 0 ? 1 : 0;
  }
  sum_us += static_cast<double>(free) * static_cast<double>((kDayEnd - last).us);
  return sum_us / static_cast<double>((kDayEnd - kDayBegin).us);
}

double Utilisation(const Day& day, const DayRun& run) {
  double used_us = 0;
  for (std::size_t j = 0; j < run.size(); ++j) {
    const Duration ran = InDay(run[j].at + day.jobs[j].runs) - InDay(run[j].at);
    used_us += static_cast<double>(day.jobs[j].all_gpus()) * static_cast<double>(ran.us);
  }
  return 100 * used_us / (kHosts * kGpus * static_cast<double>((kDayEnd - kDayBegin).us));
}

}  // namespace

DayFigures FiguresOf(const Day& day, const DayRun& run) {
  const OfJobs jobs(day, run);
  const auto small = [](const DayJob& job) { return job.is_gang() && job.FitsInRack(); };
  const auto asks = [&](Asks what) {
    return [=](const DayJob& job) { return small(job) && job.asks == what; };
  };
  const std::vector<double> waits = jobs.WaitsOf([](const DayJob&) { return true; });
  const std::vector<double> of_gangs = jobs.WaitsOf(&DayJob::is_gang);
  const std::vector<double> of_rack = jobs.WaitsOf(asks(Asks::kRequiresRack));
  return {.in_rack = jobs.PercentIn(Level::kRack, small),
          .preferring_in_rack = jobs.PercentIn(Level::kRack, asks(Asks::kPrefersRack)),
          .others_in_rack = jobs.PercentIn(Level::kRack, asks(Asks::kNothing)),
          .in_block = jobs.PercentIn(Level::kBlock, &DayJob::is_gang),
          .wait_mean = Mean(waits),
          .wait_p95 = P95(waits),
          .gang_wait_mean = Mean(of_gangs),
          .gang_wait_p95 = P95(of_gangs),
          .rack_wait_mean = Mean(of_rack),
          .rack_wait_p95 = P95(of_rack),
          .large_wait_mean =
              Mean(jobs.WaitsOf([](const DayJob& job) { return job.all_gpus() >= kGpusOfRack; })),
          .free_racks = FreeRacks(day, run),
          .utilisation = Utilisation(day, run)};
}

}  // namespace fairlead::bench
