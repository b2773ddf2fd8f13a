#include <algorithm>
#include <map>

#include "base/check.h"
#include "bench/topology_day/run.h"

namespace fairlead::bench {

DayRun Simulate(const Day& day, const Rule& rule) {
  DayRun run(day.jobs.size());
  Hosts hosts;
  std::multimap<Duration, std::size_t> ends;
  std::vector<std::size_t> waiting;  // by arrival
  for (std::size_t next = 0; next < day.jobs.size() || !ends.empty();) {
    Duration now = next < day.jobs.size() ? day.jobs[next].arrives : Duration::Max();
    if (!ends.empty()) now = std::min(now, ends.begin()->first);
    while (!ends.empty() && ends.begin()->first == now) {
      const std::size_t j = ends.begin()->second;
      hosts.Take(day.jobs[j], run[j].on);
      ends.erase(ends.begin());
    }
    while (next < day.jobs.size() && day.jobs[next].arrives == now) waiting.push_back(next++);
    std::erase_if(waiting, [&](std::size_t j) {
      const DayJob& job = day.jobs[j];
      if (!Fits(hosts, job)) return false;
      std::optional<Placement> on = rule(hosts, j);
      if (!on) return false;
      std::ranges::sort(*on);
      hosts.Put(job, *on);
      run[j] = {.at = now, .on = std::move(*on)};
      ends.emplace(now + job.runs, j);
      return true;
    });
  }
  CHECK(waiting.empty());
  return run;
}

bool IsOfSimulator(const Day& day, const DayRun& run) {
  const DayRun again =
      Simulate(day, [&](const Hosts&, std::size_t j) { return std::optional(run[j].on); });
  return again == run;
}

}  // namespace fairlead::bench
