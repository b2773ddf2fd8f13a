// One attempt is: GET the lease, judge who holds it, and PUT it as ours with the version that was
// read. While we lead, the GET is left out as long as we know the version: a PUT alone. Whatever
// goes wrong with a PUT, the next attempt reads again: the write may have been carried out.
//
//   t = 0 s    PUT sent, answered        → we lead until 10 s (renew_deadline)
//   t = 2 s    PUT sent, no answer       → still until 10 s: only what was answered counts
//   t = 7 s    it timed out; GET, PUT    → answered: until 17 s
//   t = 17 s   nothing answered since    → lost; others see no change and take it at 22 s or later

#include "kube/lease.h"

#include <algorithm>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "kube/backoff.h"
#include "kube/json.h"
#include "kube/micro_time.h"
#include "kube/query.h"
#include "kube/status.h"

namespace fairlead::kube {

namespace json = boost::json;

class LeaderElection::Impl {
 public:
  Impl(Loop& loop, LeaseOptions options, Callbacks callbacks)
      : loop_(loop),
        options_(std::move(options)),
        callbacks_(std::move(callbacks)),
        random_(options_.seed),
        collection_(fmt::format("/apis/coordination.k8s.io/v1/namespaces/{}/leases",
                                Escaped(options_.name_space))),
        path_(collection_ + "/" + Escaped(options_.name)) {
    CHECK(options_.lease_duration > options_.renew_deadline);
    CHECK(options_.renew_deadline > options_.retry_period);
    CHECK(options_.retry_period > Duration{} && options_.lease_duration.us % 1'000'000 == 0);
  }
  ~Impl() { EndCalls(); }

  void Start() {
    if (running_) return;
    running_ = true;
    Attempt();
  }
  void Stop(std::function<void()> done);

  bool leads() const { return leads_; }
  bool LeadsAt(Time now) const { return leads_ && now < renewed_ + options_.renew_deadline; }
  const std::string& leader() const { return leader_; }

 private:
  void Attempt();
  void Read();
  void Judge(const Response& response);
  void Create();
  void Take();
  void Write(Method method, const std::string& path, const json::value& lease);
  void Written(Time sent, const Response& response);
  void Observe(json::value lease);
  bool MayTake() const;
  void SetOurs(json::object& lease);
  void Won(Time sent);
  void Lose();
  void WatchDeadline();
  void Again();
  void Release();
  void ReleaseRead(const Response& response);
  void Stopped();
  void EndCalls();
  void Call(Request request, std::function<void(const Response&)> fn);
  void Problem(std::string_view what, const Status& status) {
    if (!callbacks_.on_problem) return;
    callbacks_.on_problem(fmt::format("lease {}/{}: {}: {}", options_.name_space, options_.name,
                                      what, status.ToString()));
  }

  Loop& loop_;
  const LeaseOptions options_;
  const Callbacks callbacks_;
  Random random_;
  const std::string collection_, path_;

  bool running_ = false;
  bool leads_ = false;
  Time renewed_;  // when the last renewal that succeeded was sent
  std::string leader_;

  json::value seen_;             // the lease as it was read or written last; null: none
  json::value seen_spec_;        // of the last one that differed
  Time seen_at_;                 // when that was, here
  bool seen_is_newest_ = false;  // no write since whose outcome is unknown
  bool writing_ = false;         // a write is under way

  CallId call_ = 0;
  TimerId timer_ = 0, deadline_timer_ = 0, stop_timer_ = 0;
  std::function<void()> stopped_;
};

void LeaderElection::Impl::EndCalls() {
  if (call_ != 0) loop_.Cancel(call_);
  for (TimerId* timer : {&timer_, &deadline_timer_, &stop_timer_}) {
    if (*timer != 0) loop_.CancelTimer(*timer);
    *timer = 0;
  }
  call_ = 0;
}

void LeaderElection::Impl::Call(Request request, std::function<void(const Response&)> fn) {
  request.lane = Lane::kLease;
  // One request that hangs must leave time for another before the deadline.
  request.timeout = {options_.renew_deadline.us / 2};
  call_ = loop_.Send(std::move(request), [this, fn = std::move(fn)](const Response& response) {
    call_ = 0;
    fn(response);
  });
}

void LeaderElection::Impl::Attempt() {
  if (leads_ && seen_is_newest_) return Take();
  Read();
}

void LeaderElection::Impl::Read() {
  Call({.method = Method::kGet, .path = path_}, [this](const Response& r) { Judge(r); });
}

// Who holds it, and may we have it?
void LeaderElection::Impl::Judge(const Response& response) {
  if (response.ok()) {
    json::value lease = ParseJson(response.body);
    if (!lease.is_object()) {
      Problem("it cannot be read", {.message = "found no JSON"});
      return Again();
    }
    Observe(std::move(lease));
    if (MayTake()) return Take();
    if (leads_) Lose();
    return Again();
  }
  const Status status = StatusOf(response);
  if (IsNotFound(status)) return Create();
  Problem("it cannot be read", status);
  Again();
}

// Notes what the lease says, and when that changed, by our clock.
void LeaderElection::Impl::Observe(json::value lease) {
  const json::value* spec = At(lease, "spec");
  const json::value now_spec = spec == nullptr ? json::value(json::object()) : *spec;
  if (seen_.is_null() || now_spec != seen_spec_) {
    seen_spec_ = now_spec;
    seen_at_ = loop_.Now();
  }
  seen_ = std::move(lease);
  seen_is_newest_ = true;
  std::string holder = TextAt(seen_spec_, "holderIdentity");
  if (holder == leader_) return;
  leader_ = std::move(holder);
  if (callbacks_.on_leader && !leader_.empty()) callbacks_.on_leader(leader_);
}

bool LeaderElection::Impl::MayTake() const {
  if (leader_.empty() || leader_ == options_.identity) return true;
  const auto seconds = NumberAt(seen_spec_, "leaseDurationSeconds");
  const Duration lasting =
      seconds.value_or(0) > 0 ? Duration::Seconds(*seconds) : options_.lease_duration;
  return seen_at_ + lasting < loop_.Now();
}

void LeaderElection::Impl::SetOurs(json::object& lease) {
  json::value& spec = lease["spec"];
  if (!spec.is_object()) spec = json::object();
  json::object& fields = spec.get_object();
  const std::string now = MicroTimeText(loop_.WallNow());
  const bool ours = leader_ == options_.identity;
  if (!ours) {
    fields["acquireTime"] = now;
    const auto transitions = NumberAt(spec, "leaseTransitions");
    fields["leaseTransitions"] = seen_.is_null() ? 0 : transitions.value_or(0) + 1;
  }
  fields["holderIdentity"] = options_.identity;
  fields["leaseDurationSeconds"] = options_.lease_duration.WholeSeconds();
  fields["renewTime"] = now;
}

void LeaderElection::Impl::Create() {
  seen_ = nullptr;
  leader_.clear();
  json::object lease{{"apiVersion", "coordination.k8s.io/v1"},
                     {"kind", "Lease"},
                     {"metadata", {{"name", options_.name}, {"namespace", options_.name_space}}}};
  SetOurs(lease);
  Write(Method::kPost, collection_, std::move(lease));
}

void LeaderElection::Impl::Take() {
  json::object lease = seen_.as_object();
  SetOurs(lease);
  Write(Method::kPut, path_, std::move(lease));
}

void LeaderElection::Impl::Write(Method method, const std::string& path, const json::value& lease) {
  const Time sent = loop_.Now();
  seen_is_newest_ = false;
  writing_ = true;
  Call({.method = method, .path = path, .body = json::serialize(lease)},
       [this, sent](const Response& response) {
         writing_ = false;
         Written(sent, response);
       });
}

void LeaderElection::Impl::Written(Time sent, const Response& response) {
  if (response.ok()) {
    json::value lease = ParseJson(response.body);
    if (lease.is_object()) {
      Observe(std::move(lease));
      if (leader_ == options_.identity) Won(sent);
    }
    return Again();
  }
  const Status status = StatusOf(response);
  // Somebody was faster. For a renewal: another writer of ours, or we have lost it; reading tells.
  const bool taken = IsConflict(status) || IsAlreadyExists(status);
  if (!taken) Problem("it cannot be written", status);
  if (taken && leads_) return Read();
  Again();
}

void LeaderElection::Impl::Won(Time sent) {
  // An answer that came too late to keep it: others may have counted to the end.
  if (loop_.Now() >= sent + options_.renew_deadline) return;
  renewed_ = sent;
  if (leads_) return;
  leads_ = true;
  WatchDeadline();
  if (callbacks_.on_elected) callbacks_.on_elected();
}

void LeaderElection::Impl::WatchDeadline() {
  const Duration left = renewed_ + options_.renew_deadline - loop_.Now();
  if (left <= Duration{}) {
    Problem("lost", {.message = fmt::format("it could not be renewed for {}",
                                            FormatDuration(options_.renew_deadline))});
    Lose();
    if (call_ != 0) loop_.Cancel(std::exchange(call_, 0));
    return Again();
  }
  deadline_timer_ = loop_.After(left, [this] {
    deadline_timer_ = 0;
    WatchDeadline();
  });
}

void LeaderElection::Impl::Lose() {
  leads_ = false;
  if (deadline_timer_ != 0) loop_.CancelTimer(std::exchange(deadline_timer_, 0));
  if (callbacks_.on_lost) callbacks_.on_lost();
}

// A leader renews evenly; those who wait spread, from one period to 2.2 of them.
void LeaderElection::Impl::Again() {
  if (!running_) return;
  if (timer_ != 0) loop_.CancelTimer(timer_);
  Duration delay = options_.retry_period;
  if (!leads_) delay = delay + random_.Between({}, {delay.us * 12 / 10});
  timer_ = loop_.After(delay, [this] {
    timer_ = 0;
    Attempt();
  });
}

// --- The end -------------------------------------------------------------------------------------

void LeaderElection::Impl::Stop(std::function<void()> done) {
  stopped_ = std::move(done);
  const bool led = leads_, known = seen_is_newest_;
  const bool may_hold = led || writing_;  // the server may have given it, and not yet said so
  running_ = false;
  EndCalls();
  if (led) Lose();
  if (!may_hold) {
    timer_ = loop_.After({}, [this] { Stopped(); });
    return;
  }
  stop_timer_ = loop_.After(options_.retry_period, [this] { Stopped(); });
  if (known) return Release();
  Call({.method = Method::kGet, .path = path_}, [this](const Response& r) { ReleaseRead(r); });
}

void LeaderElection::Impl::ReleaseRead(const Response& response) {
  json::value lease = ParseJson(response.body);
  if (!response.ok() || !lease.is_object()) return Stopped();
  Observe(std::move(lease));
  if (leader_ != options_.identity) return Stopped();
  Release();
}

void LeaderElection::Impl::Release() {
  json::object lease = seen_.as_object();
  json::object& spec = lease["spec"].as_object();
  spec["holderIdentity"] = "";
  spec["leaseDurationSeconds"] = 1;
  const std::string now = MicroTimeText(loop_.WallNow());
  spec["renewTime"] = now;
  spec["acquireTime"] = now;
  Call({.method = Method::kPut, .path = path_, .body = json::serialize(lease)},
       [this](const Response&) { Stopped(); });
}

void LeaderElection::Impl::Stopped() {
  EndCalls();
  seen_is_newest_ = false;
  if (const auto done = std::exchange(stopped_, nullptr)) done();
}

LeaderElection::LeaderElection(Loop& loop, LeaseOptions options, Callbacks callbacks)
    : impl_(std::make_unique<Impl>(loop, std::move(options), std::move(callbacks))) {}
LeaderElection::~LeaderElection() = default;

void LeaderElection::Start() { impl_->Start(); }
void LeaderElection::Stop(std::function<void()> done) { impl_->Stop(std::move(done)); }
bool LeaderElection::leads() const { return impl_->leads(); }
bool LeaderElection::LeadsAt(Time now) const { return impl_->LeadsAt(now); }
const std::string& LeaderElection::leader() const { return impl_->leader(); }

}  // namespace fairlead::kube
