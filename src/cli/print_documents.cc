#include "cli/print_documents.h"

#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "cli/json_path.h"

namespace fairlead::cli {
namespace {

namespace json = boost::json;

// "NAME:.metadata.name,NODE:.spec.nodeName".
Result<show::Table> CustomColumns(const std::vector<json::value>& documents,
                                  std::string_view spec) {
  std::vector<std::string> header, paths;
  while (!spec.empty()) {
    const std::size_t colon = spec.find(':');
    if (colon == std::string_view::npos) {
      return Fail(fmt::format("--output: found {}, expected NAME:.metadata.name,…", spec));
    }
    header.emplace_back(spec.substr(0, colon));
    spec.remove_prefix(colon + 1);
    const std::size_t comma = spec.find(',');
    paths.emplace_back(spec.substr(0, comma));
    spec = comma == std::string_view::npos ? "" : spec.substr(comma + 1);
  }
  if (header.empty()) return Fail("--output: custom-columns= has no columns behind it");
  show::Table table(header);
  for (const json::value& document : documents) {
    std::vector<show::Cell> cells;
    for (const std::string& path : paths) {
      const auto values = ValuesAt(document, path);
      if (!values) return tl::unexpected(values.error());
      std::string text;
      for (const json::value* value : *values)
        text += (text.empty() ? "" : ",") + PlainText(*value);
      cells.emplace_back(text.empty() ? "<none>" : std::move(text));
    }
    table.Add(std::move(cells));
  }
  return table;
}

}  // namespace

Result<void> PrintDocuments(std::vector<json::value> documents, Named named, bool headers,
                            show::Output& output) {
  if (output.format() == show::Format::kColumns) {
    const auto table = CustomColumns(documents, output.expression());
    if (!table) return tl::unexpected(table.error());
    output.Print(*table, headers);
    return {};
  }
  const bool one = named == Named::kOne;
  if (one && documents.empty()) return {};  // it is there, and not selected
  const json::value document =
      one ? std::move(documents.front())
          : json::value(json::object{{"apiVersion", "v1"},
                                     {"kind", "List"},
                                     {"items", json::array(documents.begin(), documents.end())}});
  if (output.format() != show::Format::kJsonPath) {
    output.Document(document);
    return {};
  }
  if (output.expression().empty()) return Fail("--output: jsonpath= has no template behind it");
  const Result<std::string> text = FillTemplate(document, output.expression());
  if (!text) return tl::unexpected(text.error());
  output.Text(*text);
  if (!text->empty() && !text->ends_with('\n')) output.Text("\n");
  return {};
}

}  // namespace fairlead::cli
