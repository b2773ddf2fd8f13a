#pragma once

#include <map>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "host/input.h"

namespace fairlead::cli {

// A table of the view, "top" or "domains": of a running cluster, or of what these files hold; of
// `server` where there are no files. Absent: what is wrong was said.
std::optional<boost::json::value> AskView(const std::string& table,
                                          const std::map<std::string, std::string>& parameters,
                                          const host::InputOptions& files,
                                          const std::string& server);

}  // namespace fairlead::cli
