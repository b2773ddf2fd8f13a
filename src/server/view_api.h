#pragma once

#include <string>
#include <vector>

#include "server/api.h"

namespace fairlead::server {

// GET /api/v1/view/…: what the web page shows, as of a second ago (docs/commands.md, "REST").
// `segments`: of the path, from "view" on.
Answer ServeView(Backend& backend, const std::vector<std::string>& segments,
                 const Request& request);

}  // namespace fairlead::server
