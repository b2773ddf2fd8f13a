#include "host/table_rows.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/quantity.h"
#include "engine/explain/report.h"
#include "show/human_text.h"
#include "show/plan_view.h"
#include "view/workload_list.h"

namespace fairlead::host {

namespace json = boost::json;
using server::Query;

json::object ToJson(TableRows rows, Time now) {
  return {{"kind", "Table"},
          {"now", FormatTime(now)},
          {"columns", std::move(rows.columns)},
          {"rows", std::move(rows.rows)}};
}

server::Refusal NoSuch(const Query& query, const std::vector<std::string>& names) {
  const std::string where =
      query.kind->namespaced ? fmt::format(" in namespace {}", query.name_space) : "";
  return {.status = 404,
          .message = fmt::format("there is no {} {}{}{}", query.kind->kind, query.name, where,
                                 DidYouMean(query.name, names))};
}

json::array PodColumns() {
  return {"NAMESPACE", "NAME", "STATUS", "NODE", "WORKLOAD", "QUEUE", "EXPECTED", "AGE"};
}

json::array WorkloadColumns() {
  return {"NAMESPACE", "NAME", "STATE",   "ADMITTED", "PODS",
          "QUEUE",     "ENDS", "WAITING", "EXPECTED", "REASON"};
}

json::array NodeColumns() { return {"NAME", "STATUS", "CPU", "MEMORY", "GPU", "AGE"}; }

TableRows QueueRows(const engine::Scheduler& scheduler, const view::View& view,
                    const Query& query) {
  TableRows result{.columns = {"NAME", "PARENT", "GUARANTEED", "ALLOCATED", "FAIR-SHARE", "PENDING",
                               "NEVER", "RUNNING"}};
  const auto hopeless = view::HopelessByQueue(*view.tables);
  for (const engine::QueueReport& queue : engine::ReportQueues(scheduler)) {
    if (!query.name.empty() && queue.name != query.name) continue;
    const auto never = hopeless.find(queue.name);
    result.rows.push_back(json::array{
        queue.not_ready.empty() ? queue.name : fmt::format("{} ({})", queue.name, queue.not_ready),
        queue.parent, show::ShortQuantities(queue.guaranteed),
        show::ShortQuantities(queue.allocated), show::ShortQuantities(queue.fair_share),
        std::to_string(queue.pending_workloads),
        std::to_string(never == hopeless.end() ? 0 : never->second),
        std::to_string(queue.running_workloads)});
  }
  return result;
}

// A row a limit under which the user or group has anything, or has had since queues changed.
TableRows UserRows(const engine::Scheduler& scheduler, const Query& query) {
  TableRows result{
      .columns = {"NAME", "KIND", "QUEUE", "MAX", "ALLOCATED", "RUNNING", "WAITING", "BEYOND"}};
  const auto of = [](std::int32_t count, const std::optional<std::int32_t>& most) {
    return most ? fmt::format("{}/{}", count, *most) : std::to_string(count);
  };
  for (const engine::UserReport& user : engine::ReportUsers(scheduler)) {
    if (!query.name.empty() && user.name != query.name) continue;
    result.rows.push_back(json::array{
        user.name, user.is_group ? "group" : "user", user.queue, show::ShortQuantities(user.max),
        show::ShortQuantities(user.allocated), of(user.running, user.max_running),
        of(user.waiting, user.max_waiting), std::to_string(user.beyond)});
  }
  return result;
}

TableRows EventRows(const EventLog& log, Time now, const Query& query) {
  TableRows result{.columns = {"AGE", "EVENT", "OBJECT", "NODE", "DETAIL"}};
  for (const EventLog::Entry& row : log.entries()) {
    if (!query.name_space.empty() && !row.object.starts_with(query.name_space + "/")) continue;
    result.rows.push_back(json::array{show::HumanDuration(now - row.time), row.type, row.object,
                                      row.node, row.detail});
  }
  return result;
}

std::string EndsIn(const state::Cluster& cluster, std::string_view workload, Time now) {
  const state::WorkloadId w = state::FindWorkload(cluster, workload);
  if (!w.valid() || !cluster.workloads()[w].started()) return "";
  const std::optional<Duration>& limit = cluster.workloads().run_time(w).limit;
  if (!limit) return "";
  return show::HumanDuration(std::max(Duration(), cluster.workloads()[w].start + *limit - now));
}

std::string ExpectedIn(const view::View& view, const view::WorkloadRow& row, Time now) {
  if (row.state != view::WorkloadState::kPending) return "";
  if (row.hopeless) return "never";
  const std::optional<view::ExpectedStart> start = view::StartOf(view, row);
  if (!start) return "";
  const auto ahead = [&](Time time) {
    return show::HumanDuration(std::max(Duration(), time - now));
  };
  std::string text = *start->at <= now ? "now" : "in " + ahead(*start->at);
  if (start->from && start->until && start->from != start->until) {
    text += fmt::format(" ({}-{})", ahead(*start->from), ahead(*start->until));
  }
  return text;
}

PendingRows::PendingRows(const view::View& view) : view_(view) {
  view.tables->workloads.ForEachUsed([&](const view::WorkloadRow& row) {
    if (row.state == view::WorkloadState::kPending) rows_.emplace(*row.name, &row);
  });
}

std::string PendingRows::ExpectedOf(std::string_view workload, Time now) const {
  const auto row = rows_.find(workload);
  return row == rows_.end() ? "" : ExpectedIn(view_, *row->second, now);
}

void PendingRows::AddStart(std::string_view workload, json::object& into) const {
  const auto row = rows_.find(workload);
  if (row == rows_.end() || row->second->hopeless) return;
  const std::optional<view::ExpectedStart> start = view::StartOf(view_, *row->second);
  if (!start) return;
  json::object expected{{"at", FormatTime(*start->at)}};
  if (start->from) expected["from"] = FormatTime(*start->from);
  if (start->until) expected["until"] = FormatTime(*start->until);
  expected["basis"] = start->basis;
  json::value& status = into["status"];
  if (!status.is_object()) status = json::object();
  status.get_object()["expectedStart"] = std::move(expected);
}

std::string UsedOf(const objects::ResourceList& used, const objects::ResourceList& total,
                   std::string_view resource) {
  const std::int64_t all = objects::AmountOf(total, resource);
  const std::int64_t some = objects::AmountOf(used, resource);
  if (all == 0) return "";
  if (SuffixesOf(resource) == Suffixes::kBinary) {
    constexpr double kGi = 1024.0 * 1024 * 1024;
    return fmt::format("{:.4g}/{:.4g}Gi", static_cast<double>(some) / kGi,
                       static_cast<double>(all) / kGi);
  }
  return fmt::format("{}/{}", HumanAmount(resource, some), HumanAmount(resource, all));
}

}  // namespace fairlead::host
