#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "jobs/job_kind.h"
#include "objects/job_rows.h"
#include "objects/objects.h"

// Jobs as somebody might write them, of every kind that there is a row for: they are drawn from the
// row itself, so that random worlds hold a new kind from the day on which its row is there.

namespace fairlead::jobs {

// The rows that DrawJob draws from: not those whose pods others make of what they say, nor those
// that are gangs only where they ask for it.
std::vector<const objects::JobRow*> DrawnRows();

// A job that waits, of two to `most_pods` pods, all of `pod_template`. What its row leaves open is
// drawn: which optional pod sets it has, how many pods, in how many units, with how few it may run,
// whether they come in order. It has no name yet. REQUIRES: most_pods > 3.
objects::Object DrawJob(const objects::JobRow& row, const objects::PodTemplate& pod_template,
                        int most_pods, Random& random);

// How a job that runs differs from what it was admitted with, as text; empty: not at all. Its
// counts are the admitted ones; where they are not written it asks for more, in whole steps.
std::string UnlikeItsAdmission(const objects::Object& job, const Assignments& admitted);

}  // namespace fairlead::jobs
