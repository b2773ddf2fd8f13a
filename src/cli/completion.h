#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace fairlead::cli {

// Scripts for the shells, made from the commands: subcommands, flags, values of flags that have
// choices, file names, kinds.
std::string BashCompletion(const std::vector<Command>& commands);
std::string ZshCompletion(const std::vector<Command>& commands);
std::string FishCompletion(const std::vector<Command>& commands);

}  // namespace fairlead::cli
