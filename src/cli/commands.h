#pragma once

#include <vector>

#include "cli/command.h"

namespace fairlead::cli {

// One a file: cmd_<name>.cc. A command's options live as long as the command does.
Command CompareCommand();
Command CompletionCommand();
Command DeleteCommand();
Command DescribeCommand();
Command TopCommand();
Command ExplainCommand();
Command GetCommand();
Command HistoryCommand();
Command PlanCommand();
Command QueueMinRuntimeCommand();
Command QueueSharesCommand();
Command SimulateCommand();
Command SubmitCommand();
Command RunCommand();
Command UpCommand();
Command ValidateCommand();
Command VersionCommand();

// All of them, in the order of the help.
std::vector<Command> AllCommands();

}  // namespace fairlead::cli
