#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/backfill/log.h"
#include "objects/objects.h"

namespace fairlead::bench {

// A trace that the product has read, of jobs alone (trace/jobs.h), as a log again: what is finer
// than a second is rounded up; without a limit it is the run time. Jobs that ask more than the
// machine has are left out.
Log LogOf(const std::vector<objects::Object>& objects);

// The number N of a name NAMESPACE/job-N, or of one that goes on behind it; −1: it is none.
std::int64_t NumberOf(const std::string& name);

}  // namespace fairlead::bench
