#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "host/expected_starts.h"
#include "view/view.h"

namespace fairlead::host {

// When all that waits is expected to start, for those who look at lists: worked out beside the
// owner's thread, from a copy of the state, again and again while somebody looks.
//
//   owner: if (forecast.Wants()) forecast.Take(objects, options);
//   others: forecast.Look();
//
// It rests ten times as long as it worked, so that it takes a tenth of one processor at most.
// Thread safety: Wants and Take are the owner's, the rest anybody's.
class StartForecast {
 public:
  using Starts = std::shared_ptr<const view::ExpectedStarts>;
  // `tell` is called by a thread of its own.
  explicit StartForecast(std::function<void(Starts)> tell);
  ~StartForecast() { Stop(); }

  void Look();  // somebody wants to know
  bool Wants() const;
  void Take(std::vector<objects::Object> objects, const virtual_cluster::Options& options);
  void Stop();  // waits for what is being worked out

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    std::vector<objects::Object> objects;
    virtual_cluster::Options options;
  };
  void Work();

  const std::function<void(Starts)> tell_;
  mutable Mutex mutex_;
  ConditionVariable given_;
  std::optional<State> state_ GUARDED_BY(mutex_);
  Clock::time_point looked_at_ GUARDED_BY(mutex_), rests_until_ GUARDED_BY(mutex_);
  bool looked_ GUARDED_BY(mutex_) = false, busy_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread own_;
};

}  // namespace fairlead::host
