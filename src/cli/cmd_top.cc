#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "cli/ask_view.h"
#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/remote.h"
#include "cli/targets.h"
#include "host/input.h"
#include "server/kinds.h"
#include "show/human_text.h"
#include "show/top_view.h"

namespace fairlead::cli {
namespace {

constexpr std::int64_t kAllRows = 100'000;

struct TopOptions {
  std::string what = "workloads";
  std::string sort_by;
  std::string limit = "20";
  Scope scope;
  host::InputOptions input;
};

constexpr std::array<std::string_view, 6> kShown = {"Node",  "Pod",       "Workload",
                                                    "Queue", "Namespace", "User"};

Result<const server::Kind*> KindToShow(const TopOptions& options) {
  const server::Kind* kind = server::FindKind(options.what);
  if (kind == nullptr || std::ranges::find(kShown, kind->kind) == kShown.end()) {
    return Fail(
        fmt::format("found \"{}\", expected nodes, pods, workloads, queues, namespaces or users",
                    options.what));
  }
  if (kind->kind == "Node" && !options.scope.name_space.empty()) {
    return Fail("nodes lie in no namespace: leave out -n");
  }
  return kind;
}

int RunTop(const TopOptions& options, show::Output& output) {
  const auto kind = KindToShow(options);
  const auto limit = host::CountFlag("--limit", options.limit, 0, kAllRows);
  const auto scope = CheckScope(options.scope);
  const auto config = CheckConfig(options.input);
  const Error* error = !kind     ? &kind.error()
                       : !limit  ? &limit.error()
                       : !scope  ? &scope.error()
                       : !config ? &config.error()
                                 : nullptr;
  if (error != nullptr) {
    show::Complain(error->message);
    return show::kBadInput;
  }
  std::map<std::string, std::string> parameters = {
      {"by", LowerCase((*kind)->kind)}, {"limit", std::to_string(*limit == 0 ? kAllRows : *limit)}};
  if (!options.scope.name_space.empty()) parameters["namespace"] = options.scope.name_space;
  if (!options.sort_by.empty()) parameters["sort"] = show::FullResource(options.sort_by);
  const auto answer = AskView("top", parameters, options.input, options.scope.server);
  if (!answer) return show::kBadInput;
  show::PrintTop(*answer, output);
  return show::kDone;
}

}  // namespace

Command TopCommand() {
  auto options = std::make_shared<TopOptions>();
  Command command{
      .name = "top",
      .summary = "who holds most: nodes, workloads, queues, users, …",
      .about =
          "Shows who holds how much, most first: by the largest part of any resource, of the\n"
          "node's or the whole cluster's. It is what pods request, since that is what nobody\n"
          "else can have; what of it they use a metrics server knows (kubectl top).\n"
          "Pods of other schedulers count; without a name where they belong to nobody here.\n"
          "Of a running cluster, or with -f of a saved state.",
      .examples = {{"The largest workloads", "fairlead top"},
                   {"How full are nodes?", "fairlead top nodes --limit 0"},
                   {"Who has the GPUs?", "fairlead top users --sort-by gpu"},
                   {"One namespace's pods", "fairlead top pods -n vision"}},
      .positionals = {{.name = "WHAT",
                       .help = "workloads (default), nodes, pods, queues, namespaces or users",
                       .into = &options->what,
                       .required = false}},
      .options = {NamespaceOption(options->scope, "only of work in this namespace (default: all)"),
                  AllNamespacesOption(options->scope),
                  {.flags = "--sort-by",
                   .value = "RESOURCE",
                   .help = "most of this resource first (cpu, memory, gpu, …); or name",
                   .into = &options->sort_by},
                  {.flags = "--limit",
                   .value = "N",
                   .help = "at most so many rows; 0: all",
                   .into = &options->limit},
                  ServerOption(options->scope.server)},
      .run = [options](show::Output& output) { return RunTop(*options, output); },
  };
  for (Option& option : InputOptionsInto(options->input, /*required=*/false)) {
    command.options.push_back(std::move(option));
  }
  return command;
}

}  // namespace fairlead::cli
