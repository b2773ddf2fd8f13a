#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "intake/names.h"
#include "intake/needs_pool.h"
#include "intake/rows.h"
#include "jobs/job_kind.h"
#include "objects/objects.h"

// Jobs of all kinds (jobs/job_kind.h): what makes one a workload, and how many pods that is.

namespace fairlead::intake {

// What a job says that decides something. `created` stands in for an absent creation time.
JobFacts FactsOf(const objects::Object& job, const jobs::JobKind& kind, Time created,
                 NeedsPool& needs, Names& names);

// Whether a job is one workload: a gang that runs, or one that waits, suspended, in a queue. The
// pods of any other are workloads of their own.
bool IsOneWorkload(const JobFacts& job, std::string_view our_scheduler);

// Its pods that have to run at once now; 0 once it is complete.
std::int64_t PodsLeft(const JobFacts& job);

// How a running job differs from what admission made of it (jobs::EditOf).
std::string EditOf(const JobFacts& job, const jobs::Assignments& admitted);

// The queue that the labels name; empty: none.
std::string QueueNamedBy(const objects::Labels& labels);

// Of the jobs of one name the one that their Workload stands for; where there is none (`workload`
// null) the first that waits in a queue to be admitted, else the first. `find` gives the job of a
// kind, or null. Null: there is none.
const jobs::JobKind* ChooseJob(
    const objects::Meta* workload,
    const std::function<const objects::Object*(std::string_view kind)>& find);

// The Workload that stands for a job: it is the job's, and holds the counts that the job asks. It
// is written before the job is touched.
objects::Workload WorkloadFor(const objects::Object& job, const jobs::JobKind& kind);

// What its owner should know about a job: what is wrong with it as it stands, or, where it runs by
// `admitted`, that it was edited since. Empty: nothing.
inline constexpr std::string_view kNameTaken = "NameTaken";
struct JobNotice {
  std::string_view code;  // MinimumInvalid, JobEdited, kNameTaken
  std::string message;
};
JobNotice NoticeOf(const JobFacts& job, const jobs::Assignments& admitted);

}  // namespace fairlead::intake
