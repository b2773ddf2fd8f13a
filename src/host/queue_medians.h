#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/time.h"
#include "history/past_durations.h"
#include "history/reader.h"

namespace fairlead::host {

// How long work of each queue runs in the median, of what succeeded of late: read from the history
// beside the owner's thread, at once and then now and then, for the queues' status
// (status.medianDuration, time.md §5.5).
//
// Thread safety: Stop, by whoever made it.
class QueueMedians {
 public:
  using Medians = std::map<std::string, Duration>;  // by queue
  // `history` must outlive it. `tell` is called on its own thread.
  QueueMedians(const history::Source& history, std::function<void(Medians)> tell,
               std::chrono::milliseconds every = std::chrono::minutes(10));
  ~QueueMedians() { Stop(); }
  void Stop();

 private:
  void Work();
  void Read();

  const history::Source& history_;
  const std::function<void(Medians)> tell_;
  const std::chrono::milliseconds every_;
  history::PastDurations past_;  // its thread's
  Mutex mutex_;
  ConditionVariable changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread own_;
};

}  // namespace fairlead::host
