#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "server/api.h"

namespace fairlead::server {

// Answers requests on threads of its own, from Start until Stop or its end. One request a
// connection: what a refused request leaves unread is never taken for the next one.
// Thread safety: none; the backend is called from many threads.
class HttpServer {
 public:
  static constexpr std::size_t kMaxBodyBytes = 100 << 20;

  // Listens on `host` and `port`; 0: any that is free. `backend` must outlive the server.
  // Error: the port is taken, or may not be used.
  static Result<std::unique_ptr<HttpServer>> Start(const std::string& host, int port,
                                                   Backend& backend);
  ~HttpServer();

  int port() const;

  // Takes no more requests and waits for those that are being answered.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Sends `method` to `base_url` ("http://127.0.0.1:8484") + `path_and_query` and waits for the
// response. A response of any status is a response. Errors: no URL, nobody listens, no answer.
Result<Response> Send(const std::string& base_url, const std::string& method,
                      const std::string& path_and_query, const std::string& body);

}  // namespace fairlead::server
