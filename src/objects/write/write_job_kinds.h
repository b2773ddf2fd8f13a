#pragma once

#include <vector>

#include <boost/json.hpp>

#include "objects/job_rows.h"

namespace fairlead::objects {

// As the configuration's jobKinds are read. REQUIRES: they were: what only rows of ours say is left
// out.
boost::json::array JobKindsToJson(const std::vector<JobRow>& rows);

}  // namespace fairlead::objects
