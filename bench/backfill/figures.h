#pragma once

#include <cstdint>
#include <vector>

#include "bench/backfill/log.h"

namespace fairlead::bench {

// What became of the jobs of a log under some policy, in whole seconds.
struct JobRun {
  std::int64_t start = -1, end = -1;  // started first, done; −1: never
};
struct Held {
  std::int64_t begin = 0, end = 0, processors = 0;
};
struct LogRun {
  std::vector<JobRun> jobs;  // as in the log
  std::vector<Held> held;    // with what was stopped and begun again
};

// Of a policy's starts: all that starts runs to its end.
LogRun RunOfStarts(const Log& log, const std::vector<std::int64_t>& starts);

// Times in seconds. A percentile is the smallest value that at least so many percent do not exceed.
struct LogFigures {
  double waiting_mean = 0, waiting_p95 = 0;  // start − submission
  // Mean of max(1, (end − submission) / max(run time, 10 s)): bounded slowdown (Feitelson).
  double slowdown = 0;
  double large_waiting_p99 = 0;  // of the tenth of the jobs with most processors; of equal ones
                                 // those that ask more work, then the earlier
  double utilisation = 0;        // in percent, from the first to the last submission
  double delay_mean = 0;         // end − submission − run time
};
// REQUIRES: every job ended.
LogFigures FiguresOf(const Log& log, const LogRun& run);

// The same figures of several runs, each the mean.
LogFigures MeanOf(const std::vector<LogFigures>& all);

// Of the two kinds of jobs in SmallWorkLog.
struct GangFigures {
  double gangs = 0, started = 0;  // how many there are, and how many started before the last
                                  // submission
  double gang_waiting_mean = 0, gang_waiting_max = 0;
  double small_waiting_mean = 0, utilisation = 0;
};
GangFigures GangFiguresOf(const Log& log, const LogRun& run);
GangFigures MeanOf(const std::vector<GangFigures>& all);

// The smallest value that at least `percent` percent do not exceed; 0 of none.
double Percentile(std::vector<double> values, double percent);

}  // namespace fairlead::bench
