#include "view/answer_people.h"

#include <algorithm>
#include <map>

#include "objects/key.h"
#include "view/answer_parts.h"
#include "view/holders.h"
#include "view/workload_list.h"

namespace fairlead::view {
namespace {

struct UserLine {
  std::int64_t running = 0, pending = 0, pods = 0, longest_s = 0;
  AmountRow allocated, waiting;
};

using Counts = std::map<std::string_view, std::int64_t>;

void AddCounts(std::string_view key, const Counts& counts, JsonText& json) {
  json.Key(key).Open('[');
  for (const auto& [name, count] : counts) {
    if (!name.empty()) json.Open('{').Field("name", name).Field("count", count).Close('}');
  }
  json.Close(']');
}

}  // namespace

std::string AnswerUsers(const View& view) {
  const Tables& tables = *view.tables;
  std::map<std::string_view, UserLine> lines;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (row.state == WorkloadState::kFinished) return;
    UserLine& line = lines[TextOf(row.user)];
    const bool runs = row.state == WorkloadState::kRunning;
    ++(runs ? line.running : line.pending);
    if (runs) return;
    Add(line.waiting, row.asks.get());
    if (!row.hopeless) line.longest_s = std::max(line.longest_s, WaitingSeconds(row, view.now));
  });
  tables.pods.ForEachUsed([&](const PodRow& pod) {
    if (pod.workload_row == kNone || !HoldsRoom(pod)) return;
    UserLine& line = lines[TextOf(tables.workloads[pod.workload_row].user)];
    ++line.pods;
    Add(line.allocated, pod.request.get());
  });
  JsonText json;
  Begin(view, json);
  json.Key("users").Open('[');
  for (const auto& [name, line] : lines) {
    json.Open('{').Field("user", name).Field("running", line.running);
    json.Field("pending", line.pending).Field("pods", line.pods);
    json.Field("longestWaitingSeconds", line.longest_s);
    AddAmounts(tables, "allocated", &line.allocated, json);
    AddAmounts(tables, "waiting", &line.waiting, json);
    json.Close('}');
  }
  json.Close(']');
  return End(json);
}

std::string AnswerFacets(const View& view) {
  Counts namespaces, queues, users, reasons;
  const auto look = [&](const WorkloadRow& row) {
    ++namespaces[objects::SplitKey(*row.name).name_space];
    ++queues[TextOf(row.queue)];
    ++users[TextOf(row.user)];
    if (row.reason != nullptr) ++reasons[state::ToString(row.reason->code)];
  };
  for (const std::uint32_t q : *view.tables->queue_order) {
    queues.emplace(TextOf(view.tables->queues[q].name), 0);  // those above others have none
  }
  view.tables->workloads.ForEachUsed(look);
  view.tables->ended_workloads.ForEachUsed(look);
  JsonText json;
  json.Open('{').Field("now", view.now).Field("version", view.version);
  AddCounts("namespaces", namespaces, json);
  AddCounts("queues", queues, json);
  AddCounts("users", users, json);
  AddCounts("reasons", reasons, json);
  return End(json);
}

}  // namespace fairlead::view
