#pragma once

#include <cstdint>
#include <string>
#include <vector>

// A log of jobs on a machine of identical processors, as the Standard Workload Format has them:
// what the models write, what the reference policies run, and, read by the product, what that runs.

namespace fairlead::bench {

// Whole seconds after the log's beginning.
struct LogJob {
  std::int64_t number = 0;
  std::int64_t submit = 0;
  std::int64_t run = 0;    // at least 1
  std::int64_t limit = 0;  // at least `run`
  std::int64_t processors = 1;
  std::int64_t queue = -1;  // −1: the default one

  std::int64_t work() const { return processors * run; }
};

struct Log {
  std::string about;  // one line
  std::int64_t nodes = 0, per_node = 1;
  std::vector<LogJob> jobs;  // by submission, then number

  std::int64_t processors() const { return nodes * per_node; }
  // What all jobs ask, in percent of what the machine has until the last of them is submitted.
  double LoadPercent() const;
};

// The log as text; trace/swf.h reads it.
std::string SwfOf(const Log& log);

// Every limit becomes so many times the run time.
void SetLimits(Log& log, std::int64_t times);

}  // namespace fairlead::bench
