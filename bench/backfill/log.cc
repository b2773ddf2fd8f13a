#include "bench/backfill/log.h"

#include <fmt/format.h>

namespace fairlead::bench {

double Log::LoadPercent() const {
  std::int64_t work = 0;
  for (const LogJob& job : jobs) work += job.work();
  const std::int64_t span = jobs.empty() ? 0 : jobs.back().submit;
  if (span == 0) return 0;
  return 100.0 * static_cast<double>(work) / static_cast<double>(span * processors());
}

std::string SwfOf(const Log& log) {
  std::string text = fmt::format(
      "; Version: 2.2\n; Note: {}\n; MaxJobs: {}\n; MaxNodes: {}\n; MaxProcs: {}\n"
      "; UnixStartTime: 1767225600\n",
      log.about, log.jobs.size(), log.nodes, log.processors());
  for (const LogJob& job : log.jobs) {
    text += fmt::format("{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 -1 -1 -1 {5} -1 -1 -1\n", job.number,
                        job.submit, job.run, job.processors, job.limit, job.queue);
  }
  return text;
}

void SetLimits(Log& log, std::int64_t times) {
  for (LogJob& job : log.jobs) job.limit = job.run * times;
}

}  // namespace fairlead::bench
