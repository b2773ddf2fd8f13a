#pragma once

#include <string>
#include <vector>

namespace fairlead::cli {

// The program: reads `given` (without the program's name), runs the command, returns the exit code.
// Writes to stdout (data) and stderr (everything else).
int Run(const std::vector<std::string>& given);

}  // namespace fairlead::cli
