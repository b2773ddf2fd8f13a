#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "kube/server_clock.h"

namespace fairlead::kube {

enum class Method : std::uint8_t { kGet, kPost, kPut, kPatch, kDelete };
std::string_view NameOf(Method method);  // "GET"

// Each lane has its own bound on requests under way, so that ten thousand bindings keep neither the
// leader's lease nor a relist waiting. Within a lane requests start in the order of Send.
enum class Lane : std::uint8_t { kLease, kReads, kBindings, kWrites, kEvents, kWatches };
inline constexpr std::size_t kLanes = 6;
std::string_view NameOf(Lane lane);  // "bindings"

struct Request {
  Method method = Method::kGet;
  Lane lane = Lane::kReads;
  std::string path;          // with its query: "/api/v1/pods?limit=500"
  std::string content_type;  // empty: application/json
  std::string body = {};
  // From when it is sent to its last byte; what waits for its lane is not counted. Zero: no bound.
  Duration timeout = Duration::Seconds(30);
};

enum class Outcome : std::uint8_t {
  kAnswered,  // there is a status and a whole body
  kNotSent,   // it did not reach the server: refused, no name, no TLS, no credentials
  kUnknown,   // it may have been carried out: timed out, cut off. Read again before you retry
};

struct Response {
  Outcome outcome = Outcome::kAnswered;
  std::string error;                    // unless kAnswered: what happened, for a person
  int status = 0;                       // HTTP's, where it is known; else 0
  std::optional<Duration> retry_after;  // the header's, in seconds or as a date
  std::string body;

  bool ok() const { return outcome == Outcome::kAnswered && status >= 200 && status < 300; }
};

// Takes a response piece by piece: of a watch, or of a list that is read as it comes.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void OnHeaders(int status, std::optional<Duration> retry_after) = 0;
  // After OnHeaders, whatever the status: bytes of the body, cut anywhere.
  virtual void OnBytes(std::string_view bytes) = 0;
  // The last call. `error` is empty where the server ended the body as HTTP says it must.
  virtual void OnEnd(Outcome outcome, std::string_view error) = 0;
};

using TimerId = std::uint64_t;  // 0: none
using CallId = std::uint64_t;   // 0: none

// Time and the network for state machines that run on one thread: libcurl's in production
// (kube/curl_loop.h), a fake API server on a virtual clock in tests.
//
// Thread safety: only the loop's thread calls it, and it calls back on that thread only.
// Invariants:
// - It never calls back from inside a function of this class: callers need not be re-entrant.
// - After Cancel of a timer or call nothing of it is called back any more, and what it referred to
//   may go, also from inside its own callback. Cancel of what has ended already does nothing.
// - Every call that is not cancelled calls back exactly once (OnEnd for a stream).
class Loop {
 public:
  virtual ~Loop() = default;

  // Time since some moment; it does not jump when somebody sets the clock, and goes on while the
  // process is stopped. For deadlines.
  virtual Time Now() const = 0;
  // The machine's wall clock, right or wrong. For what is said about it only.
  virtual Time LocalNow() const = 0;
  // The API server's clock, as its answers tell it. For what is decided, and what is written into
  // objects. It may go back, where that clock was set back.
  Time WallNow() const { return server_clock_.At(Now(), LocalNow()); }
  Duration UntilWall(Time at) const { return server_clock_.Until(at, Now(), LocalNow()); }
  ServerClock& server_clock() { return server_clock_; }
  const ServerClock& server_clock() const { return server_clock_; }

  virtual TimerId After(Duration delay, std::function<void()> fn) = 0;
  virtual void CancelTimer(TimerId timer) = 0;

  virtual CallId Send(Request request, std::function<void(Response)> fn) = 0;
  // `stream` must live until its OnEnd or Cancel.
  virtual CallId Open(Request request, Stream& stream) = 0;
  virtual void Cancel(CallId call) = 0;

 private:
  ServerClock server_clock_;
};

// A loop with a thread of its own: the one that calls Run.
// Thread safety: Post and Stop may be called from any thread; everything else by the thread that
// runs the loop, or before Run.
class OwnedLoop : public Loop {
 public:
  // Until Stop; may be called again.
  virtual void Run() = 0;
  virtual void Stop() = 0;
  // Runs `fn` on the loop's thread, in the order of the calls. What comes after Run's end is
  // dropped with the loop.
  virtual void Post(std::function<void()> fn) = 0;
};

}  // namespace fairlead::kube
