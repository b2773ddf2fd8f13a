#pragma once

#include <map>
#include <string>
#include <string_view>

#include "server/backend.h"

namespace fairlead::server {

class Access;

// A request and its response, free of any HTTP library.
struct Request {
  std::string method;  // "GET"
  std::string path;    // "/api/v1/pods/vision", decoded
  std::map<std::string, std::string> query;
  std::string body;
  std::string host, origin;  // headers; empty where absent
  std::string accept = {}, accept_encoding = {}, if_none_match = {};
  std::string authorization = {}, cookie = {};
  std::string own_token = {};  // X-Fairlead-Token: where Authorization is for somebody before us
  std::map<std::string, std::string> others = {};  // RequestBounds::kept_header, in lower case
};

struct Response {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::string etag = {};  // with quotes; who has that already is answered 304 without a body
  std::string content_encoding = {};  // of `body`, where it is encoded already
  std::string cache_control = "no-store";
  std::string policy = "default-src 'none'; frame-ancestors 'none'";  // Content-Security-Policy
  std::string location = {}, set_cookie = {};
};

// The REST interface:
//   GET    /api/v1/{kind}[/NAMESPACE][/NAME]   objects; ?as=table: rows for people
//   DELETE /api/v1/{kind}/[NAMESPACE/]NAME
//   POST   /api/v1/objects                     YAML or JSON text
//   POST   /api/v1/files                       {"files":[{"name":"a.yaml","text":"…"}]}, for
//                                              messages that name the files
//   GET    /api/v1/explain/NAMESPACE/NAME[?nodes=true]
//   GET    /api/v1/queues/shares
//   GET    /api/v1/history/{decisions,usage,workloads,estimates,sessions}
//   GET    /api/v1/view/…                      what the web page shows (server/view_api.h)
//   GET    /healthz  /version
//   POST   /login                              token=…, where one is asked for (server/access.h)
//   GET    /  /assets/NAME                     the web page, for who accepts HTML (server/page.h)
// A refusal is {"kind":"Status","status":"Failure","code":…,"message":"…","faults":[…]}.
//
// Who is served `access` says; but /healthz, /readyz and, unless it asks for tokens, /metrics are
// for everybody. Where the backend is read-only POST and DELETE are refused with 405. Thread
// safety: as the backend's.
Response Serve(Backend& backend, const Access& access, const Request& request);

// What can be said before the body of a POST was read: a refusal, or nothing (status 0).
Response ServeWithoutBody(const Backend& backend, const Access& access, const Request& request);

// GET /healthz, /readyz and /metrics, of whatever Host, and nothing else.
Response ServeProbe(Probes& probes, const Request& request);

// "127.0.0.1:8484", "localhost", "[::1]:80".
bool IsLoopbackHost(std::string_view host);

}  // namespace fairlead::server
