#include "view/workload_list.h"

#include <algorithm>
#include <array>
#include <tuple>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "objects/key.h"
#include "view/answer_parts.h"

namespace fairlead::view {
namespace {

using Sort = WorkloadQuery::Sort;

struct SortName {
  std::string_view name;
  Sort sort;
};
constexpr std::array kSorts = {
    SortName{"waiting", Sort::kWaiting}, SortName{"name", Sort::kName},
    SortName{"created", Sort::kCreated}, SortName{"priority", Sort::kPriority},
    SortName{"queue", Sort::kQueue},     SortName{"asks", Sort::kAsks},
    SortName{"starts", Sort::kStarts},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return Lower(a) == Lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

Result<WorkloadState> ParseState(std::string_view text) {
  for (const WorkloadState state : kWorkloadStates) {
    if (ToString(state) == text) return state;
  }
  return Fail(
      fmt::format("state: found \"{}\", expected Pending, Admitted, Running or Finished", text));
}

Result<void> ParseSort(std::string_view text, WorkloadQuery& query) {
  query.reversed = text.starts_with('-');
  for (const SortName& each : kSorts) {
    if (each.name != text.substr(query.reversed ? 1 : 0)) continue;
    query.sort = each.sort;
    return {};
  }
  return Fail(fmt::format(
      "sort: found \"{}\", expected waiting, name, created, priority, queue, asks or starts, \"-\" "
      "before it for the other way round",
      text));
}

using Names = boost::unordered_flat_set<std::string_view>;

// The queue and those below it. One that is not there may still have workloads.
Names QueuesWithin(const Tables& tables, std::string_view queue) {
  Names names = {queue};
  for (const std::uint32_t i : *tables.queue_order) {
    const QueueRow& row = tables.queues[i];
    const bool below =
        row.parent_row != kNone && names.contains(TextOf(tables.queues[row.parent_row].name));
    if (below) names.insert(TextOf(row.name));
  }
  return names;
}

// Whether `a` comes first: by what is asked, else by name.
class Before {
 public:
  Before(const WorkloadQuery& query, const View& view)
      : query_(query), view_(view), main_(MainResource(*view.tables)) {}

  bool operator()(const WorkloadRow* a, const WorkloadRow* b) const {
    const int order = Compare(*a, *b);
    if (order != 0) return query_.reversed ? order > 0 : order < 0;
    return *a->name < *b->name;
  }

 private:
  template <typename T>
  static int Order(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
  }
  int Compare(const WorkloadRow& a, const WorkloadRow& b) const {
    switch (query_.sort) {
      case Sort::kWaiting:
        return Order(WaitingSeconds(b, view_.now), WaitingSeconds(a, view_.now));
      case Sort::kName:
        return Order(*a.name, *b.name);
      case Sort::kCreated:
        return Order(b.created, a.created);
      case Sort::kPriority:
        return Order(b.priority, a.priority);
      case Sort::kQueue:
        return Order(TextOf(a.queue), TextOf(b.queue));
      case Sort::kAsks:
        return Order(AsksOf(b), AsksOf(a));
      case Sort::kStarts:
        return Order(StartedOrExpected(a), StartedOrExpected(b));
    }
    return 0;
  }

  std::int64_t AsksOf(const WorkloadRow& row) const {
    return main_ == nullptr || row.asks == nullptr ? 0 : AmountAt(*row.asks, main_->column);
  }
  // Started or expected; of those of whom nobody knows it last.
  Time StartedOrExpected(const WorkloadRow& row) const {
    if (row.started) return *row.started;
    const std::optional<ExpectedStart> start = StartOf(view_, row);
    return start ? start->at.value_or(Time::Max()) : Time::Max();
  }

  const WorkloadQuery& query_;
  const View& view_;
  const Resource* main_;
};

}  // namespace

Result<WorkloadQuery> ParseWorkloadQuery(const std::map<std::string, std::string>& parameters) {
  WorkloadQuery query;
  for (const auto& [key, text] : parameters) {
    Result<void> taken;
    if (key == "state") {
      if (text.empty()) continue;
      const auto state = ParseState(text);
      if (!state) return tl::unexpected(state.error());
      query.state = *state;
    } else if (key == "queue") {
      query.queue = text;
    } else if (key == "namespace") {
      query.name_space = text;
    } else if (key == "user") {
      query.user = text;
    } else if (key == "reason") {
      query.reason = text;
    } else if (key == "waits") {
      if (text.empty()) continue;
      if (text != "turn" && text != "never") {
        return Fail(fmt::format("waits: found \"{}\", expected turn or never", text));
      }
      query.hopeless = text == "never";
    } else if (key == "q") {
      query.text = text;
    } else if (key == "sort") {
      if (!text.empty()) taken = ParseSort(text, query);
    } else if (key == "offset" || key == "limit") {
      const bool offset = key == "offset";
      const auto count =
          offset ? ParseCount(key, text, 0, 1'000'000'000) : ParseCount(key, text, 1, kMostRows);
      if (!count) return tl::unexpected(count.error());
      (offset ? query.offset : query.limit) = *count;
    } else {
      taken = Fail(
          fmt::format("found {}, expected state, queue, namespace, user, reason, waits, q, sort, "
                      "offset or limit",
                      key));
    }
    if (!taken) return tl::unexpected(taken.error());
  }
  return query;
}

std::optional<ExpectedStart> StartOf(const View& view, const WorkloadRow& row) {
  if (row.state != WorkloadState::kPending) return std::nullopt;
  if (view.starts != nullptr) {
    const auto found = view.starts->find(*row.name);
    if (found != view.starts->end() && found->second.at) return found->second;
  }
  const auto kept = std::ranges::lower_bound(*view.kept, *row.name, {}, &KeptRoom::workload);
  if (kept == view.kept->end() || kept->workload != *row.name || !kept->at) return std::nullopt;
  return ExpectedStart{.at = kept->at, .from = {}, .until = {}, .basis = "Reserved"};
}

std::map<std::string, std::int64_t, std::less<>> HopelessByQueue(const Tables& tables) {
  std::map<std::string, std::int64_t, std::less<>> of_leaf, all;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (row.hopeless && row.queue != nullptr) ++of_leaf[*row.queue];
  });
  if (of_leaf.empty()) return all;
  for (const std::uint32_t i : *tables.queue_order) {
    const auto own = of_leaf.find(TextOf(tables.queues[i].name));
    if (own == of_leaf.end()) continue;
    for (std::uint32_t q = i; q != kNone; q = tables.queues[q].parent_row) {
      all[*tables.queues[q].name] += own->second;
    }
  }
  return all;
}

std::int64_t WaitingSeconds(const WorkloadRow& row, Time now) {
  // One that ended without a start waits no more.
  const bool over = row.state == WorkloadState::kFinished && !row.started;
  const Time until = over ? row.created : row.started.value_or(now);
  return std::max<std::int64_t>(0, (until - row.created).WholeSeconds());
}

std::vector<std::int64_t> PositionsOf(const Tables& tables,
                                      const std::vector<const WorkloadRow*>& rows) {
  const auto in_line = [](const WorkloadRow& row) {
    return row.state == WorkloadState::kPending && row.waits && !row.hopeless;
  };
  boost::unordered_flat_map<const std::string*, std::vector<const WorkloadRow*>> lines;
  for (const WorkloadRow* row : rows) {
    if (in_line(*row)) lines[row->queue.get()];
  }
  std::vector<std::int64_t> positions(rows.size(), 0);
  if (lines.empty()) return positions;
  tables.workloads.ForEachUsed([&](const WorkloadRow& row) {
    if (!in_line(row)) return;
    const auto line = lines.find(row.queue.get());  // names of queues are shared
    if (line != lines.end()) line->second.push_back(&row);
  });
  const auto before = [](const WorkloadRow* a, const WorkloadRow* b) {
    return std::tie(b->priority, a->served, *a->name) < std::tie(a->priority, b->served, *b->name);
  };
  for (auto& [queue, line] : lines) std::sort(line.begin(), line.end(), before);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!in_line(*rows[i])) continue;
    const std::vector<const WorkloadRow*>& line = lines[rows[i]->queue.get()];
    positions[i] = std::lower_bound(line.begin(), line.end(), rows[i], before) - line.begin() + 1;
  }
  return positions;
}

WorkloadPage ListWorkloads(const View& view, const WorkloadQuery& query) {
  const Tables& tables = *view.tables;
  const Names queues = query.queue.empty() ? Names() : QueuesWithin(tables, query.queue);
  WorkloadPage page;
  const auto look = [&](const WorkloadRow& row) {
    ++page.total;
    if (query.state && row.state != *query.state) return;
    if (!query.name_space.empty() && objects::SplitKey(*row.name).name_space != query.name_space) {
      return;
    }
    if (!query.user.empty() && TextOf(row.user) != query.user) return;
    const bool said = row.reason != nullptr;
    if (!query.reason.empty() && (!said || state::ToString(row.reason->code) != query.reason)) {
      return;
    }
    const bool waits = row.state == WorkloadState::kPending;
    if (query.hopeless && (!waits || row.hopeless != *query.hopeless)) return;
    if (!query.queue.empty() && !queues.contains(TextOf(row.queue))) return;
    if (!query.text.empty() && !Contains(*row.name, query.text) &&
        !Contains(TextOf(row.queue), query.text)) {
      return;
    }
    page.rows.push_back(&row);
  };
  tables.workloads.ForEachUsed(look);
  tables.ended_workloads.ForEachUsed(look);
  page.matching = std::ssize(page.rows);
  const std::size_t first = std::min(query.offset, page.rows.size());
  const std::size_t last = std::min(first + query.limit, page.rows.size());
  std::partial_sort(page.rows.begin(), page.rows.begin() + static_cast<std::ptrdiff_t>(last),
                    page.rows.end(), Before(query, view));
  page.rows.resize(last);
  page.rows.erase(page.rows.begin(), page.rows.begin() + static_cast<std::ptrdiff_t>(first));
  return page;
}

}  // namespace fairlead::view
