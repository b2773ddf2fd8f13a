#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "jobs/job_kind.h"
#include "objects/objects.h"

// Jobs of any kind that wait in a queue, as their labels say, and the Workload that stands for one.

namespace fairlead::jobs {

// The queue that the labels name; empty: none.
std::string QueueNamedBy(const objects::Labels& labels);

// The priority class that the labels name in Kueue's words, as objects::kKueueClassPrefix says it;
// empty: none. It goes before what the job's spec says.
std::string ClassNamedBy(const objects::Labels& labels);

// Whether another job made it: an operator's may run a part of itself as a job of another kind.
bool IsPartOfJob(const objects::Meta& meta);

// Whether neither the job nor a template of its pods says that it may not be preempted.
bool IsPreemptible(const objects::Meta& meta, std::span<const PodSet> pod_sets);

// Of the jobs of one name the one that their Workload stands for; where there is none (`workload`
// null) the first that waits in a queue to be admitted, else the first that no other job made (a
// RayJob's submitter has its name), else the first. Jobs that are let go by their pods have none.
// `find` gives the job of a kind, or null. Null: there is none.
using FindJob = std::function<const objects::Object*(std::string_view kind)>;
const JobKind* ChooseJob(const objects::Meta* workload, const FindJob& find);

// The Workload that stands for a job: it is the job's, and holds the counts that the job asks. It
// is written before the job is touched. `find` as above, of the job's name.
objects::Workload WorkloadFor(const objects::Object& job, const JobKind& kind, const FindJob& find);

}  // namespace fairlead::jobs
