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
// A list may come as a watch that begins with an event for each object and a bookmark behind them:
// it then is that watch, without a step between.
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
#include "kube/query.h"
#include "kube/status.h"
#include "kube/streamed_get.h"
#include "kube/told_objects.h"
#include "kube/version.h"
#include "kube/watch_event.h"

namespace fairlead::kube {
namespace {

namespace json = boost::json;

constexpr Duration kListSilence = Duration::Seconds(60);
constexpr Duration kShortWatch = Duration::Seconds(1);
constexpr Duration kDoubtAboutAbsence = Duration::Seconds(5);
constexpr int kMaxFruitlessWatches = 10;
constexpr int kBadRequest = 400, kForbidden = 403, kNotFound = 404, kGone = 410;
constexpr int kUnprocessable = 422, kTooMany = 429;

// How long a watch is to last.
Duration LastingOf(Backoff& backoff) {
  return backoff.random().Between(Duration::Seconds(300), Duration::Seconds(600));
}

std::string WatchPath(const Resource& resource, const std::string& version, bool streams_list,
                      Duration lasting) {
  Query query;
  query.Add("watch", "true").Add("allowWatchBookmarks", "true");
  if (streams_list) {
    query.Add("sendInitialEvents", "true").Add("resourceVersionMatch", "NotOlderThan");
  }
  query.Add("resourceVersion", version);
  query.Add("timeoutSeconds", std::to_string(lasting.WholeSeconds()));
  query.Add("fieldSelector", resource.field_selector);
  query.Add("labelSelector", resource.label_selector);
  return resource.Path() + query.text();
}

}  // namespace

class Reflector::Impl : private StreamedGet::Reader {
 public:
  Impl(Loop& loop, Resource resource, const objects::DecoderTable& decoders, Sink& sink,
       Options options)
      : loop_(loop),
        resource_(std::move(resource)),
        options_(options),
        sink_(sink),
        objects_(resource_, decoders, options.keep, sink, counts_),
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
  std::size_t size() const { return objects_.size(); }

 private:
  enum class Paging : std::uint8_t { kWhole, kPages, kStreamed };
  // What the call under way reads.
  enum class Reading : std::uint8_t { kList, kStreamedList, kWatch };

  // Whether lists are asked for as events.
  struct Streaming {
    // Whether the server does not have it. One that twice says nothing of a list's end does not,
    // either.
    bool IsRefused(const StreamedGet::End& end) {
      if (end.accepted) {
        wanted = wanted && !std::exchange(in_vain, true);
        return false;
      }
      const bool refused = end.refusal.code == kBadRequest || end.refusal.code == kUnprocessable;
      wanted = wanted && !refused;
      return refused;
    }

    bool wanted = false;
    bool in_vain = false;  // the last time it was asked for
  };

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

  void Accepted() override;
  void Take(std::string_view bytes) override;
  void Ended(const StreamedGet::End& end) override;

  void List(std::string version, Paging paging);
  void ListAgain();
  void OpenPage();
  void EndPage();
  void EndList(std::string version);
  void ListFailed(const Status& status);
  void ListDenied(const Status& status);

  void Watch();
  bool TakeEvent(const objects::PaddedText& line);
  bool TakeError(std::string_view object);
  void Advance(const std::string& version);
  void WatchEnded(std::string_view error);
  void WatchRefused(const Status& status);
  void Relist(std::string_view why);
  void RelistNewest(std::string_view why);

  void Discover();
  void Discovered(const Response& response);
  void DiscoverAfter(Duration delay);
  void NotServed();

  void SetState(ReflectorState state);
  void Problem(std::string_view what, std::string_view why);
  void EndCalls();
  void StopNow();
  void Wait(Duration delay, void (Impl::*then)());
  Duration DelayAfter(const Status& status);
  Duration Jittered(Duration duration);

  Loop& loop_;
  const Resource resource_;
  const Options options_;
  Sink& sink_;
  ReflectorCounts counts_;
  ToldObjects objects_;
  Backoff backoff_;

  ReflectorState state_ = ReflectorState::kStopped;
  bool synced_ = false;
  std::string version_;  // all changes up to here were told; empty: not known
  int bursts_ = 0;
  bool stop_wanted_ = false;

  StreamedGet get_{loop_, *this, counts_.bytes};
  Reading reading_ = Reading::kList;
  CallId discovery_ = 0;
  TimerId timer_ = 0;  // of Wait and DiscoverAfter

  // Of a list.
  ListSplitter list_;
  std::string list_version_, continue_;
  Paging paging_ = Paging::kWhole;
  bool newest_wanted_ = false;  // the server said that it cannot serve the version we know
  Streaming streaming_{.wanted = options_.streams_lists};

  // Of a watch.
  LineSplitter lines_;
  WatchEventReader events_;
  objects::PaddedText object_;
  bool fruitful_ = false;      // this one brought something
  int fruitless_watches_ = 0;  // in a row
  bool reached_ = false;       // version_ moved and the sink is to be told

  bool denied_ = false;    // and that was told
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
  get_.Cancel();
  if (discovery_ != 0) loop_.Cancel(discovery_);
  if (timer_ != 0) loop_.CancelTimer(timer_);
  discovery_ = 0;
  timer_ = 0;
}

void Reflector::Impl::Rediscover() {
  if (state_ != ReflectorState::kAbsent || discovery_ != 0) return;
  const Burst burst(*this);
  EndCalls();
  Discover();
}

// --- Calls -------------------------------------------------------------------------------------

void Reflector::Impl::Accepted() {
  const Burst burst(*this);
  if (reading_ == Reading::kWatch) SetState(ReflectorState::kWatching);
}

void Reflector::Impl::Take(std::string_view bytes) {
  const Burst burst(*this);
  Fed fed = Fed::kMore;
  if (reading_ == Reading::kList) {
    fed = list_.Feed(bytes, [this](const objects::PaddedText& text) {
      objects_.TakeItem(text);
      return true;
    });
  } else {
    fed = lines_.Feed(bytes, [this](const objects::PaddedText& line) { return TakeEvent(line); });
  }
  if (std::exchange(reached_, false)) sink_.Reached(version_);
  if (fed != Fed::kTooLarge) return;
  ++counts_.failures;
  Problem(reading_ == Reading::kWatch ? "the watch cannot be read" : "the list cannot be read",
          "an object is larger than any should be, or no object");
  EndCalls();
  Wait(backoff_.Next(loop_.Now()), &Impl::ListAgain);
}

void Reflector::Impl::Ended(const StreamedGet::End& end) {
  const Burst burst(*this);
  if (reading_ == Reading::kWatch) {
    return end.accepted ? WatchEnded(end.error) : WatchRefused(end.refusal);
  }
  if (reading_ == Reading::kList && end.whole && list_.complete()) return EndPage();
  if (reading_ == Reading::kStreamedList && streaming_.IsRefused(end)) return ListAgain();
  ListFailed(end.whole ? Status{.message = "the list is cut off"} : end.refusal);
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
  const bool newest = newest_wanted_ || (version_.empty() && options_.newest_first);
  if (streaming_.wanted) {
    List(newest ? "" : version_.empty() ? "0" : version_, Paging::kStreamed);
  } else if (newest) {
    List("", Paging::kPages);
  } else {
    List(version_.empty() ? "0" : version_, Paging::kWhole);
  }
}

void Reflector::Impl::List(std::string version, Paging paging) {
  list_version_ = std::move(version);
  continue_.clear();
  paging_ = paging;
  objects_.BeginList();
  SetState(ReflectorState::kListing);
  OpenPage();
}

void Reflector::Impl::OpenPage() {
  if (paging_ == Paging::kStreamed) {
    lines_.Reset();
    EndCalls();
    reading_ = Reading::kStreamedList;
    const std::string path =
        WatchPath(resource_, list_version_, /*streams_list=*/true, LastingOf(backoff_));
    return get_.Open(Lane::kWatches, path, kListSilence);
  }
  list_.Reset();
  Query query;
  query.Add("fieldSelector", resource_.field_selector);
  query.Add("labelSelector", resource_.label_selector);
  if (continue_.empty()) query.Add("resourceVersion", list_version_);
  if (paging_ == Paging::kPages) query.Add("limit", std::to_string(options_.page));
  query.Add("continue", continue_);
  EndCalls();
  reading_ = Reading::kList;
  get_.Open(Lane::kReads, resource_.Path() + query.text(), kListSilence);
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
  EndList(std::move(version));
}

void Reflector::Impl::EndList(std::string version) {
  if (!list_version_.empty() && IsOlder(version, version_)) {
    newest_wanted_ = true;
    EndCalls();
    return ListFailed({.message = fmt::format("found a list of version {}, expected {} or newer",
                                              version, version_)});
  }
  objects_.EndList();
  version_ = std::move(version);
  newest_wanted_ = false;
  fruitless_watches_ = 0;
  doubtful_ = denied_ = false;
  synced_ = true;
  ++counts_.lists;
  sink_.Synced(objects_.size());
  sink_.Reached(version_);
  if (reading_ == Reading::kList) return Watch();
  // It goes on as a watch.
  streaming_.in_vain = false;
  reading_ = Reading::kWatch;
  fruitful_ = true;
  ++counts_.watches;
  get_.Expect(options_.silence);
  if (get_.open()) SetState(ReflectorState::kWatching);
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
  if (status.code == kForbidden && options_.dispensable) return ListDenied(status);
  Problem("the list failed", status.ToString());
  Wait(DelayAfter(status), &Impl::ListAgain);
}

// Told once. What is known of it stays known.
void Reflector::Impl::ListDenied(const Status& status) {
  if (!std::exchange(denied_, true)) {
    Problem("it is passed over until it may be read", status.ToString());
  }
  if (!std::exchange(synced_, true)) sink_.Synced(0);
  Wait(Jittered(options_.rediscovery), &Impl::ListAgain);
}

// --- Watch -------------------------------------------------------------------------------------

void Reflector::Impl::Watch() {
  lines_.Reset();
  fruitful_ = false;
  ++counts_.watches;
  EndCalls();
  reading_ = Reading::kWatch;
  get_.Open(Lane::kWatches,
            WatchPath(resource_, version_, /*streams_list=*/false, LastingOf(backoff_)),
            options_.silence);
}

// Returns whether the watch goes on.
bool Reflector::Impl::TakeEvent(const objects::PaddedText& line) {
  const Result<WatchEvent> event = events_.Read(line);
  if (!event) {
    Relist(event.error().message);
    return false;
  }
  if (event->type == WatchEvent::Type::kError) return TakeError(event->object);
  const bool lists = reading_ == Reading::kStreamedList;
  fruitful_ = true;
  object_.Clear();
  object_.Append(event->object);
  Result<std::string> version;
  if (event->type == WatchEvent::Type::kBookmark) {
    ++counts_.bookmarks;
    version = objects_.VersionOf(object_);
    if (lists && EndsInitialEvents(event->object)) {
      EndList(*std::move(version));
      return get_.open();
    }
  } else if (lists && event->type != WatchEvent::Type::kDeleted) {
    objects_.TakeItem(object_);
    return get_.open();
  } else if (event->type == WatchEvent::Type::kDeleted) {
    version = objects_.TakeDeleted(object_);
  } else {
    version = objects_.TakeChanged(object_, version_);
  }
  if (version) {
    if (!lists) Advance(*version);
  } else {
    Relist(version.error().message);
  }
  return get_.open();
}

void Reflector::Impl::Advance(const std::string& version) {
  if (version.empty() || version == version_ || IsOlder(version, version_)) return;
  version_ = version;
  reached_ = true;
}

bool Reflector::Impl::TakeError(std::string_view object) {
  const Status status = ReadStatus(0, object);
  EndCalls();
  if (reading_ == Reading::kStreamedList) {
    ListFailed(status);
    return false;
  }
  if (status.code == kGone || IsExpired(status)) {
    RelistNewest(status.ToString());
  } else {
    WatchRefused(status);
  }
  return false;
}

void Reflector::Impl::WatchEnded(std::string_view error) {
  fruitful_ = fruitful_ || get_.age() >= kShortWatch;
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
  const bool denied = status.code == 401 || status.code == kForbidden;
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
  discovery_ = loop_.Send({.lane = Lane::kReads, .path = resource_.DiscoveryPath()},
                          [this](const Response& response) {
                            const Burst burst(*this);
                            discovery_ = 0;
                            Discovered(response);
                          });
}

void Reflector::Impl::DiscoverAfter(Duration delay) {
  timer_ = loop_.After(delay, [this] {
    timer_ = 0;
    Discover();
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
  if (state_ == ReflectorState::kAbsent) return DiscoverAfter(DelayAfter(status));
  Wait(DelayAfter(status), &Impl::ListAgain);
}

// A server that is starting may not know its CRDs yet: what we know is not dropped at its first
// word.
void Reflector::Impl::NotServed() {
  if (objects_.size() > 0 && !doubtful_) {
    doubtful_ = true;
    return Wait(kDoubtAboutAbsence, &Impl::Discover);
  }
  if (state_ != ReflectorState::kAbsent) {
    objects_.DeleteAll();
    version_.clear();
    newest_wanted_ = false;
    doubtful_ = false;
    synced_ = true;
    sink_.Synced(0);
    SetState(ReflectorState::kAbsent);
  }
  DiscoverAfter(Jittered(options_.rediscovery));
}

Duration Reflector::Impl::Jittered(Duration duration) {
  const Duration tenth{duration.us / 10};
  return backoff_.random().Between(duration - tenth, duration + tenth);
}

// --- Names ---------------------------------------------------------------------------------------

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
