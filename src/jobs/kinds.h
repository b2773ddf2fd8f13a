#pragma once

#include "jobs/job_kind.h"

// One file a kind. They are listed in AllKinds() (job_kind.cc).

namespace fairlead::jobs {

const JobKind& BatchJobKind();
const JobKind& MpiJobKind();

}  // namespace fairlead::jobs
