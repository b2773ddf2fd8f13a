#pragma once

#include <string>
#include <string_view>

#include "base/names.h"
#include "intake/facts/facts.h"
#include "intake/facts/needs_pool.h"
#include "jobs/job_kind.h"
#include "objects/objects.h"

// Jobs of all kinds (jobs/job_kind.h): what makes one a workload, and how many pods that is.

namespace fairlead::intake {

// What a job says that decides something. `created` stands in for an absent creation time.
JobFacts FactsOf(const objects::Object& job, const jobs::JobKind& kind, Time created,
                 NeedsPool& needs, Names& names);

// Whether a job is one workload, or each of its groups is: a gang that runs, one that waits,
// suspended, in a queue, or one whose pods wait for each other. The pods of any other are workloads
// of their own.
bool IsOneWorkload(const JobFacts& job, std::string_view our_scheduler);

// Its pods that have to run at once now; 0 once it is complete.
std::int64_t PodsLeft(const JobFacts& job);

// How a running job differs from what admission made of it (jobs::EditOf).
std::string EditOf(const JobFacts& job, const jobs::Assignments& admitted);

// What its owner should know about a job: what is wrong with it as it stands, or, where it runs by
// `admitted`, that it was edited since. Empty: nothing.
struct JobNotice {
  std::string_view code;  // MinimumInvalid, JobEdited, NameTaken
  std::string message;
};
JobNotice NoticeOf(const JobFacts& job, const jobs::Assignments& admitted);

}  // namespace fairlead::intake
