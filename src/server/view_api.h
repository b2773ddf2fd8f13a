#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/api.h"
#include "view/answer.h"

namespace fairlead::server {

// What is asked of the view at a path, of which `segments` are those from "view" on; absent: there
// is no such question.
std::optional<view::Question> QuestionAt(const std::vector<std::string>& segments,
                                         const std::map<std::string, std::string>& parameters);

// GET /api/v1/view/…: what the web page shows, as of a second ago (docs/commands.md, "REST").
// `segments`: of the path, from "view" on.
Answer ServeView(Backend& backend, const std::vector<std::string>& segments,
                 const Request& request);

}  // namespace fairlead::server
