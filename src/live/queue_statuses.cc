#include "live/queue_statuses.h"

#include <utility>

#include <boost/json.hpp>

#include "effects/queue_status.h"
#include "engine/explain/report.h"
#include "live/requests.h"
#include "live/resources.h"
#include "state/cluster.h"

namespace fairlead::live {

namespace json = boost::json;

QueueStatuses::QueueStatuses(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                             const engine::Scheduler& scheduler)
    : loop_(loop), writer_(writer), cache_(cache), scheduler_(scheduler) {}

QueueStatuses::~QueueStatuses() {
  for (const kube::TimerId timer : {timer_, usage_timer_, last_timer_}) {
    if (timer != 0) loop_.CancelTimer(timer);
  }
}

void QueueStatuses::Touch() {
  if (timer_ != 0) return;
  timer_ = loop_.After(kEvery, [this] {
    timer_ = 0;
    const bool due = !usage_written_ || loop_.Now() - *usage_written_ >= kUsageEvery;
    WriteAll(due ? Usage::kNow : Usage::kAsWritten);
  });
}

void QueueStatuses::SetMedianDurations(std::map<std::string, Duration> by_queue) {
  median_durations_ = std::move(by_queue);
  Touch();
}

void QueueStatuses::WriteLast(std::function<void()> done) {
  if (!scheduler_.cluster().queues().usage().kept()) return done();
  when_answered_ = std::move(done);
  WriteAll(Usage::kNow);
  Finish(under_way_ == 0 ? Duration{} : kLastWrites);
}

// Not from inside an answer's own call.
void QueueStatuses::Finish(Duration wait) {
  if (!when_answered_) return;
  if (last_timer_ != 0) loop_.CancelTimer(last_timer_);
  last_timer_ = loop_.After(wait, [this] {
    last_timer_ = 0;
    if (const auto done = std::exchange(when_answered_, nullptr)) done();
  });
}

void QueueStatuses::WriteAll(Usage usage) {
  bool kept_back = false;
  if (usage == Usage::kNow) usage_written_ = loop_.Now();
  for (engine::QueueReport& queue : engine::ReportQueues(scheduler_)) {
    if (const auto median = median_durations_.find(queue.name); median != median_durations_.end()) {
      queue.median_duration = median->second;
    }
    const CachedObject* held = cache_.Find("Queue", queue.name);
    if (held == nullptr) continue;  // of a dialect, or made by the configuration
    json::object status = effects::QueueStatusOf(queue);
    Written& written = written_[queue.name];
    if (json::value* used = status.if_contains("usage")) {
      const bool as_written = usage == Usage::kAsWritten && !written.usage.is_null();
      kept_back |= as_written && written.usage != *used;
      (as_written ? *used : written.usage) = as_written ? written.usage : *used;
    }
    std::string text = json::serialize(status);
    if (written.uid == held->ref.uid && written.text == text) continue;
    // The condition's time is when it came to be so; we know since when we say it.
    if (written.uid != held->ref.uid || written.not_ready != queue.not_ready) {
      written.since = loop_.WallNow();
    }
    written.uid = held->ref.uid;
    written.not_ready = queue.not_ready;
    written.text = std::move(text);
    status["conditions"].as_array()[0].as_object()["lastTransitionTime"] =
        FormatTime(written.since);
    ++under_way_;
    writer_.Send("Queue " + queue.name,
                 Apply(resources::Queues(), queue.name,
                       {{"apiVersion", "fairlead.dev/v1alpha1"},
                        {"kind", "Queue"},
                        {"metadata", {{"name", queue.name}}},
                        {"status", std::move(status)}},
                       "status"),
                 [this, name = queue.name](const WriteResult& result) {
                   if (!result.done) written_.erase(name);  // with the next look
                   if (--under_way_ == 0) Finish({});
                 });
  }
  if (!kept_back || usage_timer_ != 0) return;
  usage_timer_ = loop_.After(*usage_written_ + kUsageEvery - loop_.Now(), [this] {
    usage_timer_ = 0;
    WriteAll(Usage::kNow);
  });
}

}  // namespace fairlead::live
