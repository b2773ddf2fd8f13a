#include "view/answer.h"

#include <algorithm>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/name_map.h"
#include "view/answer_domains.h"
#include "view/answer_nodes.h"
#include "view/answer_parts.h"
#include "view/answer_people.h"
#include "view/answer_top.h"
#include "view/domains.h"
#include "view/workload_list.h"

namespace fairlead::view {
namespace {

using Answered = tl::expected<std::string, Refused>;

constexpr std::size_t kMostPods = 1000;

void AddAmounts(const Tables& tables, std::string_view key,
                const std::vector<std::optional<std::int64_t>>& row, JsonText& json) {
  json.Key(key).Open('[');
  for (const Resource& resource : *tables.resources) {
    json.Value(resource.column < row.size() ? row[resource.column] : std::nullopt);
  }
  json.Close(']');
}

// Summary --------------------------------------------------------------------------------------

// Of those whose turn comes.
const WorkloadRow* LongestWaiting(const Tables& tables) {
  const WorkloadRow* longest = nullptr;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (row.state != WorkloadState::kPending || row.hopeless) return;
    const bool before = longest == nullptr || std::tie(row.created, *row.name) <
                                                  std::tie(longest->created, *longest->name);
    if (before) longest = &row;
  });
  return longest;
}

std::int64_t CountHopeless(const Tables& tables) {
  std::int64_t count = 0;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) { count += row.hopeless ? 1 : 0; });
  return count;
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
  json.Field("finished", in(WorkloadState::kFinished));
  json.Field("hopeless", CountHopeless(tables)).Close('}');
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
    AddAmounts(tables, "guaranteed", row.guaranteed, json);
    AddAmounts(tables, "limit", row.limit, json);
    AddAmounts(tables, "requested", row.requested, json);
    AddAmounts(tables, "allocated", row.allocated, json);
    AddAmounts(tables, "fairShare", row.fair_share, json);
    json.Field("pendingWorkloads", loads[i].pending);
    json.Field("runningWorkloads", loads[i].running).Close('}');
  }
  json.Close(']');
  return End(json);
}

// Workloads ------------------------------------------------------------------------------------

void AddStart(const View& view, const WorkloadRow& row, JsonText& json) {
  json.Key("expectedStart");
  const std::optional<ExpectedStart> start = StartOf(view, row);
  if (!start) {
    json.Null();
    return;
  }
  json.Open('{').Field("at", *start->at).Field("from", start->from).Field("until", start->until);
  json.Field("basis", start->basis).Close('}');
}

// The fields of a row, within an object that is open. `position`: 0: it has none.
void WorkloadFields(const View& view, const WorkloadRow& row, std::int64_t position,
                    JsonText& json) {
  json.Field("workload", *row.name).Field("kind", TextOf(row.kind));
  json.Field("queue", TextOf(row.queue)).Field("user", TextOf(row.user));
  json.Field("priority", row.priority);
  json.Field("state", ToString(row.state)).Field("wanted", row.wanted);
  json.Field("running", row.running).Field("admitted", row.admitted);
  AddAmounts(*view.tables, "asks", row.asks.get(), json);
  json.Field("created", row.created).Field("started", row.started);
  const auto seconds = row.run ? std::optional(row.run->WholeSeconds()) : std::nullopt;
  json.Field("runSeconds", seconds).Field("waitingSeconds", WaitingSeconds(row, view.now));
  json.Field("position", position > 0 ? std::optional(position) : std::nullopt);
  json.Field("hopeless", row.hopeless);
  AddStart(view, row, json);
  json.Key("reason");
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
  const std::vector<std::int64_t> positions = PositionsOf(*view.tables, page.rows);
  JsonText json;
  Begin(view, json);
  json.Field("total", page.total).Field("matching", page.matching).Key("rows").Open('[');
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    json.Open('{');
    WorkloadFields(view, *page.rows[i], positions[i], json);
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
  Begin(view, json);
  WorkloadFields(view, *row, PositionsOf(tables, {row}).front(), json);
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
  std::ranges::sort(pods, {}, [](const PodRow* pod) { return std::string_view(*pod->name); });
  json.Field("podsTotal", pods.size()).Key("pods").Open('[');
  for (std::size_t i = 0; i < std::min(kMostPods, pods.size()); ++i) {
    json.Open('{').Field("pod", *pods[i]->name).Field("node", TextOf(pods[i]->node_name));
    json.Field("state", ToString(pods[i]->state)).Close('}');
  }
  json.Close(']');
  return End(json);
}

// What is planned: windows, and room that is kept.
std::string Ahead(const View& view) {
  JsonText json;
  json.Open('{').Field("now", view.now).Field("version", view.version).Key("windows").Open('[');
  for (const objects::Window& window : *view.windows) {
    std::int64_t nodes = 0;
    view.tables->nodes.ForEachUsed([&](const NodeRow& node) {
      nodes += objects::Matches(window, *node.labels, *node.name) ? 1 : 0;
    });
    json.Open('{').Field("name", window.meta.name).Field("from", window.from);
    json.Field("until", window.until).Field("nodes", nodes).Key("queues").Open('[');
    for (const std::string& queue : window.queues) json.Value(queue);
    json.Close(']').Close('}');
  }
  json.Close(']').Key("reservations").Open('[');
  for (const KeptRoom& kept : *view.kept) {
    json.Open('{').Field("workload", kept.workload).Field("at", kept.at);
    json.Field("since", kept.since).Key("nodes").Open('[');
    for (const std::string& node : kept.nodes) json.Value(node);
    json.Close(']').Close('}');
  }
  json.Close(']');
  return End(json);
}

}  // namespace

const Resource* FindResource(const Tables& tables, std::string_view name) {
  const auto found = std::ranges::find(*tables.resources, name, &Resource::name);
  return found == tables.resources->end() ? nullptr : &*found;
}

const Resource* MainResource(const Tables& tables) {
  for (const Resource& resource : *tables.resources) {
    const bool any = AmountAt(tables.totals.allocatable, resource.column) > 0;
    if (any && resource.name.ends_with("/gpu")) return &resource;
  }
  return FindResource(tables, "cpu");
}

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
      return AnswerNodes(view, question.parameters);
    case Question::About::kNode:
      return AnswerNode(view, question.name);
    case Question::About::kLabels:
      return AnswerLabels(view);
    case Question::About::kWorkloads:
      return Workloads(view, question.parameters);
    case Question::About::kWorkload:
      return Workload(view, question.name);
    case Question::About::kDomains:
      return AnswerDomains(view, question.parameters);
    case Question::About::kUsers:
      return AnswerUsers(view);
    case Question::About::kTop:
      return AnswerTop(view, question.parameters);
    case Question::About::kFacets:
      return AnswerFacets(view);
    case Question::About::kAhead:
      return Ahead(view);
  }
  return Summary(view);
}

}  // namespace fairlead::view
