#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "cli/remote.h"
#include "cli/targets.h"
#include "show/table.h"

// Objects of a running cluster, as documents or as rows of a table.

namespace fairlead::cli {

struct NamedRow {
  std::string key;                 // "namespace/name" or "name"; of what is no object empty
  std::vector<std::string> cells;  // as many as there are columns
};
struct Rows {
  std::vector<std::string> columns;
  std::vector<NamedRow> rows;

  // The number of a column, whatever the case; as many as there are: none of that name.
  std::size_t Column(std::string_view name) const;
};

Remote<Rows> FetchRows(const Target& target, const Scope& scope);
Remote<std::vector<boost::json::value>> FetchDocuments(const Target& target, const Scope& scope);

// "namespace/name", or "name".
std::string DocumentKey(const boost::json::value& document);

// States in their colours.
show::Table ToTable(const Rows& rows);

}  // namespace fairlead::cli
