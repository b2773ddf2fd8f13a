#include "cli/fetch.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>

#include "base/ascii.h"
#include "objects/key.h"
#include "show/human_text.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kStateColumns[] = {"STATUS", "STATE", "EVENT"};

Remote<json::value> Ask(const Target& target, const Scope& scope, bool as_table) {
  if (scope.files == nullptr) {
    const std::string path = ApiPath(target.kind->plural, target.name_space, target.name);
    return Call(ServerUrl(scope.server), "GET", path + (as_table ? "?as=table" : ""));
  }
  const server::Answer answer = scope.files({.kind = target.kind,
                                             .name_space = target.name_space,
                                             .name = target.name,
                                             .as_table = as_table});
  if (answer) return json::parse(*answer);
  return tl::unexpected(RemoteError{.message = answer.error().message,
                                    .faults = answer.error().faults,
                                    .status = answer.error().status});
}

}  // namespace

std::size_t Rows::Column(std::string_view name) const {
  const std::string wanted = LowerCase(name);
  const auto found = std::ranges::find_if(
      columns, [&](const std::string& column) { return LowerCase(column) == wanted; });
  return static_cast<std::size_t>(found - columns.begin());
}

Remote<Rows> FetchRows(const Target& target, const Scope& scope) {
  const auto answer = Ask(target, scope, /*as_table=*/true);
  if (!answer) return tl::unexpected(answer.error());
  Rows found;
  for (const json::value& column : show::ItemsAt(*answer, "columns")) {
    found.columns.emplace_back(column.is_string() ? std::string_view(column.get_string()) : "");
  }
  const std::size_t name_space = found.Column("NAMESPACE"), name = found.Column("NAME");
  for (const json::value& row : show::ItemsAt(*answer, "rows")) {
    const json::array* cells = row.if_array();
    if (cells == nullptr || cells->size() != found.columns.size()) continue;
    NamedRow& line = found.rows.emplace_back();
    for (const json::value& cell : *cells) {
      line.cells.emplace_back(cell.is_string() ? std::string_view(cell.get_string()) : "");
    }
    const auto at = [&](std::size_t i) { return i < line.cells.size() ? line.cells[i] : ""; };
    // A queue that does not work has its reason behind its name.
    const std::string own = at(name);
    if (!target.kind->is_object()) continue;
    line.key = objects::JoinKey(at(name_space), own.substr(0, own.find(' ')));
  }
  return found;
}

Remote<std::vector<json::value>> FetchDocuments(const Target& target, const Scope& scope) {
  auto answer = Ask(target, scope, /*as_table=*/false);
  if (!answer) return tl::unexpected(answer.error());
  if (!target.name.empty()) return std::vector<json::value>{std::move(*answer)};
  const json::array& items = show::ItemsAt(*answer, "items");
  return std::vector<json::value>(items.begin(), items.end());
}

std::string DocumentKey(const json::value& document) {
  const json::value& meta = show::At(document, "metadata");
  return objects::JoinKey(show::TextAt(meta, "namespace"), show::TextAt(meta, "name"));
}

show::Table ToTable(const Rows& found) {
  show::Table table(found.columns);
  for (const NamedRow& row : found.rows) {
    std::vector<show::Cell> cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool state = std::ranges::count(kStateColumns, found.columns[i]) > 0;
      cells.emplace_back(row.cells[i], state ? show::ToneOf(row.cells[i]) : show::Tone::kPlain);
    }
    table.Add(std::move(cells));
  }
  return table;
}

}  // namespace fairlead::cli
