#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/on_threads.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include "cli/input_options.h"
#include "cli/past.h"
#include "cli/remote.h"
#include "cli/targets.h"
#include "host/candidates.h"
#include "host/explanation.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "objects/key.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct ExplainOptions {
  std::vector<std::string> words;
  Scope scope;
  std::string now, data_dir;
  bool nodes = false, if_submitted = false;
  host::InputOptions input;
};

// What is asked for, by the names that it may have: "team/x" is x in namespace team, "pod/x" may be
// a pod, too.
struct Meant {
  const server::Kind* kind = nullptr;  // where one was named
  std::vector<std::string> names;      // the first that is there
};

std::string Qualified(const std::string& name, const Scope& scope) {
  const bool bare = name.find('/') == std::string::npos;
  return bare && !scope.name_space.empty() ? scope.name_space + "/" + name
                                           : host::QualifiedName(name);
}

Result<Meant> MeantBy(const std::vector<std::string>& words, const Scope& scope) {
  if (words.size() > 2) return Fail("explain takes one name; describe takes several");
  if (words.size() == 2) {
    const server::Kind* kind = server::FindKind(words[0]);
    if (kind == nullptr) {
      return Fail(
          fmt::format("found {} before {}, expected a kind, or NS/NAME alone", words[0], words[1]));
    }
    return Meant{.kind = kind, .names = {Qualified(words[1], scope)}};
  }
  const auto [first, name] = objects::SplitKey(words[0]);
  const server::Kind* kind = first.empty() ? nullptr : server::FindKind(first);
  if (!first.empty() && kind == nullptr && !scope.name_space.empty() && scope.name_space != first) {
    return Fail(fmt::format("{} names a namespace, and -n {} another", words[0], scope.name_space));
  }
  Meant meant{.kind = kind, .names = {}};
  if (kind == nullptr || scope.name_space.empty()) {
    meant.names.push_back(Qualified(words[0], scope));
  }
  if (kind != nullptr) meant.names.push_back(Qualified(std::string(name), scope));
  return meant;
}

int Show(const ExplainOptions& options, const json::value& explanation, show::Output& output) {
  if (output.is_table()) {
    host::PrintExplanation(explanation, output);
    if (options.nodes) host::PrintCandidates(explanation, output);
  } else {
    output.Document(explanation);
  }
  return show::kDone;
}

int ExplainSaved(const ExplainOptions& options, const Meant& meant, show::Output& output) {
  const auto now = host::TimeFlag("--now", options.now);
  if (!now) {
    show::Complain(now.error().message);
    return show::kBadInput;
  }
  objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  host::OfflineCluster offline(manifest.objects, *now);
  const engine::PlanReport& plan = offline.Plan();
  Result<json::value> explanation;
  std::string name;
  for (const std::string& each : meant.names) {
    name = each;
    explanation = host::Explain({.scheduler = offline.scheduler(),
                                 .intake = offline.intake(),
                                 .now = offline.now(),
                                 .plan = &plan},
                                name);
    if (explanation) break;
  }
  if (!explanation) {
    show::Complain(explanation.error().message);
    return show::kBadInput;
  }
  if (options.nodes) {  // before anything is decided
    host::OfflineCluster before(manifest.objects, *now);
    host::AddCandidates(before.Settled(), name, *explanation);
  }
  const auto past = PastIn(options.data_dir);
  if (!past) {
    show::Complain(past.error().message);
    return show::kBadInput;
  }
  host::AddExpectedStarts(manifest.objects, {}, {.from = *past, .threads = Cores()},
                          {&*explanation, 1});
  return Show(options, *explanation, output);
}

int ExplainLive(const ExplainOptions& options, const Meant& meant, show::Output& output) {
  const std::string query = options.nodes ? "?nodes=true" : "";
  RemoteError error;
  for (const std::string& each : meant.names) {
    const auto [name_space, own] = objects::SplitKey(each);
    const auto explanation =
        Call(ServerUrl(options.scope.server), "GET", ApiPath("explain", name_space, own) + query);
    if (explanation) return Show(options, *explanation, output);
    error = explanation.error();
    if (error.status != kNotThere) return Complain(error);
  }
  // A queue or a node does not wait: there is more to say of it than why.
  if (meant.kind == nullptr || IsWork(*meant.kind)) return Complain(error);
  const auto [name_space, own] = objects::SplitKey(meant.names.back());
  const Target target{meant.kind, meant.kind->namespaced ? std::string(name_space) : "",
                      std::string(own)};
  const auto described = Describe(target, options.scope, output);
  return described ? show::kDone : Complain(described.error());
}

// Of each workload that the files would make.
int ExplainIfSubmitted(const ExplainOptions& options, show::Output& output) {
  const bool others = !options.words.empty() || options.nodes || !options.now.empty() ||
                      !options.data_dir.empty() || !options.input.as.empty() ||
                      !options.input.config.empty();
  if (options.input.paths.empty() || others) {
    show::Complain(
        "--if-submitted takes the files of what is not there yet, as in: fairlead explain -f "
        "job.yaml --if-submitted; of saved states: fairlead explain NS/NAME -f cluster.yaml -f "
        "job.yaml");
    return show::kBadInput;
  }
  const auto answer =
      Upload(ServerUrl(options.scope.server), "/api/v1/explain", options.input.paths);
  if (!answer) return Complain(answer.error());
  if (!output.is_table()) {
    output.Document(*answer);
    return show::kDone;
  }
  for (const json::value& explanation : show::ItemsAt(*answer, "items")) {
    host::PrintExplanation(explanation, output);
  }
  return show::kDone;
}

int RunExplain(const ExplainOptions& options, show::Output& output) {
  if (options.if_submitted) return ExplainIfSubmitted(options, output);
  if (options.words.empty()) {
    show::Complain("expected NS/NAME, a workload or a pod");
    return show::kBadInput;
  }
  const Result<Meant> meant = MeantBy(options.words, options.scope);
  if (!meant) {
    show::Complain(meant.error().message);
    return show::kBadInput;
  }
  if (!options.input.paths.empty()) return ExplainSaved(options, *meant, output);
  if (!options.now.empty() || !options.input.config.empty() || !options.input.as.empty() ||
      !options.data_dir.empty()) {
    show::Complain(
        "--now, --config, --as and --data-dir belong to -f; without -f a running cluster "
        "is asked");
    return show::kBadInput;
  }
  return ExplainLive(options, *meant, output);
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
          "explains a saved state, else the cluster that `fairlead up` or `run` has. Of a queue\n"
          "or a node it says what describe does.",
      .examples = {{"In the running cluster", "fairlead explain vision/train-7"},
                   {"In a saved state", "fairlead explain vision/train-7 -f cluster.yaml"},
                   {"When would it start, if it were submitted now?",
                    "fairlead explain -f job.yaml --if-submitted"},
                   {"What each node that fits has to say for itself",
                    "fairlead explain vision/train-7 -f cluster.yaml --nodes"},
                   {"Only the reasons",
                    "fairlead explain vision/train-7 -o json | jq -r '.reasons[].message'"}},
      .positionals = {{.name = "NS/NAME",
                       .help = "a workload or a pod; also NAME -n NS, KIND/NAME, KIND NAME",
                       .into = &options->words,
                       .required = false}},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](show::Output& output) { return RunExplain(*options, output); },
  };
  command.options.push_back({.flags = "--now",
                             .value = "TIME",
                             .help = "RFC 3339; by default the newest time in the input",
                             .into = &options->now});
  command.options.push_back(PastOption(options->data_dir));
  command.options.push_back({.flags = "--if-submitted",
                             .value = "",
                             .help = "what would be said of the work in -f, which is not there yet",
                             .into = &options->if_submitted});
  command.options.push_back(
      {.flags = "--nodes",
       .value = "",
       .help = "the nodes that hold the pod now, the best first, by its preferences",
       .into = &options->nodes});
  command.options.push_back(AsOption(options->input));
  command.options.push_back(NamespaceOption(options->scope));
  command.options.push_back(ServerOption(options->scope.server));
  return command;
}

}  // namespace fairlead::cli
