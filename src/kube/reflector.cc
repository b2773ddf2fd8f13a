// The life of a reflector:
//
//            ┌──────────── expired, too far behind, an event that cannot be read ───────────┐
//            ▼                                                                              │
//   Start → list ── all pages ──► watch ── it ended, was cut off, fell silent ──► wait ─► watch
//            ▲ │                    │
//            │ └─ failed: wait ─┐   └─ 404 ─► list
//            ├──────────────────┘
//            └─ 404 ─► ask discovery ─ served: wait, list │ not served: absent, ask again later
//
// Of the versions that a list may ask for: "0", any that the server has cached, at first; later the
// newest that was seen, so that time does not run backwards; and none, the newest there is, where
// the server said that it has not got that one, or newest_first asks for it. Only those without a
// version come in pages: a server that answers from its cache ignores the limit.

#include "kube/reflector.h"

#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "kube/backoff.h"
#include "kube/framing.h"
#include "kube/json.h"
#include "kube/known_objects.h"
#include "kube/object_decoder.h"
#include "kube/query.h"
#include "kube/status.h"
#include "kube/version.h"
#include "kube/watch_event.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

constexpr Duration kListSilence = Duration::Seconds(60);
constexpr Duration kShortWatch = Duration::Seconds(1);
constexpr Duration kDoubtAboutAbsence = Duration::Seconds(5);
constexpr int kMaxFruitlessWatches = 10;
constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10;
constexpr int kGone = 410, kNotFound = 404, kTooMany = 429;

}  // namespace

class Reflector::Impl : private Stream {
 public:
  Impl(Loop& loop, Resource resource, const objects::DecoderTable& decoders, Sink& sink,
       Options options)
      : loop_(loop),
        resource_(std::move(resource)),
        options_(options),
        sink_(sink),
        decoder_(resource_, decoders, options.keep),
        backoff_({}, options.seed) {}
  ~Impl() override { EndCalls(); }

  void Start();
  void Stop();
  void Rediscover();

  const Resource& resource() const { return resource_; }
  ReflectorState state() const { return state_; }
  bool synced() const { return synced_; }
  const std::string& version() const { return version_; }
  const ReflectorCounts& counts() const { return counts_; }
  std::size_t size() const { return known_.size(); }

 private:
  enum class Doing : std::uint8_t { kNothing, kListing, kWatching };
  enum class Paging : std::uint8_t { kWhole, kPages };

  // While the sink is being told something, Stop is put off to the end of it.
  class Burst {
   public:
    explicit Burst(Impl& impl) : impl_(impl) { ++impl_.bursts_; }
    ~Burst() {
      if (--impl_.bursts_ == 0 && impl_.stop_wanted_) impl_.StopNow();
    }
    Burst(const Burst&) = delete;
    Burst& operator=(const Burst&) = delete;

   private:
    Impl& impl_;
  };

  void OnHeaders(int status, std::optional<Duration> retry_after) override;
  void OnBytes(std::string_view bytes) override;
  void OnEnd(Outcome outcome, std::string_view error) override;

  void List(std::string version, Paging paging);
  void ListAgain();
  void OpenPage();
  void TakeItem(const objects::PaddedText& text);
  void EndPage();
  void EndList(std::string version);
  void ListFailed(const Status& status);

  void Watch();
  bool TakeEvent(const objects::PaddedText& line);
  void TakeObject(WatchEvent::Type type);
  void TakeBookmark();
  bool TakeError(std::string_view object);
  void WatchEnded(std::string_view error);
  void WatchRefused(const Status& status);
  void Relist(std::string_view why);
  void RelistNewest(std::string_view why);

  void Discover();
  void Discovered(const Response& response);
  void NotServed();

  void Tell(std::string_view json, ObjectDecoder::Decoded& decoded, KnownObjects::News news);
  void Advance(const std::string& version);
  void SetState(ReflectorState state);
  void Problem(std::string_view what, std::string_view why);
  void Open(Doing doing, const std::string& query, Duration silence);
  void WatchSilence();
  void EndCalls();
  void StopNow();
  void Wait(Duration delay, void (Impl::*then)());
  Duration DelayAfter(const Status& status);
  Status Refusal(Outcome outcome, std::string_view error) const;

  Loop& loop_;
  const Resource resource_;
  const Options options_;
  Sink& sink_;
  ObjectDecoder decoder_;
  WatchEventReader events_;
  Backoff backoff_;
  KnownObjects known_;
  ReflectorCounts counts_;

  ReflectorState state_ = ReflectorState::kStopped;
  bool synced_ = false;
  std::string version_;  // all changes up to here were told; empty: not known
  int bursts_ = 0;
  bool stop_wanted_ = false;

  // The call under way: a list's page, a watch, or (kNothing) discovery.
  Doing doing_ = Doing::kNothing;
  CallId call_ = 0;
  TimerId timer_ = 0;  // of Wait
  TimerId silence_timer_ = 0;
  Duration silence_;
  Time opened_, last_byte_;
  int status_ = 0;
  std::optional<Duration> retry_after_;
  std::string error_body_;

  // Of a list.
  ListSplitter list_;
  std::string list_version_, continue_;
  Paging paging_ = Paging::kWhole;
  bool newest_wanted_ = false;  // the server said that it cannot serve the version we know
  bool whole_ = true;           // every item had a name that could be read

  // Of a watch.
  LineSplitter lines_;
  objects::PaddedText object_;
  bool fruitful_ = false;      // this one brought something
  int fruitless_watches_ = 0;  // in a row
  bool reached_ = false;       // version_ moved and the sink is to be told

  bool doubtful_ = false;  // discovery said once that what we know is not served
};

void Reflector::Impl::Start() {
  stop_wanted_ = false;
  if (state_ != ReflectorState::kStopped) return;
  const Burst burst(*this);
  if (synced_ && !version_.empty()) {
    Watch();
  } else {
    ListAgain();
  }
}

void Reflector::Impl::Stop() {
  stop_wanted_ = true;
  if (bursts_ == 0) StopNow();
}

void Reflector::Impl::StopNow() {
  stop_wanted_ = false;
  if (state_ == ReflectorState::kStopped) return;
  EndCalls();
  SetState(ReflectorState::kStopped);
}

void Reflector::Impl::EndCalls() {
  if (call_ != 0) loop_.Cancel(call_);
  if (timer_ != 0) loop_.CancelTimer(timer_);
  if (silence_timer_ != 0) loop_.CancelTimer(silence_timer_);
  call_ = 0;
  timer_ = silence_timer_ = 0;
  doing_ = Doing::kNothing;
}

void Reflector::Impl::Rediscover() {
  if (state_ != ReflectorState::kAbsent || call_ != 0) return;
  const Burst burst(*this);
  EndCalls();
  Discover();
}

// --- Calls -------------------------------------------------------------------------------------

void Reflector::Impl::Open(Doing doing, const std::string& query, Duration silence) {
  EndCalls();
  doing_ = doing;
  status_ = 0;
  retry_after_.reset();
  error_body_.clear();
  opened_ = last_byte_ = loop_.Now();
  silence_ = silence;
  call_ = loop_.Open({.method = Method::kGet,
                      .lane = doing == Doing::kWatching ? Lane::kWatches : Lane::kReads,
                      .path = resource_.Path() + query,
                      .timeout = {}},
                     *this);
  WatchSilence();
}

// A connection whose other end is gone says nothing. Looked at when the bound may be reached, not
// at every byte.
void Reflector::Impl::WatchSilence() {
  const Duration quiet = loop_.Now() - last_byte_;
  if (quiet < silence_) {
    silence_timer_ = loop_.After(silence_ - quiet, [this] {
      silence_timer_ = 0;
      WatchSilence();
    });
    return;
  }
  loop_.Cancel(call_);
  OnEnd(Outcome::kUnknown, fmt::format("no byte came for {}", FormatDuration(silence_)));
}

void Reflector::Impl::OnHeaders(int status, std::optional<Duration> retry_after) {
  const Burst burst(*this);
  last_byte_ = loop_.Now();
  status_ = status;
  retry_after_ = retry_after;
  if (status == 200 && doing_ == Doing::kWatching) SetState(ReflectorState::kWatching);
}

void Reflector::Impl::OnBytes(std::string_view bytes) {
  const Burst burst(*this);
  last_byte_ = loop_.Now();
  counts_.bytes += bytes.size();
  if (status_ != 200) {
    error_body_ += bytes.substr(0, kMaxErrorBytes - error_body_.size());
    return;
  }
  Fed fed = Fed::kMore;
  if (doing_ == Doing::kListing) {
    fed = list_.Feed(bytes, [this](const objects::PaddedText& text) {
      TakeItem(text);
      return true;
    });
  } else {
    fed = lines_.Feed(bytes, [this](const objects::PaddedText& line) { return TakeEvent(line); });
  }
  if (std::exchange(reached_, false)) sink_.Reached(version_);
  if (fed != Fed::kTooLarge) return;
  ++counts_.failures;
  Problem(doing_ == Doing::kListing ? "the list cannot be read" : "the watch cannot be read",
          "an object is larger than any should be, or no object");
  EndCalls();
  Wait(backoff_.Next(loop_.Now()), &Impl::ListAgain);
}

void Reflector::Impl::OnEnd(Outcome outcome, std::string_view error) {
  const Burst burst(*this);
  const Doing done = doing_;
  call_ = 0;
  EndCalls();
  const bool good = outcome == Outcome::kAnswered && status_ == 200;
  if (done == Doing::kListing) {
    if (good && list_.complete()) return EndPage();
    return ListFailed(good ? Status{.message = "the list is cut off"} : Refusal(outcome, error));
  }
  if (status_ == 200) return WatchEnded(error);
  WatchRefused(Refusal(outcome, error));
}

Status Reflector::Impl::Refusal(Outcome outcome, std::string_view error) const {
  if (outcome != Outcome::kAnswered || status_ == 200) {
    return {.code = 0, .message = std::string(error)};
  }
  Status status = ReadStatus(status_, error_body_);
  if (retry_after_) status.retry_after = retry_after_;
  return status;
}

void Reflector::Impl::Wait(Duration delay, void (Impl::*then)()) {
  SetState(ReflectorState::kWaiting);
  timer_ = loop_.After(delay, [this, then] {
    const Burst burst(*this);
    timer_ = 0;
    (this->*then)();
  });
}

// Not before the server said, and never all clients at once.
Duration Reflector::Impl::DelayAfter(const Status& status) {
  return backoff_.Next(loop_.Now()) + status.retry_after.value_or(Duration{});
}

void Reflector::Impl::SetState(ReflectorState state) {
  if (state == state_) return;
  state_ = state;
  sink_.StateChanged(state);
}

void Reflector::Impl::Problem(std::string_view what, std::string_view why) {
  sink_.Problem(fmt::format("{}: {}: {}", resource_.ToString(), what, why));
}

// --- List --------------------------------------------------------------------------------------

void Reflector::Impl::ListAgain() {
  if (newest_wanted_ || (version_.empty() && options_.newest_first)) {
    List("", Paging::kPages);
  } else {
    List(version_.empty() ? "0" : version_, Paging::kWhole);
  }
}

void Reflector::Impl::List(std::string version, Paging paging) {
  list_version_ = std::move(version);
  continue_.clear();
  paging_ = paging;
  whole_ = true;
  known_.BeginList();
  SetState(ReflectorState::kListing);
  OpenPage();
}

void Reflector::Impl::OpenPage() {
  list_.Reset();
  Query query;
  query.Add("fieldSelector", resource_.field_selector);
  query.Add("labelSelector", resource_.label_selector);
  if (continue_.empty()) query.Add("resourceVersion", list_version_);
  if (paging_ == Paging::kPages) query.Add("limit", std::to_string(options_.page));
  query.Add("continue", continue_);
  Open(Doing::kListing, query.text(), kListSilence);
}

void Reflector::Impl::TakeItem(const objects::PaddedText& text) {
  auto news = KnownObjects::News::kNone;
  ObjectDecoder::Decoded& decoded = decoder_.Decode(text, [&](const ObjectRef& ref) {
    if (!ref.name.empty()) news = known_.JudgeItem(ref);
    return news != KnownObjects::News::kNone;
  });
  if (decoded.ref.name.empty()) {
    // Whatever it is, it is not gone: this list proves nobody's absence.
    whole_ = false;
    ++counts_.refused;
    if (decoded.faults.empty()) {
      decoded.faults.push_back({.object = resource_.kind,
                                .field = "metadata.name",
                                .message = "found none, expected one"});
    }
    sink_.Refuse(decoded.ref, decoded.faults);
    return;
  }
  if (news != KnownObjects::News::kNone) Tell(text.view(), decoded, news);
}

void Reflector::Impl::EndPage() {
  const json::value rest = ParseJson(list_.rest());
  const json::value* metadata = At(rest, "metadata");
  if (metadata == nullptr) return ListFailed({.message = "found no list, expected one"});
  continue_ = TextAt(*metadata, "continue");
  if (!continue_.empty()) return OpenPage();
  std::string version = TextAt(*metadata, "resourceVersion");
  if (version.empty()) {
    return ListFailed({.message = "found a list without a resourceVersion, expected one"});
  }
  if (!list_version_.empty() && IsOlder(version, version_)) {
    newest_wanted_ = true;
    return ListFailed({.message = fmt::format("found a list of version {}, expected {} or newer",
                                              version, version_)});
  }
  EndList(std::move(version));
}

void Reflector::Impl::EndList(std::string version) {
  if (whole_) {
    for (const ObjectRef& gone : known_.EndList()) sink_.Delete(gone);
  }
  version_ = std::move(version);
  newest_wanted_ = false;
  fruitless_watches_ = 0;
  doubtful_ = false;
  synced_ = true;
  ++counts_.lists;
  sink_.Synced(known_.size());
  sink_.Reached(version_);
  Watch();
}

void Reflector::Impl::ListFailed(const Status& status) {
  ++counts_.failures;
  const bool expired = status.code == kGone || IsExpired(status);
  if (expired && !continue_.empty()) {
    // The pages took longer than the server keeps its history: all in one.
    return List("", Paging::kWhole);
  }
  if ((expired || IsVersionTooLarge(status)) && !list_version_.empty()) {
    newest_wanted_ = true;
    return ListAgain();
  }
  if (status.code == kNotFound) return Discover();
  Problem("the list failed", status.ToString());
  Wait(DelayAfter(status), &Impl::ListAgain);
}

// --- Watch -------------------------------------------------------------------------------------

void Reflector::Impl::Watch() {
  lines_.Reset();
  fruitful_ = false;
  ++counts_.watches;
  const Duration lasting =
      backoff_.random().Between(Duration::Seconds(300), Duration::Seconds(600));
  Query query;
  query.Add("watch", "true").Add("allowWatchBookmarks", "true");
  query.Add("resourceVersion", version_);
  query.Add("timeoutSeconds", std::to_string(lasting.WholeSeconds()));
  query.Add("fieldSelector", resource_.field_selector);
  query.Add("labelSelector", resource_.label_selector);
  Open(Doing::kWatching, query.text(), options_.silence);
}

// Returns whether the watch goes on.
bool Reflector::Impl::TakeEvent(const objects::PaddedText& line) {
  const Result<WatchEvent> event = events_.Read(line);
  if (!event) {
    Relist(event.error().message);
    return false;
  }
  if (event->type == WatchEvent::Type::kError) return TakeError(event->object);
  fruitful_ = true;
  object_.Clear();
  object_.Append(event->object);
  if (event->type == WatchEvent::Type::kBookmark) {
    TakeBookmark();
  } else {
    TakeObject(event->type);
  }
  return call_ != 0;
}

void Reflector::Impl::TakeBookmark() {
  ++counts_.bookmarks;
  const auto& decoded = decoder_.Decode(object_, [](const ObjectRef&) { return false; });
  Advance(decoded.ref.version);
}

void Reflector::Impl::TakeObject(WatchEvent::Type type) {
  const bool deleted = type == WatchEvent::Type::kDeleted;
  auto news = KnownObjects::News::kNone;
  ObjectDecoder::Decoded& decoded = decoder_.Decode(object_, [&](const ObjectRef& ref) {
    if (!deleted && !ref.name.empty()) news = known_.Judge(ref, version_);
    return news != KnownObjects::News::kNone;
  });
  if (decoded.ref.name.empty()) {
    return Relist(decoded.faults.empty() ? "an event's object has no name"
                                         : decoded.faults.front().message);
  }
  ++counts_.events;
  if (deleted) {
    // Another uid: an old event of an object whose name was taken since.
    std::optional<ObjectRef> gone = known_.Take(decoded.ref, decoded.ref.uid);
    if (gone) {
      gone->version = decoded.ref.version;
      sink_.Delete(*gone);
    } else {
      ++counts_.stale;
    }
  } else if (news == KnownObjects::News::kNone) {
    ++counts_.stale;
  } else {
    Tell(object_.view(), decoded, news);
  }
  Advance(decoded.ref.version);
}

void Reflector::Impl::Tell(std::string_view json, ObjectDecoder::Decoded& decoded,
                           KnownObjects::News news) {
  const ObjectRef& ref = decoded.ref;
  if (news == KnownObjects::News::kReplacement) {
    if (const auto gone = known_.Take(ref, "")) sink_.Delete(*gone);
  }
  known_.Put(ref, decoded.object ? KnownObjects::As::kTold : KnownObjects::As::kRefused);
  if (!decoded.faults.empty()) {
    ++counts_.refused;
    sink_.Refuse(ref, decoded.faults);
  }
  if (!decoded.object) return;
  sink_.Read(json);
  sink_.Upsert(std::move(*decoded.object), ref);
}

void Reflector::Impl::Advance(const std::string& version) {
  if (version.empty() || version == version_ || IsOlder(version, version_)) return;
  version_ = version;
  reached_ = true;
}

bool Reflector::Impl::TakeError(std::string_view object) {
  const Status status = ReadStatus(0, object);
  EndCalls();
  if (status.code == kGone || IsExpired(status)) {
    RelistNewest(status.ToString());
  } else {
    WatchRefused(status);
  }
  return false;
}

void Reflector::Impl::WatchEnded(std::string_view error) {
  fruitful_ = fruitful_ || loop_.Now() - opened_ >= kShortWatch;
  if (fruitful_) fruitless_watches_ = 0;
  if (fruitful_ && error.empty()) return Watch();
  WatchRefused({.message = error.empty() ? "it ended at once" : std::string(error)});
}

// 1. The version is gone: list the newest. 2. Nobody answers, or the server has enough to do:
// watch on from where we are, later. 3. It cannot serve us for another reason: the same, but not
// for ever. 4. What we ask for makes no sense to it: list.
void Reflector::Impl::WatchRefused(const Status& status) {
  if (status.code == kGone || IsExpired(status)) return RelistNewest(status.ToString());
  ++counts_.failures;
  const bool no_answer = status.code == 0 && status.reason.empty();
  const bool throttled = status.code == kTooMany || IsTooManyRequests(status);
  const bool at_fault = status.code >= 400 && status.code < 500;
  const bool denied = status.code == 401 || status.code == 403;
  if (!no_answer && !throttled) {
    if (++fruitless_watches_ > kMaxFruitlessWatches || (at_fault && !denied)) {
      return Relist(status.ToString());
    }
  }
  Problem("the watch failed", status.ToString());
  Wait(DelayAfter(status), &Impl::Watch);
}

void Reflector::Impl::Relist(std::string_view why) {
  ++counts_.failures;
  Problem("it is listed anew", why);
  EndCalls();
  Wait(backoff_.Next(loop_.Now()), &Impl::ListAgain);
}

// At once, but not over and over.
void Reflector::Impl::RelistNewest(std::string_view why) {
  newest_wanted_ = true;
  if (!backoff_.rested(loop_.Now())) return Relist(why);
  ++counts_.failures;
  Problem("it is listed anew", why);
  EndCalls();
  backoff_.Next(loop_.Now());
  ListAgain();
}

// --- Is it served at all? ------------------------------------------------------------------------

void Reflector::Impl::Discover() {
  call_ = loop_.Send({.lane = Lane::kReads, .path = resource_.DiscoveryPath()},
                     [this](const Response& response) {
                       const Burst burst(*this);
                       call_ = 0;
                       Discovered(response);
                     });
}

void Reflector::Impl::Discovered(const Response& response) {
  if (response.ok()) {
    const json::value list = ParseJson(response.body);
    const json::value* resources = At(list, "resources");
    if (resources != nullptr && resources->is_array()) {
      for (const json::value& one : resources->get_array()) {
        if (TextAt(one, "name") != resource_.plural) continue;
        doubtful_ = false;
        // Where it was absent it is new; else the list's 404 had another cause.
        if (state_ == ReflectorState::kAbsent) return ListAgain();
        return Wait(backoff_.Next(loop_.Now()), &Impl::ListAgain);
      }
      return NotServed();
    }
  } else if (response.outcome == Outcome::kAnswered && response.status == kNotFound) {
    return NotServed();
  }
  ++counts_.failures;
  const Status status = StatusOf(response);
  Problem("discovery failed", status.ToString());
  if (state_ == ReflectorState::kAbsent) {
    timer_ = loop_.After(DelayAfter(status), [this] {
      timer_ = 0;
      Discover();
    });
    return;
  }
  Wait(DelayAfter(status), &Impl::ListAgain);
}

// A server that is starting may not know its CRDs yet: what we know is not dropped at its first
// word.
void Reflector::Impl::NotServed() {
  if (known_.size() > 0 && !doubtful_) {
    doubtful_ = true;
    return Wait(kDoubtAboutAbsence, &Impl::Discover);
  }
  if (state_ != ReflectorState::kAbsent) {
    for (const ObjectRef& gone : known_.TakeAll()) sink_.Delete(gone);
    version_.clear();
    newest_wanted_ = false;
    doubtful_ = false;
    synced_ = true;
    sink_.Synced(0);
    SetState(ReflectorState::kAbsent);
  }
  const Duration tenth{options_.rediscovery.us / 10};
  timer_ = loop_.After(
      backoff_.random().Between(options_.rediscovery - tenth, options_.rediscovery + tenth),
      [this] {
        timer_ = 0;
        Discover();
      });
}

// --- Names ---------------------------------------------------------------------------------------

std::string Resource::ApiVersion() const { return group.empty() ? version : group + "/" + version; }

std::string Resource::DiscoveryPath() const {
  return (group.empty() ? "/api/" : "/apis/") + ApiVersion();
}

std::string Resource::Path() const {
  std::string path = DiscoveryPath();
  if (!name_space.empty()) path += "/namespaces/" + Escaped(name_space);
  return path + "/" + plural;
}

std::string Resource::ToString() const { return group.empty() ? plural : plural + "." + group; }

std::string_view NameOf(ReflectorState state) {
  switch (state) {
    case ReflectorState::kStopped:
      return "stopped";
    case ReflectorState::kListing:
      return "listing";
    case ReflectorState::kWatching:
      return "watching";
    case ReflectorState::kWaiting:
      return "waiting";
    case ReflectorState::kAbsent:
      return "absent";
  }
  return "";
}

Reflector::Reflector(Loop& loop, Resource resource, const objects::DecoderTable& decoders,
                     Sink& sink, Options options)
    : impl_(std::make_unique<Impl>(loop, std::move(resource), decoders, sink, options)) {}
Reflector::~Reflector() = default;

void Reflector::Start() { impl_->Start(); }
void Reflector::Stop() { impl_->Stop(); }
void Reflector::Rediscover() { impl_->Rediscover(); }
const Resource& Reflector::resource() const { return impl_->resource(); }
ReflectorState Reflector::state() const { return impl_->state(); }
bool Reflector::synced() const { return impl_->synced(); }
const std::string& Reflector::version() const { return impl_->version(); }
const ReflectorCounts& Reflector::counts() const { return impl_->counts(); }
std::size_t Reflector::size() const { return impl_->size(); }

}  // namespace fairlead::kube
