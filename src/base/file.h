#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace fairlead {

// Whether a file could be made or replaced there, as far as can be seen before. Error: as below.
Result<void> CanWrite(const std::string& path);

// Makes or replaces a file, and the directories that it is to be in. Error: it cannot be written,
// by name and why.
Result<void> WriteFile(const std::string& path, std::string_view text);

}  // namespace fairlead
