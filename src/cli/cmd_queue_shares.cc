#include <memory>
#include <optional>
#include <string>

#include <boost/json.hpp>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "cli/remote.h"
#include "engine/explain/report_json.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "show/shares_view.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct SharesOptions {
  host::InputOptions input;
  std::string server;
};

// Absent: what is wrong was said.
std::optional<json::value> SharesOf(const SharesOptions& options) {
  if (options.input.paths.empty()) {
    auto answer = Call(ServerUrl(options.server), "GET", "/api/v1/queues/shares");
    if (answer) return std::move(*answer);
    Complain(answer.error());
    return std::nullopt;
  }
  const objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return std::nullopt;
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  return engine::SharesToJson(offline.now(), offline.Shares());
}

int RunShares(const SharesOptions& options, show::Output& output) {
  if (const auto checked = CheckConfig(options.input); !checked) {
    show::Complain(checked.error().message);
    return show::kBadInput;
  }
  const std::optional<json::value> shares = SharesOf(options);
  if (!shares) return show::kBadInput;
  if (output.is_table()) {
    show::PrintShares(*shares, output);
  } else {
    output.Document(*shares);
  }
  return show::kDone;
}

}  // namespace

Command QueueSharesCommand() {
  auto options = std::make_shared<SharesOptions>();
  Command command{
      .name = "queue shares",
      .summary = "what every queue is guaranteed, asks, uses and is due",
      .about =
          "Shows of every queue and resource what is guaranteed, the limit, what is requested\n"
          "and allocated in this state, the fair share of the cluster, what is borrowed beyond\n"
          "the guarantee, and what of an unused guarantee is lent to others. With -f of a saved\n"
          "state, else of the cluster that `fairlead up` or `run` has.",
      .examples = {{"All queues of what runs, as a tree", "fairlead queue shares"},
                   {"Of a saved state", "fairlead queue shares -f cluster.yaml"},
                   {"One queue's fair share of GPUs",
                    "fairlead queue shares -f cluster.yaml -o json |\n"
                    "    jq -r '.queues[] | select(.name == \"vision\") | "
                    ".fairShare[\"nvidia.com/gpu\"]'"}},
      .positionals = {},
      .options = InputOptionsInto(options->input, /*required=*/false),
      .run = [options](show::Output& output) { return RunShares(*options, output); },
  };
  command.options.push_back(ServerOption(options->server));
  return command;
}

}  // namespace fairlead::cli
