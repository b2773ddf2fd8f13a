#include "cli/watch.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/selection.h"

namespace fairlead::cli {
namespace {

bool IsClock(std::string_view column) {
  return column == "AGE" || column == "WAITING" || column == "ENDS" || column == "EXPECTED";
}

// What of a row says something new.
std::string SaidBy(const NamedRow& row, const std::vector<std::string>& columns) {
  std::string said;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (!IsClock(columns[i])) said += row.cells[i] + "\n";
  }
  return said;
}

// It went and came again between two looks.
bool IsYounger(const NamedRow& row, const NamedRow& before, std::size_t age) {
  return !row.key.empty() && age < row.cells.size() &&
         CellBefore(row.cells[age], before.cells[age]);
}

}  // namespace

Rows RowChanges::Take(Rows now) {
  Rows changed{.columns = now.columns, .rows = {}};
  std::map<std::string, NamedRow> there;
  for (NamedRow& row : now.rows) {
    const std::string said = SaidBy(row, now.columns);
    // What happened has no name, and stays as it is.
    const std::string key = row.key.empty() ? said : row.key;
    const auto before = shown_.find(key);
    const bool differs = before == shown_.end() || SaidBy(before->second, now.columns) != said ||
                         IsYounger(row, before->second, now.Column("AGE"));
    if (differs) changed.rows.push_back(row);
    there[key] = std::move(row);
  }
  const std::size_t state = std::min(now.Column("STATUS"), now.Column("STATE"));
  for (auto& [key, row] : shown_) {
    if (there.contains(key) || row.key.empty()) continue;
    if (state < row.cells.size()) row.cells[state] = "Deleted";
    changed.rows.push_back(std::move(row));
  }
  shown_ = std::move(there);
  return changed;
}

}  // namespace fairlead::cli
