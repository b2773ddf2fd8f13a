#pragma once

#include "objects/objects.h"

namespace fairlead::virtual_cluster {

// Whether a job says nothing that decides anything beside what its pods say themselves: each of
// them is a workload of its own, and the job has no metadata of its own that is read. A cluster
// that forgets what has ended does not tell intake of such jobs as they come one by one, which is
// half of what it would be told. Once others stop its pods, a job says so in its annotations.
bool SaysNoMoreThanItsPods(const objects::Object& object);

}  // namespace fairlead::virtual_cluster
