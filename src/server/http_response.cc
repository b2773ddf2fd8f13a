#include "server/http_response.h"

#include <string_view>

#include <boost/json.hpp>
#include <fmt/format.h>

namespace fairlead::server {
namespace {

namespace json = boost::json;

std::string_view PhraseOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Status";
  }
}

}  // namespace

Response ToResponse(const Refusal& refusal) {
  json::object object{{"kind", "Status"},
                      {"status", "Failure"},
                      {"code", refusal.status},
                      {"message", refusal.message}};
  if (!refusal.faults.empty()) {
    object["faults"] = json::array(refusal.faults.begin(), refusal.faults.end());
  }
  return {.status = refusal.status, .body = json::serialize(object) + "\n"};
}

std::string BytesOf(const Response& response, bool head_only) {
  std::string bytes = fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\n", response.status,
                                  PhraseOf(response.status));
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) bytes += fmt::format("{}: {}\r\n", name, value);
  };
  add("Cache-Control", response.cache_control);
  add("X-Content-Type-Options", "nosniff");
  add("Content-Security-Policy", response.policy);
  if (!response.etag.empty()) {
    add("ETag", response.etag);
    add("Vary", "Accept, Accept-Encoding");
  }
  add("Location", response.location);
  add("Set-Cookie", response.set_cookie);
  if (response.status == 401) add("WWW-Authenticate", "Bearer realm=\"fairlead\"");
  if (response.status == 304) return bytes + "\r\n";
  add("Content-Type", response.content_type);
  add("Content-Encoding", response.content_encoding);
  add("Content-Length", fmt::to_string(response.body.size()));
  bytes += "\r\n";
  if (!head_only) bytes += response.body;
  return bytes;
}

}  // namespace fairlead::server
