#pragma once

#include <cstdint>

#include "intake/names.h"
#include "intake/needs_pool.h"
#include "intake/rows.h"
#include "objects/objects.h"

// batch/v1 Jobs: what makes one a workload, and how many pods that is.

namespace fairlead::intake {

// What a Job says that decides something. `created` stands in for an absent creation time.
JobFacts FactsOf(const objects::Job& job, Time created, NeedsPool& needs, Names& names);

// Whether a Job is one workload: a gang that runs, or one that waits, suspended, in a queue. The
// pods of any other are workloads of their own.
bool IsOneWorkload(const JobFacts& job, std::string_view our_scheduler);

// Its pods that have to run at once now: min(parallelism, completions − succeeded); 0 once it is
// complete. Without completions (a work queue) no pod is made after the first success.
std::int32_t PodsAtOnce(const JobFacts& job);

// With how few pods it may be admitted: its minimum, or all of them where it names none or a wrong
// one.
std::int32_t LeastPods(const JobFacts& job);

// What is wrong with the annotations about fewer pods, with the values found; empty: nothing.
std::string FaultOfMinimum(const JobFacts& job);

}  // namespace fairlead::intake
