#include <memory>

#include <boost/json.hpp>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "engine/explain/report_json.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "show/plan_view.h"

namespace fairlead::cli {
namespace {

int RunShares(const host::InputOptions& options, show::Output& output) {
  const objects::Manifest manifest = host::ReadInput(options);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  host::OfflineCluster offline(manifest.objects, std::nullopt);
  const std::vector<engine::QueueReport> queues = offline.Shares();
  if (output.is_table()) {
    show::PrintShares(queues, output);
  } else {
    output.Document(engine::SharesToJson(offline.now(), queues));
  }
  return show::kDone;
}

}  // namespace

Command QueueSharesCommand() {
  auto options = std::make_shared<host::InputOptions>();
  return {
      .name = "queue shares",
      .summary = "what every queue is guaranteed, asks, uses and is due",
      .about =
          "Shows of every queue and resource what is guaranteed, the limit, what is requested\n"
          "and allocated in this state, the fair share of the cluster, what is borrowed beyond\n"
          "the guarantee, and what of an unused guarantee is lent to others.",
      .examples = {{"All queues as a tree", "fairlead queue shares -f cluster.yaml"},
                   {"One queue's fair share of GPUs",
                    "fairlead queue shares -f cluster.yaml -o json |\n"
                    "    jq -r '.queues[] | select(.name == \"vision\") | "
                    ".fairShare[\"nvidia.com/gpu\"]'"}},
      .positionals = {},
      .options = InputOptionsInto(*options, /*required=*/true),
      .run = [options](show::Output& output) { return RunShares(*options, output); },
  };
}

}  // namespace fairlead::cli
