#pragma once

#include <utility>

#include "server/access.h"
#include "server/api.h"
#include "server/http.h"

namespace fairlead::server {

// The REST interface and the page (server/api.h) as what an HttpServer asks. Searches are those of
// the history.
class ApiService : public Service {
 public:
  explicit ApiService(Backend& backend, Access access = {})  // the backend must outlive it
      : backend_(backend), access_(std::move(access)) {}
  Response BeforeBody(const Request& request) override {
    return ServeWithoutBody(backend_, access_, request);
  }
  Response Answer(const Request& request) override { return Serve(backend_, access_, request); }
  bool IsSearch(const Request& request) override {
    return request.path.starts_with("/api/v1/history/");
  }

 private:
  Backend& backend_;
  const Access access_;
};

// /healthz, /readyz and /metrics. The server needs no threads but its own for it: see
// ProbeLimits().
class ProbeService : public Service {
 public:
  explicit ProbeService(Probes& probes) : probes_(probes) {}  // must outlive it
  Response BeforeBody(const Request& request) override { return ServeProbe(probes_, request); }
  Response Answer(const Request& request) override { return ServeProbe(probes_, request); }

 private:
  Probes& probes_;
};

// For who is reached by anybody: small requests, soon.
inline HttpLimits ProbeLimits() {
  using Milliseconds = HttpLimits::Milliseconds;
  HttpLimits limits{.head = Milliseconds(5'000),
                    .body = Milliseconds(1),
                    .answer = Milliseconds(10'000),
                    .connections = 64,
                    .threads = 0};
  limits.request.head_bytes = 8 << 10;
  return limits;
}

}  // namespace fairlead::server
