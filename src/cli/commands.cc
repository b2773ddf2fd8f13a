#include "cli/commands.h"

#include <utility>

namespace fairlead::cli {

std::vector<Command> AllCommands() {
  std::vector<Command> commands;
  for (Command (*make)() :
       {UpCommand, RunCommand, SubmitCommand, GetCommand, DeleteCommand, ExplainCommand,
        PlanCommand, SimulateCommand, CompareCommand, HistoryCommand, QueueSharesCommand,
        QueueMinRuntimeCommand, ValidateCommand, VersionCommand, CompletionCommand}) {
    commands.push_back(make());
  }
  return commands;
}

std::vector<Option> GlobalOptionsInto(GlobalOptions& global) {
  return {
      {.flags = "-o,--output",
       .value = "FORMAT",
       .help = "table, json or yaml",
       .into = &global.output,
       .choices = {"table", "json", "yaml", "csv"}},
      {.flags = "-h,--help", .value = "", .help = "this help", .into = &global.help},
  };
}

std::string LongFlag(const Option& option) {
  return option.flags.substr(option.flags.find_last_of(',') + 1);
}

}  // namespace fairlead::cli
