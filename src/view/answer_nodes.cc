#include "view/answer_nodes.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/name_map.h"
#include "view/answer_parts.h"
#include "view/holders.h"

namespace fairlead::view {
namespace {

struct NodesQuery {
  const HolderKind* holder = nullptr;  // null: nobody is asked for
  const Resource* resource = nullptr;  // held; null: none is known
  std::string label;
};

Result<NodesQuery> ParseNodesQuery(const Tables& tables,
                                   const std::map<std::string, std::string>& parameters) {
  NodesQuery query{.resource = MainResource(tables)};
  for (const auto& [key, text] : parameters) {
    if (key == "by") {
      query.holder = FindHolderKind(text);
      if (query.holder == nullptr) {
        return Fail(fmt::format("by: found \"{}\", expected one of {}", text, HolderKindNames()));
      }
    } else if (key == "resource") {
      query.resource = FindResource(tables, text);
      if (query.resource == nullptr) {
        return Fail(fmt::format("resource: nothing is known of \"{}\"", text));
      }
    } else if (key == "label") {
      query.label = text;
    } else {
      return Fail(fmt::format("found {}, expected by, resource or label", key));
    }
  }
  return query;
}

// Numbers for names, by the order in which they are first asked for.
class NameNumbers {
 public:
  std::uint32_t Of(std::string_view name) {
    const auto [at, fresh] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (fresh) names_.push_back(name);
    return at->second;
  }
  void Write(JsonText& json) const {
    json.Open('[');
    for (const std::string_view name : names_) json.Value(name);
    json.Close(']');
  }

 private:
  std::vector<std::string_view> names_;
  boost::unordered_flat_map<std::string_view, std::uint32_t, NameHash> numbers_;
};

// "holders":{"by","resource","names":[…],"shares":[[name, amount, name, amount, …], …]}: of each
// node who holds how much. The name of pods of other schedulers, and of nobody, is empty.
void AddHolders(const Tables& tables, const NodesQuery& query,
                const std::vector<const NodeRow*>& rows, JsonText& json) {
  using Share = std::pair<std::uint32_t, std::int64_t>;
  std::vector<std::vector<Share>> by_row(tables.nodes.size());
  NameNumbers names;
  tables.pods.ForEachUsed([&](const PodRow& pod) {
    if (query.resource == nullptr || !HoldsRoom(pod)) return;
    const std::int64_t amount = AmountAt(*pod.request, query.resource->column);
    if (amount == 0) return;
    const std::uint32_t name = names.Of(query.holder->of(tables, pod));
    std::vector<Share>& shares = by_row[pod.node];
    const auto known = std::ranges::find(shares, name, &Share::first);
    if (known != shares.end()) {
      known->second += amount;
    } else {
      shares.emplace_back(name, amount);
    }
  });
  boost::unordered_flat_map<std::string_view, std::uint32_t, NameHash> numbers;
  for (std::uint32_t n = 0; n < tables.nodes.size(); ++n) {
    if (tables.nodes[n].in_use()) numbers.emplace(*tables.nodes[n].name, n);
  }
  json.Key("holders").Open('{').Field("by", query.holder->name);
  json.Field("resource", query.resource == nullptr ? "" : query.resource->name).Key("names");
  names.Write(json);
  json.Key("shares").Open('[');
  for (const NodeRow* row : rows) {
    json.Open('[');
    for (const auto& [name, amount] : by_row[numbers.at(*row->name)]) {
      json.Value(name).Value(amount);
    }
    json.Close(']');
  }
  json.Close(']').Close('}');
}

const std::string* LabelOf(const NodeRow& row, std::string_view key) {
  return objects::FindLabel(*row.labels, key);
}

// "groups":{"label","values":[…],"of":[…]}: of each node which value; −1: it lacks the label.
void AddGroups(const std::string& label, const std::vector<const NodeRow*>& rows, JsonText& json) {
  NameNumbers values;
  std::vector<std::int64_t> of;
  for (const NodeRow* row : rows) {
    const std::string* value = LabelOf(*row, label);
    of.push_back(value == nullptr ? -1 : static_cast<std::int64_t>(values.Of(*value)));
  }
  json.Key("groups").Open('{').Field("label", label).Key("values");
  values.Write(json);
  json.Key("of").Open('[');
  for (const std::int64_t each : of) json.Value(each);
  json.Close(']').Close('}');
}

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

}  // namespace

tl::expected<std::string, Refused> AnswerNodes(
    const View& view, const std::map<std::string, std::string>& parameters) {
  const Tables& tables = *view.tables;
  const Result<NodesQuery> query = ParseNodesQuery(tables, parameters);
  if (!query) return tl::unexpected(Refused{.message = query.error().message});
  std::vector<const NodeRow*> rows;
  tables.nodes.ForEachUsed([&](const NodeRow& row) { rows.push_back(&row); });
  std::ranges::sort(rows, {}, [](const NodeRow* row) { return std::string_view(*row->name); });
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
  if (query->holder != nullptr) AddHolders(tables, *query, rows, json);
  if (!query->label.empty()) AddGroups(query->label, rows, json);
  return End(json);
}

tl::expected<std::string, Refused> AnswerNode(const View& view, const std::string& name) {
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
  std::ranges::sort(pods, {}, [](const PodRow* pod) { return std::string_view(*pod->name); });
  JsonText json;
  Begin(view, json);
  json.Field("name", name).Field("state", ToString(node->state)).Key("labels").Open('{');
  for (const auto& [key, value] : *node->labels) json.Field(key, value);
  json.Close('}');
  AddAmounts(tables, "allocatable", node->allocatable.get(), json);
  AddAmounts(tables, "allocated", node->allocated.get(), json);
  json.Key("pods").Open('[');
  for (const PodRow* pod : pods) {
    json.Open('{').Field("pod", *pod->name).Field("workload", TextOf(pod->workload));
    const bool ours = pod->workload_row != kNone;
    json.Field("queue", ours ? TextOf(tables.workloads[pod->workload_row].queue) : "");
    AddAmounts(tables, "request", pod->request.get(), json);
    json.Field("state", ToString(pod->state)).Field("foreign", pod->foreign()).Close('}');
  }
  json.Close(']');
  return End(json);
}

namespace {

constexpr std::size_t kMostValues = 64;  // more are no groups to look at
constexpr std::size_t kMostKeys = 12;

// By what people ask first where things are.
std::size_t RankOf(std::string_view key) {
  constexpr std::array<std::string_view, 7> kWords = {
      "gpu.product", "accelerator", "gpu", "zone", "rack", "block", "instance-type"};
  const auto found = std::ranges::find_if(
      kWords, [&](std::string_view word) { return key.find(word) != std::string_view::npos; });
  return static_cast<std::size_t>(found - kWords.begin());
}

struct LabelUse {
  std::int64_t nodes = 0;
  std::set<std::string_view> values;  // no more than one beyond kMostValues
};

}  // namespace

std::string AnswerLabels(const View& view) {
  std::map<std::string_view, LabelUse> uses;
  view.tables->nodes.ForEachUsed([&](const NodeRow& row) {
    for (const auto& [key, value] : *row.labels) {
      LabelUse& use = uses[key];
      ++use.nodes;
      if (use.values.size() <= kMostValues) use.values.insert(value);
    }
  });
  const std::int64_t nodes = view.tables->totals.nodes;
  std::vector<std::string_view> keys;
  for (const auto& [key, use] : uses) {
    const auto values = std::ssize(use.values);
    const bool parts = values > 1 || (values == 1 && use.nodes < nodes);
    if (parts && use.values.size() <= kMostValues && values < use.nodes) keys.push_back(key);
  }
  std::ranges::stable_sort(keys, {}, RankOf);
  keys.resize(std::min(keys.size(), kMostKeys));
  JsonText json;
  json.Open('{').Field("now", view.now).Field("version", view.version).Key("labels").Open('[');
  for (const std::string_view key : keys) {
    json.Open('{').Field("key", key).Field("values", std::ssize(uses.at(key).values));
    json.Field("nodes", uses.at(key).nodes).Close('}');
  }
  json.Close(']');
  return End(json);
}

}  // namespace fairlead::view
