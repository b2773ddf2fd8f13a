#include "cli/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/on_threads.h"
#include "cli/signals.h"
#include "show/progress.h"

namespace fairlead::cli {
namespace {

// How many are done.
class Done {
 public:
  void Add() {
    const MutexLock lock(mutex_);
    ++count_;
    one_more_.NotifyOne();
  }
  // Waits for more than `seen`, so long at most.
  std::size_t Wait(std::size_t seen, ConditionVariable::Clock::duration at_most) {
    MutexLock lock(mutex_);
    const ConditionVariable::Clock::time_point until = ConditionVariable::Clock::now() + at_most;
    while (count_ == seen && one_more_.WaitUntil(lock, until)) continue;
    return count_;
  }

 private:
  Mutex mutex_;
  ConditionVariable one_more_;
  std::size_t count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::size_t OnAllCores(std::size_t count, std::string_view what, std::string_view unit,
                       const std::function<void(std::size_t)>& run) {
  const std::size_t at_once = std::min(Cores(), count);
  Signals signals;
  std::atomic<std::size_t> next = 0, end = count;
  Done done;
  std::vector<std::jthread> threads;
  for (std::size_t t = 0; t < at_once; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < end; i = next++) {
        run(i);
        done.Add();
      }
    });
  }
  constexpr auto kLookEvery = std::chrono::milliseconds(200);
  show::Progress progress(what);
  for (std::size_t there = 0; there < end;) {
    there = done.Wait(there, kLookEvery);
    progress.Show(static_cast<std::int64_t>(there), static_cast<std::int64_t>(end), unit, {});
    if (end < count || !signals.Wait(0)) continue;
    // What was taken by now is run: nobody takes more than one beyond.
    end = std::min<std::size_t>(next, count);
    signals.Release();
  }
  return end;
}

}  // namespace fairlead::cli
