#pragma once

#include <string>

#include "base/result.h"
#include "server/api.h"

namespace fairlead::server {

// What a server that others reach wants of who asks (server/access.h).
struct Credentials {
  std::string token;    // empty: none
  std::string ca_file;  // PEM, of https:// servers; empty: the system's
};

// Sends `method` to `base_url` ("http://127.0.0.1:8484") + `path_and_query` and waits for the
// response. A response of any status is a response. Errors: no URL, nobody listens, no answer, a
// token that would be sent to another machine in the clear.
Result<Response> Send(const std::string& base_url, const std::string& method,
                      const std::string& path_and_query, const std::string& body,
                      const Credentials& credentials = {});

}  // namespace fairlead::server
