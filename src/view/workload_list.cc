#include "view/workload_list.h"

#include <algorithm>
#include <array>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "base/integer.h"

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
    SortName{"queue", Sort::kQueue},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return Lower(a) == Lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

Result<std::size_t> ParseCount(std::string_view key, std::string_view text, std::size_t least,
                               std::size_t most) {
  const auto value = ParseInteger<std::size_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  return Fail(
      fmt::format("{}: found \"{}\", expected a number from {} to {}", key, text, least, most));
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
      "sort: found \"{}\", expected waiting, name, created, priority or queue, \"-\" before it "
      "for the other way round",
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
  Before(const WorkloadQuery& query, Time now) : query_(query), now_(now) {}

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
        return Order(WaitingSeconds(b, now_), WaitingSeconds(a, now_));
      case Sort::kName:
        return Order(*a.name, *b.name);
      case Sort::kCreated:
        return Order(b.created, a.created);
      case Sort::kPriority:
        return Order(b.priority, a.priority);
      case Sort::kQueue:
        return Order(TextOf(a.queue), TextOf(b.queue));
    }
    return 0;
  }

  const WorkloadQuery& query_;
  Time now_;
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
      taken = Fail(fmt::format("found {}, expected state, queue, q, sort, offset or limit", key));
    }
    if (!taken) return tl::unexpected(taken.error());
  }
  return query;
}

std::int64_t WaitingSeconds(const WorkloadRow& row, Time now) {
  // One that ended without a start waits no more.
  const bool over = row.state == WorkloadState::kFinished && !row.started;
  const Time until = over ? row.created : row.started.value_or(now);
  return std::max<std::int64_t>(0, (until - row.created).WholeSeconds());
}

WorkloadPage ListWorkloads(const View& view, const WorkloadQuery& query) {
  const Tables& tables = *view.tables;
  const Names queues = query.queue.empty() ? Names() : QueuesWithin(tables, query.queue);
  WorkloadPage page;
  const auto look = [&](const WorkloadRow& row) {
    ++page.total;
    if (query.state && row.state != *query.state) return;
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
                    page.rows.end(), Before(query, view.now));
  page.rows.resize(last);
  page.rows.erase(page.rows.begin(), page.rows.begin() + static_cast<std::ptrdiff_t>(first));
  return page;
}

}  // namespace fairlead::view
