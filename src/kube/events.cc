#include "kube/events.h"

#include <utility>

#include <fmt/format.h>

#include "jobs/job_kind.h"

namespace fairlead::kube {
namespace {

constexpr Duration kRest{.us = 50'000};

std::string_view ApiVersionOf(std::string_view kind) {
  if (kind == "Pod") return "v1";
  if (kind == "ElasticQuota") return "scheduling.x-k8s.io/v1alpha1";
  if (const jobs::JobKind* job = jobs::FindKind(kind)) return job->api_version();
  return "fairlead.dev/v1alpha1";
}

}  // namespace

Events::Events(Loop& loop, Writer& writer, const Held& held, std::string reporter,
               std::string instance, std::uint64_t run)
    : loop_(loop),
      writer_(writer),
      held_(held),
      reporter_(std::move(reporter)),
      instance_(std::move(instance)),
      run_(run),
      timers_(loop) {}

std::string Events::UidOf(const effects::EventText& text) const {
  if (text.kind == "Pod") {
    const HeldPod* pod = held_.Pod(text.object);
    return pod == nullptr ? std::string() : pod->uid;
  }
  const HeldObject* held = held_.Find(text.kind, text.object);
  return held == nullptr ? std::string() : held->ref.uid;
}

void Events::Add(effects::EventText text) {
  if (text.kind != "Workload" || !UidOf(text).empty()) return Queue(std::move(text));
  timers_.After(kSettle, [this, text = std::move(text)] { Queue(text); });
}

void Events::Queue(effects::EventText text) {
  const std::string says =
      fmt::format("{} {} {} {}", text.kind, text.object, text.reason, text.note);
  const Time now = loop_.WallNow();
  const auto last = last_.find(says);
  EventObject event;
  if (last != last_.end() && now - last->second.last < kRepeatWithin) {
    event = last->second;
    event.last = now;
    ++event.count;
  } else {
    const std::size_t slash = text.object.find('/');
    const std::string name =
        slash == std::string::npos ? text.object : text.object.substr(slash + 1);
    event = {.text = text,
             .api_version = std::string(ApiVersionOf(text.kind)),
             .kind = std::string(text.kind),
             .uid = UidOf(text),
             .name = fmt::format("{}.{:x}{:x}", name.substr(0, 200), run_, number_++),
             .reporter = reporter_,
             .instance = instance_,
             .first = now,
             .last = now};
  }
  // What happens to a pod happens once: only what may come again is remembered.
  if (text.type == "Warning" || text.reason == "Preempted") {
    if (last_.size() >= kMostRemembered) last_.clear();
    last_[says] = event;
  }
  waiting_.push_back(std::move(event));
  if (waiting_.size() > kMostWaiting) {
    waiting_.pop_front();
    ++dropped_;
  }
  Pump();
}

void Events::Pump() {
  if (writer_.waiting(Lane::kBindings) > 0) {
    if (!resting_) {
      timers_.After(kRest, [this] {
        resting_ = false;
        Pump();
      });
    }
    resting_ = true;
    return;
  }
  while (!waiting_.empty() && under_way_ < kMostUnderWay) {
    const EventObject event = std::move(waiting_.front());
    waiting_.pop_front();
    ++under_way_;
    Request request = event.count == 1 ? CreateEvent(event) : RepeatEvent(event);
    writer_.Send("Event " + event.name, std::move(request), [this](const WriteResult& result) {
      --under_way_;
      ++(result.done ? sent_ : dropped_);
      Pump();
    });
  }
}

}  // namespace fairlead::kube
