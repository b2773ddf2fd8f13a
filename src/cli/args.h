#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace fairlead::cli {

// What the command line asks for. `command` is null where none was named; `group` is then the word
// that begins several commands ("queue"), or empty.
struct Parsed {
  const Command* command = nullptr;
  std::string group;
};

// Reads `args` (without the program's name) into the options of the command that they name and into
// `global`. Global options may stand anywhere. After --help nothing else is checked.
// Error: an unknown command or flag (with the nearest name), a missing or wrong value.
Result<Parsed> ParseArgs(const std::vector<std::string>& args, const std::vector<Command>& commands,
                         GlobalOptions& global);

}  // namespace fairlead::cli
