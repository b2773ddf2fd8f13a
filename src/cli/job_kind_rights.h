#pragma once

#include <vector>

#include "objects/job_rows.h"
#include "show/output.h"

namespace fairlead::cli {

// The rights that kinds of a configuration need beside those of deploy/base/rbac.yaml, as a
// manifest to apply: YAML where a table was asked for. Returns the exit code.
int PrintRights(const std::vector<objects::JobRow>& job_kinds, show::Output& output);

}  // namespace fairlead::cli
