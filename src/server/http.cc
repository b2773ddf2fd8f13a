// The only place that knows cpp-httplib.

#include "server/http.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

namespace fairlead::server {
namespace {

Request ToRequest(const httplib::Request& from) {
  Request request{.method = from.method, .path = from.path, .body = from.body};
  for (const auto& [key, value] : from.params) request.query.emplace(key, value);
  request.host = from.get_header_value("Host");
  request.origin = from.get_header_value("Origin");
  request.accept = from.get_header_value("Accept");
  request.accept_encoding = from.get_header_value("Accept-Encoding");
  request.if_none_match = from.get_header_value("If-None-Match");
  return request;
}

void Fill(Response response, httplib::Response& into) {
  into.status = response.status;
  into.set_header("Cache-Control", response.cache_control);
  into.set_header("X-Content-Type-Options", "nosniff");
  into.set_header("Content-Security-Policy", response.policy);
  if (!response.etag.empty()) {
    into.set_header("ETag", response.etag);
    into.set_header("Vary", "Accept, Accept-Encoding");
  }
  if (response.content_encoding.empty()) {
    into.set_content(response.body, response.content_type);
    return;
  }
  // httplib would compress a body of its own once more.
  into.set_header("Content-Encoding", response.content_encoding);
  const auto body = std::make_shared<const std::string>(std::move(response.body));
  into.set_content_provider(
      body->size(), response.content_type,
      [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(body->data() + offset, length);
      });
}

// httplib would read all of it before it refuses.
bool SaysTooMuch(const httplib::Request& request) {
  return request.get_header_value<std::uint64_t>("Content-Length") > HttpServer::kMaxBodyBytes;
}

// Not SO_REUSEPORT, which httplib sets: a second server on the port must fail.
void ReuseAddressOnly(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(Backend& backend) : backend_(backend) {
    http_.set_socket_options(ReuseAddressOnly);
    http_.set_payload_max_length(kMaxBodyBytes);
    http_.set_keep_alive_max_count(1);
    // All routing is Serve's. A POST is let through once its path and its sender are known to be
    // good, so that its body is read; anything else is answered at once.
    http_.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& into) {
      const Request request = ToRequest(from);
      Response response = ServeWithoutBody(request);
      if (response.status == 0 && SaysTooMuch(from)) {
        response = {.status = 413,
                    .body =
                        "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":413,"
                        "\"message\":\"the body is larger than 100 MB\"}\n"};
      }
      if (response.status == 0) {
        if (request.method == "POST") return httplib::Server::HandlerResponse::Unhandled;
        response = Serve(backend_, request);
      }
      Fill(response, into);
      return httplib::Server::HandlerResponse::Handled;
    });
    const auto upload = [this](const httplib::Request& from, httplib::Response& into) {
      Fill(Serve(backend_, ToRequest(from)), into);
    };
    http_.Post("/api/v1/objects", upload);
    http_.Post("/api/v1/files", upload);
    http_.set_exception_handler(
        [](const httplib::Request&, httplib::Response& into, const std::exception_ptr&) {
          Fill({.status = 500,
                .body = "{\"kind\":\"Status\",\"status\":\"Failure\","
                        "\"message\":\"the request could not be served\"}\n"},
               into);
        });
  }
  ~Impl() { Stop(); }

  Result<void> Start(const std::string& host, int port) {
    errno = 0;
    port_ = port;
    const bool bound =
        port == 0 ? (port_ = http_.bind_to_any_port(host)) > 0 : http_.bind_to_port(host, port);
    if (!bound) {
      const std::string why = errno == 0 ? "it cannot be used" : std::strerror(errno);
      return Fail(fmt::format("{}:{} cannot be listened on: {}", host, port, why));
    }
    thread_ = std::thread([this] {
      http_.listen_after_bind();
      ended_ = true;
    });
    // stop() before listen_after_bind() has begun would be lost.
    while (!http_.is_running() && !ended_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return {};
  }

  void Stop() {
    if (!thread_.joinable()) return;
    http_.stop();
    thread_.join();
  }

  int port() const { return port_; }

 private:
  Backend& backend_;
  httplib::Server http_;
  std::thread thread_;
  std::atomic<bool> ended_ = false;
  int port_ = 0;
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return impl_->port(); }
void HttpServer::Stop() { impl_->Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& host, int port,
                                                      Backend& backend) {
  auto impl = std::make_unique<Impl>(backend);
  if (auto started = impl->Start(host, port); !started) return tl::unexpected(started.error());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

Result<Response> Send(const std::string& base_url, const std::string& method,
                      const std::string& path_and_query, const std::string& body) {
  if (!base_url.starts_with("http://")) {
    return Fail(fmt::format("{} is no address, expected http://HOST:PORT", base_url));
  }
  std::string base = base_url;
  while (base.ends_with("/")) base.pop_back();
  httplib::Client client(base);
  if (!client.is_valid()) return Fail(fmt::format("{} is no address", base_url));
  client.set_connection_timeout(5);
  client.set_read_timeout(120);
  client.set_write_timeout(120);
  httplib::Result result = method == "POST"     ? client.Post(path_and_query, body, "text/plain")
                           : method == "DELETE" ? client.Delete(path_and_query)
                                                : client.Get(path_and_query);
  if (!result) {
    if (result.error() == httplib::Error::Connection) {
      return Fail(fmt::format("no Fairlead at {}; start one with `fairlead up`", base_url));
    }
    return Fail(
        fmt::format("{} does not answer: {}", base_url, httplib::to_string(result.error())));
  }
  return Response{.status = result->status,
                  .body = std::move(result->body),
                  .content_type = result->get_header_value("Content-Type")};
}

}  // namespace fairlead::server
