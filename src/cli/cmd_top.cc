#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/ask_view.h"
#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/remote.h"
#include "cli/targets.h"
#include "host/input.h"
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

// What people type, and `by` of the view's answer.
struct TopKind {
  std::string_view by;
  std::array<std::string_view, 3> words;
  bool in_namespace = true;
};
constexpr TopKind kTopKinds[] = {
    {"node", {"nodes", "node", "no"}, /*in_namespace=*/false},
    {"pod", {"pods", "pod", "po"}},
    {"workload", {"workloads", "workload", "wl"}},
    {"queue", {"queues", "queue", "q"}},
    {"namespace", {"namespaces", "namespace", "ns"}},
    {"user", {"users", "user", "u"}},
};

Result<const TopKind*> KindToShow(const TopOptions& options) {
  const auto found = std::ranges::find_if(kTopKinds, [&](const TopKind& kind) {
    return std::ranges::find(kind.words, options.what) != kind.words.end();
  });
  if (found == std::end(kTopKinds)) {
    return Fail(
        fmt::format("found \"{}\", expected nodes, pods, workloads, queues, namespaces or users",
                    options.what));
  }
  if (!found->in_namespace && !options.scope.name_space.empty()) {
    return Fail("nodes lie in no namespace: leave out -n");
  }
  return found;
}

// "gpu" as tables have it; other names as they are.
std::string FullResource(const std::string& name) {
  return name == show::ShortResource("nvidia.com/gpu") ? "nvidia.com/gpu" : name;
}

int RunTop(const TopOptions& options, show::Output& output) {
  const auto kind = KindToShow(options);
  const auto limit = host::CountFlag("--limit", options.limit, 0, kAllRows);
  const auto scope = CheckScope(options.scope);
  const Error* error = !kind    ? &kind.error()
                       : !limit ? &limit.error()
                       : !scope ? &scope.error()
                                : nullptr;
  if (error != nullptr) {
    show::Complain(error->message);
    return show::kBadInput;
  }
  if (options.input.paths.empty() && !options.input.config.empty()) {
    show::Complain("--config belongs to -f; without -f a running cluster is asked");
    return show::kBadInput;
  }
  std::map<std::string, std::string> parameters = {
      {"by", std::string((*kind)->by)}, {"limit", std::to_string(*limit == 0 ? kAllRows : *limit)}};
  if (!options.scope.name_space.empty()) parameters["namespace"] = options.scope.name_space;
  if (!options.sort_by.empty()) parameters["sort"] = FullResource(options.sort_by);
  const auto answer = AskView(
      {.about = view::Question::About::kTop, .table = "top", .parameters = std::move(parameters)},
      options.input, options.scope.server);
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
