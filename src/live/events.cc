#include "live/events.h"

#include <utility>

#include <fmt/format.h>

#include "jobs/job_kind.h"
#include "objects/key.h"

namespace fairlead::live {
namespace {

constexpr Duration kRest{.us = 50'000};

// Of what is not held: it went.
std::string_view ApiVersionOf(std::string_view kind) {
  if (kind == "Pod") return "v1";
  if (kind == "ElasticQuota") return "scheduling.x-k8s.io/v1alpha1";
  if (const jobs::JobKind* job = jobs::FindKind(kind)) return job->api_version();
  return "fairlead.dev/v1alpha1";
}

}  // namespace

Events::Events(kube::Loop& loop, Writer& writer, const ObjectCache& cache, std::string reporter,
               std::string instance, std::uint64_t run)
    : loop_(loop),
      writer_(writer),
      cache_(cache),
      reporter_(std::move(reporter)),
      instance_(std::move(instance)),
      run_(run),
      timers_(loop) {}

EventObject Events::NewEvent(const effects::EventText& text) {
  const Time now = loop_.WallNow();
  const std::string_view name = objects::SplitKey(text.object).name;
  EventObject event{.text = text,
                    .kind = text.kind,
                    .uid = {},
                    .api_version = {},
                    .name = fmt::format("{}.{:x}{:x}", name.substr(0, 200), run_, number_++),
                    .reporter = reporter_,
                    .instance = instance_,
                    .first = now,
                    .last = now};
  if (text.kind == "Pod") {
    const auto pod = cache_.Pod(text.object);
    if (pod) event.uid = pod->uid;
  } else {
    const CachedObject* held = cache_.Find(text.kind, text.object);
    if (held == nullptr && text.kind == "Workload") {
      held = cache_.JobOf(text.object);
      if (held != nullptr) event.kind = objects::KindOf(held->object);
    }
    if (held != nullptr) {
      event.uid = held->ref.uid;
      event.api_version = held->api_version;
    }
  }
  if (event.api_version.empty()) event.api_version = ApiVersionOf(event.kind);
  return event;
}

void Events::Add(effects::EventText text) {
  const bool to_be_made =
      text.kind == "Workload" && cache_.Find("Workload", text.object) == nullptr;
  if (!to_be_made) return Queue(std::move(text));
  timers_.After(kSettle, [this, text = std::move(text)] { Queue(text); });
}

void Events::Add(effects::EventText text, const kube::Resource& resource,
                 const kube::ObjectRef& ref) {
  EventObject regarding;
  regarding.uid = ref.uid;
  regarding.api_version = resource.ApiVersion();
  Queue(std::move(text), &regarding);
}

void Events::Queue(effects::EventText text, const EventObject* regarding) {
  // What happens to a pod happens once: only what may come again is remembered, by what it says.
  const bool may_repeat = text.type == "Warning" || text.reason == "Preempted";
  std::string says;
  if (may_repeat) {
    says = fmt::format("{} {} {} {}", text.kind, text.object, text.reason, text.note);
  }
  const Time now = loop_.WallNow();
  const auto last = may_repeat ? last_.find(says) : last_.end();
  const bool repeats = last != last_.end() && now - last->second.last < kRepeatWithin;
  EventObject event = repeats ? last->second : NewEvent(text);
  if (regarding != nullptr && !repeats) {
    event.uid = regarding->uid;
    event.api_version = regarding->api_version;
  }
  if (repeats) {
    event.last = now;
    ++event.count;
  }
  if (may_repeat) {
    if (last_.size() >= kMostRemembered) last_.clear();
    last_[says] = event;
  }
  if (const auto same = waiting_by_name_.find(event.name); same != waiting_by_name_.end()) {
    *same->second = std::move(event);
    return;
  }
  waiting_.push_back({.event = std::move(event), .says = std::move(says), .is_new = !repeats});
  if (may_repeat) waiting_by_name_[waiting_.back().event.name] = &waiting_.back().event;
  if (waiting_.size() > kMostWaiting) {
    // One that nobody will see is not repeated.
    if (waiting_.front().is_new) last_.erase(waiting_.front().says);
    waiting_by_name_.erase(waiting_.front().event.name);
    waiting_.pop_front();
    ++dropped_;
  }
  Pump();
}

void Events::Pump() {
  while (!waiting_.empty() && under_way_ < kMostUnderWay) {
    // A binding that the server will not judge keeps nothing from being said.
    const std::uint64_t bound = writer_.counts(kube::Lane::kBindings).done;
    if (std::exchange(bound_, bound) != bound) rests_ = 0;
    if (writer_.waiting(kube::Lane::kBindings) > 0 && rests_ < kMostRests) {
      if (std::exchange(resting_, true)) return;
      ++rests_;
      timers_.After(kRest, [this] {
        resting_ = false;
        Pump();
      });
      return;
    }
    SendFirst();
  }
  if (waiting_.empty()) rests_ = 0;
}

void Events::SendFirst() {
  Waiting first = std::move(waiting_.front());
  waiting_.pop_front();
  waiting_by_name_.erase(first.event.name);
  ++under_way_;
  kube::Request request = first.is_new ? CreateEvent(first.event) : RepeatEvent(first.event);
  writer_.Send("Event " + first.event.name, std::move(request),
               [this, says = std::move(first.says)](const WriteResult& result) {
                 --under_way_;
                 ++(result.done ? sent_ : dropped_);
                 // What is not there cannot be repeated.
                 if (!result.done) last_.erase(says);
                 Pump();
               });
}

}  // namespace fairlead::live
