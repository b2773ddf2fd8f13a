#pragma once

#include <map>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "host/input.h"
#include "view/answer.h"

namespace fairlead::cli {

// A table of the view: of a running cluster, or of what these files hold.
struct ViewQuestion {
  view::Question::About about;
  std::string table;  // "domains": behind /api/v1/view/
  std::map<std::string, std::string> parameters;
};

// Of `server` where there are no files. Absent: what is wrong was said.
std::optional<boost::json::value> AskView(const ViewQuestion& question,
                                          const host::InputOptions& files,
                                          const std::string& server);

}  // namespace fairlead::cli
