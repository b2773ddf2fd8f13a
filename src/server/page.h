#pragma once

#include <optional>

#include "server/api.h"

namespace fairlead::server {

// The web page: `/` for those who accept HTML, and /assets/NAME. Nothing: the request is for
// something else. A file is sent as it lies in the binary, gzipped, to those who accept that.
// Thread safety: any thread.
std::optional<Response> ServePage(const Request& request);

}  // namespace fairlead::server
