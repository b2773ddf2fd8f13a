#include "show/comparison_view.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "account/csv_text.h"
#include "show/human_text.h"

namespace fairlead::show {
namespace {

namespace json = boost::json;
using Estimates = std::vector<std::optional<account::Estimate>>;

std::string Amount(double value, std::string_view unit) {
  if (unit == "s") {
    return HumanDuration(Duration{static_cast<std::int64_t>(std::llround(value * 1e6))});
  }
  std::string number = std::abs(value) >= 1000 ? Grouped(std::llround(value))
                       : value == std::round(value)
                           ? fmt::format("{}", static_cast<std::int64_t>(value))
                           : fmt::format("{:.2f}", value);
  if (unit == "%") return number + "%";
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

// A * where it certainly differs from the first one's.
Cell CellOf(const account::ComparisonRow& row, std::size_t i) {
  if (!row.values[i]) return "";
  std::string text = Amount(row.values[i]->mean, row.unit);
  // What is summed in another order differs in its last digit.
  if (row.values[i]->half > 1e-9 * std::abs(row.values[i]->mean))
    text += " ± " + Amount(row.values[i]->half, row.unit);
  const auto& difference = row.differences[i];
  if (difference && difference->mean != 0 && std::abs(difference->mean) > difference->half) {
    text += " *";
  }
  return text;
}

void PrintTable(const ReportPage& page, bool all, Output& output) {
  std::vector<std::string> header = {"FIGURE", "OF"};
  for (const ReportedRun& run : page.runs) header.push_back(run.name);
  Table table(std::move(header));
  const std::string resource = "resource " + page.runs.front().pictures.resource;
  for (const account::ComparisonRow& row : page.comparison->rows) {
    const bool is_main = row.of.empty() || row.of == resource || row.of.starts_with("load ");
    if (!is_main && !all) continue;
    std::vector<Cell> cells = {Cell(row.name), Cell(row.of)};
    for (std::size_t i = 0; i < page.runs.size(); ++i) cells.push_back(CellOf(row, i));
    table.Add(std::move(cells));
  }
  output.Print(table);
  if (page.comparison->seeds > 1 && page.runs.size() > 1) {
    output.Line("");
    output.Line(fmt::format(
        "{} each; * differs from {}: the 95% interval of the difference leaves "
        "no doubt",
        Counted(static_cast<std::int64_t>(page.comparison->seeds), "run"), page.runs.front().name));
  }
}

json::array ToJson(const Estimates& estimates) {
  json::array array;
  for (const auto& estimate : estimates) {
    if (estimate) {
      array.push_back(json::object{{"mean", estimate->mean}, {"half", estimate->half}});
    } else {
      array.emplace_back(nullptr);
    }
  }
  return array;
}

void PrintCsv(const ReportPage& page, Output& output) {
  account::CsvText csv;
  csv.Row("figure", "of", "unit", "configuration", "mean", "half", "difference", "difference half");
  const auto number = [](double value) { return fmt::format("{}", value); };
  for (const account::ComparisonRow& row : page.comparison->rows) {
    for (std::size_t i = 0; i < page.runs.size(); ++i) {
      if (!row.values[i]) continue;
      const auto& difference = row.differences[i];
      csv.Row(row.name, row.of, row.unit, page.runs[i].name, number(row.values[i]->mean),
              number(row.values[i]->half), difference ? number(difference->mean) : std::string(),
              difference ? number(difference->half) : std::string());
    }
  }
  output.Text(csv.text());
}

}  // namespace

json::object ComparisonToJson(const account::Comparison& comparison) {
  json::array rows;
  for (const account::ComparisonRow& row : comparison.rows) {
    rows.push_back(json::object{{"name", row.name},
                                {"of", row.of},
                                {"unit", row.unit},
                                {"values", ToJson(row.values)},
                                {"differences", ToJson(row.differences)}});
  }
  return {{"seeds", comparison.seeds}, {"rows", std::move(rows)}};
}

void PrintComparison(const ReportPage& page, bool all, Output& output) {
  if (output.is_table()) return PrintTable(page, all, output);
  if (output.is_csv()) return PrintCsv(page, output);
  json::array configurations;
  for (const ReportedRun& run : page.runs) {
    configurations.push_back(json::object{{"name", run.name}, {"digest", run.digest}});
  }
  json::object document{{"apiVersion", "fairlead.dev/v1alpha1"},
                        {"kind", "Comparison"},
                        {"jitterSeconds", page.jitter.WholeSeconds()},
                        {"configurations", std::move(configurations)}};
  for (auto& [key, value] : ComparisonToJson(*page.comparison)) document[key] = std::move(value);
  output.Document(document);
}

}  // namespace fairlead::show
