#include "cli/commands.h"

#include <utility>

#include <fmt/ranges.h>

namespace fairlead::cli {

std::vector<Command> AllCommands() {
  std::vector<Command> commands;
  for (Command (*make)() :
       {UpCommand, RunCommand, SubmitCommand, GetCommand, DescribeCommand, DeleteCommand,
        TopCommand, ExplainCommand, PlanCommand, SimulateCommand, CompareCommand, HistoryCommand,
        QueueSharesCommand, QueueMinRuntimeCommand, ValidateCommand, VersionCommand,
        CompletionCommand}) {
    commands.push_back(make());
  }
  return commands;
}

std::vector<Option> GlobalOptionsInto(GlobalOptions& global,
                                      const std::vector<std::string>& more_formats) {
  std::vector<std::string> formats = {"table", "wide", "json", "yaml"};
  formats.insert(formats.end(), more_formats.begin(), more_formats.end());
  return {
      {.flags = "-o,--output",
       .value = "FORMAT",
       .help = fmt::format("{}", fmt::join(formats, "|")),
       .into = &global.output,
       .choices = formats},
      {.flags = "-h,--help", .value = "", .help = "this help", .into = &global.help},
  };
}

std::string LongFlag(const Option& option) {
  return option.flags.substr(option.flags.find_last_of(',') + 1);
}

}  // namespace fairlead::cli
