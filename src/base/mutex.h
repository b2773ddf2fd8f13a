#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// Locks that say what they guard, so that clang's thread-safety analysis can check it: `make lint`
// refuses a field that is touched without its lock.
//
//   Mutex mutex_;
//   std::vector<Job> waiting_ GUARDED_BY(mutex_);
//   bool HasNews() const NEEDS_LOCK(mutex_);   // whoever calls it holds the lock
//
//   MutexLock lock(mutex_);                    // until the end of the block
//   while (!HasNews()) changed_.Wait(lock);    // a loop: the analysis does not look into lambdas
//
// Constructors and destructors are not checked: nobody else may know the object then.

#ifdef __clang__
#define FAIRLEAD_THREAD_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define FAIRLEAD_THREAD_ATTRIBUTE(attribute)
#endif

#define GUARDED_BY(mutex) FAIRLEAD_THREAD_ATTRIBUTE(guarded_by(mutex))
#define NEEDS_LOCK(mutex) FAIRLEAD_THREAD_ATTRIBUTE(requires_capability(mutex))

namespace fairlead {

class FAIRLEAD_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds the lock from its construction to its end, but for what stands between Unlock and Lock.
class FAIRLEAD_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) FAIRLEAD_THREAD_ATTRIBUTE(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() FAIRLEAD_THREAD_ATTRIBUTE(release_capability()) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void Unlock() FAIRLEAD_THREAD_ATTRIBUTE(release_capability()) { lock_.unlock(); }
  void Lock() FAIRLEAD_THREAD_ATTRIBUTE(acquire_capability()) { lock_.lock(); }

 private:
  friend class ConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

// What threads wait for under a lock, which is free meanwhile. They may wake for no reason: what is
// waited for is asked in a loop.
class ConditionVariable {
 public:
  using Clock = std::chrono::steady_clock;

  void NotifyOne() { condition_.notify_one(); }
  void NotifyAll() { condition_.notify_all(); }
  void Wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  // False: the time has come.
  bool WaitUntil(MutexLock& lock, Clock::time_point time) {
    return condition_.wait_until(lock.lock_, time) == std::cv_status::no_timeout;
  }

 private:
  std::condition_variable condition_;
};

}  // namespace fairlead
