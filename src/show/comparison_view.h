#pragma once

#include <boost/json/fwd.hpp>

#include "show/output.h"
#include "show/report_html.h"

namespace fairlead::show {

// The comparison of a page: a table for people (of the whole and of the decisive resource; `all`:
// of every queue, size and resource too), all of it as JSON, YAML or CSV.
// REQUIRES: page.comparison.
void PrintComparison(const ReportPage& page, bool all, Output& output);

// {"seeds":…,"rows":[{"name","of","unit","values":[{"mean","half"}|null],"differences":[…]}]}
boost::json::object ComparisonToJson(const account::Comparison& comparison);

}  // namespace fairlead::show
