#pragma once

#include <string_view>

#include <boost/json/fwd.hpp>

#include "show/output.h"

// What `fairlead history` prints of the answers of /api/v1/history.

namespace fairlead::show {

// `what`: decisions, workloads, estimates, sessions.
void PrintHistory(std::string_view what, const boost::json::array& rows, Output& output);
void PrintUsage(const boost::json::value& series, Output& output);

}  // namespace fairlead::show
