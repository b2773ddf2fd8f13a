#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "bench/backfill/figures.h"
#include "bench/backfill/log.h"
#include "objects/objects.h"

namespace fairlead::bench {

// One row of the table that is Fairlead itself.
struct Configured {
  std::string name = "fairlead";
  std::vector<objects::Object> objects;  // a SchedulerConfiguration, queues; none: as it is
};

// `NAME=FILE`: what the file holds, under that name. Error: it cannot be read, or holds other kinds
// than those two.
Result<Configured> ReadConfigured(const std::string& argument);

// The product, by way of its reader of such logs and its virtual cluster. A queue of `configured`
// stands in for the log's of that name. Error: it refused something, or a job did not end.
Result<LogRun> RunProduct(const Log& log, const Configured& configured);

}  // namespace fairlead::bench
