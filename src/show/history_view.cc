#include "show/history_view.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "account/csv_text.h"
#include "base/quantity.h"
#include "base/time.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;
using Row = std::vector<std::string>;

std::string Plain(const json::value& value) {
  if (value.is_null()) return {};
  if (value.is_double()) return fmt::format("{}", value.get_double());
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

std::string PodSets(const json::value& row) {
  std::vector<std::string> sets;
  for (const json::value& set : ItemsAt(row, "podSets")) {
    sets.push_back(fmt::format("{} {}", TextAt(set, "name"), NumberAt(set, "count")));
  }
  return fmt::format("{}", fmt::join(sets, ", "));
}

// What a table says beside the names of a decision.
std::string DetailOfRow(const json::value& row) {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  const std::string beneficiary(TextAt(row, "for"));
  add(std::string(TextAt(row, "action")) + (beneficiary.empty() ? "" : " for " + beneficiary));
  add(PodSets(row));
  add(std::string(TextAt(row, "reason")));
  return fmt::format("{}", fmt::join(parts, ": "));
}

void AddDecision(const json::value& row, Table& table) {
  const std::string type(TextAt(row, "type"));
  const bool of_pod = !TextAt(row, "pod").empty();
  table.Add({std::string(TextAt(row, "time")), Cell(type, ToneOf(type)),
             std::string(TextAt(row, of_pod ? "pod" : "workload")),
             std::string(TextAt(row, "node")), std::string(TextAt(row, "queue")),
             std::string(TextAt(row, "user")), DetailOfRow(row)});
}

std::string UsedText(const json::value& row) {
  std::vector<std::string> parts;
  const json::object* used = At(row, "used").if_object();
  if (used == nullptr) return {};
  for (const auto& [name, amount] : *used) {
    boost::system::error_code error;
    const auto seconds = amount.to_number<double>(error);
    const bool bytes = SuffixesOf(std::string(name)) == Suffixes::kBinary;
    const double hours = seconds / 3600 / (bytes ? 1024.0 * 1024 * 1024 : 1);
    parts.push_back(fmt::format("{} {:.4g}{}", ShortResource(std::string_view(name)), hours,
                                bytes ? "Gi" : ""));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void AddEnded(const json::value& row, Table& table) {
  const std::string outcome(TextAt(row, "outcome"));
  const std::string_view started = TextAt(row, "started");
  table.Add({std::string(TextAt(row, "finished")), std::string(TextAt(row, "workload")),
             std::string(TextAt(row, "queue")), std::string(TextAt(row, "user")),
             Cell(outcome, ToneOf(outcome)), fmt::to_string(NumberAt(row, "pods")),
             fmt::to_string(NumberAt(row, "evictions")),
             HumanAge(TextAt(row, "created"), started.empty() ? TextAt(row, "finished") : started),
             started.empty() ? "" : HumanAge(started, TextAt(row, "finished")), UsedText(row)});
}

void AddScore(const json::value& row, Table& table) {
  const std::int64_t judged = NumberAt(row, "judged");
  const bool any = NumberAt(row, "started") > 0;
  const std::string_view queue = TextAt(row, "queue");
  table.Add({std::string(queue.empty() ? "(all)" : queue), std::string(TextAt(row, "basis")),
             fmt::to_string(NumberAt(row, "said")), fmt::to_string(NumberAt(row, "started")),
             judged == 0 ? std::string()
                         : fmt::format("{}% ({}/{})", NumberAt(row, "withinPercent"),
                                       NumberAt(row, "within"), judged),
             any ? HumanDuration(Duration::Seconds(NumberAt(row, "medianErrorSeconds")))
                 : std::string()});
}

// Everything that a row says, a column each; of what it used a column a resource.
void PrintCsv(std::string_view what, const json::array& rows, Output& output) {
  Row columns{"seq",   "time", "type",   "pod", "node",   "workload",
              "queue", "user", "action", "for", "reason", "podSets"};
  std::set<std::string> used;
  if (what == "sessions") columns = {"session", "mode", "begun", "start", "end"};
  if (what == "estimates") {
    columns = {"queue",  "basis",  "said",          "started",
               "judged", "within", "withinPercent", "medianErrorSeconds"};
  }
  if (what == "workloads") {
    columns = {"seq",     "workload", "queue", "user",      "created",
               "started", "finished", "pods",  "evictions", "outcome"};
    for (const json::value& row : rows) {
      const json::object* each = At(row, "used").if_object();
      if (each == nullptr) continue;
      for (const auto& [name, amount] : *each) used.emplace(name);
    }
  }
  account::CsvText csv;
  Row header = columns;
  for (const std::string& name : used) header.push_back("used " + name);
  csv.Row(header);
  for (const json::value& row : rows) {
    Row line;
    for (const std::string& column : columns) {
      line.push_back(column == "podSets" ? PodSets(row) : Plain(At(row, column)));
    }
    for (const std::string& name : used) line.push_back(Plain(At(At(row, "used"), name)));
    csv.Row(line);
  }
  output.Text(csv.text());
}

std::vector<std::int64_t> NumbersAt(const json::value& value, std::string_view key) {
  std::vector<std::int64_t> numbers;
  for (const json::value& each : ItemsAt(value, key)) {
    numbers.push_back(each.is_int64() ? each.get_int64() : 0);
  }
  return numbers;
}

std::int64_t AmountAt(const json::value& point, std::string_view key, std::size_t i) {
  const std::vector<std::int64_t> numbers = NumbersAt(point, key);
  return i < numbers.size() ? numbers[i] : 0;
}

void PrintUsageCsv(const json::value& series, Output& output) {
  const json::array& resources = ItemsAt(series, "resources");
  constexpr const char* kFigures[] = {"allocatable", "allocated", "requested", "fairShare"};
  account::CsvText csv;
  Row header{"time", "running", "pending", "waitingMaxSeconds"};
  for (const char* figure : kFigures) {
    for (const json::value& resource : resources) {
      header.push_back(fmt::format("{} {}", figure, TextAt(resource, "name")));
    }
  }
  csv.Row(header);
  for (const json::value& point : ItemsAt(series, "points")) {
    Row line;
    for (std::size_t i = 0; i < 4; ++i) line.push_back(Plain(At(point, header[i])));
    for (const char* figure : kFigures) {
      const std::vector<std::int64_t> amounts = NumbersAt(point, figure);
      for (std::size_t i = 0; i < resources.size(); ++i) {
        const std::int64_t scale = std::max<std::int64_t>(1, NumberAt(resources[i], "scale"));
        line.push_back(i >= amounts.size() ? ""
                       : scale == 1        ? fmt::to_string(amounts[i])
                                           : fmt::format("{}", static_cast<double>(amounts[i]) /
                                                                   static_cast<double>(scale)));
      }
    }
    csv.Row(line);
  }
  output.Text(csv.text());
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

// Resources that something asked for, in columns: what is allocated, of what there is, or of what
// the queue is due.
void PrintUsageTable(const json::value& series, Output& output) {
  const bool whole = TextAt(series, "queue").empty();
  const json::array& resources = ItemsAt(series, "resources");
  const json::array& points = ItemsAt(series, "points");
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const bool asked = std::any_of(points.begin(), points.end(), [&](const json::value& point) {
      return AmountAt(point, "allocated", i) > 0 || AmountAt(point, "requested", i) > 0;
    });
    if (asked) shown.push_back(i);
  }
  std::vector<std::string> header{"TIME", "RUNNING", "PENDING", "WAITING"};
  for (const std::size_t i : shown) {
    header.push_back(Upper(ShortResource(TextAt(resources[i], "name"))));
  }
  Table table(header);
  for (const json::value& point : points) {
    const std::int64_t waiting = NumberAt(point, "waitingMaxSeconds");
    std::vector<Cell> row{std::string(TextAt(point, "time")),
                          fmt::to_string(NumberAt(point, "running")),
                          fmt::to_string(NumberAt(point, "pending")),
                          waiting == 0 ? "" : HumanDuration(Duration::Seconds(waiting))};
    for (const std::size_t i : shown) {
      const std::string_view name = TextAt(resources[i], "name");
      const auto amount = [&](std::string_view key) {
        return HumanAmount(name, AmountAt(point, key, i));
      };
      row.emplace_back(amount("allocated") + "/" + amount(whole ? "allocatable" : "fairShare"));
    }
    table.Add(std::move(row));
  }
  output.Print(table);
}

}  // namespace

void PrintHistory(std::string_view what, const json::array& rows, Output& output) {
  if (output.is_csv()) {
    PrintCsv(what, rows, output);
    return;
  }
  if (!output.is_table()) {
    output.Document(json::object{{"apiVersion", "fairlead.dev/v1alpha1"},
                                 {"kind", "History"},
                                 {"of", what},
                                 {"rows", rows}});
    return;
  }
  if (rows.empty()) {
    const std::string_view why =
        what == "estimates" ? ": explain, get and the page make them, of what waits" : "";
    Complain(fmt::format("there are no {} of that kind in the history{}", what, why));
    return;
  }
  Table table(
      what == "workloads"   ? Row{"FINISHED", "WORKLOAD", "QUEUE", "USER", "OUTCOME", "PODS",
                                "EVICTIONS", "WAITED", "RAN", "USED (HOURS)"}
      : what == "estimates" ? Row{"QUEUE", "BASIS", "SAID", "STARTED", "WITHIN", "MEDIAN-ERROR"}
      : what == "sessions"  ? Row{"SESSION", "MODE", "BEGUN", "START", "END"}
                            : Row{"TIME", "TYPE", "OBJECT", "NODE", "QUEUE", "USER", "DETAIL"});
  for (const json::value& row : rows) {
    if (what == "workloads") {
      AddEnded(row, table);
    } else if (what == "estimates") {
      AddScore(row, table);
    } else if (what == "sessions") {
      table.Add({Plain(At(row, "session")), Plain(At(row, "mode")), Plain(At(row, "begun")),
                 Plain(At(row, "start")), Plain(At(row, "end"))});
    } else {
      AddDecision(row, table);
    }
  }
  output.Print(table);
}

void PrintUsage(const json::value& series, Output& output) {
  if (output.is_csv()) {
    PrintUsageCsv(series, output);
  } else if (!output.is_table()) {
    json::object document{
        {"apiVersion", "fairlead.dev/v1alpha1"}, {"kind", "History"}, {"of", "usage"}};
    for (const auto& [key, value] : series.get_object()) document[key] = value;
    output.Document(document);
  } else if (ItemsAt(series, "points").empty()) {
    Complain("no use of that queue is in the history");
  } else {
    PrintUsageTable(series, output);
  }
}

}  // namespace fairlead::show
