#include "view/answer_top.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/name_map.h"
#include "base/wide_int.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "view/answer_parts.h"
#include "view/holders.h"

namespace fairlead::view {
namespace {

constexpr std::string_view kByNode = "node";
constexpr std::size_t kMostTopRows = 100'000;

struct TopQuery {
  const HolderKind* holder = nullptr;  // null: nodes
  std::string name_space;              // empty: all
  bool by_name = false;
  const Resource* most_of = nullptr;  // null: the largest part of anything
  std::size_t limit = 100;
};

Result<void> ReadTopParameter(const Tables& tables, const std::string& key, const std::string& text,
                              TopQuery& query) {
  if (key == "by") {
    query.holder = text == kByNode ? nullptr : FindHolderKind(text);
    if (text == kByNode || query.holder != nullptr) return {};
    return Fail(
        fmt::format("by: found \"{}\", expected {} or {}", text, HolderKindNames(), kByNode));
  }
  if (key == "namespace") {
    query.name_space = text;
    return {};
  }
  if (key == "sort") {
    query.by_name = text == "name";
    query.most_of = FindResource(tables, text);
    if (query.by_name || query.most_of != nullptr) return {};
    return Fail(fmt::format("sort: nothing is known of \"{}\", expected name or a resource", text));
  }
  if (key == "limit") {
    const auto limit = ParseCount(key, text, 1, kMostTopRows);
    if (!limit) return tl::unexpected(limit.error());
    query.limit = *limit;
    return {};
  }
  return Fail(fmt::format("found {}, expected by, namespace, sort or limit", key));
}

Result<TopQuery> ParseTopQuery(const Tables& tables,
                               const std::map<std::string, std::string>& parameters) {
  TopQuery query{.holder = FindHolderKind("workload"), .name_space = {}};
  for (const auto& [key, text] : parameters) {
    if (const auto read = ReadTopParameter(tables, key, text, query); !read) {
      return tl::unexpected(read.error());
    }
  }
  if (query.holder == nullptr && !query.name_space.empty()) {
    return Fail("namespace: nodes lie in none");
  }
  return query;
}

struct TopLine {
  std::string_view name;
  std::int64_t pods = 0;
  AmountRow allocated;
  const AmountRow* of = nullptr;      // what `allocated` is a part of
  const WorkloadRow* work = nullptr;  // of a workload, or of a pod of one
  const PodRow* pod = nullptr;        // of a pod
};

std::vector<TopLine> NodeLines(const Tables& tables) {
  std::vector<TopLine> lines;
  tables.nodes.ForEachUsed([&](const NodeRow& row) {
    lines.push_back({.name = *row.name,
                     .pods = row.pods,
                     .allocated = *row.allocated,
                     .of = row.allocatable.get()});
  });
  return lines;
}

std::vector<TopLine> HolderLines(const Tables& tables, const TopQuery& query) {
  const bool of_work = query.holder->name == "workload" || query.holder->name == "pod";
  std::vector<TopLine> lines;
  boost::unordered_flat_map<std::string_view, std::size_t, NameHash> places;
  tables.pods.ForEachUsed([&](const PodRow& pod) {
    if (!HoldsRoom(pod)) return;
    if (!query.name_space.empty() && objects::SplitKey(*pod.name).name_space != query.name_space) {
      return;
    }
    const std::string_view name = query.holder->of(tables, pod);
    const auto [at, fresh] = places.emplace(name, lines.size());
    if (fresh) {
      lines.push_back({.name = name, .allocated = {}, .of = &tables.totals.allocatable});
      const bool ours = pod.workload_row != kNone;
      if (of_work && ours) lines.back().work = &tables.workloads[pod.workload_row];
      if (query.holder->name == "pod") lines.back().pod = &pod;
    }
    TopLine& line = lines[at->second];
    ++line.pods;
    Add(line.allocated, pod.request.get());
  });
  return lines;
}

// Amounts of one resource, as a part of what there is.
struct Part {
  std::int64_t amount = 0, of = 1;
  bool operator<(const Part& other) const {
    return WideInt{amount} * other.of < WideInt{other.amount} * of;
  }
};

// Of what is most; of what there is nothing nobody has a part.
Part LargestPart(const Tables& tables, const TopLine& line) {
  Part largest;
  for (const Resource& resource : *tables.resources) {
    const std::int64_t of = AmountAt(*line.of, resource.column);
    if (of <= 0 || resource.name == objects::kPodsResource) continue;
    largest = std::max(largest, Part{AmountAt(line.allocated, resource.column), of});
  }
  return largest;
}

void SortLines(const Tables& tables, const TopQuery& query, std::vector<TopLine>& lines) {
  std::ranges::sort(lines, {}, &TopLine::name);
  if (query.by_name) return;
  std::vector<std::pair<Part, std::size_t>> order;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Part part = query.most_of == nullptr
                          ? LargestPart(tables, lines[i])
                          : Part{AmountAt(lines[i].allocated, query.most_of->column)};
    order.emplace_back(part, i);
  }
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return b.first < a.first; });
  std::vector<TopLine> sorted;
  for (const auto& [part, i] : order) sorted.push_back(std::move(lines[i]));
  lines = std::move(sorted);
}

}  // namespace

tl::expected<std::string, Refused> AnswerTop(const View& view,
                                             const std::map<std::string, std::string>& parameters) {
  const Tables& tables = *view.tables;
  const Result<TopQuery> query = ParseTopQuery(tables, parameters);
  if (!query) return tl::unexpected(Refused{.message = query.error().message});
  const bool by_node = query->holder == nullptr;
  std::vector<TopLine> lines = by_node ? NodeLines(tables) : HolderLines(tables, *query);
  SortLines(tables, *query, lines);
  JsonText json;
  Begin(view, json);
  json.Field("by", by_node ? kByNode : query->holder->name).Field("total", lines.size());
  AddAmounts(tables, "allocatable", &tables.totals.allocatable, json);
  json.Key("rows").Open('[');
  lines.resize(std::min(lines.size(), query->limit));
  for (const TopLine& line : lines) {
    json.Open('{').Field("name", line.name).Field("pods", line.pods);
    if (line.pod != nullptr) json.Field("node", TextOf(line.pod->node_name));
    if (line.work != nullptr) {
      json.Field("queue", TextOf(line.work->queue)).Field("user", TextOf(line.work->user));
    }
    AddAmounts(tables, "allocated", &line.allocated, json);
    if (by_node) AddAmounts(tables, "allocatable", line.of, json);
    json.Close('}');
  }
  json.Close(']');
  return End(json);
}

}  // namespace fairlead::view
