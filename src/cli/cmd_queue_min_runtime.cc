#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "cli/commands.h"
#include "cli/input_options.h"
#include "host/input.h"
#include "intake/intake.h"
#include "policy/min_runtime.h"
#include "show/human_text.h"
#include "state/cluster.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;
using state::QueueHealth;
using state::QueueId;
using state::QueueTree;

struct MinRuntimeOptions {
  std::string action, victim, preemptor;
  host::InputOptions input;
};

// The queues of the input as the engine sees them. The default queue is there whether or not
// anybody made or uses it.
void ReadQueues(std::vector<objects::Object> objects, state::Cluster& cluster) {
  std::string default_queue = objects::SchedulerConfiguration().default_queue;
  for (const objects::Object& object : objects) {
    const auto* read = std::get_if<objects::SchedulerConfiguration>(&object);
    if (read != nullptr) default_queue = read->default_queue;
  }
  const bool made = std::ranges::any_of(objects, [&](const objects::Object& object) {
    const auto* queue = std::get_if<objects::Queue>(&object);
    return queue != nullptr && queue->meta.name == default_queue;
  });
  if (!made) {
    objects::Queue queue;
    queue.meta.name = default_queue;
    objects.emplace_back(std::move(queue));
  }
  intake::Intake intake;
  const Time now = intake::NewestTime(objects);
  for (const objects::Object& object : objects) intake.Upsert(object, now);
  for (const state::Change& change : intake.TakeChanges()) cluster.Apply(change);
  cluster.Settle();
}

// Why nothing can be said of a queue that is there; empty: it is in order.
std::string WhatIsWrongWith(const QueueTree& queues, QueueId q) {
  if (queues[q].health == QueueHealth::kReady) return {};
  QueueId broken = q;  // the topmost: what is wrong with it is wrong with its subtree
  while (queues[broken].parent != QueueTree::Root()) broken = queues[broken].parent;
  const std::string whose = broken == q ? "its" : fmt::format("{}'s", queues[broken].name);
  if (queues[broken].health == QueueHealth::kParentCycle) {
    return fmt::format("{} parents are a cycle (ParentCycle)", whose);
  }
  return fmt::format("{} parent {} is not there (ParentNotFound)", whose,
                     queues[broken].parent_name);
}

Result<QueueId> FindQueue(const QueueTree& queues, std::string_view flag, const std::string& name) {
  const QueueId q = name.empty() ? QueueId() : queues.Find(name);
  if (!q.valid()) {
    std::vector<std::string> names;
    for (const QueueId known : queues.order()) {
      if (known != QueueTree::Root() && queues[known].exists) names.push_back(queues[known].name);
    }
    return Fail(fmt::format("{}: there is no queue {}{}", flag, name.empty() ? "\"\"" : name,
                            DidYouMean(name, names)));
  }
  if (const std::string wrong = WhatIsWrongWith(queues, q); !wrong.empty()) {
    return Fail(fmt::format("{}: queue {} is not ready: {}", flag, name, wrong));
  }
  return q;
}

Result<policy::MinRuntime> Resolve(const MinRuntimeOptions& options,
                                   const state::Cluster& cluster) {
  const auto victim = FindQueue(cluster.queues(), "--victim", options.victim);
  if (!victim) return tl::unexpected(victim.error());
  QueueId preemptor;
  if (!options.preemptor.empty()) {
    const auto found = FindQueue(cluster.queues(), "--preemptor", options.preemptor);
    if (!found) return tl::unexpected(found.error());
    preemptor = *found;
  }
  const bool reclaim = options.action == "reclaim";
  const bool by_lca = cluster.configuration().reclaim_resolve == objects::ReclaimResolve::kLca;
  if (reclaim && by_lca && !preemptor.valid()) {
    return Fail(
        "--preemptor is missing: with reclaimResolve lca the protection depends on the queue "
        "that reclaims");
  }
  const auto action = reclaim ? policy::RoomAction::kReclaim : policy::RoomAction::kPreempt;
  return policy::ResolveMinRuntime(cluster, action, *victim, preemptor);
}

int RunMinRuntime(const MinRuntimeOptions& options, show::Output& output) {
  objects::Manifest manifest = host::ReadInput(options.input);
  if (!host::ReportInput(manifest)) return show::kBadInput;
  state::Cluster cluster;
  ReadQueues(std::move(manifest.objects), cluster);
  const auto resolved = Resolve(options, cluster);
  if (!resolved) {
    show::Complain(resolved.error().message);
    return show::kBadInput;
  }
  const std::string runtime = FormatDuration(resolved->value);
  const bool of_queue = resolved->from.valid();
  const std::string from = of_queue ? cluster.queues()[resolved->from].name : "default";
  const std::string source = of_queue ? "queue" : "configuration";
  if (output.is_table()) {
    show::Table table({"ACTION", "VICTIM", "PREEMPTOR", "MIN-RUNTIME", "FROM", "SOURCE"});
    table.Add({options.action, options.victim, options.preemptor, runtime, from, source});
    output.Print(table);
    return show::kDone;
  }
  json::object document{{"action", options.action}, {"victim", options.victim}};
  if (!options.preemptor.empty()) document["preemptor"] = options.preemptor;
  document["minRuntime"] = runtime;
  document["from"] = from;
  document["source"] = source;
  output.Document(document);
  return show::kDone;
}

}  // namespace

Command QueueMinRuntimeCommand() {
  auto options = std::make_shared<MinRuntimeOptions>();
  Command command{
      .name = "queue min-runtime",
      .summary = "how long work of a queue may run before it can be stopped",
      .about =
          "Says for how long after its start a workload of a queue is protected from being\n"
          "stopped for another one, and which queue says so. Preempt: for a workload of its own\n"
          "queue. Reclaim: for one of another queue, where what counts is, unless the\n"
          "configuration says otherwise, how the two queues stand to each other in the tree.",
      .examples = {{"Before work of leaf1 may reclaim from leaf3",
                    "fairlead queue min-runtime -f queues.yaml --action reclaim --victim leaf3 \\\n"
                    "    --preemptor leaf1"},
                   {"Before higher priorities of leaf1 may stop work of leaf1",
                    "fairlead queue min-runtime -f queues.yaml --action preempt --victim leaf1"}},
      .positionals = {},
      .options = InputOptionsInto(options->input, /*required=*/true),
      .run = [options](show::Output& output) { return RunMinRuntime(*options, output); },
  };
  command.options.push_back({.flags = "--action",
                             .value = "ACTION",
                             .help = "reclaim (from other queues) or preempt (in its own)",
                             .into = &options->action,
                             .choices = {"preempt", "reclaim"},
                             .required = true});
  command.options.push_back({.flags = "--victim",
                             .value = "QUEUE",
                             .help = "the queue whose workload runs",
                             .into = &options->victim,
                             .required = true});
  command.options.push_back({.flags = "--preemptor",
                             .value = "QUEUE",
                             .help = "the queue whose workload wants the room",
                             .into = &options->preemptor});
  return command;
}

}  // namespace fairlead::cli
