#include "live/queue_statuses.h"

#include <boost/json.hpp>

#include "effects/queue_status.h"
#include "engine/explain/report.h"
#include "live/requests.h"
#include "live/resources.h"

namespace fairlead::live {

namespace json = boost::json;

QueueStatuses::QueueStatuses(kube::Loop& loop, Writer& writer, const ObjectCache& cache,
                             const engine::Scheduler& scheduler)
    : loop_(loop), writer_(writer), cache_(cache), scheduler_(scheduler) {}

QueueStatuses::~QueueStatuses() {
  if (timer_ != 0) loop_.CancelTimer(timer_);
}

void QueueStatuses::Touch() {
  if (timer_ != 0) return;
  timer_ = loop_.After(kEvery, [this] {
    timer_ = 0;
    WriteAll();
  });
}

void QueueStatuses::WriteAll() {
  for (const engine::QueueReport& queue : engine::ReportQueues(scheduler_)) {
    const CachedObject* held = cache_.Find("Queue", queue.name);
    if (held == nullptr) continue;  // of a dialect, or made by the configuration
    json::object status = effects::QueueStatusOf(queue);
    std::string text = json::serialize(status);
    Written& written = written_[queue.name];
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
    writer_.Send("Queue " + queue.name,
                 Apply(resources::Queues(), queue.name,
                       {{"apiVersion", "fairlead.dev/v1alpha1"},
                        {"kind", "Queue"},
                        {"metadata", {{"name", queue.name}}},
                        {"status", std::move(status)}},
                       "status"),
                 [this, name = queue.name](const WriteResult& result) {
                   if (!result.done) written_.erase(name);  // with the next look
                 });
  }
}

}  // namespace fairlead::live
