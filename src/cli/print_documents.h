#pragma once

#include <cstdint>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"
#include "show/output.h"

namespace fairlead::cli {

// Prints objects in any form but a table: JSON, YAML, kubectl's jsonpath and custom columns. kOne:
// there is one, and it was named; else they are a List. Error: the expression cannot be read.
enum class Named : std::uint8_t { kOne, kAny };
Result<void> PrintDocuments(std::vector<boost::json::value> documents, Named named, bool headers,
                            show::Output& output);

}  // namespace fairlead::cli
