#include <memory>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/remote.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct SubmitOptions {
  std::vector<std::string> paths;
  std::string server;
};

void PrintSubmitted(const json::value& answer, show::Output& output) {
  for (const json::value& object : show::ItemsAt(answer, "objects")) {
    const std::string_view result = show::TextAt(object, "result");
    output.Line(fmt::format("{} {}",
                            ObjectLabel(show::TextAt(object, "kind"), show::TextAt(object, "name")),
                            output.Painted(result, show::ToneOf(result))));
  }
  if (const std::int64_t later = show::NumberAt(answer, "later"); later > 0) {
    output.Line(fmt::format("{} will appear at {} fairlead.dev/arrives-at",
                            show::Counted(later, "object"), later == 1 ? "its" : "their"));
  }
}

int RunSubmit(const SubmitOptions& options, show::Output& output) {
  const auto answer = Upload(ServerUrl(options.server), "/api/v1/files", options.paths);
  if (!answer) return Complain(answer.error());
  for (const json::value& warning : show::ItemsAt(*answer, "warnings")) {
    if (warning.is_string()) {
      show::Complain(fmt::format("warning: {}", std::string_view(warning.get_string())));
    }
  }
  if (output.is_table()) {
    PrintSubmitted(*answer, output);
  } else {
    output.Document(*answer);
  }
  if (!show::ItemsAt(*answer, "objects").empty()) return show::kDone;
  show::Complain("there was nothing to submit");
  return show::kBadInput;
}

}  // namespace

Command SubmitCommand() {
  auto options = std::make_shared<SubmitOptions>();
  return {
      .name = "submit",
      .summary = "create or change objects of the running cluster",
      .about =
          "Gives objects to the virtual cluster that `fairlead up` runs: new ones are created,\n"
          "those that are there are changed. All or nothing: with any fault nothing is done.",
      .examples = {{"A job", "fairlead submit -f job.yaml"},
                   {"More nodes, from a pipe",
                    "sed s/node-1/node-2/ node.yaml | fairlead submit -f -"}},
      .positionals = {},
      .options = {{.flags = "-f,--filename",
                   .value = "PATH",
                   .help = "YAML or JSON: a file, a directory, or - for stdin; may be repeated",
                   .into = &options->paths,
                   .completes = Completes::kFiles,
                   .required = true},
                  ServerOption(options->server)},
      .run = [options](show::Output& output) { return RunSubmit(*options, output); },
  };
}

}  // namespace fairlead::cli
