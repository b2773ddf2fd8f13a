#pragma once

#include <chrono>
#include <string>

#include "base/mutex.h"

namespace fairlead::host {

// What probes are told of a cluster that a thread owns, without asking that thread.
//
//   owner, every second: vitals.SetReadiness(why_not);
//                        if (vitals.WantsMetrics()) vitals.SetMetrics(text);
//   others: vitals.NotReady(), vitals.Metrics()
//
// Metrics are as old as the owner's last second, or, for who asks the first time in a while, as
// five. Thread safety: all of it.
class Vitals {
 public:
  using Clock = std::chrono::steady_clock;

  void SetReadiness(std::string why_not);  // empty: ready
  bool WantsMetrics() const;
  bool IsAskedForMetrics() const;  // since the last ones
  void SetMetrics(std::string text);

  // Also where the owner has said nothing for half a minute.
  std::string NotReady(Clock::time_point now = Clock::now()) const;
  std::string Metrics();

 private:
  mutable Mutex mutex_;
  std::string not_ready_ GUARDED_BY(mutex_) = "it has not begun";
  std::string metrics_ GUARDED_BY(mutex_);
  Clock::time_point said_at_ GUARDED_BY(mutex_) = Clock::now(), metrics_at_ GUARDED_BY(mutex_);
  bool asked_ GUARDED_BY(mutex_) = true;
};

}  // namespace fairlead::host
