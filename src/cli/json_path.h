#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace fairlead::cli {

// What kubectl calls JSONPath, of documents: `.items[*].metadata.name`, also in braces and with a
// `$` before it. Steps: `.field` (a dot in a name as `\.`), `['field']`, `[0]`, `[-1]`, `[1:3]`,
// `[*]`, `.*`, `..field` (at any depth), `[?(@.status.phase=="Running")]` (== != < <= > >=, or
// whether there is such a field). Values point into the document; of a field that is not there:
// none. Error: what cannot be read as a path, and where.
Result<std::vector<const boost::json::value*>> ValuesAt(const boost::json::value& document,
                                                        std::string_view path);

// A value as kubectl prints it: a string as it is, anything else as JSON.
std::string PlainText(const boost::json::value& value);

// kubectl's -o jsonpath=TEMPLATE: text with paths in braces, `{range PATH}…{end}` and `{"\n"}`. The
// values of a path are apart by spaces. Error: as above, or a brace that is not closed.
Result<std::string> FillTemplate(const boost::json::value& document, std::string_view text);

}  // namespace fairlead::cli
