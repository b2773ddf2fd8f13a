#include <memory>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "cli/commands.h"
#include "cli/explanation.h"
#include "cli/input.h"
#include "cli/remote.h"
#include "cli/session.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct ExplainOptions {
  std::string name, now, server;
  InputOptions input;
};

int Show(const json::value& explanation, Output& output) {
  if (output.is_table()) {
    PrintExplanation(explanation, output);
  } else {
    output.Document(explanation);
  }
  return kDone;
}

int ExplainSaved(const ExplainOptions& options, Output& output) {
  const auto now = TimeFlag("--now", options.now);
  if (!now) {
    Complain(now.error().message);
    return kBadInput;
  }
  objects::Manifest manifest = ReadInput(options.input);
  if (!ReportInput(manifest)) return kBadInput;
  Session session(manifest.objects, *now);
  const engine::PlanReport& plan = session.Plan();
  auto explanation = Explain({.scheduler = session.scheduler(),
                              .intake = session.intake(),
                              .index = session.index(),
                              .now = session.now(),
                              .plan = &plan},
                             QualifiedName(options.name));
  if (!explanation) {
    Complain(explanation.error().message);
    return kBadInput;
  }
  AddForecast(std::move(manifest.objects), {}, *explanation);
  return Show(*explanation, output);
}

int ExplainLive(const ExplainOptions& options, Output& output) {
  const std::string name = QualifiedName(options.name);
  const auto [name_space, own] = objects::SplitKey(name);
  const auto explanation =
      Call(ServerUrl(options.server), "GET", ApiPath("explain", name_space, own));
  if (!explanation) return Complain(explanation.error());
  return Show(*explanation, output);
}

int RunExplain(const ExplainOptions& options, Output& output) {
  if (!options.input.paths.empty()) return ExplainSaved(options, output);
  if (!options.now.empty() || !options.input.config.empty() || !options.input.as.empty()) {
    Complain("--now, --config and --as belong to -f; without -f a running cluster is asked");
    return kBadInput;
  }
  return ExplainLive(options, output);
}

}  // namespace

Command ExplainCommand() {
  auto options = std::make_shared<ExplainOptions>();
  Command command{
      .name = "explain",
      .summary = "why something is pending, and what would let it start",
      .about =
          "Says of a workload or a pod where it stands: why it is pending, what would let it\n"
          "start and when it is tried again; or where it runs and since when. With -f it\n"
          "explains a saved state, else the cluster that `fairlead up` runs.",
      .examples = {{"In the running cluster", "fairlead explain vision/train-7"},
                   {"In a saved state", "fairlead explain vision/train-7 -f cluster.yaml"},
                   {"Only the reasons",
                    "fairlead explain vision/train-7 -o json | jq -r '.reasons[].message'"}},
      .positionals = {{.name = "NS/NAME",
                       .help = "a workload or a pod; without NS/ in the namespace default",
                       .into = &options->name}},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](Output& output) { return RunExplain(*options, output); },
  };
  command.options.push_back({.flags = "--now",
                             .value = "TIME",
                             .help = "RFC 3339; by default the newest time in the input",
                             .into = &options->now});
  command.options.push_back(AsOption(options->input));
  command.options.push_back(ServerOption(options->server));
  return command;
}

}  // namespace fairlead::cli
