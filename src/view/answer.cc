#include "view/answer.h"

#include <algorithm>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/name_map.h"
#include "view/answer_domains.h"
#include "view/domains.h"
#include "view/json_text.h"
#include "view/workload_list.h"

namespace fairlead::view {
namespace {

using Answered = tl::expected<std::string, Refused>;

constexpr std::size_t kMostPods = 1000;

std::string End(JsonText& json) { return json.Close('}').Take() + "\n"; }

// {"now":…,"version":…,"resources":[{"name","scale"}]: what every table begins with.
void Begin(const View& view, JsonText& json) {
  json.Open('{').Field("now", view.now).Field("version", view.version);
  json.Key("resources").Open('[');
  for (const Resource& resource : *view.tables->resources) {
    json.Open('{').Field("name", resource.name).Field("scale", resource.scale).Close('}');
  }
  json.Close(']');
}

void Amounts(const Tables& tables, std::string_view key, const AmountRow* row, JsonText& json) {
  json.Key(key).Open('[');
  for (const Resource& resource : *tables.resources) {
    json.Value(row == nullptr ? 0 : AmountAt(*row, resource.column));
  }
  json.Close(']');
}

void Amounts(const Tables& tables, std::string_view key,
             const std::vector<std::optional<std::int64_t>>& row, JsonText& json) {
  json.Key(key).Open('[');
  for (const Resource& resource : *tables.resources) {
    json.Value(resource.column < row.size() ? row[resource.column] : std::nullopt);
  }
  json.Close(']');
}

// Summary --------------------------------------------------------------------------------------

const WorkloadRow* LongestWaiting(const Tables& tables) {
  const WorkloadRow* longest = nullptr;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (row.state != WorkloadState::kPending) return;
    const bool before = longest == nullptr || std::tie(row.created, *row.name) <
                                                  std::tie(longest->created, *longest->name);
    if (before) longest = &row;
  });
  return longest;
}

std::string Summary(const View& view) {
  const Tables& tables = *view.tables;
  const Totals& totals = tables.totals;
  JsonText json;
  json.Open('{').Field("kind", "Summary").Field("now", view.now).Field("version", view.version);
  json.Field("mode", view.status.mode).Field("state", view.status.state);
  json.Field("speed", view.status.speed).Field("canSubmit", view.status.can_submit);
  json.Field("scheduler", view.status.scheduler).Field("build", view.status.build);
  json.Key("resources").Open('[');
  for (const Resource& resource : *tables.resources) {
    const std::size_t c = resource.column;
    json.Open('{').Field("name", resource.name).Field("scale", resource.scale);
    json.Field("allocatable", AmountAt(totals.allocatable, c));
    json.Field("allocated", AmountAt(totals.allocated, c));
    json.Field("requested", c < totals.requested.size() ? totals.requested[c] : std::nullopt);
    json.Close('}');
  }
  json.Close(']');
  json.Key("nodes").Open('{').Field("count", totals.nodes).Field("ready", totals.nodes_ready);
  json.Close('}').Key("pods").Open('{').Field("running", totals.pods_running);
  json.Field("pending", totals.pods_pending).Field("finished", totals.pods_finished);
  json.Field("foreign", totals.pods_foreign).Close('}');
  const auto in = [&](WorkloadState state) {
    return totals.workloads[static_cast<std::size_t>(state)];
  };
  json.Key("workloads").Open('{').Field("pending", in(WorkloadState::kPending));
  json.Field("admitted", in(WorkloadState::kAdmitted));
  json.Field("running", in(WorkloadState::kRunning));
  json.Field("finished", in(WorkloadState::kFinished)).Close('}');
  json.Key("topologies").Open('[');
  for (const DomainLevel& level : DomainLevelsShown(view)) json.Value(level.topology);
  json.Close(']')
      .Key("totals")
      .Open('{')
      .Field("bound", totals.bound)
      .Field("evicted", totals.evicted);
  json.Field("admitted", totals.admitted).Close('}').Key("longestWaiting");
  if (const WorkloadRow* row = LongestWaiting(tables)) {
    json.Open('{').Field("workload", *row->name).Field("seconds", WaitingSeconds(*row, view.now));
    json.Close('}');
  } else {
    json.Null();
  }
  return End(json);
}

// Queues ---------------------------------------------------------------------------------------

std::string Queues(const View& view) {
  const Tables& tables = *view.tables;
  const std::vector<QueueLoad> loads = LoadsOf(tables);
  JsonText json;
  Begin(view, json);
  json.Key("queues").Open('[');
  for (const std::uint32_t i : *tables.queue_order) {
    const QueueRow& row = tables.queues[i];
    json.Open('{').Field("name", TextOf(row.name)).Field("parent", TextOf(row.parent));
    json.Field("ready", row.not_ready);
    Amounts(tables, "guaranteed", row.guaranteed, json);
    Amounts(tables, "limit", row.limit, json);
    Amounts(tables, "requested", row.requested, json);
    Amounts(tables, "allocated", row.allocated, json);
    Amounts(tables, "fairShare", row.fair_share, json);
    json.Field("pendingWorkloads", loads[i].pending);
    json.Field("runningWorkloads", loads[i].running).Close('}');
  }
  json.Close(']');
  return End(json);
}

// Nodes ----------------------------------------------------------------------------------------

void AmountColumns(const Tables& tables, std::string_view key,
                   const std::vector<const NodeRow*>& rows,
                   std::shared_ptr<const AmountRow> NodeRow::* figure, JsonText& json) {
  json.Key(key).Open('[');
  for (const Resource& resource : *tables.resources) {
    json.Open('[');
    for (const NodeRow* row : rows) json.Value(AmountAt(*(row->*figure), resource.column));
    json.Close(']');
  }
  json.Close(']');
}

std::string Nodes(const View& view) {
  const Tables& tables = *view.tables;
  std::vector<const NodeRow*> rows;
  tables.nodes.ForEachUsed([&](const NodeRow& row) { rows.push_back(&row); });
  std::sort(rows.begin(), rows.end(),
            [](const NodeRow* a, const NodeRow* b) { return *a->name < *b->name; });
  JsonText json;
  Begin(view, json);
  json.Key("names").Open('[');
  for (const NodeRow* row : rows) json.Value(*row->name);
  json.Close(']');
  AmountColumns(tables, "allocatable", rows, &NodeRow::allocatable, json);
  AmountColumns(tables, "allocated", rows, &NodeRow::allocated, json);
  json.Key("pods").Open('[');
  for (const NodeRow* row : rows) json.Value(row->pods);
  json.Close(']').Key("state").Open('[');
  for (const NodeRow* row : rows) json.Value(ToString(row->state));
  json.Close(']');
  return End(json);
}

bool ByName(const PodRow* a, const PodRow* b) { return *a->name < *b->name; }

Answered Node(const View& view, const std::string& name) {
  const Tables& tables = *view.tables;
  const NodeRow* node = nullptr;
  std::uint32_t number = kNone;
  for (std::uint32_t i = 0; i < tables.nodes.size(); ++i) {
    if (TextOf(tables.nodes[i].name) != name || name.empty()) continue;
    node = &tables.nodes[i];
    number = i;
  }
  if (node == nullptr) {
    std::vector<std::string> names;
    tables.nodes.ForEachUsed([&](const NodeRow& row) { names.push_back(*row.name); });
    return tl::unexpected(
        Refused{.not_there = true,
                .message = fmt::format("there is no node {}{}", name, DidYouMean(name, names))});
  }
  std::vector<const PodRow*> pods;
  tables.pods.ForEachUsed([&](const PodRow& row) {
    if (row.node == number) pods.push_back(&row);
  });
  std::sort(pods.begin(), pods.end(), ByName);
  JsonText json;
  Begin(view, json);
  json.Field("name", name).Field("state", ToString(node->state)).Key("labels").Open('{');
  for (const auto& [key, value] : *node->labels) json.Field(key, value);
  json.Close('}');
  Amounts(tables, "allocatable", node->allocatable.get(), json);
  Amounts(tables, "allocated", node->allocated.get(), json);
  json.Key("pods").Open('[');
  for (const PodRow* pod : pods) {
    json.Open('{').Field("pod", *pod->name).Field("workload", TextOf(pod->workload));
    const bool ours = pod->workload_row != kNone;
    json.Field("queue", ours ? TextOf(tables.workloads[pod->workload_row].queue) : "");
    Amounts(tables, "request", pod->request.get(), json);
    json.Field("state", ToString(pod->state)).Field("foreign", pod->foreign()).Close('}');
  }
  json.Close(']');
  return End(json);
}

// Workloads ------------------------------------------------------------------------------------

// The fields of a row, within an object that is open.
void WorkloadFields(const WorkloadRow& row, Time now, JsonText& json) {
  json.Field("workload", *row.name).Field("kind", TextOf(row.kind));
  json.Field("queue", TextOf(row.queue)).Field("priority", row.priority);
  json.Field("state", ToString(row.state)).Field("wanted", row.wanted);
  json.Field("running", row.running).Field("admitted", row.admitted);
  json.Field("created", row.created).Field("started", row.started);
  json.Field("waitingSeconds", WaitingSeconds(row, now)).Key("reason");
  if (row.reason == nullptr) {
    json.Null();
    return;
  }
  json.Open('{').Field("code", state::ToString(row.reason->code));
  json.Field("message", row.reason->message).Close('}');
}

Answered Workloads(const View& view, const std::map<std::string, std::string>& parameters) {
  const Result<WorkloadQuery> query = ParseWorkloadQuery(parameters);
  if (!query) return tl::unexpected(Refused{.message = query.error().message});
  const WorkloadPage page = ListWorkloads(view, *query);
  JsonText json;
  json.Open('{').Field("now", view.now).Field("version", view.version);
  json.Field("total", page.total).Field("matching", page.matching).Key("rows").Open('[');
  for (const WorkloadRow* row : page.rows) {
    json.Open('{');
    WorkloadFields(*row, view.now, json);
    json.Close('}');
  }
  json.Close(']');
  return End(json);
}

const WorkloadRow* FindWorkload(const Tables& tables, std::string_view name) {
  const WorkloadRow* found = nullptr;
  const auto look = [&](const WorkloadRow& row) {
    if (*row.name == name) found = &row;
  };
  tables.ended_workloads.ForEachUsed(look);
  tables.workloads.ForEachUsed(look);
  return found;
}

Refused NoWorkload(const Tables& tables, const std::string& name) {
  std::vector<std::string> names;
  const auto look = [&](const WorkloadRow& row) { names.push_back(*row.name); };
  tables.workloads.ForEachUsed(look);
  tables.ended_workloads.ForEachUsed(look);
  return {.not_there = true,
          .message = fmt::format("there is no workload {}{}", name, DidYouMean(name, names))};
}

Answered Workload(const View& view, const std::string& name) {
  const Tables& tables = *view.tables;
  const WorkloadRow* row = FindWorkload(tables, name);
  if (row == nullptr) return tl::unexpected(NoWorkload(tables, name));
  JsonText json;
  json.Open('{').Field("now", view.now).Field("version", view.version);
  WorkloadFields(*row, view.now, json);
  const std::vector<SetRow> only = {{.name = "main", .count = 1, .running = row->running}};
  json.Key("podSets").Open('[');
  for (const SetRow& set : row->sets == nullptr ? only : *row->sets) {
    json.Open('{').Field("name", set.name).Field("count", set.count);
    json.Field("admitted", set.admitted > 0 ? std::optional(set.admitted) : std::nullopt);
    json.Field("running", set.running).Close('}');
  }
  json.Close(']');
  std::vector<const PodRow*> pods;
  const auto look = [&](const PodRow& pod) {
    if (TextOf(pod.workload) == name) pods.push_back(&pod);
  };
  tables.pods.ForEachUsed(look);
  tables.ended_pods.ForEachUsed(look);
  std::sort(pods.begin(), pods.end(), ByName);
  json.Field("podsTotal", pods.size()).Key("pods").Open('[');
  for (std::size_t i = 0; i < std::min(kMostPods, pods.size()); ++i) {
    json.Open('{').Field("pod", *pods[i]->name).Field("node", TextOf(pods[i]->node_name));
    json.Field("state", ToString(pods[i]->state)).Close('}');
  }
  json.Close(']');
  return End(json);
}

}  // namespace

std::vector<QueueLoad> LoadsOf(const Tables& tables) {
  boost::unordered_flat_map<std::string_view, std::uint32_t, NameHash> rows;
  for (std::uint32_t i = 0; i < tables.queues.size(); ++i) {
    if (tables.queues[i].in_use()) rows.emplace(*tables.queues[i].name, i);
  }
  std::vector<QueueLoad> own(tables.queues.size());
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (!row.waits && !row.live) return;
    const auto found = rows.find(TextOf(row.queue));
    if (found == rows.end()) return;
    ++(row.waits ? own[found->second].pending : own[found->second].running);
  });
  // What runs in a queue that is gone counts above it, too.
  std::vector<QueueLoad> loads(own.size());
  for (std::uint32_t i = 0; i < own.size(); ++i) {
    if (own[i].pending == 0 && own[i].running == 0) continue;
    for (std::uint32_t q = i; q != kNone; q = tables.queues[q].parent_row) {
      loads[q].pending += own[i].pending;
      loads[q].running += own[i].running;
    }
  }
  return loads;
}

tl::expected<std::string, Refused> Answer(const View& view, const Question& question) {
  switch (question.about) {
    case Question::About::kSummary:
      return Summary(view);
    case Question::About::kQueues:
      return Queues(view);
    case Question::About::kNodes:
      return Nodes(view);
    case Question::About::kNode:
      return Node(view, question.name);
    case Question::About::kWorkloads:
      return Workloads(view, question.parameters);
    case Question::About::kWorkload:
      return Workload(view, question.name);
    case Question::About::kDomains:
      return AnswerDomains(view, question.parameters);
  }
  return Summary(view);
}

}  // namespace fairlead::view
