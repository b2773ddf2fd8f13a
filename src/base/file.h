#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

// Makes or replaces a file. Error: it cannot be written, by name.
Result<void> WriteFile(const std::string& path, std::string_view text);

}  // namespace fairlead
