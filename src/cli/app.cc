#include "cli/app.h"

#include <csignal>
#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "cli/args.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "show/output.h"

namespace fairlead::cli {
namespace {

// "wide" is a table as wide as it is.
show::Format FormatNamed(std::string_view name) {
  if (name == "json") return show::Format::kJson;
  if (name == "yaml") return show::Format::kYaml;
  if (name == "csv") return show::Format::kCsv;
  if (name == "name") return show::Format::kName;
  if (name.starts_with("jsonpath=")) return show::Format::kJsonPath;
  if (name.starts_with("custom-columns=")) return show::Format::kColumns;
  return show::Format::kTable;
}

show::Output OutputFor(const std::string& named) {
  const std::size_t sign = named.find('=');
  return {FormatNamed(named), show::WantsColour(stdout), stdout,
          named == "wide" ? 0 : show::TerminalWidth(stdout),
          sign == std::string::npos ? "" : named.substr(sign + 1)};
}

// What `args` seem to be about, for the hint below a usage error.
std::string HelpHint(const std::vector<std::string>& args, const std::vector<Command>& commands) {
  std::string words;
  for (const std::string& arg : args) {
    if (arg.starts_with("-")) break;
    words += (words.empty() ? "" : " ") + arg;
  }
  for (const Command& command : commands) {
    if (words == command.name || words.starts_with(command.name + " ")) {
      return "fairlead " + command.name + " --help";
    }
  }
  return "fairlead --help";
}

// More ways to ask that people try: `fairlead help plan`, `fairlead --version`, `-o=json`.
std::vector<std::string> Translated(std::vector<std::string> args) {
  for (std::string& arg : args) {
    if (arg.starts_with("-o=")) arg.erase(2, 1);
  }
  if (args.empty()) return args;
  if (args[0] == "help") {
    args.erase(args.begin());
    args.emplace_back("--help");
  } else if (args[0] == "--version") {
    args[0] = "version";
  }
  return args;
}

}  // namespace

int Run(const std::vector<std::string>& given) {
  const std::vector<std::string> args = Translated(given);
  // A reader that went away is seen as a failed write, see Output::Flush.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<Command> commands = AllCommands();
  GlobalOptions global;
  const Result<Parsed> parsed = ParseArgs(args, commands, global);
  if (!parsed) {
    show::Complain(parsed.error().message);
    show::ComplainAsIs(fmt::format("see `{}`", HelpHint(args, commands)));
    return show::kBadInput;
  }
  show::Output output = OutputFor(global.output);
  const Command* command = parsed->command;
  int code = show::kDone;
  if (command == nullptr && !parsed->group.empty()) {
    output.Text(GroupHelp(commands, parsed->group, output.colour()));
    code = global.help ? show::kDone : show::kBadInput;
  } else if (command == nullptr) {
    output.Text(ProgramHelp(commands, output.colour()));
  } else if (global.help) {
    output.Text(CommandHelp(*command, output.colour()));
  } else {
    code = command->run(output);
  }
  return output.Flush() ? code : show::kBadInput;
}

}  // namespace fairlead::cli
