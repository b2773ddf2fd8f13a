#include <memory>
#include <string>
#include <utility>

#include <boost/json.hpp>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/remote.h"
#include "history/past_durations.h"
#include "history/recorder.h"
#include "host/candidates.h"
#include "host/explanation.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "objects/key.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct ExplainOptions {
  std::string name, now, server, data_dir;
  bool nodes = false;
  host::InputOptions input;
};

int Show(const ExplainOptions& options, const json::value& explanation, show::Output& output) {
  if (output.is_table()) {
    host::PrintExplanation(explanation, output);
    if (options.nodes) host::PrintCandidates(explanation, output);
  } else {
    output.Document(explanation);
  }
  return show::kDone;
}

Result<history::PastDurations> ReadPast(const std::string& directory) {
  auto reader = history::Directory(directory).OpenReader();
  if (!reader) return tl::unexpected(reader.error());
  return history::PastDurations::Read(**reader);
}

int ExplainSaved(const ExplainOptions& options, show::Output& output) {
  const auto now = host::TimeFlag("--now", options.now);
  if (!now) {
    show::Complain(now.error().message);
    return show::kBadInput;
  }
  objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  host::OfflineCluster offline(manifest.objects, *now);
  const engine::PlanReport& plan = offline.Plan();
  auto explanation = host::Explain({.scheduler = offline.scheduler(),
                                    .intake = offline.intake(),
                                    .index = offline.index(),
                                    .now = offline.now(),
                                    .plan = &plan},
                                   host::QualifiedName(options.name));
  if (!explanation) {
    show::Complain(explanation.error().message);
    return show::kBadInput;
  }
  if (options.nodes) {  // before anything is decided
    host::OfflineCluster before(manifest.objects, *now);
    host::AddCandidates(before.Settled(), host::QualifiedName(options.name), *explanation);
  }
  history::PastDurations past;
  if (!options.data_dir.empty()) {
    auto read = ReadPast(options.data_dir);
    if (!read) {
      show::Complain(read.error().message);
      return show::kBadInput;
    }
    past = *std::move(read);
  }
  host::AddExpectedStart(
      manifest.objects, {},
      [&past](std::string_view queue, std::string_view workload) {
        return past.Of(queue, workload);
      },
      *explanation);
  return Show(options, *explanation, output);
}

int ExplainLive(const ExplainOptions& options, show::Output& output) {
  const std::string name = host::QualifiedName(options.name);
  const auto [name_space, own] = objects::SplitKey(name);
  const std::string query = options.nodes ? "?nodes=true" : "";
  const auto explanation =
      Call(ServerUrl(options.server), "GET", ApiPath("explain", name_space, own) + query);
  if (!explanation) return Complain(explanation.error());
  return Show(options, *explanation, output);
}

int RunExplain(const ExplainOptions& options, show::Output& output) {
  if (!options.input.paths.empty()) return ExplainSaved(options, output);
  if (!options.now.empty() || !options.input.config.empty() || !options.input.as.empty() ||
      !options.data_dir.empty()) {
    show::Complain(
        "--now, --config, --as and --data-dir belong to -f; without -f a running cluster "
        "is asked");
    return show::kBadInput;
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
                   {"What each node that fits has to say for itself",
                    "fairlead explain vision/train-7 -f cluster.yaml --nodes"},
                   {"Only the reasons",
                    "fairlead explain vision/train-7 -o json | jq -r '.reasons[].message'"}},
      .positionals = {{.name = "NS/NAME",
                       .help = "a workload or a pod; without NS/ in the namespace default",
                       .into = &options->name}},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](show::Output& output) { return RunExplain(*options, output); },
  };
  command.options.push_back({.flags = "--now",
                             .value = "TIME",
                             .help = "RFC 3339; by default the newest time in the input",
                             .into = &options->now});
  command.options.push_back({.flags = "--data-dir",
                             .value = "DIR",
                             .help = "of -f: a history, which knows how long such work ran before",
                             .into = &options->data_dir});
  command.options.push_back(
      {.flags = "--nodes",
       .value = "",
       .help = "the nodes that hold the pod now, the best first, by its preferences",
       .into = &options->nodes});
  command.options.push_back(AsOption(options->input));
  command.options.push_back(ServerOption(options->server));
  return command;
}

}  // namespace fairlead::cli
