#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "kube/credentials.h"
#include "kube/loop.h"

namespace fairlead::kube {

// The loop that speaks to a real API server: libcurl's multi interface driven by epoll, on the
// thread that calls Run.
//
// - HTTP/1.1 with connections kept open. A lane's bound on requests is its bound on connections.
// - No Accept-Encoding is ever sent: a server compresses a watch in a way that libcurl cannot read,
//   and a list costs the server less without.
// - The server's certificate is always verified, unless the kubeconfig says otherwise.
// - A 401 makes it renew the credentials and try that request once more; the callers of others wait
//   meanwhile. A new client certificate ends the streams that run with the old one.
// - A connection whose other end has vanished is given up after 30 s without an acknowledgement.
class CurlLoop : public OwnedLoop {
 public:
  struct Options {
    // Requests under way by lane: lease, reads, bindings, writes, events, watches.
    std::array<std::size_t, kLanes> lane_limits = {2, 16, 32, 16, 4, 256};
    Duration connect_timeout = Duration::Seconds(10);
    std::string user_agent = "fairlead";
    std::function<void(const std::string&)>
        on_problem;  // credentials that cannot be had; may be {}
  };

  // Errors: libcurl or the system has no room for it.
  static Result<std::unique_ptr<CurlLoop>> Make(Connection connection, Options options);
  ~CurlLoop() override;  // calls that did not end never call back

  void Run() override;
  void Stop() override;
  void Post(std::function<void()> fn) override;

  Time Now() const override;
  Time LocalNow() const override;
  TimerId After(Duration delay, std::function<void()> fn) override;
  void CancelTimer(TimerId timer) override;
  CallId Send(Request request, std::function<void(Response)> fn) override;
  CallId Open(Request request, Stream& stream) override;
  void Cancel(CallId call) override;

  // Requests of a lane that wait for their turn.
  std::size_t waiting(Lane lane) const;
  // Connections opened so far.
  std::uint64_t connections() const;

 private:
  class Impl;
  explicit CurlLoop(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fairlead::kube
