#include "show/top_view.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/quantity.h"
#include "base/wide_int.h"
#include "objects/key.h"
#include "objects/keys.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;

struct TopResource {
  std::string name;
  std::size_t place = 0;   // in the answer's lists
  std::int64_t there = 0;  // in the whole cluster
};

std::vector<TopResource> ResourcesThere(const json::value& answer) {
  std::vector<TopResource> resources;
  const json::array& known = ItemsAt(answer, "resources");
  for (std::size_t i = 0; i < known.size(); ++i) {
    const std::string_view name = TextAt(known[i], "name");
    const std::int64_t there = NumberIn(answer, "allocatable", i);
    if (there > 0 && name != objects::kPodsResource) {
      resources.push_back({.name = std::string(name), .place = i, .there = there});
    }
  }
  return resources;
}

// Rounded down, so that only who has all of it has 100 %; small ones with a digit more.
std::string PercentText(std::int64_t amount, std::int64_t of) {
  if (of <= 0) return {};
  const auto thousandths = static_cast<std::int64_t>(WideInt{amount} * 1000 / of);
  const bool is_small = thousandths > 0 && thousandths < 100;
  if (is_small) return fmt::format("{}.{}%", thousandths / 10, thousandths % 10);
  return fmt::format("{}%", thousandths / 10);
}

struct TopColumn {
  std::string_view header, key;
};
std::vector<TopColumn> ColumnsFor(std::string_view by) {
  if (by == "pod") return {{"QUEUE", "queue"}, {"NODE", "node"}};
  if (by == "workload") return {{"QUEUE", "queue"}, {"USER", "user"}};
  return {};
}

void PrintTopTable(const json::value& answer, Output& output) {
  const std::string_view by = TextAt(answer, "by");
  const bool in_namespace = by == "pod" || by == "workload";
  const std::vector<TopColumn> columns = ColumnsFor(by);
  const std::vector<TopResource> resources = ResourcesThere(answer);
  std::vector<std::string> header;
  if (in_namespace) header.emplace_back("NAMESPACE");
  header.push_back(in_namespace ? "NAME" : UpperCase(by));
  for (const TopColumn& column : columns) header.emplace_back(column.header);
  if (by != "pod") header.emplace_back("PODS");
  for (const TopResource& resource : resources) {
    header.push_back(ResourceHeader(resource.name));
    header.push_back(header.back() + "%");
  }
  Table table(header);
  for (const json::value& line : ItemsAt(answer, "rows")) {
    const std::string_view known = TextAt(line, "name");
    const std::string_view name = known.empty() ? "(others)" : known;
    std::vector<Cell> row;
    if (in_namespace) row.emplace_back(std::string(objects::SplitKey(name).name_space));
    row.emplace_back(std::string(in_namespace ? objects::SplitKey(name).name : name));
    for (const TopColumn& column : columns) row.emplace_back(std::string(TextAt(line, column.key)));
    if (by != "pod") row.emplace_back(fmt::to_string(NumberAt(line, "pods")));
    for (const TopResource& resource : resources) {
      const std::int64_t amount = NumberIn(line, "allocated", resource.place);
      const std::int64_t of =
          by == "node" ? NumberIn(line, "allocatable", resource.place) : resource.there;
      row.emplace_back(HumanAmount(resource.name, amount));
      row.emplace_back(PercentText(amount, of));
    }
    table.Add(std::move(row));
  }
  if (!table.empty()) return output.Print(table);
  output.Line(by == "node" ? "There are no nodes." : "Nobody holds anything.");
}

json::object AmountsOf(const json::value& answer, const json::value& row, std::string_view key) {
  json::object amounts;
  for (const TopResource& resource : ResourcesThere(answer)) {
    amounts[resource.name] = FormatResource(resource.name, NumberIn(row, key, resource.place));
  }
  return amounts;
}

}  // namespace

void PrintTop(const json::value& answer, Output& output) {
  if (output.is_table()) return PrintTopTable(answer, output);
  json::array rows;
  for (const json::value& line : ItemsAt(answer, "rows")) {
    json::object row{{"name", TextAt(line, "name")}, {"pods", NumberAt(line, "pods")}};
    for (const std::string_view key : {"node", "queue", "user"}) {
      if (const std::string_view text = TextAt(line, key); !text.empty()) row[key] = text;
    }
    row["allocated"] = AmountsOf(answer, line, "allocated");
    if (!ItemsAt(line, "allocatable").empty()) {
      row["allocatable"] = AmountsOf(answer, line, "allocatable");
    }
    rows.push_back(std::move(row));
  }
  output.Document(json::object{{"kind", "Top"},
                               {"now", TextAt(answer, "now")},
                               {"by", TextAt(answer, "by")},
                               {"total", NumberAt(answer, "total")},
                               {"allocatable", AmountsOf(answer, answer, "allocatable")},
                               {"rows", std::move(rows)}});
}

}  // namespace fairlead::show
