#pragma once

#include <string>

#include "base/result.h"
#include "server/api.h"

namespace fairlead::server {

// Sends `method` to `base_url` ("http://127.0.0.1:8484") + `path_and_query` and waits for the
// response. A response of any status is a response. Errors: no URL, nobody listens, no answer.
Result<Response> Send(const std::string& base_url, const std::string& method,
                      const std::string& path_and_query, const std::string& body);

}  // namespace fairlead::server
