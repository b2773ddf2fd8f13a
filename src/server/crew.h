#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace fairlead::server {

// Threads that work off a queue of bounded length, in its order. Thread safety: all of it, but for
// Stop and the destructor, which one thread calls.
class Crew {
 public:
  Crew(std::size_t threads, std::size_t most_waiting);
  ~Crew() { Stop(); }

  // False: too many wait already, or it has stopped.
  bool Give(std::function<void()> job);
  // Drops what waits, and waits for what is under way.
  void Stop();

 private:
  void Work();

  const std::size_t most_waiting_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace fairlead::server
