#pragma once

#include <map>
#include <string>
#include <string_view>

#include "history/reader.h"
#include "server/backend.h"

namespace fairlead::server {

// What GET /api/v1/history/{decisions,usage,workloads,estimates,sessions} answers, from a
// connection of its own on the caller's thread: neither the engine nor whoever writes is waited
// for. `source` null: there is no history. The parameters are those of docs/history.md; one that is
// unknown or malformed is refused with what was found and what was expected. `fairlead history`
// prints the same answers.
Answer HistoryAnswer(const history::Source* source, std::string_view what,
                     const std::map<std::string, std::string>& parameters);

}  // namespace fairlead::server
