#include "host/real_tables.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "objects/key.h"
#include "objects/keys.h"
#include "show/human_text.h"

namespace fairlead::host {
namespace {

namespace json = boost::json;
using server::Query;

// Of one table or of several, those that are asked for, by name.
template <typename Row>
std::vector<const Row*> Wanted(std::initializer_list<const view::Rows<Row>*> tables,
                               const Query& query) {
  std::vector<const Row*> rows;
  for (const view::Rows<Row>* table : tables) {
    table->ForEachUsed([&](const Row& row) {
      const auto [name_space, name] = objects::SplitKey(*row.name);
      const bool asked =
          query.kind->namespaced
              ? query.Wants({.name = std::string(name), .name_space = std::string(name_space)})
              : query.name.empty() || query.name == *row.name;
      if (asked) rows.push_back(&row);
    });
  }
  std::ranges::sort(rows, [](const Row* a, const Row* b) { return *a->name < *b->name; });
  return rows;
}

TableRows WorkloadTable(const RealSource& source, const Query& query) {
  const view::Tables& tables = *source.view.tables;
  TableRows result{.columns = WorkloadColumns(), .rows = {}};
  for (const view::WorkloadRow* row :
       Wanted<view::WorkloadRow>({&tables.workloads, &tables.ended_workloads}, query)) {
    if (view::TextOf(row->kind) == "Pod") continue;  // it is in the table of pods
    const auto [name_space, name] = objects::SplitKey(*row->name);
    const bool waits = row->state == view::WorkloadState::kPending;
    result.rows.push_back(json::array{
        name_space, name, ToString(row->state),
        row->admitted ? fmt::format("{}/{}", *row->admitted, row->wanted) : "",
        fmt::format("{}/{}", row->running, row->admitted.value_or(row->wanted)),
        view::TextOf(row->queue), EndsIn(source.scheduler.cluster(), *row->name, source.now),
        waits ? show::HumanDuration(source.now - row->created) : "",
        ExpectedIn(source.view, *row, source.now),
        row->reason == nullptr ? std::string_view() : state::ToString(row->reason->code)});
  }
  return result;
}

// `get`'s words, which are kubectl's where it has one.
std::string_view StatusWord(view::PodState state) {
  if (state == view::PodState::kClaiming) return "Nominated";
  if (state == view::PodState::kLeaving) return "Terminating";
  return ToString(state);
}

TableRows PodTable(const RealSource& source, const Query& query) {
  const view::Tables& tables = *source.view.tables;
  TableRows result{.columns = PodColumns(), .rows = {}};
  for (const view::PodRow* row : Wanted<view::PodRow>({&tables.pods, &tables.ended_pods}, query)) {
    const auto [name_space, name] = objects::SplitKey(*row->name);
    const bool alone = row->foreign() || *row->workload == *row->name;
    const std::optional<intake::ToldPod> known = source.intake.FindTold(*row->name);
    const view::WorkloadRow* workload =
        row->workload_row == view::kNone ? nullptr : &tables.workloads[row->workload_row];
    result.rows.push_back(
        json::array{name_space, name, StatusWord(row->state), view::TextOf(row->node_name),
                    alone ? std::string_view() : objects::SplitKey(*row->workload).name,
                    workload == nullptr ? std::string_view() : view::TextOf(workload->queue),
                    workload == nullptr ? "" : ExpectedIn(source.view, *workload, source.now),
                    !known ? "" : show::HumanDuration(source.now - known->created)});
  }
  return result;
}

// "Ready,SchedulingDisabled" is kubectl's word for a node that takes nobody.
std::string_view StatusWord(view::NodeState state) {
  if (state == view::NodeState::kUnschedulable) return "Ready,SchedulingDisabled";
  return state == view::NodeState::kReady ? "Ready" : "NotReady";
}

TableRows NodeTable(const RealSource& source, const Query& query) {
  const view::Tables& tables = *source.view.tables;
  const auto amounts = [&](const view::AmountRow& row) {
    objects::ResourceList list;  // by name, as the resources are
    for (const view::Resource& resource : *tables.resources) {
      list.emplace_back(resource.name, view::AmountAt(row, resource.column));
    }
    return list;
  };
  TableRows result{.columns = NodeColumns(), .rows = {}};
  for (const view::NodeRow* row : Wanted<view::NodeRow>({&tables.nodes}, query)) {
    const objects::ResourceList used = amounts(*row->allocated), all = amounts(*row->allocatable);
    result.rows.push_back(json::array{*row->name, StatusWord(row->state), UsedOf(used, all, "cpu"),
                                      UsedOf(used, all, "memory"),
                                      UsedOf(used, all, objects::kGpuResource), ""});
  }
  return result;
}

}  // namespace

std::optional<TableRows> RealRows(const RealSource& source, const Query& query) {
  const std::string_view kind = query.kind->kind;
  if (kind == "Workload") return WorkloadTable(source, query);
  if (kind == "Pod") return PodTable(source, query);
  if (kind == "Node") return NodeTable(source, query);
  if (kind == "Queue") return QueueRows(source.scheduler, source.view, query);
  if (kind == "User") return UserRows(source.scheduler, query);
  if (kind == "Event" && source.events != nullptr) {
    return EventRows(*source.events, source.now, query);
  }
  return std::nullopt;
}

std::vector<std::string> NamesBeside(const RealSource& source, Query query) {
  query.name.clear();
  std::vector<std::string> names;
  const auto rows = RealRows(source, query);
  if (!rows) return names;
  const auto column = std::ranges::find(rows->columns, json::value("NAME"));
  if (column == rows->columns.end()) return names;
  for (const json::value& row : rows->rows) {
    const json::value& name = row.get_array()[column - rows->columns.begin()];
    names.emplace_back(name.get_string());
  }
  return names;
}

}  // namespace fairlead::host
