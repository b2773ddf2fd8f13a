#pragma once

#include <memory>

#include "jobs/job_kind.h"

// What a row of objects::JobRows() comes to. They are listed in AllKinds() (job_kind.cc).

namespace fairlead::jobs {

const JobKind& BatchJobKind();
// REQUIRES: row.is_generic().
std::unique_ptr<JobKind> MakeGenericJob(const objects::JobRow& row);

}  // namespace fairlead::jobs
