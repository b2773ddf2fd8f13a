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
      source_{.reporter = std::move(reporter), .instance = std::move(instance), .run = run},
      timers_(loop) {}

EventObject Events::NewEvent(const effects::EventText& text, const Regarding* regarding) {
  const Time now = loop_.WallNow();
  EventObject event{.kind = Text(text.kind),
                    .object = Text(text.object),
                    .api_version = {},
                    .uid = {},
                    .type = text.type,
                    .action = text.action,
                    .reason = Text(text.reason),
                    .note = Text(text.note),
                    .number = number_++,
                    .first = now,
                    .last = now};
  if (regarding != nullptr) {
    event.uid = Uid(regarding->uid);
    event.api_version = regarding->api_version;
  } else if (text.kind == "Pod") {
    const auto pod = cache_.Pod(text.object);
    if (pod) event.uid = Uid(pod->uid);
  } else {
    const CachedObject* held = cache_.Find(text.kind, text.object);
    if (held == nullptr && text.kind == "Workload") {
      held = cache_.JobOf(text.object);
      if (held != nullptr) event.kind = objects::KindOf(held->object);
    }
    if (held != nullptr) {
      event.uid = Uid(held->ref.uid);
      event.api_version = held->api_version;
    }
  }
  if (event.api_version.empty()) event.api_version = ApiVersionOf(event.kind);
  return event;
}

void Events::Add(effects::EventText text) {
  const bool to_be_made =
      text.kind == "Workload" && cache_.Find("Workload", text.object) == nullptr;
  if (!to_be_made) return Queue(text);
  timers_.After(kSettle, [this, text = std::move(text)] { Queue(text); });
}

void Events::Add(const effects::EventText& text, const kube::Resource& resource,
                 const kube::ObjectRef& ref) {
  const Regarding regarding{.uid = ref.uid, .api_version = resource.ApiVersion()};
  Queue(text, &regarding);
}

void Events::Queue(const effects::EventText& text, const Regarding* regarding) {
  // What happens to a pod happens once: only what may come again is remembered, by what it says.
  const bool may_repeat = text.type == "Warning" || text.reason == "Preempted";
  std::string says;
  if (may_repeat) {
    says = fmt::format("{} {} {} {}", text.kind, text.object, text.reason, text.note);
  }
  ToldPtr told = may_repeat ? FindLast(says) : nullptr;
  if (told != nullptr) {
    told->event.last = loop_.WallNow();
    ++told->event.count;
    if (told->waits) return;
  } else {
    told = std::make_shared<Told>(Told{.event = NewEvent(text, regarding), .says = Text(says)});
    if (may_repeat) {
      if (last_.size() >= kMostRemembered) last_.clear();
      last_[says] = told;
    }
  }
  told->waits = true;
  waiting_.push_back(std::move(told));
  if (waiting_.size() > kMostWaiting) DropFirst();
  Pump();
}

// Null: it was not said for so long that it is new.
Events::ToldPtr Events::FindLast(const std::string& says) const {
  const auto last = last_.find(says);
  if (last == last_.end()) return nullptr;
  const bool repeats = loop_.WallNow() - last->second->event.last < kRepeatWithin;
  return repeats ? last->second : nullptr;
}

Events::ToldPtr Events::TakeFirst() {
  ToldPtr first = std::move(waiting_.front());
  waiting_.pop_front();
  first->waits = false;
  return first;
}

void Events::DropFirst() {
  const ToldPtr first = TakeFirst();
  // One that nobody will see is not repeated.
  if (!first->was_sent) last_.erase(std::string(first->says));
  ++dropped_;
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
  const ToldPtr first = TakeFirst();
  ++under_way_;
  kube::Request request = std::exchange(first->was_sent, true) ? RepeatEvent(first->event, source_)
                                                               : CreateEvent(first->event, source_);
  writer_.Send("Event " + NameOf(first->event, source_), std::move(request),
               [this, first](const WriteResult& result) {
                 --under_way_;
                 ++(result.done ? sent_ : dropped_);
                 // What is not there cannot be repeated.
                 if (!result.done) last_.erase(std::string(first->says));
                 Pump();
               });
}

}  // namespace fairlead::live
