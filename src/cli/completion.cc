// One shell function in bash does the work: it finds the command among the words, then offers what
// may stand at the cursor. zsh uses the same function by its bash emulation; fish has a script of
// its own, a line for every flag.

#include "cli/completion.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "server/kinds.h"

namespace fairlead::cli {
namespace {

std::vector<Option> GlobalOptionList() {
  static GlobalOptions global;
  return GlobalOptionsInto(global);
}

std::vector<std::string> NamesOf(const Option& option) {
  std::vector<std::string> flags;
  std::string rest = option.flags;
  for (std::size_t comma; (comma = rest.find(',')) != std::string::npos;) {
    flags.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  flags.push_back(rest);
  return flags;
}

std::string Joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

// The words that may stand first, and those after a group ("queue").
std::map<std::string, std::set<std::string>> WordsByGroup(const std::vector<Command>& commands) {
  std::map<std::string, std::set<std::string>> words;
  for (const Command& command : commands) {
    const std::size_t space = command.name.find(' ');
    words[""].insert(command.name.substr(0, space));
    if (space == std::string::npos) continue;
    words[command.name.substr(0, space)].insert(command.name.substr(space + 1));
  }
  return words;
}

// All options of all commands and the global ones, each flag with what its value may be. A flag
// means the same wherever it stands.
std::map<std::string, Option> OptionsByFlag(const std::vector<Command>& commands) {
  std::map<std::string, Option> options;
  const auto add = [&](const Option& option) {
    for (const std::string& flag : NamesOf(option)) options.emplace(flag, option);
  };
  for (const Option& option : GlobalOptionList()) add(option);
  for (const Command& command : commands) {
    for (const Option& option : command.options) add(option);
  }
  return options;
}

std::string FlagWords(const Command& command) {
  std::vector<std::string> words;
  for (const Option& option : command.options) words.push_back(LongFlag(option));
  for (const Option& option : GlobalOptionList()) words.push_back(LongFlag(option));
  return Joined(words, " ");
}

// The branches that complete the value of the flag before the cursor.
std::string BashValueCases(const std::vector<Command>& commands) {
  std::string cases;
  for (const auto& [flag, option] : OptionsByFlag(commands)) {
    if (option.value.empty()) continue;
    std::string action = ":";
    if (!option.choices.empty()) {
      action =
          fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", Joined(option.choices, " "));
    } else if (option.completes == Completes::kFiles) {
      action = "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))";
    }
    cases += fmt::format("    {}) {}; return ;;\n", flag, action);
  }
  return cases;
}

std::string BashCommandCases(const std::vector<Command>& commands) {
  std::string cases;
  for (const Command& command : commands) {
    std::string words;
    for (const Positional& positional : command.positionals) {
      if (positional.completes == Completes::kKinds) words = "$kinds";
    }
    if (command.name == "completion") words = "bash zsh fish";
    cases += fmt::format("    \"{}\") words=\"{}\"; flags=\"{}\" ;;\n", command.name, words,
                         FlagWords(command));
  }
  for (const auto& [group, members] : WordsByGroup(commands)) {
    cases += fmt::format("    \"{}\") words=\"{}\"; flags=\"--output --help\" ;;\n", group,
                         fmt::join(members, " "));
  }
  return cases;
}

std::string GroupPattern(const std::vector<Command>& commands) {
  std::vector<std::string> groups;
  for (const auto& [group, members] : WordsByGroup(commands)) {
    if (!group.empty()) groups.push_back(group);
  }
  return Joined(groups, "|");
}

// Flags whose next word is their value, so that it is not taken for the command.
std::string ValueFlagPattern(const std::vector<Command>& commands) {
  std::vector<std::string> flags;
  for (const auto& [flag, option] : OptionsByFlag(commands)) {
    if (!option.value.empty()) flags.push_back(flag);
  }
  return Joined(flags, "|");
}

}  // namespace

std::string BashCompletion(const std::vector<Command>& commands) {
  return fmt::format(
      R"(# Completion of fairlead for bash. Load it with: source <(fairlead completion bash)
_fairlead() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="" words="" flags="" i word
  local kinds="{kinds}"
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=""; fi
  if [[ $prev == = ]]; then prev="${{COMP_WORDS[COMP_CWORD-2]}}"; fi
  case "$prev" in
{values}  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${{COMP_WORDS[i]}}"
    case "$word" in
      {value_flags}) ((i++)) ;;
      -*) ;;
      *)
        if [[ -z $command ]]; then
          command="$word"
        elif [[ $command =~ ^({groups})$ ]]; then
          command+=" $word"
        fi
        ;;
    esac
  done
  case "$command" in
{commands}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}}
complete -F _fairlead fairlead
)",
      fmt::arg("kinds", Joined(server::KindNames(), " ") + " all"),
      fmt::arg("values", BashValueCases(commands)),
      fmt::arg("value_flags", ValueFlagPattern(commands)),
      fmt::arg("groups", GroupPattern(commands)), fmt::arg("commands", BashCommandCases(commands)));
}

std::string ZshCompletion(const std::vector<Command>& commands) {
  return "#compdef fairlead\n"
         "# Completion of fairlead for zsh. Load it with: source <(fairlead completion zsh)\n"
         "autoload -Uz compinit bashcompinit\n"
         "(( $+functions[compdef] )) || compinit\n"
         "bashcompinit\n" +
         BashCompletion(commands);
}

std::string FishCompletion(const std::vector<Command>& commands) {
  std::string script =
      "# Completion of fairlead for fish. Load it with: fairlead completion fish | source\n"
      "complete -c fairlead -f\n";
  const auto quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "\\'" : std::string(1, c);
    return result + "'";
  };
  const auto add_option = [&](const std::string& condition, const Option& option) {
    script += "complete -c fairlead" + condition;
    for (const std::string& flag : NamesOf(option)) {
      script += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    }
    if (!option.value.empty()) script += option.completes == Completes::kFiles ? " -r -F" : " -x";
    if (!option.choices.empty()) script += " -a " + quoted(Joined(option.choices, " "));
    script += " -d " + quoted(option.help) + "\n";
  };
  for (const Option& option : GlobalOptionList()) add_option("", option);
  std::set<std::string> groups;
  for (const Command& command : commands) {
    const std::size_t space = command.name.find(' ');
    const std::string first = command.name.substr(0, space);
    std::string condition = fmt::format(" -n '__fish_seen_subcommand_from {}'", first);
    if (space == std::string::npos) {
      script += fmt::format("complete -c fairlead -n __fish_use_subcommand -a {} -d {}\n", first,
                            quoted(command.summary));
    } else {
      if (groups.insert(first).second) {
        script += fmt::format("complete -c fairlead -n __fish_use_subcommand -a {}\n", first);
      }
      const std::string second = command.name.substr(space + 1);
      script += fmt::format("complete -c fairlead{} -a {} -d {}\n", condition, second,
                            quoted(command.summary));
      condition =
          fmt::format(" -n '__fish_seen_subcommand_from {}; and __fish_seen_subcommand_from {}'",
                      first, second);
    }
    for (const Positional& positional : command.positionals) {
      if (positional.completes != Completes::kKinds) continue;
      script += fmt::format("complete -c fairlead{} -a {}\n", condition,
                            quoted(Joined(server::KindNames(), " ") + " all"));
    }
    if (command.name == "completion") {
      script += fmt::format("complete -c fairlead{} -a 'bash zsh fish'\n", condition);
    }
    for (const Option& option : command.options) add_option(condition, option);
  }
  return script;
}

}  // namespace fairlead::cli
