#include "unit/kube/fake_loop.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fairlead::kube {
namespace {

constexpr Duration kBookmarks = Duration::Seconds(60);
constexpr Time kWallStart{.us = 1'700'000'000'000'000};

}  // namespace

struct FakeLoop::Call {
  Request request;
  std::function<void(Response)> fn;  // of Send
  Stream* stream = nullptr;          // of Open
  Time sent, last_delivery;
  VirtualClock::Id timeout = 0;
  // Of a watch that is open:
  std::optional<FakeApi::Target> watch;
  std::uint64_t version = 0;
  bool silent = false, ending = false;
};

Faults Faults::Some(Random& random, int weight) {
  Faults faults;
  const auto bound = static_cast<std::uint64_t>(weight) + 1;
  for (int* fault :
       {&faults.refuse, &faults.lose_request, &faults.lose_answer, &faults.throttle, &faults.fail,
        &faults.conflict, &faults.cut, &faults.end_early, &faults.half_open}) {
    if (random.Below(3) != 0) *fault = static_cast<int>(random.Below(bound));
  }
  faults.slowest = random.Between({.us = 1'000}, Duration::Seconds(1));
  return faults;
}

FakeLoop::FakeLoop(VirtualClock& clock, FakeApi& api, std::uint64_t seed)
    : clock_(clock), api_(api), random_(seed) {
  api_.OnChange([this] { Pump(); });
}

FakeLoop::~FakeLoop() = default;

Time FakeLoop::WallAt(Time now) { return kWallStart + Duration{now.us}; }

Time FakeLoop::LocalNow() const { return WallAt(clock_.now()) + wall_ahead; }

Time FakeLoop::ServerNow() const { return WallAt(clock_.now()) + api_.clock_ahead; }

// The header Date.
void FakeLoop::Hear(const Call& call, Time server_time) {
  if (!api_.says_dates) return;
  const Time date{server_time.us / 1'000'000 * 1'000'000};
  server_clock().NoteAnswer(call.sent, clock_.now(), date);
}

TimerId FakeLoop::After(Duration delay, std::function<void()> fn) {
  const TimerId timer = ++last_timer_;
  timers_[timer] = clock_.After(std::max(delay, Duration{}),
                                [this, timer, fn = std::move(fn)] { Ring(timer, fn); });
  return timer;
}

void FakeLoop::Ring(TimerId timer, const std::function<void()>& fn) {
  if (clock_.now() < asleep_until_) {
    timers_[timer] = clock_.At(asleep_until_, [this, timer, fn] { Ring(timer, fn); });
    return;
  }
  timers_.erase(timer);
  fn();
}

void FakeLoop::CancelTimer(TimerId timer) {
  const auto found = timers_.find(timer);
  if (found == timers_.end()) return;
  clock_.Cancel(found->second);
  timers_.erase(found);
}

void FakeLoop::WhenAwake(std::function<void()> fn) {
  if (clock_.now() >= asleep_until_) return fn();
  clock_.At(asleep_until_, [this, fn = std::move(fn)] { WhenAwake(fn); });
}

Duration FakeLoop::Latency() { return random_.Between({.us = 100}, faults.slowest); }

FakeLoop::Call& FakeLoop::Add(Request request) {
  if (keeps_sent) sent_.push_back(fmt::format("{} {}", NameOf(request.method), request.path));
  const CallId id = ++last_;
  Call& call = calls_[id];
  call.sent = call.last_delivery = clock_.now();
  if (request.timeout > Duration{}) {
    call.timeout = clock_.After(request.timeout, [this, id] {
      WhenAwake([this, id] { Finish(id, Outcome::kUnknown, "timed out"); });
    });
  }
  call.request = std::move(request);
  if (!cut_off) {
    if (Hits(faults.refuse)) {
      Later(id, [this, id](Call&) { Finish(id, Outcome::kNotSent, "connection refused"); });
    } else if (!Hits(faults.lose_request)) {
      // The server does not care whether the process runs.
      call.last_delivery = call.last_delivery + Latency();
      clock_.At(call.last_delivery, [this, id] {
        if (calls_.contains(id) && !cut_off) Arrive(id);
      });
    }
  }
  return call;
}

CallId FakeLoop::Send(Request request, std::function<void(Response)> fn) {
  Add(std::move(request)).fn = std::move(fn);
  return last_;
}

CallId FakeLoop::Open(Request request, Stream& stream) {
  Add(std::move(request)).stream = &stream;
  return last_;
}

void FakeLoop::Cancel(CallId id) {
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  clock_.Cancel(call->second.timeout);
  const bool goes_on = killed && call->second.stream == nullptr;
  if (!goes_on) {
    calls_.erase(call);
    return;
  }
  call->second.fn = [](const Response&) {};
}

// On the call's connection, so behind what is under way on it.
void FakeLoop::Later(CallId id, std::function<void(Call&)> fn) {
  Call& call = calls_.at(id);
  call.last_delivery = std::max(call.last_delivery, clock_.now() + Latency());
  clock_.At(call.last_delivery, [this, id, fn = std::move(fn)] {
    WhenAwake([this, id, fn] {
      const auto found = calls_.find(id);
      if (found != calls_.end() && !cut_off) fn(found->second);
    });
  });
}

void FakeLoop::Finish(CallId id, Outcome outcome, std::string error, FakeApi::Answer answer) {
  auto node = calls_.extract(id);
  if (node.empty()) return;
  Call& call = node.mapped();
  clock_.Cancel(call.timeout);
  if (call.stream != nullptr) {
    call.stream->OnEnd(outcome, error);
  } else {
    call.fn({.outcome = outcome,
             .error = std::move(error),
             .status = answer.status,
             .retry_after = answer.retry_after,
             .body = std::move(answer.body)});
  }
}

FakeApi::Answer FakeLoop::Answer(const Request& request) {
  for (Scripted& scripted : script) {
    if (scripted.times == 0) continue;
    if (request.path.find(scripted.part) == std::string::npos) continue;
    --scripted.times;
    return scripted.answer;
  }
  if (Hits(faults.throttle)) {
    FakeApi::Answer answer = StatusAnswer(429, "TooManyRequests", "too many requests");
    answer.retry_after = Duration::Seconds(1);
    return answer;
  }
  if (Hits(faults.fail)) return StatusAnswer(500, "InternalError", "something went wrong");
  if (request.method != Method::kGet && Hits(faults.conflict)) {
    return StatusAnswer(409, "Conflict", "Operation cannot be fulfilled: a webhook says so");
  }
  const FakeApi::Target target = api_.Parse(request.path);
  if (target.query.contains("watch")) {
    return api_.RefuseWatch(target).value_or(FakeApi::Answer{.status = 0});
  }
  return api_.Handle(request, ServerNow());
}

// The request is at the server.
void FakeLoop::Arrive(CallId id) {
  FakeApi::Answer answer = Answer(calls_.at(id).request);
  if (tell) tell(calls_.at(id).request, answer);
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;  // a watch that the change broke
  Call& call = found->second;
  if (answer.status == 0) return StartWatch(id, api_.Parse(call.request.path));
  if (Hits(faults.lose_answer)) return;
  const Time said = ServerNow();
  if (call.stream == nullptr) {
    Later(id, [this, id, answer, said](Call& to) {
      Hear(to, said);
      Finish(id, Outcome::kAnswered, "", answer);
    });
    return;
  }
  Later(id, [this, answer, said](Call& to) {
    Hear(to, said);
    to.stream->OnHeaders(answer.status, answer.retry_after);
  });
  const bool cut = Hits(faults.cut);
  if (cut) answer.body.resize(random_.Below(answer.body.size() + 1));
  Deliver(id, std::move(answer.body));
  Later(id, [this, id, cut](Call&) {
    Finish(id, cut ? Outcome::kUnknown : Outcome::kAnswered, cut ? "the transfer broke off" : "");
  });
}

void FakeLoop::StartWatch(CallId id, const FakeApi::Target& target) {
  Call& call = calls_.at(id);
  call.watch = target;
  const bool lists = target.query.contains("sendInitialEvents");
  if (!lists) call.version = std::stoull(target.query.at("resourceVersion"));
  if (Hits(faults.half_open)) call.silent = true;
  Later(id, [this, said = ServerNow()](Call& to) {
    Hear(to, said);
    to.stream->OnHeaders(200, std::nullopt);
  });
  const auto lasting = target.query.find("timeoutSeconds");
  const Duration limit =
      Duration::Seconds(lasting == target.query.end() ? 1800 : std::stoll(lasting->second));
  clock_.After(limit, [this, id] {
    const auto found = calls_.find(id);
    if (found == calls_.end() || found->second.silent || found->second.ending) return;
    Deliver(id, api_.Bookmark(*found->second.watch));
    found->second.ending = true;
    Later(id, [this, id](Call&) { Finish(id, Outcome::kAnswered, ""); });
  });
  NextBookmark(id);
  if (lists && !call.silent) Deliver(id, api_.InitialEvents(target, call.version));
  PumpOne(id);
}

void FakeLoop::NextBookmark(CallId id) {
  clock_.After(kBookmarks, [this, id] {
    const auto found = calls_.find(id);
    if (found == calls_.end() || found->second.silent || found->second.ending) return;
    Deliver(id, api_.Bookmark(*found->second.watch));
    NextBookmark(id);
  });
}

void FakeLoop::Pump() {
  std::vector<CallId> watches;
  for (const auto& [id, call] : calls_) {
    if (call.watch) watches.push_back(id);
  }
  for (const CallId id : watches) PumpOne(id);
}

void FakeLoop::PumpOne(CallId id) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || found->second.silent || found->second.ending) return;
  Call& call = found->second;
  if (!api_.IsServed(call.watch->kind->plural)) {
    call.ending = true;
    Later(id, [this, id](Call&) { Finish(id, Outcome::kAnswered, ""); });
    return;
  }
  std::string lines = api_.EventsAfter(*call.watch, call.version);
  if (lines.empty()) return;
  if (Hits(faults.half_open)) {
    call.silent = true;
    return;
  }
  const bool cut = Hits(faults.cut), ends = Hits(faults.end_early);
  if (cut) lines.resize(random_.Below(lines.size() + 1));
  if (!ends) Deliver(id, std::move(lines));
  if (!cut && !ends) return;
  call.ending = true;
  Later(id, [this, id, cut](Call&) {
    Finish(id, cut ? Outcome::kUnknown : Outcome::kAnswered, cut ? "the transfer broke off" : "");
  });
}

// In pieces that are cut anywhere.
void FakeLoop::Deliver(CallId id, std::string bytes) {
  while (!bytes.empty()) {
    const std::size_t size = std::min<std::size_t>(bytes.size(), 1 + random_.Below(4096));
    Later(id, [piece = bytes.substr(0, size)](Call& to) { to.stream->OnBytes(piece); });
    bytes.erase(0, size);
  }
}

void FakeLoop::BreakWatches(char how, std::string_view plural) {
  for (auto& [id, call] : calls_) {
    if (!call.watch || call.ending) continue;
    if (!plural.empty() && call.watch->kind->plural != plural) continue;
    if (how == 'h') {
      call.silent = true;
      continue;
    }
    call.ending = true;
    if (how == 'c') Deliver(id, "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Po");
    Later(id, [this, id = id, how](Call&) {
      Finish(id, how == 'c' ? Outcome::kUnknown : Outcome::kAnswered,
             how == 'c' ? "the transfer broke off" : "");
    });
  }
}

void FakeLoop::Inject(const std::string& bytes) {
  for (auto& [id, call] : calls_) {
    if (call.watch) Deliver(id, bytes);
  }
}

}  // namespace fairlead::kube
