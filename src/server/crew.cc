#include "server/crew.h"

#include <utility>

namespace fairlead::server {

Crew::Crew(std::size_t threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
}

bool Crew::Give(std::function<void()> job) {
  {
    const MutexLock lock(mutex_);
    if (stopping_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(job));
  }
  changed_.NotifyOne();
  return true;
}

void Crew::Stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    waiting_.clear();
  }
  changed_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Crew::Work() {
  MutexLock lock(mutex_);
  for (;;) {
    while (!stopping_ && waiting_.empty()) changed_.Wait(lock);
    if (stopping_) return;
    const std::function<void()> job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.Unlock();
    job();
    lock.Lock();
  }
}

}  // namespace fairlead::server
