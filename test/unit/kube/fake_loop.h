#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "kube/backoff.h"
#include "kube/loop.h"
#include "unit/kube/fake_api.h"
#include "unit/kube/virtual_clock.h"

namespace fairlead::kube {

// What a network and an overloaded server do, each with its chance in a thousand per request (of a
// watch: also per event). Which request it hits follows from the loop's seed alone.
struct Faults {
  int refuse = 0;                             // connection refused: not sent
  int lose_request = 0;                       // it never arrives; times out
  int lose_answer = 0;                        // carried out, and no answer comes
  int throttle = 0;                           // 429, with Retry-After: 1
  int fail = 0;                               // 500 before it was carried out
  int conflict = 0;                           // 409 of a write, though nothing has changed
  int cut = 0;                                // a stream breaks off, within a line perhaps
  int end_early = 0;                          // a watch ends as if its time were over
  int half_open = 0;                          // a watch says nothing any more, and does not end
  Duration slowest = Duration{.us = 20'000};  // each way

  // Every kind of fault, as often as `weight` of a thousand at most; by `random`, some not at all.
  static Faults Some(Random& random, int weight);
};

// A loop on a virtual clock whose requests go to a FakeApi: what one client process sees. Answers
// of different connections overtake each other; the bytes of one stream do not.
class FakeLoop : public Loop {
 public:
  FakeLoop(VirtualClock& clock, FakeApi& api, std::uint64_t seed);
  ~FakeLoop() override;

  Time Now() const override { return clock_.now(); }
  Time LocalNow() const override;
  static Time WallAt(Time now);  // where the clock is right
  TimerId After(Duration delay, std::function<void()> fn) override;
  void CancelTimer(TimerId timer) override;
  CallId Send(Request request, std::function<void(Response)> fn) override;
  CallId Open(Request request, Stream& stream) override;
  void Cancel(CallId call) override;

  Faults faults;
  // Its process was killed: what is on its way to the server still arrives, nobody hears of it.
  bool killed = false;
  // Nothing arrives, nothing comes back, nothing is refused: a load balancer that died.
  bool cut_off = false;
  bool keeps_sent = true;  // what sent() says
  Duration wall_ahead;     // how wrong this process's wall clock is; the server's: api.clock_ahead

  // The next requests whose path contains `part` get this instead of the server's answer.
  struct Scripted {
    std::string part;
    FakeApi::Answer answer;
    int times = 1;
  };
  std::vector<Scripted> script;

  // Called with what arrives at the server and what it says.
  std::function<void(const Request&, const FakeApi::Answer&)> tell;

  // Its process does not run for so long: what comes waits, what it sent goes its way.
  // Who sleeps already wakes when he would have.
  void Sleep(Duration duration) {
    if (clock_.now() >= asleep_until_) asleep_until_ = clock_.now() + duration;
  }

  std::size_t open_calls() const { return calls_.size(); }
  const std::vector<std::string>& sent() const { return sent_; }  // "GET /api/v1/pods?…"
  // Breaks every watch, or those of `plural`: 'c' cut within a line, 'e' ended, 'h' half open.
  void BreakWatches(char how, std::string_view plural = {});
  // Bytes to every open watch, as if the server had sent them.
  void Inject(const std::string& bytes);

 private:
  struct Call;

  bool Hits(int chance) { return static_cast<int>(random_.Below(1000)) < chance; }
  Duration Latency();
  Call& Add(Request request);
  void Arrive(CallId id);
  FakeApi::Answer Answer(const Request& request);
  Time ServerNow() const;
  void Hear(const Call& call, Time server_time);
  void StartWatch(CallId id, const FakeApi::Target& target);
  void Pump();
  void PumpOne(CallId id);
  void Deliver(CallId id, std::string bytes);
  void Later(CallId id, std::function<void(Call&)> fn);
  void WhenAwake(std::function<void()> fn);
  void Ring(TimerId timer, const std::function<void()>& fn);
  void Finish(CallId id, Outcome outcome, std::string error,
              FakeApi::Answer answer = {.status = 0});
  void NextBookmark(CallId id);

  VirtualClock& clock_;
  FakeApi& api_;
  Random random_;
  Time asleep_until_;
  TimerId last_timer_ = 0;
  std::map<TimerId, VirtualClock::Id> timers_;
  CallId last_ = 0;
  std::map<CallId, Call> calls_;
  std::vector<std::string> sent_;
};

}  // namespace fairlead::kube
