#pragma once

#include <string>

#include "server/api.h"

namespace fairlead::server {

// {"kind":"Status","status":"Failure","code":…,"message":"…","faults":[…]}
Response ToResponse(const Refusal& refusal);

// As HTTP/1.1 sends it, with the connection closed behind it; `head_only`: without the body.
std::string BytesOf(const Response& response, bool head_only);

}  // namespace fairlead::server
