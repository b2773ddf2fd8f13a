#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/fetch.h"
#include "cli/targets.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

struct DescribeOptions {
  std::vector<std::string> words;
  Scope scope;
};

// One by one: all of a kind are those that are there.
Remote<std::vector<Target>> OneByOne(const std::vector<Target>& targets, const Scope& scope) {
  std::vector<Target> each;
  for (const Target& target : targets) {
    if (!target.name.empty()) {
      each.push_back(target);
      continue;
    }
    const auto rows = FetchRows(target, scope);
    if (!rows) return tl::unexpected(rows.error());
    for (const NamedRow& row : rows->rows) {
      const auto [name_space, name] = objects::SplitKey(row.key);
      each.push_back({target.kind, std::string(name_space), std::string(name)});
    }
  }
  return each;
}

int RunDescribe(const DescribeOptions& options, show::Output& output) {
  const auto targets = TargetsOf(options.words, options.scope);
  if (!targets) {
    show::Complain(targets.error().message);
    return show::kBadInput;
  }
  const auto each = OneByOne(*targets, options.scope);
  if (!each) return Complain(each.error());
  int code = show::kDone;
  bool first = true;
  for (const Target& target : *each) {
    if (!first && output.is_table()) output.Line("");
    const auto described = Describe(target, options.scope, output);
    if (!described) code = Complain(described.error());
    first = false;
  }
  return code;
}

}  // namespace

Command DescribeCommand() {
  auto options = std::make_shared<DescribeOptions>();
  return {
      .name = "describe",
      .summary = "all that there is to say of an object",
      .about =
          "Of a pod, a workload or a job it says what explain does. Of a node it prints the\n"
          "object and the pods that are there, of a queue the work that waits and runs in it,\n"
          "of anything else the object.",
      .examples = {{"What is on a node", "fairlead describe node n1"},
                   {"Who waits in a queue, and why", "fairlead describe queue/vision"},
                   {"As kubectl's", "fairlead describe pod w-0 -n vision"}},
      .positionals = {{.name = "KIND",
                       .help = "and names; or KIND/NAME",
                       .into = &options->words,
                       .completes = Completes::kKinds}},
      .options = {NamespaceOption(options->scope), AllNamespacesOption(options->scope),
                  ServerOption(options->scope.server)},
      .run = [options](show::Output& output) { return RunDescribe(*options, output); },
  };
}

}  // namespace fairlead::cli
