#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/completion.h"

namespace fairlead::cli {
namespace {

int RunCompletion(const std::string& shell, show::Output& output) {
  if (shell == "bash") {
    output.Text(BashCompletion(AllCommands()));
  } else if (shell == "zsh") {
    output.Text(ZshCompletion(AllCommands()));
  } else if (shell == "fish") {
    output.Text(FishCompletion(AllCommands()));
  } else {
    show::Complain(fmt::format("there is no completion for {}, expected bash, zsh or fish", shell));
    return show::kBadInput;
  }
  return show::kDone;
}

}  // namespace

Command CompletionCommand() {
  auto shell = std::make_shared<std::string>();
  return {
      .name = "completion",
      .summary = "completion for bash, zsh or fish",
      .about =
          "Prints a script that makes the shell complete commands, flags, their values, kinds\n"
          "and file names.",
      .examples = {{"In ~/.bashrc", "source <(fairlead completion bash)"},
                   {"In ~/.zshrc", "source <(fairlead completion zsh)"},
                   {"In ~/.config/fish/config.fish", "fairlead completion fish | source"}},
      .positionals = {{.name = "SHELL", .help = "bash, zsh or fish", .into = shell.get()}},
      .options = {},
      .run = [shell](show::Output& output) { return RunCompletion(*shell, output); },
  };
}

}  // namespace fairlead::cli
