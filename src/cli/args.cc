// The only place that knows CLI11. It splits the line into commands, flags and values; whether
// these make sense is asked here, so that every fault reads alike and names what was meant.

#include "cli/args.h"

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "cli/elsewhere.h"

namespace fairlead::cli {
namespace {

// What was given for one option or positional, before it is judged.
struct Given {
  const Option* option = nullptr;
  const Positional* positional = nullptr;
  std::vector<std::string> values = {};
};

// A command's CLI11 application and the places that it writes to. Lists: CLI11 keeps pointers.
struct CommandApp {
  const Command* command = nullptr;
  CLI::App* app = nullptr;
  std::list<Given> given;
  std::vector<std::string> extra;  // positionals that it does not take
};

void AddOption(CLI::App& app, const Option& option, std::list<Given>& given) {
  if (bool* const* flag = std::get_if<bool*>(&option.into)) {
    app.add_flag(option.flags, **flag);
    return;
  }
  given.push_back({.option = &option});
  app.add_option(option.flags, given.back().values)->allow_extra_args(false);
}

// It is as many as there are.
bool TakesAll(const Positional& positional) {
  return std::holds_alternative<std::vector<std::string>*>(positional.into);
}

void AddPositional(CLI::App& app, const Positional& positional, std::list<Given>& given) {
  given.push_back({.positional = &positional});
  // One value each, so that a second name is an unexpected argument and not swallowed.
  CLI::Option* added = app.add_option(positional.name, given.back().values);
  if (TakesAll(positional)) {
    added->expected(-1);
  } else {
    added->expected(1)->allow_extra_args(false);
  }
}

Result<void> Store(const Given& given, const Option* as = nullptr) {
  if (given.positional != nullptr) {
    if (auto* const* list = std::get_if<std::vector<std::string>*>(&given.positional->into)) {
      **list = given.values;
    } else if (!given.values.empty()) {
      **std::get_if<std::string*>(&given.positional->into) = given.values[0];
    }
    if (given.values.empty() && given.positional->required) {
      return Fail(fmt::format("{} is missing", given.positional->name));
    }
    return {};
  }
  const Option& option = as == nullptr ? *given.option : *as;
  const std::string name = LongFlag(option);
  if (given.values.empty()) {
    if (option.required) {
      const std::string shortest = option.flags.substr(0, option.flags.find(','));
      return Fail(fmt::format("{} {} is missing", shortest, option.value));
    }
    return {};
  }
  for (const std::string& value : given.values) {
    if (value.empty()) return Fail(fmt::format("{}: empty, expected {}", name, option.value));
    const auto& choices = option.choices;
    const auto is_one = [&](const std::string& choice) {
      return choice.ends_with('=') ? value.starts_with(choice) : value == choice;
    };
    if (!choices.empty() && std::ranges::none_of(choices, is_one)) {
      return Fail(fmt::format("{}: {}, expected one of: {}{}", name, value,
                              fmt::join(choices, ", "), DidYouMean(value, choices)));
    }
  }
  if (auto* const* list = std::get_if<std::vector<std::string>*>(&option.into)) {
    **list = given.values;
    return {};
  }
  if (given.values.size() > 1) return Fail(fmt::format("{} is given twice", name));
  **std::get_if<std::string*>(&option.into) = given.values[0];
  return {};
}

// The first thing on the line that nobody asked for.
Error Unexpected(const std::string& word, const Command* command, const std::string& group,
                 const std::vector<Command>& commands, const std::vector<Option>& global) {
  if (word.size() > 1 && word[0] == '-') {
    std::vector<std::string> flags;
    for (const Option& option : global) flags.push_back(LongFlag(option));
    if (command != nullptr) {
      for (const Option& option : command->options) flags.push_back(LongFlag(option));
    }
    const std::string flag = word.substr(0, word.find('='));
    return {.message = fmt::format("unknown flag {}{}", flag, DidYouMean(flag, flags))};
  }
  if (command == nullptr) {
    const std::string typed = group.empty() ? word : group + " " + word;
    if (const std::string_view here = CommandInsteadOf(typed); !here.empty()) {
      return {.message = fmt::format("unknown command {}; here it is: {}", typed, here)};
    }
    std::vector<std::string> names;
    for (const Command& known : commands) names.push_back(known.name);
    return {.message = fmt::format("unknown command {}{}", typed, DidYouMean(typed, names))};
  }
  const bool takes_files =
      std::any_of(command->options.begin(), command->options.end(),
                  [](const Option& option) { return option.flags.starts_with("-f,"); });
  std::error_code ignored;
  if (takes_files && std::filesystem::exists(word, ignored)) {
    return {.message = fmt::format("unexpected argument {}; give each file its own -f", word)};
  }
  return {.message = fmt::format("unexpected argument {}", word)};
}

// What CLI11 itself can object to, once extras are allowed: "--until: 1 required TEXT missing".
std::string MessageOf(const CLI::ParseError& error) {
  std::string message = error.what();
  const std::size_t colon = message.find(':');
  const bool names_flag = message.starts_with("-") && colon != std::string::npos;
  if (names_flag && message.ends_with("missing"))
    return message.substr(0, colon) + " needs a value";
  return message;
}

class Adapter {
 public:
  Adapter(const std::vector<Command>& commands, GlobalOptions& global)
      : commands_(commands), global_(global), global_options_(GlobalOptionsInto(global)) {
    root_.set_help_flag();
    root_.allow_extras();
    root_.fallthrough();  // subcommands inherit it: global options may stand anywhere
    root_.require_subcommand(0, 1);
    for (const Option& option : global_options_) AddOption(root_, option, global_given_);
    for (const Command& command : commands_) AddCommand(command);
  }

  Result<Parsed> Parse(const std::vector<std::string>& args) {
    std::vector<std::string> reversed(args.rbegin(), args.rend());  // as CLI11 wants them
    std::string objection;
    try {
      root_.parse(std::move(reversed));
    } catch (const CLI::ParseError& error) {
      objection = MessageOf(error);
    }
    Parsed parsed = Named();
    global_.help = global_.help || std::find(args.begin(), args.end(), "--help") != args.end();
    if (global_.help) return parsed;
    std::vector<std::string> extras = root_.remaining(true);
    for (const CommandApp& made : apps_) {
      if (made.app->parsed()) extras.insert(extras.end(), made.extra.begin(), made.extra.end());
    }
    if (!extras.empty()) {
      return tl::unexpected(
          Unexpected(extras[0], parsed.command, parsed.group, commands_, global_options_));
    }
    if (!objection.empty()) return Fail(objection);
    return StoreAll(parsed);
  }

 private:
  void AddCommand(const Command& command) {
    CLI::App* parent = &root_;
    std::string name = command.name;
    if (const std::size_t space = name.find(' '); space != std::string::npos) {
      CLI::App*& group = groups_[name.substr(0, space)];
      if (group == nullptr) {
        group = root_.add_subcommand(name.substr(0, space));
        group->require_subcommand(0, 1);
      }
      parent = group;
      name = name.substr(space + 1);
    }
    CommandApp& made = apps_.emplace_back();
    made.command = &command;
    made.app = parent->add_subcommand(name);
    for (const Positional& positional : command.positionals) {
      AddPositional(*made.app, positional, made.given);
    }
    const bool takes_all =
        std::any_of(command.positionals.begin(), command.positionals.end(), TakesAll);
    if (!takes_all) made.app->add_option("extra", made.extra);
    for (const Option& option : command.options) AddOption(*made.app, option, made.given);
  }

  Parsed Named() const {
    Parsed parsed;
    for (const CommandApp& made : apps_) {
      if (made.app->parsed()) parsed.command = made.command;
    }
    for (const auto& [word, app] : groups_) {
      if (app->parsed() && parsed.command == nullptr) parsed.group = word;
    }
    return parsed;
  }

  Result<Parsed> StoreAll(const Parsed& parsed) {
    // What -o may be is the command's affair.
    std::vector<std::string> formats;
    if (parsed.command != nullptr) formats = parsed.command->more_formats;
    const std::vector<Option> own = GlobalOptionsInto(global_, formats);
    for (const Given& given : global_given_) {
      const auto option = std::ranges::find(own, given.option->flags, &Option::flags);
      if (auto stored = Store(given, &*option); !stored) return tl::unexpected(stored.error());
    }
    for (const CommandApp& made : apps_) {
      if (made.command != parsed.command) continue;
      for (const Given& given : made.given) {
        if (auto stored = Store(given); !stored) return tl::unexpected(stored.error());
      }
    }
    return parsed;
  }

  const std::vector<Command>& commands_;
  GlobalOptions& global_;
  const std::vector<Option> global_options_;
  CLI::App root_{"", "fairlead"};
  std::list<Given> global_given_;
  std::list<CommandApp> apps_;
  std::map<std::string, CLI::App*> groups_;
};

}  // namespace

Result<Parsed> ParseArgs(const std::vector<std::string>& args, const std::vector<Command>& commands,
                         GlobalOptions& global) {
  return Adapter(commands, global).Parse(args);
}

}  // namespace fairlead::cli
