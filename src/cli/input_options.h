#pragma once

#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "host/input.h"

// The flags of the commands that read files.

namespace fairlead::cli {

// -f (required or not) and --config, for a command's list of options.
std::vector<Option> InputOptionsInto(host::InputOptions& options, bool required);

// Error: a --config without the files that it belongs to, of a command that asks a server then.
Result<void> CheckConfig(const host::InputOptions& options);

// --as, for those that show what would be decided.
Option AsOption(host::InputOptions& options);

}  // namespace fairlead::cli
