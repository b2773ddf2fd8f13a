#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace fairlead::kube {

// Runs `command` (looked for in PATH where it is a mere name) with exactly these arguments, without
// a shell, its standard error ours and no input. `env` is added to our environment. Returns what it
// printed, at most 1 MiB. Blocks; after `most` it is killed.
// Errors: it cannot be run, it failed, it took too long, it printed too much.
Result<std::string> RunProgram(const std::string& command, const std::vector<std::string>& args,
                               const std::vector<std::pair<std::string, std::string>>& env,
                               Duration most);

}  // namespace fairlead::kube
