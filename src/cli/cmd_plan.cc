#include <memory>

#include <boost/json.hpp>

#include "cli/commands.h"
#include "cli/input_options.h"
#include "engine/explain/report_json.h"
#include "host/input.h"
#include "host/offline_cluster.h"
#include "host/other_schedulers.h"
#include "show/plan_view.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

struct PlanOptions {
  host::InputOptions input;
  std::string now;
};

int RunPlan(const PlanOptions& options, show::Output& output) {
  const auto now = host::TimeFlag("--now", options.now);
  if (!now) {
    show::Complain(now.error().message);
    return show::kBadInput;
  }
  const objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  host::OfflineCluster offline(manifest.objects, *now);
  if (output.is_table()) {
    const engine::PlanReport& plan = offline.Plan();
    show::PrintPlan(plan, host::OtherSchedulersText(offline.intake()), output);
  } else {
    json::value plan = engine::ToJson(offline.Plan());
    host::AddOtherSchedulers(offline.intake(), plan.get_object());
    output.Document(plan);
  }
  return show::kDone;
}

}  // namespace

Command PlanCommand() {
  auto options = std::make_shared<PlanOptions>();
  Command command{
      .name = "plan",
      .summary = "what the scheduler would do next with a saved state",
      .about =
          "Shows what the scheduler would do next with this state, and changes nothing: which\n"
          "pods it would bind and where, whom it would evict and for whom, what stays\n"
          "pending and why. The same state gives the same plan, byte for byte.",
      .examples = {{"What would happen with these files?",
                    "fairlead plan -f cluster.yaml -f jobs/"},
                   {"A real cluster's state, without touching it",
                    "kubectl get nodes,pods,jobs -A -o yaml | fairlead plan -f -"},
                   {"Only the evictions, an hour later",
                    "fairlead plan -f cluster.yaml --now 2026-01-01T01:00:00Z -o json |\n"
                    "    jq '.decisions[] | select(.type == \"Evict\")'"}},
      .positionals = {},
      .options = InputOptionsInto(options->input, /*required=*/true),
      .run = [options](show::Output& output) { return RunPlan(*options, output); },
  };
  command.options.push_back({.flags = "--now",
                             .value = "TIME",
                             .help = "RFC 3339; by default the newest time in the input",
                             .into = &options->now});
  command.options.push_back(AsOption(options->input));
  return command;
}

}  // namespace fairlead::cli
