#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace fairlead::cli {

// `fairlead --help`: what it is, the commands, where to start.
std::string ProgramHelp(const std::vector<Command>& commands, bool colour);

// `fairlead queue --help`: the commands that begin with that word.
std::string GroupHelp(const std::vector<Command>& commands, std::string_view group, bool colour);

// `fairlead plan --help`: usage, what it does, examples, flags.
std::string CommandHelp(const Command& command, bool colour);

}  // namespace fairlead::cli
