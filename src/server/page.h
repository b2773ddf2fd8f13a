#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/api.h"

namespace fairlead::server {

// The web page: `/` for those who accept HTML, and /assets/NAME. Nothing: the request is for
// something else. A file is sent as it lies in the binary, gzipped, to those who accept that.
// Thread safety: any thread.
std::optional<Response> ServePage(const Request& request);

// A file of the page, unpacked; empty: there is none of the name. "report.js" and "report.css" are
// what a report (show/report_html.h) is drawn with.
std::string PageText(std::string_view name);
// The address of the page's style sheet; empty: this build has no page.
std::string StyleSheet();

}  // namespace fairlead::server
