#include "server/http.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mutex.h"
#include "server/crew.h"
#include "server/http_response.h"
#include "server/listening.h"
#include "server/wire.h"

namespace fairlead::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPortion = 64 << 10;  // read at once of one connection
constexpr int kAcceptedAtOnce = 16;
constexpr auto kWithoutFiles = std::chrono::milliseconds(100);  // until accept is tried again

bool HasBody(const Request& request) {
  return request.method != "GET" && request.method != "HEAD" && request.method != "DELETE";
}

// Of accept.
bool WouldWait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

class HttpServer::Impl {
  enum class Phase : std::uint8_t { kReading, kServing, kWriting, kLingering };

  struct Connection {
    Connection(std::uint64_t its_id, int its_file, std::unique_ptr<Wire> its_wire,
               const RequestBounds& bounds)
        : id(its_id), file(its_file), wire(std::move(its_wire)), reader(bounds) {}
    ~Connection() { ::close(file); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    const std::uint64_t id;
    const int file;
    std::unique_ptr<Wire> wire;
    Phase phase = Phase::kReading;
    Clock::time_point deadline;
    RequestReader reader;
    bool head_only = false;      // HEAD
    std::size_t body_bytes = 0;  // of the request, until it is answered
    std::string out;
    std::size_t sent = 0;
    bool over = false;
  };

 public:
  Impl(Service& service, const HttpLimits& limits, std::shared_ptr<const Tls> tls, int listener)
      : service_(service),
        limits_(limits),
        tls_(std::move(tls)),
        listener_(listener),
        port_(PortOf(listener)),
        event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
        crew_(limits.threads, limits.waiting),
        searchers_(limits.threads == 0 ? 0 : limits.searches, limits.waiting),
        own_([this] { Run(); }) {}
  ~Impl() {
    Stop();
    ::close(event_);
  }

  int port() const { return port_; }

  void Stop() {
    if (!own_.joinable()) return;
    stopping_ = true;
    Wake();
    own_.join();
    ::close(listener_);
    crew_.Stop();
    searchers_.Stop();
  }

 private:
  void Wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(event_, &one, sizeof(one));
  }

  void Run();
  int PollMs(Clock::time_point now) const;
  void Accept();
  bool MakeRoom();
  void Read(Connection& connection);
  void Go(Connection& connection);
  void Serve(Connection& connection);
  Response Ask(const Request& request);
  void Finish(std::uint64_t id, std::string bytes);
  void TakeFinished();
  void Respond(Connection& connection, const Response& response);
  void Write(Connection& connection);
  void Linger(Connection& connection);
  void EndLate(Clock::time_point now);
  std::size_t BodyBytes() const;

  Service& service_;
  const HttpLimits limits_;
  const std::shared_ptr<const Tls> tls_;  // null: not encrypted
  const int listener_, port_, event_;
  std::atomic<bool> stopping_ = false;

  std::list<Connection> connections_;  // the own thread's, as are the next; the oldest first
  std::uint64_t last_id_ = 0;
  Clock::time_point accept_again_;
  std::vector<char> portion_ = std::vector<char>(kPortion);

  Mutex mutex_;
  std::vector<std::pair<std::uint64_t, std::string>> finished_ GUARDED_BY(mutex_);

  Crew crew_, searchers_;
  std::thread own_;
};

void HttpServer::Impl::Run() {
  std::vector<pollfd> files;
  std::vector<Connection*> waiting;
  while (!stopping_) {
    const Clock::time_point now = Clock::now();
    const bool accepts = now >= accept_again_;
    files = {{.fd = event_, .events = POLLIN, .revents = 0},
             {.fd = accepts ? listener_ : -1, .events = POLLIN, .revents = 0}};
    waiting.clear();
    for (Connection& connection : connections_) {
      if (connection.phase == Phase::kServing) continue;
      short events = connection.wire->WaitsFor();
      if (events == 0) events = connection.phase == Phase::kWriting ? POLLOUT : POLLIN;
      files.push_back({.fd = connection.file, .events = events, .revents = 0});
      waiting.push_back(&connection);
    }
    ::poll(files.data(), files.size(), PollMs(now));
    if (files[0].revents != 0) {
      std::uint64_t ignored = 0;
      [[maybe_unused]] const ssize_t n = ::read(event_, &ignored, sizeof(ignored));
    }
    TakeFinished();
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      Connection& connection = *waiting[i];
      if (files[i + 2].revents == 0) continue;
      if (connection.phase == Phase::kReading)
        Read(connection);
      else if (connection.phase == Phase::kWriting)
        Write(connection);
      else if (connection.phase == Phase::kLingering)
        Linger(connection);
    }
    EndLate(Clock::now());
    if (files[1].revents != 0) Accept();
  }
  connections_.clear();
}

int HttpServer::Impl::PollMs(Clock::time_point now) const {
  Clock::time_point next = now + std::chrono::hours(1);
  if (accept_again_ > now) next = accept_again_;
  for (const Connection& connection : connections_) {
    if (connection.phase != Phase::kServing) next = std::min(next, connection.deadline);
  }
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  return static_cast<int>(std::max<std::int64_t>(0, wait.count()));
}

void HttpServer::Impl::Accept() {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    const int file = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) {
      // Without a file for it poll would say at once again that somebody is there.
      if (!WouldWait() && errno != ECONNABORTED) accept_again_ = Clock::now() + kWithoutFiles;
      return;
    }
    if (connections_.size() >= limits_.connections && !MakeRoom()) {
      ::close(file);
      continue;
    }
    Connection& connection = connections_.emplace_back(
        ++last_id_, file, tls_ == nullptr ? PlainWire(file) : tls_->Accept(file), limits_.request);
    connection.deadline = Clock::now() + limits_.head;
    Read(connection);  // most have sent already
  }
}

// What is being answered stays: somebody works for it.
bool HttpServer::Impl::MakeRoom() {
  std::erase_if(connections_, [](const Connection& each) { return each.over; });
  if (connections_.size() < limits_.connections) return true;
  const auto oldest = std::ranges::find_if(
      connections_, [](const Connection& each) { return each.phase != Phase::kServing; });
  if (oldest == connections_.end()) return false;
  connections_.erase(oldest);
  return true;
}

void HttpServer::Impl::Read(Connection& connection) {
  do {
    const ssize_t got = connection.wire->Read(portion_.data(), portion_.size());
    if (got < 0 && connection.wire->IsToWait()) return;
    connection.over = got <= 0;
    if (connection.over) return;
    connection.reader.Take({portion_.data(), static_cast<std::size_t>(got)});
    Go(connection);
  } while (connection.phase == Phase::kReading && connection.wire->HasMore());
}

// As far as what was read allows.
void HttpServer::Impl::Go(Connection& connection) {
  RequestReader& reader = connection.reader;
  if (reader.state() == RequestReader::State::kHeadRead) {
    const Request& request = reader.request();
    connection.head_only = request.method == "HEAD";
    Response early = service_.BeforeBody(request);
    if (early.status != 0) return Respond(connection, early);
    if (!HasBody(request)) return Serve(connection);
    connection.deadline = Clock::now() + limits_.body;
    if (reader.ReadBody() == RequestReader::State::kBody && reader.wants_continue()) {
      constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
      connection.wire->Write(kContinue);
    }
  }
  if (reader.state() == RequestReader::State::kRefused) {
    return Respond(connection, ToResponse(reader.refusal()));
  }
  connection.body_bytes = reader.held_bytes();
  if (BodyBytes() > limits_.bodies_bytes) {
    return Respond(connection, ToResponse({.status = 503, .message = "too much is sent at once"}));
  }
  if (reader.state() == RequestReader::State::kDone) Serve(connection);
}

std::size_t HttpServer::Impl::BodyBytes() const {
  std::size_t bytes = 0;
  for (const Connection& each : connections_) bytes += each.body_bytes;
  return bytes;
}

void HttpServer::Impl::Serve(Connection& connection) {
  auto request = std::make_shared<const Request>(connection.reader.TakeRequest());
  if (limits_.threads == 0) return Respond(connection, Ask(*request));
  connection.phase = Phase::kServing;
  Crew& crew = service_.IsSearch(*request) ? searchers_ : crew_;
  const bool given =
      crew.Give([this, request, id = connection.id, head_only = connection.head_only] {
        Finish(id, BytesOf(Ask(*request), head_only));
      });
  if (given) return;
  Respond(connection, ToResponse({.status = 503, .message = "too many ask at once, try again"}));
}

Response HttpServer::Impl::Ask(const Request& request) {
  try {
    return service_.Answer(request);
  } catch (const std::exception&) {
    return ToResponse({.status = 500, .message = "the request could not be served"});
  }
}

// On a thread of a crew.
void HttpServer::Impl::Finish(std::uint64_t id, std::string bytes) {
  {
    const MutexLock lock(mutex_);
    finished_.emplace_back(id, std::move(bytes));
  }
  Wake();
}

void HttpServer::Impl::TakeFinished() {
  std::vector<std::pair<std::uint64_t, std::string>> finished;
  {
    const MutexLock lock(mutex_);
    finished.swap(finished_);
  }
  for (auto& [id, bytes] : finished) {
    const auto found = std::ranges::find(connections_, id, &Connection::id);
    if (found == connections_.end()) continue;
    found->out = std::move(bytes);
    found->phase = Phase::kWriting;
    found->deadline = Clock::now() + limits_.answer;
    Write(*found);
  }
}

void HttpServer::Impl::Respond(Connection& connection, const Response& response) {
  connection.out = BytesOf(response, connection.head_only);
  connection.phase = Phase::kWriting;
  connection.deadline = Clock::now() + limits_.answer;
  Write(connection);
}

void HttpServer::Impl::Write(Connection& connection) {
  connection.body_bytes = 0;
  while (connection.sent < connection.out.size()) {
    const ssize_t sent =
        connection.wire->Write(std::string_view(connection.out).substr(connection.sent));
    if (sent < 0 && connection.wire->IsToWait()) return;
    if (sent <= 0) {
      connection.over = true;
      return;
    }
    connection.sent += static_cast<std::size_t>(sent);
  }
  // To close what has unread bytes would take back the response.
  connection.out = {};
  connection.reader = RequestReader(limits_.request);
  connection.wire->EndWriting();
  connection.phase = Phase::kLingering;
  connection.deadline = Clock::now() + limits_.linger;
}

void HttpServer::Impl::Linger(Connection& connection) {
  const ssize_t got = connection.wire->Read(portion_.data(), portion_.size());
  connection.over = got == 0 || (got < 0 && !connection.wire->IsToWait());
}

void HttpServer::Impl::EndLate(Clock::time_point now) {
  for (Connection& connection : connections_) {
    if (connection.phase == Phase::kServing || connection.deadline > now) continue;
    if (connection.phase == Phase::kReading) {
      const std::string late =
          BytesOf(ToResponse({.status = 408, .message = "the request takes too long"}), false);
      connection.wire->Write(late);
    }
    connection.over = true;
  }
  std::erase_if(connections_, [](const Connection& each) { return each.over; });
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return impl_->port(); }
void HttpServer::Stop() { impl_->Stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::Start(const std::string& host, int port,
                                                      Service& service, const HttpLimits& limits,
                                                      std::shared_ptr<const Tls> tls) {
  const Result<int> listener = Listen(host, port);
  if (!listener) return tl::unexpected(listener.error());
  return std::unique_ptr<HttpServer>(
      new HttpServer(std::make_unique<Impl>(service, limits, std::move(tls), *listener)));
}

}  // namespace fairlead::server
