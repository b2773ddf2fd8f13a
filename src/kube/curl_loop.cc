// One turn of the loop: start what may start, sleep until a socket, a timer or another thread
// wants something, let libcurl work on the sockets that are ready, hand out what is done, then what
// was posted, then timers.
//
// libcurl must not be entered from its own callbacks, and a stream's functions are called from
// them. So Send and Open only queue, and Cancel from there marks the transfer: it breaks off with
// the next byte, and is taken out of libcurl at the end of the turn.

#include "kube/curl_loop.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "base/mutex.h"
#include "kube/machine_time.h"
#include "kube/timers.h"
#include "kube/transfer.h"

namespace fairlead::kube {
namespace {

// Once for the process, before any thread of ours is there.
bool StartLibcurl() {
  static const bool kStarted = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return kStarted;
}

constexpr std::size_t kMaxIdleHandles = 128;
constexpr long kMaxIdleConnections = 128;
constexpr Duration kBetweenFailedRenewals = Duration::Seconds(1);

}  // namespace

class CurlLoop::Impl {
 public:
  Impl(Connection connection, Options options)
      : options_(std::move(options)), credentials_(std::move(connection)) {}
  ~Impl();
  void TellDates(ServerClock* clock) { server_clock_ = clock; }

  Result<void> Init();
  void Run();
  void Stop() {
    stop_ = true;
    Wake();
  }
  void Post(std::function<void()> fn);

  TimerId After(Duration delay, std::function<void()> fn) {
    return timers_.Add(Now() + std::max(delay, Duration{}), std::move(fn));
  }
  void CancelTimer(TimerId timer) { timers_.Cancel(timer); }
  CallId Add(Request request, std::function<void(Response)> fn, Stream* stream);
  void Cancel(CallId call);
  static Time Now() { return BootTime(); }

  std::size_t waiting(Lane lane) const { return lanes_[Index(lane)].waiting.size(); }
  std::uint64_t connections() const { return connections_; }

 private:
  using TransferPtr = std::unique_ptr<Transfer>;
  struct LaneState {
    std::deque<TransferPtr> waiting;
    std::size_t under_way = 0;
  };

  static std::size_t Index(Lane lane) { return static_cast<std::size_t>(lane); }
  static int OnSocket(CURL* easy, curl_socket_t socket, int what, void* user, void* known);
  static int OnCurlTimer(CURLM* multi, long ms, void* user);

  void StartWaiting();
  void Start(TransferPtr transfer);
  void Work(curl_socket_t socket, int ready);
  void HandOut();
  void Done(TransferPtr transfer);
  TransferPtr TakeOut(CallId id);
  void TakeOutCancelled();
  void RunPosted();
  int SleepMs() const;
  void Wake();
  bool RenewIfDue();
  void Renew();
  void Renewed(Result<Secret> secret);
  void FailWaiting(const std::string& why);
  void HandOutFailed();
  void EndStreams();

  const Options options_;
  ServerClock* server_clock_ = nullptr;  // the loop's
  Credentials credentials_;
  std::shared_ptr<const Secret> secret_ = std::make_shared<Secret>();
  std::map<std::string, Headers> headers_;  // by content type, of this secret
  bool renewing_ = false;
  Time no_renewal_before_;
  std::thread renewer_;

  CURLM* multi_ = nullptr;
  int epoll_ = -1, event_ = -1;
  std::vector<CURL*> idle_;
  std::optional<Time> curl_due_;
  bool in_curl_ = false;

  Timers timers_;
  CallId last_call_ = 0;
  std::array<LaneState, kLanes> lanes_;
  boost::unordered_flat_map<CallId, TransferPtr> under_way_;
  std::vector<CallId> cancelled_;
  std::deque<TransferPtr> failed_;  // without having been sent
  std::uint64_t connections_ = 0;

  std::atomic<bool> stop_ = false;
  Mutex mutex_;
  std::vector<std::function<void()>> posted_ GUARDED_BY(mutex_);
};

Result<void> CurlLoop::Impl::Init() {
  if (!StartLibcurl()) return Fail("libcurl cannot be started");
  multi_ = curl_multi_init();
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  event_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (multi_ == nullptr || epoll_ < 0 || event_ < 0) {
    return Fail(std::string("no room for a network loop: ") + std::strerror(errno));
  }
  epoll_event event{.events = EPOLLIN, .data = {.fd = event_}};
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, event_, &event);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, OnSocket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, OnCurlTimer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMaxIdleConnections);
  return {};
}

CurlLoop::Impl::~Impl() {
  if (renewer_.joinable()) renewer_.join();
  for (auto& [id, transfer] : under_way_) {
    transfer->cancelled = true;
    curl_multi_remove_handle(multi_, transfer->easy);
    curl_easy_cleanup(transfer->easy);
  }
  for (CURL* easy : idle_) curl_easy_cleanup(easy);
  if (multi_ != nullptr) curl_multi_cleanup(multi_);
  if (epoll_ >= 0) ::close(epoll_);
  if (event_ >= 0) ::close(event_);
}

int CurlLoop::Impl::OnSocket(CURL*, curl_socket_t socket, int what, void* user, void* known) {
  auto& self = *static_cast<Impl*>(user);
  if (what == CURL_POLL_REMOVE) {
    ::epoll_ctl(self.epoll_, EPOLL_CTL_DEL, socket, nullptr);
    return 0;
  }
  epoll_event event{.events = 0, .data = {.fd = socket}};
  if ((what & CURL_POLL_IN) != 0) event.events |= EPOLLIN;
  if ((what & CURL_POLL_OUT) != 0) event.events |= EPOLLOUT;
  const int done =
      ::epoll_ctl(self.epoll_, known == nullptr ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
  if (done != 0 && errno == EEXIST) ::epoll_ctl(self.epoll_, EPOLL_CTL_MOD, socket, &event);
  if (known == nullptr) curl_multi_assign(self.multi_, socket, &self);
  return 0;
}

int CurlLoop::Impl::OnCurlTimer(CURLM*, long ms, void* user) {
  auto& due = static_cast<Impl*>(user)->curl_due_;
  due.reset();
  if (ms >= 0) due = Now() + Duration{ms * 1000};
  return 0;
}

// --- The turn ------------------------------------------------------------------------------------

void CurlLoop::Impl::Run() {
  constexpr int kEvents = 256;
  epoll_event events[kEvents];
  while (!stop_.exchange(false)) {
    StartWaiting();
    const int count = ::epoll_wait(epoll_, events, kEvents, SleepMs());
    for (int i = 0; i < count; ++i) {
      const int fd = events[i].data.fd;
      if (fd == event_) {
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t n = ::read(event_, &ignored, sizeof(ignored));
        continue;
      }
      int ready = 0;
      if ((events[i].events & (EPOLLIN | EPOLLHUP)) != 0) ready |= CURL_CSELECT_IN;
      if ((events[i].events & EPOLLOUT) != 0) ready |= CURL_CSELECT_OUT;
      if ((events[i].events & EPOLLERR) != 0) ready |= CURL_CSELECT_ERR;
      Work(fd, ready);
    }
    if (curl_due_ && *curl_due_ <= Now()) {
      curl_due_.reset();
      Work(CURL_SOCKET_TIMEOUT, 0);
    }
    HandOut();
    HandOutFailed();
    RunPosted();
    timers_.RunDue(Now());
  }
}

int CurlLoop::Impl::SleepMs() const {
  if (!failed_.empty()) return 0;
  std::optional<Time> due = timers_.next();
  if (curl_due_ && (!due || *curl_due_ < *due)) due = curl_due_;
  if (!due) return -1;
  const std::int64_t us = (*due - Now()).us;
  if (us <= 0) return 0;
  constexpr std::int64_t kHour = 3'600'000;
  return static_cast<int>(std::min((us + 999) / 1000, kHour));
}

void CurlLoop::Impl::Work(curl_socket_t socket, int ready) {
  int running = 0;
  in_curl_ = true;
  curl_multi_socket_action(multi_, socket, ready, &running);
  in_curl_ = false;
  TakeOutCancelled();
}

void CurlLoop::Impl::HandOut() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    char* user = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
    auto& transfer = *reinterpret_cast<Transfer*>(user);
    Conclude(transfer, code);
    long opened = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_NUM_CONNECTS, &opened);
    connections_ += static_cast<std::uint64_t>(opened);
    Done(TakeOut(transfer.id));
  }
}

void CurlLoop::Impl::Done(TransferPtr transfer) {
  if (transfer->cancelled) return;
  Response& response = transfer->response;
  const bool refused = response.outcome == Outcome::kAnswered && response.status == 401;
  if (refused && transfer->may_renew) {
    // Nothing was carried out, so it is safe to ask again, once, as somebody known.
    const bool already = transfer->secret != secret_;
    transfer->tried_again = true;
    transfer->response = {};
    transfer->problem[0] = '\0';
    lanes_[Index(transfer->request.lane)].waiting.push_front(std::move(transfer));
    if (!already) Renew();
    return;
  }
  if (transfer->stream != nullptr) {
    transfer->stream->OnEnd(response.outcome, response.error);
  } else {
    transfer->fn(std::move(response));
  }
}

void CurlLoop::Impl::Post(std::function<void()> fn) {
  bool first = false;
  {
    const MutexLock lock(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(fn));
  }
  if (first) Wake();
}

void CurlLoop::Impl::Wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(event_, &one, sizeof(one));
}

void CurlLoop::Impl::RunPosted() {
  std::vector<std::function<void()>> posted;
  {
    const MutexLock lock(mutex_);
    posted.swap(posted_);
  }
  for (const auto& fn : posted) fn();
}

// --- Transfers -----------------------------------------------------------------------------------

CallId CurlLoop::Impl::Add(Request request, std::function<void(Response)> fn, Stream* stream) {
  auto transfer = std::make_unique<Transfer>();
  transfer->id = ++last_call_;
  transfer->request = std::move(request);
  transfer->fn = std::move(fn);
  transfer->stream = stream;
  const Lane lane = transfer->request.lane;
  lanes_[Index(lane)].waiting.push_back(std::move(transfer));
  return last_call_;
}

void CurlLoop::Impl::StartWaiting() {
  if (RenewIfDue()) return;
  for (std::size_t i = 0; i < kLanes; ++i) {
    LaneState& lane = lanes_[i];
    while (!lane.waiting.empty() && lane.under_way < options_.lane_limits[i]) {
      TransferPtr transfer = std::move(lane.waiting.front());
      lane.waiting.pop_front();
      Start(std::move(transfer));
    }
  }
}

void CurlLoop::Impl::Start(TransferPtr transfer) {
  CURL* easy = idle_.empty() ? curl_easy_init() : idle_.back();
  if (!idle_.empty()) idle_.pop_back();
  CHECK(easy != nullptr);
  const std::string& content_type = transfer->request.content_type;
  Headers& headers = headers_[content_type];
  if (headers == nullptr) headers = MakeHeaders(credentials_.connection(), *secret_, content_type);
  transfer->headers = headers;
  transfer->secret = secret_;
  transfer->may_renew = credentials_.renewable() && !transfer->tried_again;
  transfer->started = Now();
  transfer->server_clock = server_clock_;
  Prepare(easy, *transfer, credentials_.connection(), options_.connect_timeout,
          options_.user_agent);
  ++lanes_[Index(transfer->request.lane)].under_way;
  const CallId id = transfer->id;
  under_way_.emplace(id, std::move(transfer));
  CHECK(curl_multi_add_handle(multi_, easy) == CURLM_OK);
}

CurlLoop::Impl::TransferPtr CurlLoop::Impl::TakeOut(CallId id) {
  const auto found = under_way_.find(id);
  CHECK(found != under_way_.end());
  TransferPtr transfer = std::move(found->second);
  under_way_.erase(found);
  curl_multi_remove_handle(multi_, transfer->easy);
  if (idle_.size() < kMaxIdleHandles) {
    idle_.push_back(transfer->easy);
  } else {
    curl_easy_cleanup(transfer->easy);
  }
  transfer->easy = nullptr;
  --lanes_[Index(transfer->request.lane)].under_way;
  return transfer;
}

void CurlLoop::Impl::Cancel(CallId call) {
  const auto found = under_way_.find(call);
  if (found != under_way_.end()) {
    found->second->cancelled = true;
    if (in_curl_) {
      cancelled_.push_back(call);
    } else {
      TakeOut(call);
    }
    return;
  }
  const auto drop_from = [call](std::deque<TransferPtr>& queue) {
    std::erase_if(queue, [call](const TransferPtr& one) { return one->id == call; });
  };
  for (LaneState& lane : lanes_) drop_from(lane.waiting);
  drop_from(failed_);
}

void CurlLoop::Impl::TakeOutCancelled() {
  for (const CallId call : std::exchange(cancelled_, {})) {
    if (under_way_.contains(call)) TakeOut(call);
  }
}

// --- Credentials ---------------------------------------------------------------------------------

// Whether everybody has to wait for a new secret.
bool CurlLoop::Impl::RenewIfDue() {
  if (renewing_) return true;
  if (!credentials_.Due(Now())) return false;
  const bool anybody = std::any_of(lanes_.begin(), lanes_.end(),
                                   [](const LaneState& lane) { return !lane.waiting.empty(); });
  if (anybody) Renew();
  return renewing_;
}

void CurlLoop::Impl::Renew() {
  if (renewing_) return;
  if (Now() < no_renewal_before_) return FailWaiting("there are no credentials");
  const Time wall_now = LocalTime();
  if (!credentials_.slow()) return Renewed(FetchSecret(credentials_.connection(), wall_now));
  renewing_ = true;
  if (renewer_.joinable()) renewer_.join();
  renewer_ = std::thread([this, wall_now] {
    Result<Secret> secret = FetchSecret(credentials_.connection(), wall_now);
    Post([this, secret = std::move(secret)]() mutable { Renewed(std::move(secret)); });
  });
}

void CurlLoop::Impl::Renewed(Result<Secret> secret) {
  renewing_ = false;
  if (!secret) {
    if (options_.on_problem) options_.on_problem("credentials: " + secret.error().message);
    if (credentials_.Keep(Now())) return;
    no_renewal_before_ = Now() + kBetweenFailedRenewals;
    return FailWaiting("credentials: " + secret.error().message);
  }
  const bool other_certificate = !secret_->client_certificate.empty() &&
                                 secret_->client_certificate != secret->client_certificate;
  credentials_.Set(std::move(*secret), Now());
  secret_ = std::make_shared<Secret>(credentials_.secret());
  headers_.clear();
  if (other_certificate) EndStreams();
}

// They all wait for the same. Told at the end of the turn: until then they may be cancelled.
void CurlLoop::Impl::FailWaiting(const std::string& why) {
  for (LaneState& lane : lanes_) {
    for (TransferPtr& one : std::exchange(lane.waiting, {})) {
      one->response = {.outcome = Outcome::kNotSent, .error = why};
      failed_.push_back(std::move(one));
    }
  }
}

void CurlLoop::Impl::HandOutFailed() {
  for (std::size_t left = failed_.size(); left > 0 && !failed_.empty(); --left) {
    TransferPtr transfer = std::move(failed_.front());
    failed_.pop_front();
    Done(std::move(transfer));
  }
}

// They run as whom we were; their owners open them again.
void CurlLoop::Impl::EndStreams() {
  std::vector<CallId> streams;
  for (const auto& [id, transfer] : under_way_) {
    if (transfer->stream != nullptr && transfer->easy != nullptr) streams.push_back(id);
  }
  std::sort(streams.begin(), streams.end());
  for (const CallId id : streams) {
    if (!under_way_.contains(id)) continue;
    const TransferPtr transfer = TakeOut(id);
    transfer->stream->OnEnd(Outcome::kUnknown, "the client certificate has changed");
  }
}

// -------------------------------------------------------------------------------------------------

Result<std::unique_ptr<CurlLoop>> CurlLoop::Make(Connection connection, Options options) {
  auto impl = std::make_unique<Impl>(std::move(connection), std::move(options));
  if (auto ready = impl->Init(); !ready) return tl::unexpected(ready.error());
  return std::unique_ptr<CurlLoop>(new CurlLoop(std::move(impl)));
}

CurlLoop::CurlLoop(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->TellDates(&server_clock());
}
CurlLoop::~CurlLoop() = default;
void CurlLoop::Run() { impl_->Run(); }
void CurlLoop::Stop() { impl_->Stop(); }
void CurlLoop::Post(std::function<void()> fn) { impl_->Post(std::move(fn)); }
Time CurlLoop::Now() const { return Impl::Now(); }
Time CurlLoop::LocalNow() const { return LocalTime(); }
TimerId CurlLoop::After(Duration delay, std::function<void()> fn) {
  return impl_->After(delay, std::move(fn));
}
void CurlLoop::CancelTimer(TimerId timer) { impl_->CancelTimer(timer); }
CallId CurlLoop::Send(Request request, std::function<void(Response)> fn) {
  return impl_->Add(std::move(request), std::move(fn), nullptr);
}
CallId CurlLoop::Open(Request request, Stream& stream) {
  return impl_->Add(std::move(request), nullptr, &stream);
}
void CurlLoop::Cancel(CallId call) { impl_->Cancel(call); }
std::size_t CurlLoop::waiting(Lane lane) const { return impl_->waiting(lane); }
std::uint64_t CurlLoop::connections() const { return impl_->connections(); }

}  // namespace fairlead::kube
