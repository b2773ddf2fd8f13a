#include "cli/help.h"

#include <algorithm>

#include <fmt/core.h>

namespace fairlead::cli {
namespace {

std::string Title(std::string_view text, bool colour) {
  return show::Paint(text, show::Tone::kTitle, colour);
}

// Two columns, indented, the second one aligned.
std::string Columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, show::DisplayWidth(row.first));
  std::string text;
  for (const auto& [left, right] : rows) {
    text += "  " + left + std::string(width - show::DisplayWidth(left) + 3, ' ') + right + "\n";
  }
  return text;
}

std::string FlagsOf(const Option& option) {
  std::string flags = option.flags;
  if (const std::size_t comma = flags.find(','); comma != std::string::npos) {
    flags.replace(comma, 1, ", ");
  }
  if (!flags.starts_with("--")) return option.value.empty() ? flags : flags + " " + option.value;
  return "    " + flags + (option.value.empty() ? "" : " " + option.value);
}

std::string HelpOf(const Option& option) {
  std::string help = option.help;
  if (const auto* const* text = std::get_if<std::string*>(&option.into)) {
    if (!(*text)->empty()) help += fmt::format(" (default: {})", **text);
  }
  return help;
}

std::string UsageOf(const Command& command) {
  std::string usage = "fairlead " + command.name;
  for (const Positional& positional : command.positionals) {
    const bool repeats = std::holds_alternative<std::vector<std::string>*>(positional.into);
    const std::string name = positional.name + (repeats ? "…" : "");
    usage += positional.required ? " " + name : " [" + name + "]";
  }
  for (const Option& option : command.options) {
    if (!option.required) continue;
    const bool repeats = std::holds_alternative<std::vector<std::string>*>(option.into);
    usage += fmt::format(" {} {}{}", option.flags.substr(0, option.flags.find(',')), option.value,
                         repeats ? "…" : "");
  }
  return usage + " [flags]";
}

}  // namespace

std::string ProgramHelp(const std::vector<Command>& commands, bool colour) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : commands) rows.emplace_back(command.name, command.summary);
  return "Fairlead decides which pods of a Kubernetes cluster run, where, and who gives way.\n\n" +
         Title("Commands", colour) + "\n" + Columns(rows) + "\n" + Title("Everywhere", colour) +
         "\n" +
         Columns({{"-o, --output table|wide|json|yaml", "how to print"},
                  {"-h, --help", "help and examples of a command"}}) +
         "\n" + Title("Start here", colour) + "\n" +
         "  fairlead up --demo               # a lab of nine teams on this machine, and its page\n"
         "  fairlead plan -f cluster.yaml    # what the scheduler would do with a saved state\n";
}

std::string GroupHelp(const std::vector<Command>& commands, std::string_view group, bool colour) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command& command : commands) {
    if (command.name.starts_with(std::string(group) + " ")) {
      rows.emplace_back(command.name, command.summary);
    }
  }
  return fmt::format("Usage: fairlead {} COMMAND\n\n{}\n", group, Title("Commands", colour)) +
         Columns(rows);
}

std::string CommandHelp(const Command& command, bool colour) {
  std::string text =
      fmt::format("{}\n\n{} {}\n", command.about, Title("Usage:", colour), UsageOf(command));
  text += "\n" + Title("Examples", colour) + "\n";
  for (const Example& example : command.examples) {
    text += show::Paint("  # " + example.what, show::Tone::kFaint, colour) + "\n  " +
            example.command + "\n";
  }
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Positional& positional : command.positionals) {
    rows.emplace_back(positional.name, positional.help);
  }
  if (!rows.empty()) text += "\n" + Title("Arguments", colour) + "\n" + Columns(rows);
  rows.clear();
  for (const Option& option : command.options) {
    if (!option.hidden) rows.emplace_back(FlagsOf(option), HelpOf(option));
  }
  GlobalOptions global;
  for (const Option& option : GlobalOptionsInto(global, command.more_formats)) {
    rows.emplace_back(FlagsOf(option), HelpOf(option));
  }
  return text + "\n" + Title("Flags", colour) + "\n" + Columns(rows);
}

}  // namespace fairlead::cli
