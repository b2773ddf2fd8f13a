#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "history/past_durations.h"
#include "history/reader.h"
#include "history/records.h"
#include "host/expected_starts.h"
#include "view/view.h"

namespace fairlead::host {

// When all that waits is expected to start, for those who look at lists: worked out beside the
// owner's thread, from a copy of the state, again and again while somebody looks.
//
//   owner: if (forecast.Wants()) forecast.Take(objects, options);   // or Decline()
//   others: forecast.Look();  forecast.Newest();
//
// It rests ten times as long as it worked, so that it takes a tenth of one processor at most; what
// takes a moment only is worked out for each who asks.
// Thread safety: Wants, Take and Decline are the owner's, the rest anybody's.
class StartForecast {
 public:
  struct Told {
    Time now;                                     // of the state
    std::map<std::string, ExpectedStart> starts;  // by workload
  };
  using Starts = std::shared_ptr<const Told>;
  using Objects = std::vector<std::shared_ptr<const objects::Object>>;
  struct Options {
    // Called by a thread of its own, whenever something is worked out.
    std::function<void(Starts)> tell;
    // Lets the owner call Wants soon; from any thread.
    std::function<void()> wake = [] {};
    // Where it is read how long such work ran before; null: nowhere. Not owned.
    const history::Source* history = nullptr;
  };
  explicit StartForecast(Options options);
  ~StartForecast() { Stop(); }

  void Look();  // somebody wants to know
  // The same, and what is known: as of now where that takes a moment, else of some time before.
  // Waits at most so long for it. Null: it is not known.
  Starts Newest(std::chrono::milliseconds at_most = std::chrono::seconds(2));

  bool Wants() const;
  void Take(Objects objects, const virtual_cluster::Options& options);
  void Decline();  // there is too much for it
  void Stop();     // waits for what is being worked out

 private:
  using Clock = std::chrono::steady_clock;
  struct State {
    Objects objects;
    virtual_cluster::Options options;
  };
  void Work();
  Starts WorkOut(const State& state);

  const Options options_;
  history::PastDurations past_;  // its thread's
  mutable Mutex mutex_;
  ConditionVariable given_, told_;
  std::optional<State> state_ GUARDED_BY(mutex_);
  Starts newest_ GUARDED_BY(mutex_);
  Clock::time_point looked_at_ GUARDED_BY(mutex_), rests_until_ GUARDED_BY(mutex_);
  Clock::duration took_ GUARDED_BY(mutex_) = {};
  std::uint64_t taken_ GUARDED_BY(mutex_) = 0, done_ GUARDED_BY(mutex_) = 0;  // states
  bool looked_ GUARDED_BY(mutex_) = false, hurries_ GUARDED_BY(mutex_) = false;
  bool declined_ GUARDED_BY(mutex_) = false, stopping_ GUARDED_BY(mutex_) = false;
  std::thread own_;
};

// For the page, and for the history.
view::ExpectedStarts ToView(const StartForecast::Told& told);
std::vector<history::Estimate> ToEstimates(const StartForecast::Told& told);

}  // namespace fairlead::host
