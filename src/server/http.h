#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "server/http_request.h"
#include "server/wire.h"

namespace fairlead::server {

// Whom an HttpServer asks.
class Service {
 public:
  virtual ~Service() = default;
  // What can be said once a request's head is read: a response, or (status 0) that it be answered,
  // after its body is read where its method has one. By the server's own thread: it must not wait.
  virtual Response BeforeBody(const Request& request) = 0;
  // By one of the server's crews; by its own thread where it has none.
  virtual Response Answer(const Request& request) = 0;
  // Takes its time, and keeps nobody else waiting meanwhile.
  virtual bool IsSearch(const Request& /*request*/) { return false; }
};

// What clients may take of a server.
struct HttpLimits {
  using Milliseconds = std::chrono::milliseconds;
  Milliseconds head{10'000};    // from the connection to the end of the headers
  Milliseconds body{60'000};    // from there to the end of the body
  Milliseconds answer{60'000};  // from the response's first byte to its last
  Milliseconds linger{1'000};   // from there until the client has closed
  std::size_t connections = 128;
  std::size_t threads = 8;   // that answer; 0: the server's own thread does
  std::size_t searches = 2;  // more of them, for searches
  std::size_t waiting = 64;  // requests that wait for a thread; of searches as many again
  std::size_t bodies_bytes = 256 << 20;  // of all requests together
  RequestBounds request = {};
};

// Answers HTTP/1.1 requests, one a connection: what a refused request leaves unread is never taken
// for the next one. From Start until Stop or its end.
//
// One thread reads whole requests and writes responses, waiting for nobody; a crew of others asks
// the service. So a client that sends or reads slowly holds a connection and no thread, until its
// deadline. Where all connections are taken the oldest that waits for its client goes for a new
// one.
//
// Thread safety: none; the service is called from many threads.
class HttpServer {
 public:
  // Listens on `host` (a name or an address, of IPv6 also in brackets) and `port`; 0: any that is
  // free; encrypted where `tls` is given. `service` must outlive the server. Error: the port is
  // taken, or may not be used.
  static Result<std::unique_ptr<HttpServer>> Start(const std::string& host, int port,
                                                   Service& service, const HttpLimits& limits = {},
                                                   std::shared_ptr<const Tls> tls = nullptr);
  ~HttpServer();

  int port() const;

  // Closes all connections at once, and waits for what the service is doing.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::server
